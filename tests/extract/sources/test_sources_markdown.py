"""Markdown, one file or many: what the reader reads, where it stands, and what the author says beside it."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.extract.errors import BadSource
from narraworld.extract.sources import AuthorNote, Piece, Place, Places, SourceSettings, read_sources


def read(text: str, name: str = "story.md", **options: object) -> list[Piece]:
    return read_sources(["-"], stdin=io.StringIO(text), stdin_name=name, **options)  # type: ignore[arg-type]


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    return folder


def ids(pieces: list[Piece]) -> list[str]:
    return [piece.unit.id for piece in pieces]


CANONICAL = {
    "emphasis": ("Mara *opened* the **old _drawer_**.", "Mara opened the old drawer."),
    "link": ("Take the [key](key.md 'k')key.", "Take the keykey."),
    "autolink": ("See <https://x.org/a>.", "See https://x.org/a."),
    "wiki link": ("[[Mara|She]] met [[Leo]].", "She met Leo."),
    "entity and escape": (r"It wasn&rsquo;t \*hers\*.", "It wasn’t *hers*."),
    "code": ("He typed ` a  b ` twice.", "He typed a  b twice."),
    "comment in a line": ("Mara <!-- why? --> left.", "Mara left."),
    "comment over paragraphs": ("One.\n\n<!-- a\n\nb -->\n\nTwo.", "One.\n\nTwo."),
    "tag": ("A <b>bold</b> word.", "A bold word."),
    "hard break": ("One  \ntwo\\\nthree", "One\ntwo\nthree"),
    "quotation": ("> He wrote:\n> come.\n\nShe came.", "He wrote:\ncome.\n\nShe came."),
    "indented paragraph": ("One.\n\n    Two.", "One.\n\nTwo."),
    "a year is no list": ("1984. A year.", "1984. A year."),
    "a name is no link target": ("[Mara]: gone", "[Mara]: gone"),
    "unclosed comment": ("One <!-- two", "One <!-- two"),
    "lone star": ("2 * 3 is 6*", "2 * 3 is 6*"),
    "strike": ("A ~~bad~~ good day.", "A bad good day."),
    "many blank lines": ("\n\nOne.\n\n\n\nTwo.\n\n", "One.\n\nTwo."),
    "tag line": ("@char: Mara, Leo\nMara came.", "Mara came."),
    "remark": ("% think again\n\nMara came.", "Mara came."),
    "windows line ends": ("One\r\ntwo.\r\n\r\nThree.\rfour.", "One\ntwo.\n\nThree.\nfour."),
    "byte order mark": ("\ufeffOne.", "One."),
    "long line above a rule": (
        "One two three " * 9 + "\n---\nEnd.",
        ("One two three " * 9).strip() + "\n\n---\n\nEnd.",
    ),
}


@pytest.mark.parametrize(("written", "read_as"), CANONICAL.values(), ids=CANONICAL.keys())
def test_canonical_text_is_what_the_reader_reads(written: str, read_as: str) -> None:
    assert read(written)[0].unit.text == read_as


def test_every_word_leads_back_to_its_line_and_column() -> None:
    piece = read("---\npov: Mara\n---\n\n# One\n\nMara **opened** it.\n> Then &amp; *there*.\n")[0]
    text, at = piece.unit.text, piece.places.at
    assert text == "Mara opened it.\n\nThen & there."
    assert at(text.index("opened")) == Place("story.md", 7, 8)
    assert at(text.index("&")) == Place("story.md", 8, 8)
    assert at(text.index("there")) == Place("story.md", 8, 15)
    assert str(at(len(text))) == "story.md:8:22"


SIGNS = st.sampled_from(
    ["*", "**", "_", "`", "``", "[", "]", "(", ")", "<", ">", "&amp;", "&#8217;", "\\", "\\*", "\n", "\n\n", "\n> ", "\n# ",
     "\n---\n", " ", "  ", "\t", "!", "~~", "<!-- x -->", "[[", "]]", "|", "<b>", "\n@pov: Jo\n", "é", "\u00a0", "a", "bc", "Mara",
     "\r\n", "```\n", "1. ", "- ", "=", "%%", "<http://a.b>", "&", "\u2028"]
)  # fmt: skip
WRITTEN_OTHERWISE = re.compile(r"&[^;]+;|\\.")


@settings(max_examples=150, deadline=None)
@given(st.lists(SIGNS, max_size=40).map("".join))
def test_each_run_is_the_source_or_its_decoding(text: str) -> None:
    try:
        pieces = read("Begin. " + text, "novel.md")
    except BadSource:
        return
    lines = re.split(r"\r\n|\r|\n", "Begin. " + text)
    for piece in pieces:
        covered = 0
        for run in piece.places.runs:
            source, canonical = lines[run.line - 1][run.column - 1 :], piece.unit.text[run.start : run.end]
            if run.decoded:
                written = WRITTEN_OTHERWISE.match(source)
                assert written and html.unescape(written[0].removeprefix("\\")) == canonical
            else:
                assert source.startswith(canonical)
            assert piece.unit.text[covered : run.start].strip("\n") == "", "only line ends are ours"
            covered = run.end
        assert covered == len(piece.unit.text)
        assert Places.from_text(piece.places.to_text()) == piece.places
        for scene in piece.scenes:
            assert piece.unit.text[scene.start : scene.end].strip() != ""


FRONT = {
    "yaml": "---\ntitle: 'The Drawer'\nPOV: Mara\ncharacters:\n  - Mara\n  - Leo\nlocation: [Kitchen]\nmood: dark\n---\n",
    "toml": '+++\ntitle = "The Drawer"\nPOV = "Mara"\ncharacters = ["Mara", "Leo"]\nlocation = "Kitchen"\nmood = "dark"\n+++\n',
}


@pytest.mark.parametrize("front", FRONT.values(), ids=FRONT.keys())
def test_front_matter_is_the_authors_word(front: str) -> None:
    piece = read(f"{front}# Chapter 1\n\nMara came.\n")[0]
    assert piece.unit.title == "The Drawer"
    assert piece.notes == (
        AuthorNote("title", "The Drawer", 0),
        AuthorNote("pov", "Mara", 0),
        AuthorNote("char", "Mara", 0),
        AuthorNote("char", "Leo", 0),
        AuthorNote("location", "Kitchen", 0),
        AuthorNote("mood", "dark", 0),
    )


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert read("---\nShe said nothing.\n---\nThen she left.\n")[0].unit.text.startswith("---")


def test_broken_toml_is_said() -> None:
    with pytest.raises(BadSource, match="front matter is not TOML"):
        read("+++\ntitle = \n+++\nMara came.")


def test_what_is_said_to_us_in_comments_is_kept_with_its_place() -> None:
    text = "One.\n\n<!-- narraworld off NW204: dream -->\n\nTwo <!-- narraworld on --> three.\n\n%narraworld: ignore NW2\nFour."
    piece = read(text)[0]
    assert [(note.value, piece.unit.text[note.start :][:5]) for note in piece.notes] == [
        ("narraworld off NW204: dream", "Two t"),
        ("narraworld on", "three"),
        ("narraworld ignore NW2", "Four."),
    ]


BREAKS = ["***", "* * *", "---", "#", "___", r"\*\*\*", "⁂"]


@pytest.mark.parametrize("mark", BREAKS)
def test_a_break_parts_scenes_and_stays_in_the_text(mark: str) -> None:
    piece = read(f"One.\n\n{mark}\n\nTwo.")[0]
    assert [piece.unit.text[start:end] for start, end, _ in piece.scenes] == ["One.", "Two."]
    assert piece.unit.text == f"One.\n\n{mark.replace(chr(92), '')}\n\nTwo."


def test_headings_below_the_chapter_name_scenes() -> None:
    piece = read("# Chapter 3: Rain\n\nA.\n\n## The *Drawer*\n\nB.\n\n## Later\n\nC.", "ch03.md")[0]
    assert (piece.unit.id, piece.unit.title, piece.unit.text) == ("ch03", "Chapter 3: Rain", "A.\n\nB.\n\nC.")
    assert [title for *_, title in piece.scenes] == [None, "The Drawer", "Later"]


LONG = "A long and rainy day came to its end. " * 8
CUTS = {
    "no headings": ("One.\n\nTwo.", "tale.md", ["tale"]),
    "one chapter in a numbered file": ("# Rain\n\nA.\n\n## Later\n\nB.", "03 - Rain.md", ["03-rain"]),
    "title and chapters": ("# My Novel\n\n*For M.*\n\n## Rain\n\nA.\n\n## Sun\n\nB.", "novel.md", ["my-novel", "rain", "sun"]),
    "numbered chapters": ("# My Novel\n\n## Chapter 1\n\nA.\n\n## Chapter Two\n\nB.", "novel.md", ["ch01", "ch02"]),
    "chapters at the top": ("# Chapter 1\n\nA.\n\n## Scene\n\nB.\n\n# Epilogue\n\nC.", "novel.md", ["ch01", "epilogue"]),
    "first chapter of a novel": ("# Chapter 1\n\nA.", "novel.md", ["ch01"]),
    "parts": ("# Part One\n\n## 1\n\nA.\n\n# Part Two\n\n## 1\n\nB.", "novel.md", ["part01.ch01", "part02.ch01"]),
    "top headings with prose": (f"# Rain\n\n{LONG}\n\n## x\n\nB.\n\n# Sun\n\n{LONG}", "novel.md", ["rain", "sun"]),
    "three levels": ("# Winter\n\n## Rain\n\n### a\n\nA.\n\n# Summer\n\n## Sun\n\nB.", "n.md", ["winter.rain", "summer.sun"]),
    "two of one name": ("# A\n\nx\n\n# A\n\ny", "novel.md", ["a", "a-2"]),
    "names we need ourselves": ("# Plotlines\n\nx\n\n# Author's word\n\ny", "novel.md", ["plotlines-2", "authors-word-2"]),
    "a file of such a name": ("It rained.", "plotlines.md", ["plotlines-2"]),
    "no latin letters": ("# Дождь\n\nx\n\n# Солнце\n\ny", "novel.md", ["uec6fa6", "u64770d"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "name", "expected"), CUTS.values(), ids=CUTS.keys())
def test_headings_cut_a_file_into_named_units(text: str, name: str, expected: list[str]) -> None:
    assert ids(read(text, name)) == expected


def test_the_chapter_level_may_be_told() -> None:
    text = "# A\n\n## B\n\nx\n\n### C\n\ny"
    assert ids(read(text, "n.md", settings=SourceSettings(chapter_level=3))) == ["b", "c"]


def test_a_part_is_remembered() -> None:
    assert read("# Book Two: 1812\n\n## Chapter 1\n\nA.")[0].notes == (
        AuthorNote("part", "Book Two: 1812", 0),
    )


def test_files_are_told_in_natural_order(tmp_path: Path) -> None:
    write(tmp_path, ch10="Ten.", ch2="Two.", ch1="One.")
    pieces = read_sources([tmp_path], root=tmp_path)
    assert [(piece.unit.id, piece.unit.order, piece.unit.source) for piece in pieces] == [
        ("ch1", 1, "ch1.md"), ("ch2", 2, "ch2.md"), ("ch10", 3, "ch10.md"),
    ]  # fmt: skip


def test_a_unit_is_the_same_alone_and_among_others(tmp_path: Path) -> None:
    write(tmp_path, ch1="# Rain\n\nA.\n\n## x\n\nB.", ch2="# Sun\n\nC.", notes="Words.")
    alone = read_sources([tmp_path / "ch1.md"])
    assert alone[0] == read_sources([tmp_path])[0]


def test_front_matter_may_state_the_order(tmp_path: Path) -> None:
    write(tmp_path, a="---\norder: 7\n---\nA.", b="B.", c="---\norder: 0\n---\nC.")
    assert [(piece.unit.id, piece.unit.order) for piece in read_sources([tmp_path])] == [
        ("c", 0),
        ("b", 2),
        ("a", 7),
    ]


def test_two_files_cannot_state_one_order(tmp_path: Path) -> None:
    write(tmp_path, a="---\norder: 7\n---\nA.", b="---\norder: 7\n---\nB.")
    with pytest.raises(BadSource, match="both state the order 7"):
        read_sources([tmp_path])


def test_several_files_of_chapters_keep_theirs_apart(tmp_path: Path) -> None:
    write(
        tmp_path, dawn="# Chapter 1\n\nA.\n\n# Chapter 2\n\nB.", dusk="# Chapter 1\n\nC.\n\n# Chapter 2\n\nD."
    )
    assert ids(read_sources([tmp_path])) == ["dawn.ch01", "dawn.ch02", "dusk.ch01", "dusk.ch02"]


def test_a_chapter_without_prose_leaves_its_notes_to_the_next() -> None:
    pieces = read("# Chapter 1\n\n@pov: Mara\n\n# Chapter 2\n\nShe came.")
    assert ids(pieces) == ["ch02"]
    assert pieces[0].notes == (AuthorNote("heading", "Chapter 1", 0), AuthorNote("pov", "Mara", 0))


def test_standard_input_stands_in_for_the_file_it_is_named_after(tmp_path: Path) -> None:
    write(tmp_path, ch1="Saved.", ch2="Other.")
    pieces = read_sources(
        [tmp_path, "-"], root=tmp_path, stdin=io.StringIO("Being typed."), stdin_name="ch1.md"
    )
    assert [piece.unit.text for piece in pieces] == ["Being typed.", "Other."]


def test_hidden_and_empty_files_in_a_folder_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, ch1="One.", ch2="")
    (tmp_path / ".obsidian").mkdir()
    write(tmp_path / ".obsidian", plugin="No prose.")
    (tmp_path / "cover.png").write_bytes(b"\x89PNG")
    assert ids(read_sources([tmp_path])) == ["ch1"]
