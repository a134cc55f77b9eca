"""The table of respects: every row is whole, every name means one row, and a project adds rows of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from narraworld.ontology.errors import OntologyError
from narraworld.ontology.respects import BY_HAND, plain_name, respects

ROWS = sorted(respects().rows.values(), key=lambda row: row.name)
OWN = {
    "means": "Against whom the subject bears a grudge.", "of": ["person"], "lasts": "one", "value": "person",
    "yes": "{S} bears {O} a grudge", "no": "{S} bears {O} no grudge",
    "asks": ["against whom does {S} bear a grudge", "who bears {O} a grudge"], "example": "Ida", "also": ["hates"],
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_whole(row) -> None:  # type: ignore[no-untyped-def]
    assert row.means.endswith(".")
    assert "{" in row.yes and "{" in row.no and row.yes != row.no
    assert all("{" in question and not question.endswith("?") for question in row.asks)
    assert row.example and row.of
    assert row.stage == BY_HAND or set(row.stage.split(", ")) <= {"events", "perspective", "changes"}
    if row.value in {"word", "colour"}:
        assert respects().list_of(row) in respects().words.families


def test_an_alias_means_one_row_and_never_hides_a_name() -> None:
    named = {plain_name(row.name): row.name for row in ROWS}

    assert all(respects().named(row.name) is row for row in ROWS)
    assert Counter(named.values()).most_common(1)[0][1] == 1


def test_readers_may_write_a_respect_as_they_like() -> None:
    said = {
        name: getattr(respects().named(name), "name", None)
        for name in ("eye_color", "Mum", "jobs", "job", "north of")
    }

    assert said == {
        "eye_color": "eyes",
        "Mum": "mother",
        "jobs": None,
        "job": "occupation",
        "north of": "northOf",
    }


def test_kin_words_know_their_mirror() -> None:
    kin = respects().words.kin

    assert all(mirror in kin for one in kin.values() for mirror in one.mirror)
    assert respects().rows["mother"].lasts == "life"
    assert ("mother", "sister") in respects().facts()["kin_excludes"]


def test_a_project_adds_rows() -> None:
    table = respects().with_rows({"grudge": OWN}, "narraworld.toml")

    assert table.named("hates") is table.rows["grudge"]
    assert table.functional("grudge") and table.own == {"grudge"}
    assert ("grudge", "one") in table.facts()["lasting"]
    assert respects().named("grudge") is None


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"lasts": "often"}, "lasts is 'often'\n  it is one of: life, many, one"),
        ({"colour": "red"}, "has an unknown field 'colour'"),
        ({"asks": ["who"]}, "asks has not two questions"),
        ({"of": ["dog"]}, "of is 'dog'"),
    ],
)
def test_a_wrong_row_says_what_is_wrong(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(OntologyError) as error:
        respects().with_rows({"grudge": {**OWN, **wrong}}, "narraworld.toml")

    assert str(error.value).startswith("narraworld.toml: [grudge]: ") and says in str(error.value)
