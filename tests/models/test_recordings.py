"""Answers given once: replayed exactly, never mistaken for others, never paid twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator

from narraworld.extract.model.port import Asks, ModelFailed, Prompt, Told, Usage
from narraworld.models.recordings import (
    AnswerCache,
    BadCache,
    CarriedOver,
    Recorder,
    Replay,
    UnheardQuestion,
    recorded_answers,
    shape_of,
)


class Event(BaseModel):
    quote: str
    kind: Literal["move", "speech"] = "move"
    causes: list[int] = []
    title: str | None = Field(None, description="a name for it")


class Events(BaseModel):
    """What happens."""

    events: list[Event]


LOUD = Events(events=[Event(quote="“{{ Où? }}”", causes=[1, 2]), Event(quote="", kind="speech", title="月")])
QUESTION = Prompt("events", "You note what happens.", "Mara moved the key.")


class Oracle:
    """Answers from a table, and counts."""

    model = "oracle-1"

    def __init__(self, answer: BaseModel = LOUD) -> None:
        self.answer, self.asked = answer, 0

    async def ask(self, prompt: Prompt, answer: type[Any], /) -> Told[Any]:
        self.asked += 1
        await asyncio.sleep(0)
        if prompt.user == "fail":
            raise ModelFailed("no")
        return Told(self.answer, Usage(1, 100, 20))


def ask(asks: Asks, prompt: Prompt = QUESTION, answer: type[BaseModel] = Events) -> Told[Any]:
    return asyncio.run(asks.ask(prompt, answer))


# -- recordings -----------------------------------------------------------------------------------------------------


def test_what_was_recorded_is_replayed_and_costs_nothing(tmp_path: Path) -> None:
    recorder = Recorder(Oracle(), tmp_path / "new" / "told.jsonl")
    assert ask(recorder) == Told(LOUD, Usage(1, 100, 20))
    replay = Replay(tmp_path / "new" / "told.jsonl")
    assert ask(replay) == Told(LOUD, Usage(cached=1))
    assert replay.model == "oracle-1"


def test_a_recording_can_be_read_by_people(tmp_path: Path) -> None:
    ask(Recorder(Oracle(), tmp_path / "told.jsonl"), Prompt("scene", "s", "u"))
    text = (tmp_path / "told.jsonl").read_text("utf-8")
    page = json.loads(text)
    assert "月" in text, "text is kept as text"
    assert page["model"] == "oracle-1" and page["prompt"] == "scene"
    assert page["usage"] == {"calls": 1, "prompt_tokens": 100, "answer_tokens": 20, "cached": 0}
    assert page["answer"]["events"][0]["quote"] == "“{{ Où? }}”"


def test_an_answer_stands_in_a_recording_once(tmp_path: Path) -> None:
    for _ in range(2):
        recorder = Recorder(Oracle(), tmp_path / "told.jsonl")
        ask(recorder), ask(recorder)
    assert len(list(recorded_answers(tmp_path / "told.jsonl"))) == 1


class OtherEvents(Events):
    """What happens."""

    more: str = ""


ABOUT = Prompt(
    "events", "You note what happens.", "…", {"passage": "Mara moved the key.", "known": "1. Mara"}
)


@pytest.mark.parametrize(
    ("prompt", "answer", "model", "why"),
    [
        (replace(ABOUT, name="event"), Events, None, "no such question was asked"),
        (replace(ABOUT, system="You note what happens"), Events, None, "its instructions changed since"),
        (
            replace(ABOUT, user="…!", given={"passage": "Leo woke.", "known": "1. Mara"}),
            Events,
            None,
            "its passage changed since",
        ),
        (ABOUT, OtherEvents, None, "its shape of the answer changed since"),
        (ABOUT, Events, "oracle-2", "its model changed since"),
    ],
    ids=["name", "system", "text", "shape", "model"],
)
def test_an_unheard_question_says_what_has_changed(
    prompt: Prompt, answer: type[BaseModel], model: str | None, why: str, tmp_path: Path
) -> None:
    ask(Recorder(Oracle(), tmp_path / "told.jsonl"), ABOUT)
    with pytest.raises(UnheardQuestion) as failure:
        ask(Replay(tmp_path / "told.jsonl", model), prompt, answer)
    assert f"nothing recorded for '{prompt.name}': {why}" in str(failure.value)
    assert "--carry OLD" in str(failure.value)


@pytest.mark.parametrize(
    ("prompt", "carried"),
    [
        pytest.param(replace(ABOUT, system="Note what happens.", user="-"), True, id="our own words"),
        pytest.param(
            replace(ABOUT, user="-", given={**ABOUT.given, "known": "1. Mara (character)"}), True, id="a list"
        ),
        pytest.param(
            replace(ABOUT, user="-", given={**ABOUT.given, "known": "1. Leo\n2. Mara"}), False, id="numbers"
        ),
        pytest.param(replace(ABOUT, user="-", given={**ABOUT.given, "passage": "-"}), False, id="the text"),
        pytest.param(replace(ABOUT, name="plotlines"), False, id="another question"),
    ],
)
def test_only_what_is_the_same_in_substance_is_carried_over(
    prompt: Prompt, carried: bool, tmp_path: Path
) -> None:
    ask(Recorder(Oracle(), tmp_path / "old.jsonl"), ABOUT)
    other = Oracle(Events(events=[]))
    told = ask(CarriedOver(tmp_path / "old.jsonl", other), prompt)
    assert other.asked == (0 if carried else 1)
    assert told.answer == (LOUD if carried else Events(events=[]))


LATER = Prompt(
    "perspective", "Who says what.", "…", {"passage": "Mara moved the key.", "events": "1. Mara move"}
)


@pytest.mark.parametrize(
    ("earlier", "carried"),
    [
        pytest.param(ABOUT, True, id="all answers so far are of the recording: the numbers are theirs"),
        pytest.param(replace(ABOUT, given={"passage": "Leo woke."}), False, id="one was given anew"),
        pytest.param(
            Prompt("repair", "", "…", {"passage": "-"}), True, id="only what no list shows was given anew"
        ),
    ],
)
def test_a_list_of_answers_may_be_longer_while_they_are_all_of_the_recording(
    earlier: Prompt, carried: bool, tmp_path: Path
) -> None:
    for asked in (ABOUT, LATER):
        ask(Recorder(Oracle(), tmp_path / "old.jsonl"), asked)
    other = Oracle(Events(events=[]))
    over = CarriedOver(tmp_path / "old.jsonl", other)
    ask(over, earlier)
    told = ask(over, replace(LATER, given={**LATER.given, "events": "1. Mara move\n2. Leo wake"}))
    assert told.answer == (LOUD if carried else Events(events=[]))


def test_an_answer_that_no_longer_fits_is_not_carried_over(tmp_path: Path) -> None:
    class Scenes(BaseModel):
        scenes: list[str]

    ask(Recorder(Oracle(), tmp_path / "old.jsonl"), ABOUT)
    told = ask(CarriedOver(tmp_path / "old.jsonl", Oracle(Scenes(scenes=[]))), ABOUT, Scenes)
    assert told.answer == Scenes(scenes=[])


class Conflict(BaseModel):
    quote: str
    fact: int | None = None


class Conflicts(BaseModel):
    conflicts: list[Conflict]


@pytest.mark.parametrize(
    ("fact", "now"),
    [
        pytest.param(None, None, id="names none"),
        pytest.param(2, 1, id="is found at another number"),
        pytest.param(1, None, id="is no longer shown"),
    ],
)
def test_a_chosen_fact_that_an_answer_names_is_found_by_its_words(
    fact: int | None, now: int | None, tmp_path: Path
) -> None:
    def asked(known: str) -> Prompt:
        return Prompt("details", "Compare.", known, given={"passage": "Mara moved.", "remembered": known})

    said = Conflicts(conflicts=[Conflict(quote="Mara", fact=fact)])
    ask(Recorder(Oracle(said), tmp_path / "old.jsonl"), asked("1. a key\n2. a book"), Conflicts)
    other = Oracle(Conflicts(conflicts=[]))
    told = ask(CarriedOver(tmp_path / "old.jsonl", other), asked("1. a book\n2. a lamp\n3. a pen"), Conflicts)
    assert other.asked == (1 if fact == 1 else 0)
    assert [one.fact for one in told.answer.conflicts] == ([] if fact == 1 else [now])


def test_nothing_recorded_or_two_models_is_said_at_once(tmp_path: Path) -> None:
    file = tmp_path / "told.jsonl"
    with pytest.raises(ModelFailed, match="is no recording"):
        Replay(file)
    file.touch()
    with pytest.raises(ModelFailed, match="holds no recorded answers"):
        Replay(file)
    one, other = Oracle(), Oracle()
    other.model = "oracle-2"
    ask(Recorder(one, file))
    ask(Recorder(other, file))
    with pytest.raises(ModelFailed, match="2 models: oracle-1, oracle-2"):
        Replay(file)
    assert ask(Replay(file, "oracle-2")).answer == LOUD


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_line_that_is_no_recording_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "told.jsonl").write_text(text + "\n")
    with pytest.raises(ModelFailed, match=r"told\.jsonl:1: is no recorded answer"):
        Replay(tmp_path / "told.jsonl")


def test_a_line_that_was_never_finished_counts_as_not_written(tmp_path: Path) -> None:
    file = tmp_path / "told.jsonl"
    ask(Recorder(Oracle(), file))
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:100])
    ask(Recorder(Oracle(), file), ABOUT)
    assert [one.prompt for one in recorded_answers(file)] == ["events", "events"]
    assert file.read_bytes().startswith(whole)


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(ModelFailed):
        ask(Recorder(Oracle(), tmp_path / "told.jsonl"), Prompt("events", "s", "fail"))
    assert list(tmp_path.iterdir()) == []


# -- what an answer looks like ----------------------------------------------------------------------------------------


def test_words_to_the_model_are_part_of_the_shape_and_titles_are_not() -> None:
    class Told1(BaseModel):
        """What happens."""

        events: list[Event] = Field(description="in order")

    class Told2(BaseModel):
        """What happens."""

        events: list[Event] = Field(description="in order", title="Something else")

    class Told3(BaseModel):
        """What happens."""

        events: list[Event] = Field(description="in any order")

    assert shape_of(Told1) == shape_of(Told2) != shape_of(Told3)
    assert '"title":{' in shape_of(Told1), "a field may be called title"


def test_the_shape_is_the_same_for_every_pydantic() -> None:
    """Recordings are known by it: if this changes, all recordings are lost."""
    assert json.loads(shape_of(Event)) == {
        "type": "object",
        "required": ["quote"],
        "properties": {
            "quote": {"type": "string"},
            "kind": {"enum": ["move", "speech"], "default": "move"},
            "causes": {"type": "array", "items": {"type": "integer"}, "default": []},
            "title": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": None,
                "description": "a name for it",
            },
        },
    }


events = st.builds(
    Events,
    events=st.lists(
        st.builds(
            Event,
            quote=st.text(),
            kind=st.sampled_from(["move", "speech"]),
            causes=st.lists(st.integers()),
            title=st.none() | st.text(),
        ),
        max_size=4,
    ),
)


@given(events)
def test_any_answer_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, answer: Events) -> None:
    folder = tmp_path_factory.mktemp("any")
    cached = AnswerCache(Recorder(Oracle(answer), folder / "told.jsonl"), folder / "answers.sqlite")
    assert ask(cached).answer == ask(cached).answer == ask(Replay(folder / "told.jsonl")).answer == answer


# -- the cache --------------------------------------------------------------------------------------------------------


def test_a_question_is_paid_once(tmp_path: Path) -> None:
    oracle = Oracle()
    cache = AnswerCache(oracle, tmp_path / "cache" / "answers.sqlite")
    assert ask(cache) == Told(LOUD, Usage(1, 100, 20))
    assert ask(cache) == Told(LOUD, Usage(cached=1))
    assert ask(AnswerCache(oracle, tmp_path / "cache" / "answers.sqlite")).usage.cached == 1
    assert oracle.asked == 1
    ask(cache, Prompt("events", "You note what happens.", "Leo woke."))
    assert oracle.asked == 2


def test_the_same_question_many_times_at_once_is_paid_once(tmp_path: Path) -> None:
    oracle = Oracle()
    cache = AnswerCache(oracle, tmp_path / "answers.sqlite")

    async def together() -> list[Told[Any]]:
        return await asyncio.gather(*(cache.ask(QUESTION, Events) for _ in range(10)))

    told = asyncio.run(together())
    assert oracle.asked == 1 and {one.usage.calls for one in told} == {0, 1}


def test_a_failure_is_asked_again(tmp_path: Path) -> None:
    oracle = Oracle()
    cache = AnswerCache(oracle, tmp_path / "answers.sqlite")
    for _ in range(2):
        with pytest.raises(ModelFailed):
            ask(cache, Prompt("events", "s", "fail"))
    assert oracle.asked == 2


def test_an_answer_its_class_no_longer_accepts_is_asked_again(tmp_path: Path) -> None:
    class Picky(BaseModel):
        quote: str

    class Pickier(Picky):
        @field_validator("quote")
        @classmethod
        def not_empty(cls, quote: str) -> str:
            if not quote:
                raise ValueError("empty")
            return quote

    assert shape_of(Picky) == shape_of(Pickier)
    ask(AnswerCache(Oracle(Picky(quote="")), tmp_path / "a.sqlite"), answer=Picky)
    again = AnswerCache(Oracle(Pickier(quote="x")), tmp_path / "a.sqlite")
    assert [ask(again, answer=Pickier).usage.calls for _ in range(2)] == [1, 0]


def test_a_damaged_cache_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_text("not a database, but long enough to look at" * 50)
    with pytest.raises(BadCache, match="delete it"):
        ask(AnswerCache(Oracle(), tmp_path / "answers.sqlite"))
    (tmp_path / "file").write_text("")
    with pytest.raises(BadCache, match="cannot be used"):
        ask(AnswerCache(Oracle(), tmp_path / "file" / "answers.sqlite"))


PROGRAM = """
import asyncio, os, sys
from pathlib import Path
from pydantic import BaseModel
from narraworld.extract.model.port import Prompt, Told, Usage
from narraworld.models.recordings import AnswerCache

