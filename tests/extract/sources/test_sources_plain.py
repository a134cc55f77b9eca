"""Plain text and Project Gutenberg; Fountain; novelWriter: formats of lines whose structure is a matter of reading."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.extract.sources import AuthorNote, Piece, Place, SourceSettings, read_sources
from narraworld.extract.sources.headings import read_heading
from narraworld.extract.sources.unit_names import natural, slug

PROSE = "It rained on the hills and in the valley, and nobody who lived there thought it strange. " * 4


def read(text: str, name: str = "book.txt") -> list[Piece]:
    return read_sources(["-"], stdin=io.StringIO(text), stdin_name=name)


def outline(pieces: list[Piece]) -> list[tuple[str, str | None]]:
    return [(piece.unit.id, piece.unit.title) for piece in pieces]


HEADINGS = {
    "CHAPTER I. Down the Rabbit-Hole": "ch01",
    "Chapter 61": "ch61",
    "Chapter the First": "ch01",
    "CHAPTER TWENTY-ONE": "ch21",
    "CHAPTER 23. I CORROBORATE Mr. DICK, AND CHOOSE A PROFESSION": "ch23",
    "CHAPTER 1 LOOMINGS": "ch01",
    "ADVENTURE IV. THE BOSCOMBE VALLEY MYSTERY": "ch04",
    "VII. THE ADVENTURE OF THE BLUE CARBUNCLE": "ch07",
    "BOOK FIVE: 1806 - 07": "book05",
    "Part the Second": "part02",
    "FIRST EPILOGUE: 1813 - 20": "epilogue01",
    "Letter 4": "letter04",
    "Epilogue": "epilogue",
    "XIX.": "ch19",
    "12": "ch12",
    "Chapter 3 ........ 27": "ch03",
}
NO_HEADINGS = (
    "Part one of the plan was done.", "I walked home.", "I. walls in May next. More than one captain", "C", "1812",
    "Chapters are long.", "MARA", "A book one reads", "", "12 men came", "Prologue to what came was the rain.",
)  # fmt: skip


@pytest.mark.parametrize(("line", "key"), HEADINGS.items(), ids=HEADINGS.keys())
def test_a_line_that_calls_itself_a_heading_is_one(line: str, key: str) -> None:
    reading = read_heading(line, SourceSettings().heading_words)
    assert reading is not None
    assert reading.key == key


@pytest.mark.parametrize("line", NO_HEADINGS)
def test_other_lines_are_prose(line: str) -> None:
    assert read_heading(line, SourceSettings().heading_words) is None


GUTENBERG = f"""\ufeffThe Project Gutenberg EBook of Rain

*** START OF THIS PROJECT GUTENBERG EBOOK RAIN ***

RAIN

By A. Nobody

    CONTENTS

    BOOK ONE: 1805

    CHAPTER I

    CHAPTER II

    EPILOGUE

BOOK ONE: 1805

CHAPTER I

The Hills

{PROSE}

       *       *       *

It _never_ stopped, _she
said_, in snake_case.

CHAPTER II

“No!”

{PROSE}

EPILOGUE

It stopped.

*** END OF THIS PROJECT GUTENBERG EBOOK RAIN ***

