"""The stage of details: particulars with their owners, said or told, once each; and what does not fit, as nominations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, read
from scripted import records as every_record

from narraworld.base.settings import PriorSettings
from narraworld.extract.model.reader import ReaderSettings
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Prior, Remembered
from narraworld.query.memory.known_facts import remembered_of
from narraworld.query.situation import Situation
from narraworld.reading.prior import roster_of
from narraworld.reading.read import open_files
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.world import World

WITH = ReaderSettings(details=True)
IDA = {"quote": "Ida Fell", "number": 1, "is_a": "character", "name": "Ida Fell"}
LEO = {"quote": "Leo", "number": 2, "is_a": "character", "name": "Leo"}
ONE = 'Ida Fell, who is Leo\'s mother, looked up with her pale grey eyes. "I never learned to swim," she said to Leo. It was snowing.'


def records(delta: Delta, cls: str, *names: str) -> list[tuple[str | None, ...]]:
    """Those of a class, each as these properties."""
    found = [said for said in every_record(delta).values() if said["a"] == [cls]]
    return sorted((tuple(next(iter(said.get(name, ())), None) for name in names) for said in found), key=str)


def noted(*details: dict[str, Any], events: Any = ()) -> Scripted:
    return Scripted(
        entities={"entities": [IDA, LEO]}, events=dict(events), details={"details": list(details)}
    )


EYES = {"quote": "pale grey eyes", "owner": 1, "respect": "eyes", "value": "pale grey"}
SWIM = {
    "quote": "I never learned to swim",
    "owner": 1,
    "respect": "ability",
    "value": "swim",
    "negative": True,
    "said_by": 1,
}
KIN = {"quote": "Leo's mother", "owner": 2, "respect": "mother", "other": 1}
SNOW = {"quote": "It was snowing", "respect": "weather", "value": "snowing"}


def test_it_is_asked_last_and_only_where_it_is_wanted() -> None:
    asks, without = noted(EYES), noted(EYES)
    read(ONE, asks, settings=WITH)
    read(ONE, without)
    assert asks.names() == [*without.names(), "details"]
    assert set(asks.heard[-1].given) == {"remembered", "entities", "propositions", "passage"}


def test_what_is_told_is_a_state_and_what_is_said_a_detail_of_its_speaker() -> None:
    done = read(ONE, noted(EYES, SWIM, KIN, SNOW), settings=WITH)
    assert done.delta is not None and not done.refusals
    assert records(done.delta, "State", "proposition") == [
        ("ida-fell.eyes:pale%20grey",),
        ("leo.mother.ida-fell",),
    ]
    assert records(done.delta, "Detail", "respect", "value", "about", "speaker", "name", "polarity") == [
        ("ability", "swim", "ida-fell", "ida-fell", None, "negative"),
        ("weather", "snowing", None, None, "world", "positive"),
    ]


def test_the_same_fact_in_other_words_is_noted_once() -> None:
    looks = {
        "quote": "her pale grey eyes", "number": 1, "subject": 1, "predicate": "appearance", "value": "pale grey eyes", "truth": "asserted",
    }  # fmt: skip
    done = read(ONE, noted(EYES, EYES, KIN, events={"propositions": [looks]}), settings=WITH)
    assert done.delta is not None
    said = records(done.delta, "State", "proposition")
    assert said == [("ida-fell.appearance:pale%20grey%20eyes",), ("leo.mother.ida-fell",)]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (EYES | {"value": "green"}, "Value-elsewhere"),
        (EYES | {"value": None}, "Detail-count"),
        (EYES | {"quote": "violet eyes"}, "Quote-nowhere"),
        (EYES | {"owner": 7}, "Number-unknown"),
        (KIN | {"owner": 1}, "Content-itself"),
    ],
)
def test_a_particular_without_support_is_refused_and_not_asked_again(
    wrong: dict[str, Any], reason: str
) -> None:
    asks = noted(wrong, KIN | {"sentence": 1})
    done = read(ONE, asks, settings=WITH)
    assert [one.shape for one in done.refusals] == [reason]
    assert asks.names()[-1] == "details"


def test_small_models_are_asked_for_one_list_at_a_time() -> None:
    asks = Scripted(
        entities={"entities": [IDA, LEO]}, details={"details": [EYES]}, conflicts={"conflicts": []}
    )
    done = read(ONE, asks, settings=ReaderSettings.for_small_models(details=True))
    assert asks.names()[-2:] == ["details", "conflicts"]
    assert done.delta is not None and records(done.delta, "State", "proposition") == [
        ("ida-fell.eyes:pale%20grey",)
    ]


# ---- what does not fit

KNOWN = Prior(remembered=(Remembered("ch00/@3-9", 'Ida Fell eyes: brown (One: "brown eyes")'),))
LOOKS = {"quote": "pale grey eyes", "fact": 1, "is_a": "looks", "why": "They were brown before."}


def nominating(*conflicts: dict[str, Any]) -> Scripted:
    return Scripted(entities={"entities": [IDA, LEO]}, details={"conflicts": list(conflicts)})


def test_a_nomination_holds_both_passages_its_kind_and_why() -> None:
    here = {
        "quote": "said to Leo",
        "against": "pale grey eyes",
        "is_a": "attendance",
        "why": "He is not there.",
    }
    asks = nominating(LOOKS, here)
    done = read(ONE, asks, prior=KNOWN, settings=WITH)
    assert '1. Ida Fell eyes: brown (One: "brown eyes")' in asks.heard[-1].user
    assert done.delta is not None
    told = records(done.delta, "Nomination", "kind", "summary", "against")
    assert told == [
        ("attendance", "He is not there.", None),
        ("looks", "They were brown before.", "ch00/@3-9"),
    ]
    quoted = {
        said["kind"][0]: len(said["evidence"])
        for said in every_record(done.delta).values()
        if said["a"] == ["Nomination"]
    }
    assert quoted == {"attendance": 2, "looks": 1}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (LOOKS | {"fact": 2}, "Number-unknown"),
        (LOOKS | {"fact": None}, "Conflict-count"),
        (LOOKS | {"against": "snowing"}, "Conflict-count"),
        (LOOKS | {"fact": None, "against": "her pale grey eyes"}, "Conflict-count"),
        (LOOKS | {"fact": None, "against": "brown eyes"}, "Quote-nowhere"),
        (LOOKS | {"why": ""}, "Words-unfit"),
    ],
)
def test_a_nomination_without_two_passages_is_refused(wrong: dict[str, Any], reason: str) -> None:
    done = read(ONE, nominating(wrong), prior=KNOWN, settings=WITH)
    assert [one.shape for one in done.refusals] == [reason]


# ---- what is remembered, over two chapters

CHAPTERS = {
    "01": 'Ida Fell looked up with her pale grey eyes. She had never learned to swim. "I am a nurse," Ida said. Leo drank a paper cup of tea.',
    "02": "On Thursday Ida Fell swam to the buoy.",
}


@pytest.fixture(scope="module")
def two_chapters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, Scripted]]:
    folder: Path = tmp_path_factory.mktemp("two")
    for name, text in CHAPTERS.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    tea = {
        "quote": "Leo drank a paper cup of tea",
        "number": 1,
        "what": "drink",
        "realis": "actual",
        "agent": [2],
    }
    first = [
        EYES, SWIM | {"quote": "had never learned to swim", "said_by": None},
        {"quote": "I am a nurse", "owner": 1, "respect": "occupation", "value": "nurse", "said_by": 1},
    ]  # fmt: skip
    asks = Scripted(
        entities=[{"entities": [IDA, LEO]}, {"entities": [IDA | {"known": 1}]}],
        events=[{"events": [tea]}, {}],
        details=[
            {"details": first},
            {
                "conflicts": [
                    {"quote": "swam to the buoy", "fact": 2, "is_a": "skill", "why": "She cannot swim."}
                ]
            },
        ],
    )

    async def all_units(world: World) -> None:
        pieces = open_files([str(folder / f"{name}.md") for name in CHAPTERS]).pieces
        settings = ReadingSettings(details=True, plotlines_every=None)
        async for one in read_with_model(world.story, pieces, asks, settings=settings):
            assert one.outcome == "read"

    with World.open(folder, create=True) as world:
        asyncio.run(all_units(world))
        yield world, asks


def test_known_facts_are_about_those_in_the_passage_with_their_words(
    two_chapters: tuple[World, Scripted],
) -> None:
    _, asks = two_chapters
    first, second = (prompt.given["remembered"] for prompt in asks.heard if prompt.name == "details")
    assert first == ""
    assert second.splitlines() == [
        '1. Ida Fell occupation: nurse, says Ida Fell (01: "I am a nurse")',
        '2. Ida Fell ability: swim, not so (01: "had never learned to swim")',
        '3. Ida Fell eyes: pale grey (01: "pale grey eyes")',
    ]


def test_lasting_particulars_are_told_of_those_too_who_are_only_she_here(
    two_chapters: tuple[World, Scripted],
) -> None:
    world, _ = two_chapters
    engine = world.story.scope(Situation()).engine
    told = remembered_of(engine, roster_of(engine), "She swam to the buoy.", PriorSettings())
    assert [one.words.split(" (")[0] for one in told] == [
        "Ida Fell occupation: nurse, says Ida Fell",
        "Ida Fell ability: swim, not so",
        "Ida Fell eyes: pale grey",
    ]


def test_a_nomination_is_kept_as_a_record_that_leads_to_both_passages(
    two_chapters: tuple[World, Scripted],
) -> None:
    world, _ = two_chapters
    [(record, kind, why)] = world.query("nomination(R, K, W)").rows
    assert (kind, why) == ("skill", "She cannot swim.")
    assert str(record).startswith("02/")
    assert world.query("nominated_against(R, S), quote(S, Q)").rows[0][-1] == "had never learned to swim"
