"""The benches of speakers and hearers, on a novel and a talk of a few lines."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import pytest

from bench.minds import fantom
from bench.reading import pdnc
from narraworld.extract.embedded.lexicon.person_names import form_of

NOVEL = """CHAPTER I.

Mara Vane came in. Leo sat by the fire.

"It is late," said Mara.

"Yes," he replied.
"""


def novel(folder: Path) -> Path:
    place = folder / "pdnc" / "Lantern"
    place.mkdir(parents=True)
    (place / "novel_text.txt").write_text(NOVEL, encoding="utf-8")
    with (place / "character_info.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [
                ["Main Name", "Aliases"],
                ["Miss Vane", "{'Mara', 'Mara Vane'}"],
                ["Leo", "{'Leo'}"],
                ["Tom", "{'Tom'}"],
            ]
        )
    quotes = [
        ("It is late,", "Miss Vane", "Explicit"),
        ("Yes,", "Leo", "Anaphoric"),
        ("fire", "Tom", "Implicit"),
    ]
    with (place / "quotation_info.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["quoteByteSpans", "speaker", "quoteType"])
        for words, speaker, kind in quotes:
            start = NOVEL.index(words)
            table.writerow([[[start, start + len(words)]], speaker, kind])
    return folder


def test_each_quotation_counts_by_its_type(tmp_path: Path) -> None:
    figures = pdnc.run(argparse.Namespace(data=novel(tmp_path), novel=None, wrong=False))
    assert [figures[name] for name in ("explicit", "anaphoric", "implicit", "quotations")] == [
        1.0,
        1.0,
        0.0,
        3,
    ]
    assert figures["overall"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["Mara"], "Mara", id="one"),
        pytest.param(["Mara", "Leo", "Leo Vane"], "Leo", id="two people in one are the one they are more"),
        pytest.param(["Quill"], None, id="nobody"),
    ],
)
def test_an_entity_stands_for_one_gold_character(names: list[str], expected: str | None) -> None:
    aliases = {form_of(name).key: frozenset({name.split()[0]}) for name in ("Mara", "Leo", "Leo Vane")}
    assert pdnc.bearer_of(names, aliases) == expected


def test_most_of_a_quotation_decides() -> None:
    quote = pdnc.Quote(((0, 10), (20, 40)), "Mara", "explicit")
    assert pdnc.speaker_of(quote, [(0, 10, "leo"), (20, 40, "mara"), (50, 99, "tom")]) == "mara"
    assert pdnc.speaker_of(quote, []) is None


def test_the_hearers_of_each_line_are_counted(tmp_path: Path) -> None:
    place = tmp_path / "percept_fantom"
    place.mkdir()
    lines = [
        ("Ana: I have to take this call.", ["Ana", "Ben", "Cy"]),
        ("Ben: See you, Ana.", ["Ana", "Ben", "Cy"]),
        ("Cy: So, Ben?", ["Ben", "Cy"]),
        ("Ben: Yes.", ["Ana", "Ben", "Cy"]),  # wrong on purpose
    ]
    with (place / "Percept-FANToM.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["part_id", "utterance", "perceivers"])
        table.writerows(["1-0", said, heard] for said, heard in lines)
    figures = fantom.run(argparse.Namespace(data=tmp_path, limit=None, wrong=False, workers=1, batch=20))
    assert (figures["exact_sets"], figures["parts_exact"], figures["refused"]) == (0.75, 0.0, 0)