Section 1. General Terms
"""


def test_gutenberg_without_licence_contents_and_title_page() -> None:
    first, second, last = read(GUTENBERG)
    assert outline([first, second, last]) == [
        ("book01.ch01", "CHAPTER I. The Hills"), ("book01.ch02", "CHAPTER II"), ("book01.epilogue", "EPILOGUE"),
    ]  # fmt: skip
    assert first.unit.text.startswith("It rained")
    assert first.unit.text.endswith("It never stopped, she\nsaid, in snake_case.")
    assert second.unit.text.startswith("“No!”")
    assert last.unit.text == "It stopped."
    assert len(first.scenes) == 2
    assert first.notes == (
        AuthorNote("part", "BOOK ONE: 1805", 0),
        AuthorNote("licence", "lines 1-3", 0),
        AuthorNote("licence", "lines 42-45", 0),
        AuthorNote("front", "RAIN\nBy A. Nobody\nCONTENTS", 0),
        AuthorNote("contents", "lines 11-17", 0),
    )


def test_places_in_plain_text_are_lines_and_columns() -> None:
    first = read(GUTENBERG)[0]
    at = first.unit.text.index("stopped")
    assert first.places.at(at) == Place("book.txt", 29, 12)
    assert first.places.at(first.unit.text.index("said")) == Place("book.txt", 30, 1)


def test_contents_in_one_stanza_with_page_numbers() -> None:
    text = f"CHAPTER I. Rain ..... 3\nCHAPTER II. Sun ..... 9\nCHAPTER III. Snow .... 12\n\nCHAPTER I. Rain\n\n{PROSE}\n\nCHAPTER II. Sun\n\n{PROSE}"
    assert outline(read(text)) == [("ch01", "CHAPTER I. Rain"), ("ch02", "CHAPTER II. Sun")]


def test_a_short_chapter_is_still_one() -> None:
    text = f"Chapter 1\n\n{PROSE}\n\nChapter 2\n\nThunder.\n\nChapter 3\n\n{PROSE}"
    assert [piece.unit.id for piece in read(text)] == ["ch01", "ch02", "ch03"]


def test_numerals_alone_are_chapters_only_where_nothing_else_is() -> None:
    assert [piece.unit.id for piece in read("I\n\nA.\n\nII\n\nB.")] == ["ch01", "ch02"]
    nested = read("ADVENTURE I. RAIN\n\nI.\n\nA.\n\nII.\n\nB.\n\nADVENTURE II. SUN\n\nC.")
    assert [(piece.unit.id, [scene.title for scene in piece.scenes]) for piece in nested] == [
        ("ch01", ["I.", "II."]), ("ch02", [None]),
    ]  # fmt: skip


def test_numbers_that_do_not_count_up_are_no_chapters() -> None:
    assert [piece.unit.id for piece in read("One.\n\n37\n\nTwo.\n\n112\n\nThree.")] == ["book"]


def test_a_preface_before_the_first_chapter_is_read() -> None:
    assert [piece.unit.id for piece in read(f"{PROSE}\n\nCHAPTER I\n\n{PROSE}")] == ["front", "ch01"]


def test_long_lines_are_paragraphs_without_blank_lines() -> None:
    assert read(f"{PROSE}\n{PROSE}")[0].unit.text == f"{PROSE.strip()}\n\n{PROSE.strip()}"


LINES = st.sampled_from(["CHAPTER I", "CHAPTER II. Rain", "III", "7", "", "", "The Hills", "It rained.", " * * *", "BOOK ONE",
                         "EPILOGUE", "so it _did\tgo_ on", "_", "“No!”", PROSE, "\u2028x", "*** START OF THIS", "é _a_b_"])  # fmt: skip


def words(texts: list[str]) -> set[str]:
    return {word.replace("_", "").strip(".:") for text in texts for word in text.split()}


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]))
def test_no_word_is_lost_and_none_is_moved(lines: list[str], end: str) -> None:
    """Every word of the file is in a text, a title or a note, or is a line of the contents; every run is the source."""
    pieces = read(end.join(["CHAPTER 99", "", "Once.", "", *lines]))
    noted = [note for piece in pieces for note in piece.notes]
    told = [f"{piece.unit.title} {piece.unit.text}" for piece in pieces] + [note.value for note in noted]
    told += [str(scene.title) for piece in pieces for scene in piece.scenes]
    if not any(note.kind == "contents" for note in noted):
        assert words(lines) <= words(told)
    for piece in pieces:
        for run in piece.places.runs:
            source = ["CHAPTER 99", "", "Once.", "", *lines][run.line - 1][run.column - 1 :]
            assert source.startswith(piece.unit.text[run.start : run.end])


def test_names_sort_as_people_count() -> None:
    assert sorted(["ch10", "ch2", "Ch1", "ch2b"], key=natural) == ["Ch1", "ch2", "ch2b", "ch10"]


def test_a_long_name_keeps_its_own() -> None:
    one, other = slug("the drawer at the end of the hall"), slug("the drawer at the end of the house")
    assert one != other
    assert len(one) <= 20


FOUNTAIN = """Title: The Drawer
Author: Nobody

# Act One

= Mara looks.

INT. KITCHEN - NIGHT #4#

Mara opens the *drawer*. [[why?]]

MARA (V.O.)
(softly)
The key is _gone_.

CUT TO:

.FORCED PLACE

/* not
here */
@McLeod
Well.

