"""A project's own respects: rows in narraworld.toml are offered, compared, asked for, said and listed like ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from world_fixtures import Said

from narraworld.extract.model.prompts.templates import load
from narraworld.project.file import BadSettings
from narraworld.world import World

OWN = """
[respects.grudge]
means = "Against whom the subject bears a grudge."
of = ["person"]
lasts = "one"
value = "person"
also = ["resentment"]
yes = "{S} bears {O} a grudge"
no = "{S} bears {O} no grudge"
asks = ["against whom does {S} bear a grudge", "who bears {O} a grudge"]
example = "Ida"
rival = true
check = "NW604"
"""
UNIT = """
[unit]
id = "ch1"
order = 1
text = "Leo. Ida. Mara. Leo bore Ida a grudge. Winter came. Leo bore Mara a grudge."
[[character]]
id = "leo"
name = "Leo"
quote = "Leo."
[[character]]
id = "ida"
name = "Ida"
quote = "Ida."
[[character]]
id = "mara"
name = "Mara"
quote = "Mara."
[[state]]
proposition = "leo.grudge.ida"
quote = "Leo bore Ida a grudge"
[[state]]
proposition = "leo.resentment.mara"
quote = "Leo bore Mara a grudge"
"""


@pytest.mark.parametrize(("settings", "found"), [(OWN, ["NW604"]), ("", [])])
def test_two_values_of_a_respect_of_ones_own_are_found(
    tmp_path: Path, settings: str, found: list[str]
) -> None:
    (tmp_path / "narraworld.toml").write_text(settings, encoding="utf-8")
    (tmp_path / "ch1.toml").write_text(UNIT, encoding="utf-8")
    with World.open(tmp_path, create=True) as world:
        world.read(tmp_path / "ch1.toml")

        assert [one.rule.id for one in world.check(least="note").findings] == found


@pytest.fixture(scope="module")
def grudges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Leo bears Ida a grudge, and then Mara, under another name of the row."""
    folder = tmp_path_factory.mktemp("grudges")
    (folder / "narraworld.toml").write_text(OWN, encoding="utf-8")
    (folder / "ch1.toml").write_text(UNIT, encoding="utf-8")
    with World.open(folder, create=True) as world:
        world.read(folder / "ch1.toml")
        yield world


def test_prompts_offer_it(grudges: World) -> None:
    assert "grudge (Ida*)" in load("events", grudges.story.frame.respects).system
    assert "grudge" not in load("events").system


def test_a_check_compares_it_and_says_so_in_its_words(grudges: World) -> None:
    (finding,) = grudges.check(least="note").findings

    assert (finding.rule.id, finding.message) == ("NW604", "The grudge of Leo is Ida, and later Mara.")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Against whom does Leo bear a grudge?", ["Ida"]),
        ("Who bears Ida a grudge?", ["Leo"]),
        ("Who bears Mara a grudge?", ["Leo"]),
        ("What is Leo's grudge?", ["Ida"]),
    ],
)
def test_it_is_asked_for_from_both_sides(grudges: World, question: str, answers: list[str]) -> None:
    reply = grudges.ask(question)

    assert (reply.outcome, [line.words for line in reply.lines]) == ("derived", answers)


def test_views_and_contexts_say_it_in_its_words(grudges: World) -> None:
    names = grudges.scope().names

    assert names.in_sentence("leo.grudge.ida") == "Leo bears Ida a grudge"
    assert names.in_sentence("not.leo.grudge.ida") == "Leo bears Ida no grudge"
    assert "- Leo bears Mara a grudge" in grudges.context("What is it with Leo and Mara?").text


def test_the_sheet_lists_it_and_marks_two_values(grudges: World) -> None:
    rows = [(row.owner, row.kind, row.respect, row.value, row.differs) for row in grudges.sheet().rows]

    assert rows == [("Leo", "own", "grudge", "Ida", True), ("Leo", "own", "grudge", "Mara", True)]


def test_the_catalogue_of_relations_tells_how_rules_read_it(
    grudges: World, narraworld: Callable[..., Said]
) -> None:
    printed = narraworld("relations", "grudge", "--world", str(grudges.path)).out

    assert 'about(Matter, Subject, "grudge", Value)' in printed
    assert "narraworld.toml" in printed
    assert "grudge(" in narraworld("relations", "--world", str(grudges.path)).out
    assert "ontology/respects.toml" in narraworld("relations", "eyes").out


def test_a_wrong_row_is_refused(tmp_path: Path) -> None:
    (tmp_path / "narraworld.toml").write_text(OWN.replace('"one"', '"often"'), encoding="utf-8")

    with pytest.raises(BadSettings, match="lasts is 'often'"):
        World.open(tmp_path, create=True)
