"""Promises that are spoken, and kept in a later chapter; lies that are told as such; who only suffers what happens."""

from __future__ import annotations

import pytest
from reading_aloud import read, records, states, values

from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.reader import ProseReading, read_prose
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit


def promises(reading: ProseReading) -> list[tuple[str, str]]:
    return [
        (one.holder, one.title)
        for one in records(reading, "Development", "holder", "title", "kind")
        if one.kind == "promise"
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"I promise I will mend the lamp," said Tom.', id="I promise"),
        pytest.param('"I will mend the lamp, I promise," said Tom.', id="behind"),
        pytest.param('"I will mend the lamp," Tom promised.', id="in the tag"),
    ],
)
def test_a_spoken_promise_opens_a_thread(text: str) -> None:
    assert promises(read(text)) == [("tom", "Tom: mend the lamp")]


def test_what_somebody_says_they_will_do_is_a_plan_and_no_promise() -> None:
    reading = read('"I will mend the lamp," said Tom.')
    assert promises(reading) == []
    assert values(reading, "title") == ["Tom: mend the lamp"]


def test_a_promise_not_to_do_something_is_not_kept_by_doing_it() -> None:
    reading = read('"I will not burn the letter, I promise," said Tom. Tom burned the letter.')
    assert [one.status for one in records(reading, "Step", "status")] == ["opened"]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        pytest.param("Tom mended the lamp.", ["resolved"], id="kept"),
        pytest.param("Tom did not mend the lamp.", ["blocked"], id="not kept"),
        pytest.param("Tom kept his promise.", ["resolved"], id="his promise kept"),
        pytest.param("Tom broke his word.", ["abandoned"], id="his word broken"),
        pytest.param("Tom did not keep his promise.", ["abandoned"], id="his promise not kept"),
        pytest.param("Mara kept her promise.", [], id="somebody else's"),
        pytest.param("Ida mended the lamp.", [], id="by another"),
    ],
)
def test_a_promise_is_kept_in_a_later_unit(later: str, expected: list[str]) -> None:
    first = read('Ida saw the lamp. "I promise I will mend the lamp," said Tom.')
    known = Roster().plus(first.cast)
    second = read_prose(Unit("ch02", 2, later), known, stage=DiscourseState().after(first.moves))

    steps = records(second, "Step", "status", "development")
    assert [one.status for one in steps] == expected
    assert {one.development for one in steps} <= {"tom-mend-the-lamp"}


def test_what_is_told_as_a_lie_lies() -> None:
    assert values(read('Tom looked up. "I do not know," Tom lied.'), "manner") == ["lies"]


