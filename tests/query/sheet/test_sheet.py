"""The style sheet: lists with words and places, two values first, nobody judged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from narraworld.query.sheet.render import SHEET_FORMATS, render_sheet, respect_in_words
from narraworld.query.sheet.style_rows import StyleSheet
from narraworld.world import World

FIRST = """# The Loft

Ida opened the door at ten past six. Ida's eyes were grey. There were four looms in the loft.
"""
SECOND = """# The Yard

Ida crossed the yard. Ida's eyes were brown. Ida looked at her six looms. “I can't swim,” said Ida.
"""


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StyleSheet]:
    folder: Path = tmp_path_factory.mktemp("sheet")
    (folder / "01.md").write_text(FIRST, encoding="utf-8")
    (folder / "02.md").write_text(SECOND, encoding="utf-8")
    with World.open(folder, create=True) as world:
        world.read(folder / "01.md", folder / "02.md")
        told = len(FIRST.split()) - 3  # the heading is no part of the text
        assert (world.sheet(told="1").words, world.sheet().words > told) == (told, True)
        yield world.sheet()


def test_what_differs_is_marked_and_comes_first(sheet: StyleSheet) -> None:
    differing = [(row.owner, row.respect, row.normal) for row in sheet.rows if row.differs]

    assert ("Ida", "eyes", ("eyes:grey",)) in differing
    assert ("Ida", "eyes", ("eyes:brown",)) in differing
    assert [row.differs for row in sheet.rows] == sorted((row.differs for row in sheet.rows), reverse=True)


def test_one_list_holds_what_can_be_compared(sheet: StyleSheet) -> None:
    looms = {row.value for row in sheet.rows if row.list == "thing/loom"}

    assert {"four looms", "six looms"} <= looms


def test_a_row_says_where_it_stands_and_who_says_it(sheet: StyleSheet) -> None:
    [swims] = [row for row in sheet.rows if row.respect == "ability"]

    assert (swims.chapter, swims.line, swims.said_by, swims.value) == ("The Yard", 3, "Ida", "not swim")
    assert swims.quote == "I can't swim"


def test_the_time_line_has_the_words_of_time(sheet: StyleSheet) -> None:
    assert "at ten past six" in {row.value for row in sheet.rows if row.kind == "time line"}


def test_only_what_is_asked_for(sheet: StyleSheet) -> None:
    assert {row.owner for row in sheet.only(about="ida").rows} == {"Ida"}
    assert {row.kind for row in sheet.only(kind="looks").rows} == {"looks"}
    assert all(row.differs for row in sheet.only(differs=True).rows)


@pytest.mark.parametrize("form", SHEET_FORMATS)
def test_every_format_has_the_words(sheet: StyleSheet, form: str) -> None:
    said = render_sheet(sheet, form)

    assert ("Ida" in said and "at ten past six" in said and "The Yard" in said) or form == "csv"


def test_csv_and_json_have_a_row_for_each_detail(sheet: StyleSheet) -> None:
    table = list(csv.DictReader(io.StringIO(render_sheet(sheet, "csv"))))
    told = json.loads(render_sheet(sheet, "json"))

    assert len(table) == len(told["rows"]) == len(sheet.rows)
    assert {row["differs"] for row in table} == {"yes", ""}


def test_the_first_block_of_the_text_is_two_values(sheet: StyleSheet) -> None:
    lines = render_sheet(sheet, "table").splitlines()

    assert lines[0].startswith("STYLE SHEET") and lines[3] == "TWO VALUES"


def rows_of(folder: Path, *chapters: str) -> StyleSheet:
    """The sheet of a story of these chapters."""
    names = [folder / f"0{number}.md" for number in range(1, len(chapters) + 1)]
    for name, text in zip(names, chapters, strict=True):
        name.write_text(text, encoding="utf-8")
    with World.open(folder, create=True) as world:
        world.read(*names)
        return world.sheet()


def test_what_the_dead_do_stands_beside_their_death(tmp_path: Path) -> None:
    sheet = rows_of(
        tmp_path, "Tom died in the garden.", "Ida opened the gate. Tom carried the basket to the mill."
    )
    death = [row.quote for row in sheet.rows if row.list == "tom/death"]
    assert death[0] == "Tom died" and any("carried the basket" in quote for quote in death[1:])


@pytest.mark.parametrize("form", ["table", "markdown", "html"])
def test_a_reader_is_told_respects_in_words(form: str, tmp_path: Path) -> None:
    """Programs keep their names: CSV and JSON say `alive`."""
    sheet = rows_of(
        tmp_path, "Tom died in the garden.", "Ida was a member of the guild. Tom carried the basket."
    )
    said = render_sheet(sheet, form)

    assert "alive or dead" in said and "acts after it" in said
    assert ",alive,dead," in render_sheet(sheet, "csv")
    assert [respect_in_words(one) for one in ("memberOf", "husband-of")] == ["member of", "husband of"]


def test_what_is_nothing_but_a_quotation_is_told_once(tmp_path: Path) -> None:
    said = render_sheet(rows_of(tmp_path, "Tom died.", "Tom carried the basket to the mill."), "table")
    [line] = [one for one in said.splitlines() if "acts after it" in one]

    assert line.count("carried the basket") == 1


def test_names_that_may_be_one_stand_in_one_list(tmp_path: Path) -> None:
    sheet = rows_of(
        tmp_path,
        "Sergeant Keeble sat down. Ida Marsh poured the tea.",
        "Sergeant Kemble drank it. Leo Marsh came.",
    )
    lists = [
        [row.value for row in sheet.rows if row.list == one]
        for one in {row.list for row in sheet.rows if row.kind == "names"}
    ]
    assert sorted(map(sorted, lists)) == [["Ida Marsh", "Leo Marsh"], ["Keeble", "Kemble"]]


def test_a_use_stands_only_beside_something_else_about_the_thing(tmp_path: Path) -> None:
    sheet = rows_of(tmp_path, "Ida held the brooch. Ida held the ladder.", "Leo sold the brooch.")
    assert {(row.owner, row.respect) for row in sheet.rows if row.section == "things"} >= {
        ("brooch", "use"),
        ("brooch", "possession"),
    }
    assert not any(row.owner == "ladder" and row.respect == "use" for row in sheet.rows)
