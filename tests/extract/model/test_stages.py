"""The four stages told as stories: what a model says, what ends up in the delta, what follows from it.

Each file under `stories/` is a passage, a model's scripted answers by stage, and what is expected: refused items with their
reasons, and answers of the rules to questions about the committed world.
"""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from scripted import Scripted, read, records

from narraworld.extract.model import schema as answers_module
from narraworld.extract.model.passage import NumberedText, PassagePart
from narraworld.extract.model.port import ModelFailed, Overflow
from narraworld.extract.model.references import items_of, joined
from narraworld.extract.model.stages import STAGES, ReaderSettings
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import vocabulary
from narraworld.world import World

STORIES = sorted((Path(__file__).parent / "stories").glob("*.toml"))
ASKED = {*(stage.name for stage in STAGES), "repair"}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_story(path: Path, tmp_path: Path) -> None:
    story = tomllib.loads(path.read_text("utf-8"))
    done = read(story["text"], Scripted(**{name: story[name] for name in ASKED & story.keys()}))
    expected = story["expect"]
    assert [f"{one.record.removeprefix('ch01/')}: {one.shape}" for one in done.refusals] == expected[
        "refused"
    ]
    assert done.delta is not None
    assert not done.delta.refusals
    assert sift(done.delta.graph)[1] == [], "SHACL accepts whatever we assemble"
    with World.open(tmp_path, create=True) as world:
        world.commit(done.delta)
        told = {question: answers(world, question) for question in expected["answers"]}
    assert told == expected["answers"]


def answers(world: World, question: str) -> list[str]:
    return sorted(" ".join(str(value) for value in row) for row in world.query(question).rows)


# ---- the codes of the answers are the ontology's


@pytest.mark.parametrize(
    ("alias", "codes", "besides"),
    [
        ("Realis", "Realis", set()),
        ("Truth", "Truth", {"unstated"}),
        ("Mode", "Mode", set()),
        ("AttitudeKind", "AttitudeKind", set()),
        ("Manner", "Manner", set()),
        ("Movement", "Movement", set()),
        ("DevelopmentKind", "DevelopmentKind", set()),
        ("Uncertainty", "Uncertainty", set()),
    ],
)
def test_codes_of_the_answers_are_those_of_the_ontology(alias: str, codes: str, besides: set[str]) -> None:
    assert set(get_args(getattr(answers_module, alias))) - besides <= set(vocabulary().codes[codes])


def test_opening_a_thread_is_not_a_step_of_its_own() -> None:
    assert set(get_args(answers_module.Status)) == {*vocabulary().codes["Status"]} - {"opened"}


# ---- long answers


LONG = " ".join(f"Ada put marble {n} into the bowl." for n in range(1, 41))
SMALL = ReaderSettings(floor=100)
ADA = {"entities": [{"quote": "Ada", "number": 1, "is_a": "character", "name": "Ada"}]}


def puts(prompt: Any) -> dict[str, Any]:
    """One event for the first sentence of the part, numbered 1 as a model would."""
    first, quote = next(
        (int(n), said)
        for n, said in re.findall(r"^(\d+) (Ada put marble \d+ into the bowl)", prompt.user, re.M)
    )
    return {
        "events": [
            {"quote": quote, "sentence": first, "number": 1, "what": "put", "realis": "actual", "agent": [1]}
        ]
    }


def test_an_answer_that_is_cut_off_is_asked_for_in_halves_and_put_together_in_order() -> None:
    asks = Scripted(entities=ADA, events=[Overflow("too long"), puts, Overflow("too long"), puts, puts])
    done = read(LONG, asks, settings=SMALL)
    assert done.outcome == "ok"
    assert done.delta is not None
    told = records(done.delta)
    quotes = [told[told[f"ch01/e{n}-put"]["evidence"][0]]["quote"][0] for n in (1, 2, 3)]
    assert quotes == [f"Ada put marble {n} into the bowl" for n in (1, 21, 31)]
    assert asks.names() == ["entities", *["events"] * 5, "perspective", "changes"]
    assert done.refusals == ()


def test_halving_ends_at_the_floor_and_the_unit_fails() -> None:
    asks = Scripted(entities=ADA, events=[Overflow("too long")] * 50)
    done = read(LONG, asks, settings=SMALL)
    assert (done.outcome, done.delta) == ("failed", None)
    assert "too long" in (done.why or "")
    assert len(asks.heard) < 10


def test_the_numbers_of_a_second_half_move_behind_those_of_the_first() -> None:
    answer = next(stage.answer for stage in STAGES if stage.name == "events")
    half = items_of(
        answer.model_validate(
            {
                "events": [
                    {"quote": "q", "number": n, "what": "go", "realis": "actual", "agent": [1]}
                    for n in (1, 2)
                ],
                "causes": [{"quote": "q", "cause": 1, "effect": 2}],
            }
        )
    )
    both = joined(half, half, {"event": 0, "proposition": 0})
    assert [item.number for item in both["event"]] == [1, 2, 3, 4]
    assert [(item.cause, item.effect) for item in both["cause"]] == [(1, 2), (3, 4)]
    assert [item.agent for item in both["event"]] == [[1]] * 4


def test_numbers_shown_in_the_prompt_stay_when_halves_are_joined() -> None:
    answer = next(stage.answer for stage in STAGES if stage.name == "changes")
    half = items_of(
        answer.model_validate(
            {
                "developments": [{"quote": "q", "number": 3, "is_a": "goal", "title": "t"}],
                "steps": [{"quote": "q", "development": n, "status": "advanced"} for n in (1, 3)],
            }
        )
    )
    both = joined(half, half, {"development": 2, "proposition": 0})
    assert [item.number for item in both["development"]] == [3, 4]
    assert [item.development for item in both["step"]] == [1, 3, 1, 4]


def test_a_failed_stage_leaves_nothing_half_done() -> None:
    asks = Scripted(entities=ADA, events=puts, changes=ModelFailed("no more"))
    done = read(LONG, asks)
    assert (done.outcome, done.delta, done.newcomers) == ("failed", None, ())
    assert done.why == "no more"
    assert done.usage.calls == 3


# ---- passages


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("“Go,” she said. “Now!” He went.", ["“Go,” she said.", "“Now!”", "He went."]),
        ("A title\n\nThen it began", ["A title", "Then it began"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [one.cut(text) for one in NumberedText(text).sentences] == sentences


def test_scenes_are_parted_by_lines_that_are_only_a_break() -> None:
    text = "One.\n\n* * *\n\nTwo.\n\n---\nThree - still three."
    assert [one.cut(text) for one in NumberedText(text).scenes] == ["One.", "Two.", "Three - still three."]
    assert "-- scene 2 --\n2 Two." in NumberedText(text).shown(PassagePart(1, 3))


@pytest.mark.parametrize(("words", "parts"), [(10, 1), (1500, 1), (2200, 1), (2300, 2), (8800, 6)])
def test_long_units_are_asked_about_in_parts(words: int, parts: int) -> None:
    passage = NumberedText(" ".join(["Go on now then and."] * (words // 5)))
    found = passage.parts(1500)
    assert len(found) == parts
    assert found[0].first == 1
    assert found[-1].last == len(passage.sentences)
    assert all(a.last + 1 == b.first for a, b in pairwise(found))
