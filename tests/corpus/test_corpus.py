"""A corpus says of each story what a world of that story alone says; buckets come whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from narraworld.checking.check_world import checks_scope
from narraworld.commands.app import app
from narraworld.corpus import buckets
from narraworld.corpus.errors import BadCorpus
from narraworld.corpus.kernel import Kernel
from narraworld.corpus.many_stories import Corpus
from narraworld.corpus.read import Share, read_corpus
from narraworld.corpus.shared_rules import checking_setup
from narraworld.corpus.story_folder import StorySource, dealt_out, stories_in
from narraworld.extract.sources import read_sources
from narraworld.query.names import rows
from narraworld.rules.errors import RuleError
from narraworld.rules.living.cut import every_row
from narraworld.world import World

KEY = "Mara entered the den. Mara put the key in the box. Mara left the den. Leo was in the den. Leo took the key."
TALES = {
    "lamp.md": "# The Lamp\n\nIda was in the hall. Ida broke the lamp. Tom entered the hall. Tom saw the lamp.\n",
    "key/ch1.md": f"# The Key\n\n{KEY}\n",
    "key/ch2.md": "# The Door\n\nLeo left the den. Mara believed that the key was in the box. Mara is a doctor.\n",
    "tale10.txt": "Tom was in the mill. Tom slept. Ida gave Tom the rope. Tom took the rope.\n",
}


@pytest.fixture(scope="module")
def tales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tales")
    for name, text in TALES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "notes.pdf").write_bytes(b"not a story")
    return folder


@pytest.fixture(scope="module")
def made(tales: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("corpus") / "it's a corpus"
    assert [bucket.number for bucket in read_corpus(tales, into, size=2)] == [1, 2]
    return into


@pytest.fixture(scope="module")
def worlds(tales: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    """Each story in a world of its own."""
    opened = {}
    for story in stories_in(tales):
        world = World.open(tmp_path_factory.mktemp(story.name), create=True)
        world.read(story.path)
        opened[story.name] = world
    yield opened
    for world in opened.values():
        world.close()


# -- what is a story


def test_each_file_and_each_folder_is_a_story(tales: Path) -> None:
    assert [story.name for story in stories_in(tales)] == ["key", "lamp", "tale10"]


def test_two_files_of_one_name_keep_their_suffixes(tmp_path: Path) -> None:
    for name in ("a.md", "a.txt", "b.md"):
        (tmp_path / name).write_text("Ann sat.")
    assert [story.name for story in stories_in(tmp_path)] == ["a.md", "a.txt", "b"]


@pytest.mark.parametrize("made_of", ["nothing", "a file"])
def test_what_holds_no_stories_is_refused(tmp_path: Path, made_of: str) -> None:
    place = tmp_path / "tales"
    place.mkdir() if made_of == "nothing" else place.write_text("Ann sat.")
    with pytest.raises(BadCorpus):
        stories_in(place)


@pytest.mark.parametrize(("stories", "into"), [(5, 2), (3, 3), (2, 5), (7, 3)])
def test_every_story_is_in_one_bucket(stories: int, into: int) -> None:
    all_of_them = [StorySource(str(number), Path()) for number in range(stories)]
    dealt = dealt_out(all_of_them, into)

    assert [story for some in dealt for story in some] == all_of_them
    assert len(dealt) == into and max(map(len, dealt)) - min(map(len, dealt)) <= 1


# -- the same as one world each


def test_every_base_row_is_that_of_the_world(tales: Path, worlds: dict[str, World]) -> None:
    """But for the files a story came from, which are named from another folder."""
    kernel = Kernel(checking_setup())
    for story in stories_in(tales):
        told = kernel.read(read_sources([story.path]))
        alone = checks_scope(worlds[story.name].story).engine
        base = [name for name in alone.program.base() if name not in kernel.setup.settings_rows]
        assert {name: told.rows.get(name, set()) for name in base} == {
            name: set(every_row(alone, name)) for name in base
        }


@pytest.mark.parametrize(
    "goal", ["mistaken(Who, P, Truth)", "believes(Who, P), !knows(Who, P)", "current(S, M, Sign)"]
)
def test_a_goal_is_answered_for_every_story(made: Path, worlds: dict[str, World], goal: str) -> None:
    alone = {(story, *row) for story, world in worlds.items() for row in world.query(goal).rows}
    found = Corpus(made).query(goal)

    assert set(found.rows) == alone != set()
    assert found.columns[0] == "story"


def test_the_checks_find_in_each_what_they_find_in_it_alone(made: Path, worlds: dict[str, World]) -> None:
    alone = {
        (story, str(row[0]), str(row[3]))
        for story, world in worlds.items() for row in rows(checks_scope(world.story).engine, "finding")
    }  # fmt: skip
    found = Corpus(made).check()

    assert {(one.story, one.rule, one.about) for one in found} == alone != set()
    assert all(one.first and one.title for one in found)
    assert Corpus(made).check(ignore=["NW"]) == []


def test_a_question_that_nothing_is_asked_in_names_the_stories(made: Path) -> None:
    assert Corpus(made).query('named(_, _, "Tom")').rows == (("lamp",), ("tale10",))


# -- rules of one's own

PER_STORY = """
/// holder(Who): somebody has something.
.decl holder(who:symbol)
holder(W) :- current(_, M, "yes"), matter(M, _, "possession", W).
"""
ACROSS = """
/// shared_name(Name, N): so many stories have somebody of this name.
.decl shared_name(name:symbol, n:number)
shared_name(Name, N) :- named(_, _, _, Name), N = count : { namesake(_, Name) }.
.decl namesake(story:symbol, name:symbol)
namesake(S, Name) :- named(S, _, _, Name).
/// akin(One, Other): stories that share a name, or are joined by others that do.
.decl akin(one:symbol, other:symbol)
akin(S, T) :- namesake(S, N), namesake(T, N), S != T.
akin(S, U) :- akin(S, T), akin(T, U).
"""


def test_rules_across_stories(made: Path, tmp_path: Path) -> None:
    (tmp_path / "across.dl").write_text(ACROSS)
    found = Corpus(made, across=[tmp_path]).analyse()

    assert set(found) == {"shared_name", "namesake", "akin"}
    assert ("Tom", 2) in found["shared_name"].rows and ("Mara", 1) in found["shared_name"].rows
    assert {("lamp", "tale10"), ("tale10", "lamp")} <= set(found["akin"].rows)
    assert not any("key" in row for row in found["akin"].rows)


def test_rules_about_each_story(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.dl").write_text(".decl called(name:symbol)\ncalled(N) :- named(_, _, N).\n")
    found = Corpus(made, rules=[tmp_path / "mine.dl"]).analyse()

    assert found["called"].columns == ("story", "name")
    assert {("lamp", "Ida"), ("tale10", "Ida"), ("key", "Leo")} <= set(found["called"].rows)


def test_a_shipped_theory_goes_by_its_name(made: Path) -> None:
    found = Corpus(made, rules=[Path("causal")]).analyse()

    assert found and all(answer.columns[0] == "story" for answer in found.values())


def test_rules_may_be_about_each_and_across_at_once(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.dl").write_text(".decl called(name:symbol)\ncalled(N) :- named(_, _, N).\n")
    (tmp_path / "across.dl").write_text(
        ".decl twice(name:symbol)\ntwice(N) :- called(S, N), called(T, N), S != T.\n"
    )
    corpus = Corpus(made, rules=[tmp_path / "mine.dl"], across=[tmp_path / "across.dl"])

    assert {name for (name,) in corpus.query("twice(N)").rows} >= {"Ida", "Tom"}
    assert corpus.products() == []


def test_pairs_of_all_stories_are_warned_of(made: Path, tmp_path: Path) -> None:
    (tmp_path / "across.dl").write_text(
        ".decl p(s:symbol, t:symbol)\np(S, T) :- unit(S, _, _), unit(T, _, _).\n"
    )

    [place] = Corpus(made, across=[tmp_path / "across.dl"]).products()
    assert place.endswith("across.dl:2:1")


def test_an_error_in_a_goal_is_said_as_of_one_story(made: Path) -> None:
    with pytest.raises(RuleError, match="mistaken has 1 argument here but takes 3"):
        Corpus(made).query("mistaken(Who)")


# -- buckets


def listing(corpus: Path) -> dict[str, bytes]:
    return {str(path.relative_to(corpus)): path.read_bytes() for path in corpus.rglob("*") if path.is_file()}


def test_a_second_reading_reads_only_what_has_changed(tmp_path: Path) -> None:
    tales, into = tmp_path / "tales", tmp_path / "corpus"
    tales.mkdir()
    for name in "abcd":
        (tales / f"{name}.md").write_text("Ann entered the hall.")
    assert [one.fresh for one in read_corpus(tales, into, size=2)] == [True, True]
    assert [one.fresh for one in read_corpus(tales, into, size=2)] == [False, False]
    (tales / "d.md").write_text("Ann left the hall.")
    assert [one.fresh for one in read_corpus(tales, into, size=2)] == [False, True]
    (tales / "c.md").unlink()
    (tales / "d.md").unlink()
    assert len(list(read_corpus(tales, into, size=2))) == 1
    assert [story.story for story in Corpus(into).stories] == ["a", "b"]


def test_a_bucket_is_whole_or_not_there(tales: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as broken, pytest.raises(OSError, match="full"):
        broken.setattr(buckets, "write_parquet", breaks)
        list(read_corpus(tales, tmp_path, size=2))
    assert listing(tmp_path) == {}

    assert [one.fresh for one in read_corpus(tales, tmp_path, size=2)] == [True, True]


def test_one_bucket_of_many_is_what_the_whole_would_make_of_it(
    tales: Path, made: Path, tmp_path: Path
) -> None:
    for number in (2, 1):
        [done] = read_corpus(tales, tmp_path, share=Share(number, 2))
        assert done.number == number

    assert listing(tmp_path) == listing(made)


def test_another_process_makes_the_same_corpus(tales: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    assert len(list(read_corpus(tales, here))) == len(list(read_corpus(tales, there, jobs=2))) == 1

    assert listing(here) == listing(there)


@pytest.mark.parametrize("text", ["17", "0/3", "4/3", "a/b", "1/", "/2"])
def test_a_share_says_which_of_how_many(text: str) -> None:
    with pytest.raises(BadCorpus, match="no bucket"):
        Share.of_text(text)


# -- the commands


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["corpus", *map(str, words)])
    return done.exit_code, done.output


def test_a_story_that_cannot_be_read_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    tales, into = tmp_path / "tales", tmp_path / "corpus"
    tales.mkdir()
    (tales / "good.md").write_text("Ann entered the hall.")
    (tales / "bad.docx").write_bytes(b"this is no archive")
    code, said = run("read", tales, "--into", into)

    assert code == 1 and "not read: bad:" in said and "1 stories" in said
    assert run("query", "unit(U, _)", "-c", into)[1].splitlines()[2].split() == ["good", "good"]


def test_asking_and_checking(made: Path) -> None:
    code, said = run("query", "mistaken(Who, P, Truth)", "-c", made, "--json")
    told = json.loads(said)

    assert (
        code == 0
        and told["columns"] == ["story", "Who", "P", "Truth"]
        and ["key", "mara"] in [row[:2] for row in told["rows"]]
    )
    assert run("query", 'named(_, _, "Nobody")', "-c", made) == (1, "no answer\n")
    code, said = run("check", "-c", made)
    assert code == 1 and said.splitlines()[-1].endswith("stories")


def test_analysing(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.dl").write_text(".decl called(name:symbol)\ncalled(N) :- named(_, _, N).\n")
    code, said = run("analyse", tmp_path / "mine.dl", "-c", made)

    assert code == 0 and said.startswith("called  (")