> THE END <
"""


def test_fountain_scenes_speakers_and_asides() -> None:
    piece = read(FOUNTAIN, "play.fountain")[0]
    text = piece.unit.text
    assert text == (
        "Mara opens the drawer.\n\nMARA (V.O.)\n(softly)\nThe key is gone.\n\nMcLeod\nWell.\n\nTHE END"
    )
    assert [scene.title for scene in piece.scenes] == ["INT. KITCHEN - NIGHT", "FORCED PLACE"]
    assert [(note.kind, note.value, text[note.start :][:4]) for note in piece.notes] == [
        ("title", "The Drawer", "Mara"),
        ("author", "Nobody", "Mara"),
        ("synopsis", "Mara looks.", "Mara"),
        ("location", "KITCHEN", "Mara"),
        ("time", "NIGHT", "Mara"),
        ("speaker", "MARA", "MARA"),
        ("transition", "CUT TO:", "McLe"),
        ("location", "FORCED PLACE", "McLe"),
        ("speaker", "McLeod", "McLe"),
    ]
    assert piece.places.at(text.index("Well")) == Place("play.fountain", 23, 1)


PROJECT = """<?xml version='1.0' encoding='utf-8'?>
<novelWriterXML appVersion="2.7" fileVersion="1.5"><content>
 <item handle="a000000000000" parent="None" order="0" type="ROOT" class="NOVEL"><name>Novel</name></item>
 <item handle="b000000000002" parent="a000000000000" order="1" type="FILE" class="NOVEL" layout="DOCUMENT"><name active="yes">Two</name></item>
 <item handle="b000000000001" parent="a000000000000" order="0" type="FILE" class="NOVEL" layout="DOCUMENT"><name active="yes">One</name></item>
 <item handle="c000000000001" parent="b000000000001" order="0" type="FILE" class="NOVEL" layout="DOCUMENT"><name active="yes">Scene</name></item>
 <item handle="c000000000002" parent="b000000000001" order="1" type="FILE" class="NOVEL" layout="NOTE"><name active="yes">Note</name></item>
 <item handle="c000000000003" parent="b000000000001" order="2" type="FILE" class="NOVEL" layout="DOCUMENT"><name active="no">Old</name></item>
 <item handle="d000000000000" parent="None" order="1" type="ROOT" class="CHARACTER"><name>Cast</name></item>
</content></novelWriterXML>"""
DOCUMENTS = {
    "b000000000001": "%%~name: One\n%%~kind: NOVEL/DOCUMENT\n##! Rain\n\n@pov: Mara\n",
    "c000000000001": "%%~name: Scene\n### In the Kitchen\n\n@char: Mara, Leo\n@mention: Ada\n%synopsis: She looks.\n\n"
    "Mara [i]looked[/i] at <A>.\n\n>> The end. <<\n\n[newpage]\n\n#### Then\n\nLeo came. <<\n",
    "b000000000002": "## Sun\n\nIt shone.\n",
    "c000000000002": "Never read.",
    "c000000000003": "Never read.",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "content").mkdir()
    (tmp_path / "nwProject.nwx").write_text(PROJECT, "utf-8")
    for handle, text in DOCUMENTS.items():
        (tmp_path / "content" / f"{handle}.nwd").write_text(text, "utf-8")
    return tmp_path


def test_a_novelwriter_project_is_told_in_the_order_of_its_tree(project: Path) -> None:
    rain, sun = read_sources([project], root=project)
    assert outline([rain, sun]) == [("rain", "Rain"), ("sun", "Sun")]
    assert rain.unit.text == "Mara looked at <A>.\n\nThe end.\n\nLeo came."
    assert [scene.title for scene in rain.scenes] == ["In the Kitchen", "Then"]
    assert rain.notes == (
        AuthorNote("pov", "Mara", 0),
        AuthorNote("char", "Mara", 0),
        AuthorNote("char", "Leo", 0),
        AuthorNote("mention", "Ada", 0),
        AuthorNote("synopsis", "She looks.", 0),
    )
    assert rain.places.at(rain.unit.text.index("looked")) == Place("content/c000000000001.nwd", 8, 9)


NOVELS = {
    "11_alices_adventures_in_wonderland": 12,
    "1342_pride_and_prejudice": 61,
    "1661_the_adventures_of_sherlock_holmes": 12,
    "2489_moby_dick": 136,
    "2600_war_and_peace": 365,
    "345_dracula": 27,
    "766_david_copperfield": 64,
}
DATA = os.environ.get("NARRAWORLD_DATA")


@pytest.mark.skipif(not DATA, reason="NARRAWORLD_DATA says where the novels are")
@pytest.mark.parametrize(("novel", "chapters"), NOVELS.items(), ids=NOVELS.keys())
def test_real_novels_are_read_whole(novel: str, chapters: int) -> None:
    path = Path(DATA or "") / "novels" / f"{novel}.txt"
    began = time.process_time()
    pieces = read_sources([path])
    seconds = time.process_time() - began
    lines = path.read_text("utf-8-sig").split("\n")
    licence = next((n for n, line in enumerate(lines) if line.startswith("*** END OF")), len(lines))
    words = sum(len(line.split()) for line in lines[:licence])
    kept = sum(len(f"{piece.unit.title} {piece.unit.text}".split()) for piece in pieces)
    assert len(pieces) == chapters
    assert kept >= 0.99 * words
    assert seconds < 10
    for piece in pieces:
        for run in piece.places.runs:
            written = lines[run.line - 1][run.column - 1 :]
            assert written.startswith(piece.unit.text[run.start : run.end])
