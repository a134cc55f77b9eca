"""Each theory says of its bundled story exactly what is written down, on every engine; and draws it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from narraworld.rules.engines.choose import EngineName
from narraworld.rules.packs.pack import FORMALISMS, load_pack_named, pack_names
from narraworld.world import World

STORIES = FORMALISMS / "stories"
TOLD = {
    name: tomllib.loads((FORMALISMS / name / "expected.toml").read_text("utf-8")) for name in pack_names()
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    """The stories of the packs, each read once."""
    worlds = {}
    for folder in sorted(STORIES.iterdir()):
        worlds[folder.name] = World.open(tmp_path_factory.mktemp("told") / folder.name, create=True)
        for read in worlds[folder.name].read(*sorted(folder.glob("*.toml"))):
            assert read.refusals == ()
    yield worlds
    for world in worlds.values():
        world.close()


@pytest.mark.parametrize("engine", ["sqlite", "duckdb", "pydatalog"])
@pytest.mark.parametrize("name", pack_names())
def test_a_theory_says_exactly_this(name: str, engine: EngineName, told: dict[str, World]) -> None:
    expected = TOLD[name]

    found = told[expected["story"]].analyse(name, engine=engine)

    rows = {result.relation: sorted(map(list, result.rows)) for result in found.results if result.rows}
    assert rows == {relation: sorted(given) for relation, given in expected["results"].items()}
    assert list(found.not_evaluated) == expected.get("not_evaluated", [])


@pytest.mark.parametrize("name", pack_names())
def test_its_features_are_these(name: str, told: dict[str, World]) -> None:
    found = told[TOLD[name]["story"]].analyse(name)

    assert {feature: value for feature, value in found.features.items() if value} == TOLD[name]["features"]


@pytest.mark.parametrize("name", pack_names())
def test_its_figure_is_a_drawing_with_the_names_of_the_story_in_it(name: str, told: dict[str, World]) -> None:
    figure = told[TOLD[name]["story"]].analyse(name).figure

    texts = [
        node.text or "" for node in ElementTree.fromstring(figure.svg).iter() if node.tag.endswith("text")
    ]
    assert len(texts) > 4
    assert TOLD[name]["story"] in figure.title


@pytest.mark.parametrize("name", pack_names())
def test_a_pack_has_a_page_that_says_what_it_cannot_see_and_names_all_its_relations_alike(
    name: str, told: dict[str, World]
) -> None:
    pack = load_pack_named(name, told["boat"].story.frame.program)
    prefixes = {
        relation.partition("_")[0] for relation in pack.own if not pack.program.relations[relation].auxiliary
    }

    assert "**Cannot see.**" in pack.page
    assert pack.head.cite
    assert len(prefixes) <= 2
    assert all(pack.program.relations[relation].doc for relation in pack.own if "__" not in relation)


def test_questions_that_nobody_answers_stay_open_too(told: dict[str, World]) -> None:
    found = told["boat"].analyse("brewer", at="ch01")

    assert found["aff_suspense"].rows == ()
    assert [questions for _, questions in sorted(found["aff_open_at"].rows)] == [1, 2]


def test_what_is_made_of_a_result_waits_for_what_it_waits_for(told: dict[str, World]) -> None:
    pack = load_pack_named("propp", told["boat"].story.frame.program)

    waiting = {name for name in pack.own if pack.waits(name, frozenset({"target"}))}

    assert waiting >= {"fun_event", "fun_out_of_order", "fun_moves"}
    assert not pack.waits("fun_word", frozenset({"target"}))


def test_because_in_the_same_breath_leaves_nobody_curious(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Anna sat in the house. Tom fled because the dog barked. Anna slept.", encoding="utf-8")
    with World.open(tmp_path / "w", create=True) as world:
        world.read(page)
        found = world.analyse("brewer")

        assert len(world.query("because(C, E, F, K)").rows) == 1
        assert found.features["curiosity"] == 0
