"""Every result is one line at a prompt, a table in a notebook, rows for pandas; a world draws itself."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from narraworld.base.errors import NarraWorldError
from narraworld.query.figures.result_tables import MOST_ROWS, html_table
from narraworld.story_figures import CURVES
from narraworld.world import World


@pytest.fixture(scope="module")
def key(stories: dict[str, World]) -> World:
    return stories["key"]


def test_a_result_is_one_line(key: World) -> None:
    assert repr(key.query("mistaken(Who, P, Truth)", at=2)) == "<Answer: 1 rows of Who, P, Truth>"
    assert repr(key.knows(at="ch02")).startswith("<Knows: ")
    for found in (
        key.views(),
        key.why("happened(E)"),
        key.context("the key"),
        key.ask("Where is the key?"),
        key.diff(1, 2),
        key.check(),
    ):
        assert repr(found).startswith("<") and "\n" not in repr(found)


@pytest.mark.parametrize(
    ("verb", "columns"),
    [
        ("knows", ["what", "who", "state"]),
        ("views", ["view", "who", "words", "status", "since", "where"]),
    ],
)
def test_pandas_gets_the_columns_of_the_page(verb: str, columns: list[str], key: World) -> None:
    assert list(getattr(key, verb)().to_pandas().columns) == columns


def test_a_proof_has_its_depth_its_quotes_and_their_places(key: World) -> None:
    rows = key.why("mistaken(Who, P, Truth)", at=2).to_dicts()
    assert rows[0]["depth"] == 0
    assert any(row["quote"] and row["where"] for row in rows)


def test_a_table_says_how_many_rows_it_left_out() -> None:
    told = html_table("many", [{"n": n, "<b>": "&"} for n in range(MOST_ROWS + 12)])
    assert "<p>and 12 more</p>" in told
    assert "&lt;b&gt;" in told and "<td>&amp;</td>" in told


def test_a_world_draws_who_is_with_whom(key: World, tmp_path: Path) -> None:
    figure = key.chart()
    drawn = ElementTree.fromstring(figure.svg)
    assert drawn.tag.endswith("svg")
    assert "Leo" in figure.svg
    assert figure._repr_svg_() == figure.svg
    assert figure.save(tmp_path / "map.svg").read_text("utf-8").startswith("<svg")
    assert "<style" not in figure.inline
    ElementTree.fromstring(key.chart("order").svg)


@pytest.mark.parametrize("kind", CURVES)
def test_a_curve_has_a_number_for_each_scene(kind: str, key: World) -> None:
    assert ElementTree.fromstring(key.curve(kind).svg) is not None  # type: ignore[arg-type]
    assert key.curve(kind).described.count(";") == 2  # type: ignore[arg-type]


def test_wrong_beliefs_come_and_go(key: World) -> None:
    assert key.curve("wrong beliefs").described == "1 0; 2 1; 3 0"


def test_a_figure_knows_no_more_than_is_told(key: World) -> None:
    later = {str(title) for _, title in key.query("titled(N, T)").rows} - {
        str(title) for _, title in key.query("titled(N, T)", told=1).rows
    }
    assert later
    assert not any(title in key.chart(told=1).svg for title in later)


def test_a_curve_that_is_none_is_refused_by_name(key: World) -> None:
    with pytest.raises(NarraWorldError, match="there is no curve 'joy'"):
        key.curve("joy")  # type: ignore[arg-type]
    with pytest.raises(NarraWorldError, match="chart cannot look through the eyes of Leo"):
        key.chart(as_="Leo")