class Echo(BaseModel):
    said: str

class Shouts:
    model = "m"
    async def ask(self, prompt, answer, /):
        print(prompt.user, flush=True)
        return Told(Echo(said=prompt.user), Usage(1))

async def main(first, last):
    cache = AnswerCache(Shouts(), Path(sys.argv[1]))
    for number in range(first, last):
        assert (await cache.ask(Prompt("n", "", str(number)), Echo)).answer.said == str(number)
    os.kill(os.getpid(), 9)

asyncio.run(main(int(sys.argv[2]), int(sys.argv[3])))
"""


def reader(path: Path, first: int, last: int) -> subprocess.Popen[str]:
    """Asks for first … last, prints what it has to pay for, and is killed."""
    command = [sys.executable, "-c", PROGRAM, str(path), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def paid(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate()
    assert process.returncode == -9, err
    return out.split()


def test_kill_dash_nine_after_an_answer_loses_none(tmp_path: Path) -> None:
    assert paid(reader(tmp_path / "a.sqlite", 0, 5)) == ["0", "1", "2", "3", "4"]
    assert paid(reader(tmp_path / "a.sqlite", 0, 8)) == ["5", "6", "7"]


def test_processes_share_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    crowd = [reader(path, first, first + 30) for first in (0, 30, 0, 15)]
    for process in crowd:
        paid(process)
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT prompt, answer FROM answers").fetchall()
    db.close()
    assert sorted(int(json.loads(answer)["said"]) for _, answer in rows) == list(range(60))