def test_who_dies_does_nothing() -> None:
    reading = read("Tom died in the cellar.")
    assert (values(reading, "agent"), values(reading, "patient")) == ([], ["tom"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Mara opened the drawer of the desk.", {"drawer.open:open"}, id="part of a thing"),
        pytest.param("Tom was nineteen.", {"tom.age:nineteen"}, id="an age is no condition"),
        pytest.param("Leo waited. Anna met his brother Tom.", {"tom.kinship.leo", "tom.brother-of.leo", "leo.brother-of.tom"}, id="his brother"),
        pytest.param("Leo waited. Ida laughed. Anna met Leo's sister, Ida.", {"ida.kinship.leo", "ida.sister-of.leo", "leo.brother-of.ida", "ida.kinship:Leo%27s%20sister"}, id="Leo's sister"),
        pytest.param("Leo and Mark waited. Anna met his brother Tom.", set(), id="whose brother, nobody knows"),
        pytest.param("Anna waited. Her brown eyes were tired.", {"anna.eyes:brown"}, id="her eyes"),
        pytest.param("Tom waited. Anna saw his grey hair.", {"tom.hair:grey"}, id="his hair"),
        pytest.param("Anna and Ida waited. Her brown eyes were tired.", set(), id="whose eyes, nobody knows"),
    ],
)  # fmt: skip
def test_what_belongs_to_whom(text: str, expected: set[str]) -> None:
    assert states(read(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Tom decided to find the ring. Tom could take the boat.", ["Tom could take the boat"], id="of a goal"),
        pytest.param("Tom could take the boat.", [], id="of nothing"),
        pytest.param("Tom decided to find the ring. Ida could take the boat.", [], id="of another"),
        pytest.param("Tom decided to find the ring. Tom could not take the boat.", [], id="not possible"),
    ],
)  # fmt: skip
def test_what_somebody_could_do_belongs_to_their_open_thread(text: str, expected: list[str]) -> None:
    reading = read(text)
    assert [one.summary for one in records(reading, "Possibility", "summary", "possibleEvent")] == expected
    assert states(reading) == set()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Three years before, Leo burned the letter.", ["true"], id="before"),
        pytest.param("Three years later, Leo burned the letter.", [], id="later"),
    ],
)
def test_the_telling_goes_back(text: str, expected: list[str]) -> None:
    assert values(read(text), "flashback") == expected


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        pytest.param('Ann waited. "I will bring you the book," said Tom to Ann.', "promise", "Tom: bring Ann the book", id="to somebody"),
        pytest.param('"I will sell the mill," said Tom.', "plan", "Tom: sell the mill", id="a plan"),
        pytest.param('"We will find the mill," said Tom.', "plan", "Tom: find the mill", id="we"),
        pytest.param('"I\'ll bet ten pounds," said Tom.', None, None, id="a turn of phrase"),
        pytest.param('"If I sell the mill, I am poor," said Tom.', None, None, id="supposed"),
        pytest.param("I came home. I opened the door and I sat down. I shall bring the shawl.", "plan", "the narrator: bring the shawl", id="the teller"),
    ],
)  # fmt: skip
def test_what_somebody_says_they_will_do(text: str, kind: str | None, title: str | None) -> None:
    found = records(read(text), "Development", "kind", "title")
    assert [(one.kind, one.title) for one in found] == ([(kind, title)] if kind else [])


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        pytest.param("Tom gave the book to Ann.", ["opened", "resolved"], id="by the same outcome"),
        pytest.param("Ida gave the book to Ann.", ["opened"], id="by another"),
        pytest.param("Tom gave the book to Ida.", ["opened"], id="to another"),
    ],
)
def test_a_promise_is_kept_by_what_it_aims_at(later: str, expected: list[str]) -> None:
    reading = read(f'Ida laughed. Ann waited. "I will bring you the book," said Tom to Ann. {later}')
    assert [one.status for one in records(reading, "Step", "status")] == expected
    assert values(reading, "target") == ["book.possession.ann"]


@pytest.mark.parametrize(
    ("text", "summaries", "titles"),
    [
        pytest.param(
            'Tom came in. "If the storm comes, the ferry could sink," said Tom.', ["If the storm comes, the ferry could sink"],
            ["whether the storm comes"], id="said, of nothing",
        ),
        pytest.param(
            '"I will mend the lamp," said Tom. "If the storm comes, the ferry could sink," said Tom.',
            ["If the storm comes, the ferry could sink"], ["Tom: mend the lamp"], id="said, of a plan",
        ),
        pytest.param("If Tan took the core, the sleepers would die.", ["If Tan took the core, the sleepers would die"],
                     ["whether Tan took the core"], id="told"),
        pytest.param('"Might the ferry sink?" said Tom.', [], [], id="asked"),
    ],
)  # fmt: skip
def test_what_may_come_is_a_possibility(text: str, summaries: list[str], titles: list[str]) -> None:
    reading = read(text)
    assert [one.summary for one in records(reading, "Possibility", "summary")] == summaries
    assert values(reading, "title") == titles


@pytest.mark.parametrize(
    ("text", "title"),
    [
        pytest.param("Kim promised that she would keep the ring.", "Kim: keep the ring", id="her own deed"),
        pytest.param(
            "Kim hoped that Leo would keep the ring.", "Kim: Leo would keep the ring", id="another's"
        ),
    ],
)
def test_a_thread_says_whose_deed_it_waits_for(text: str, title: str) -> None:
    assert values(read(text), "title") == [title]
