"""Answers given once: replayed exactly, never mistaken for others, never paid twice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator

from narraworld.extract.model.port import Asks, ModelFailed, Prompt, Told, Usage
from narraworld.models.recordings import AnswerCache, BadCache, Recorder, Replay, UnheardQuestion, shape_of


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
    recorder = Recorder(Oracle(), tmp_path / "new" / "folder")
    assert ask(recorder) == Told(LOUD, Usage(1, 100, 20))
    replay = Replay(tmp_path / "new" / "folder")
    assert ask(replay) == Told(LOUD, Usage(cached=1))
    assert replay.model == "oracle-1"


def test_a_recording_can_be_read_by_people(tmp_path: Path) -> None:
    ask(Recorder(Oracle(), tmp_path), Prompt("scene/summary", "s", "u"))
    (path,) = tmp_path.iterdir()
    page = json.loads(path.read_text("utf-8"))
    assert path.name == f"scene-summary-{page['digest'][:16]}.json"
    assert "月" in path.read_text("utf-8"), "text is kept as text"
    assert page["model"] == "oracle-1" and page["prompt"] == "scene/summary"
    assert page["usage"] == {"calls": 1, "prompt_tokens": 100, "answer_tokens": 20, "cached": 0}
    assert page["answer"]["events"][0]["quote"] == "“{{ Où? }}”"


class OtherEvents(Events):
    """What happens."""

    more: str = ""


@pytest.mark.parametrize(
    ("prompt", "answer", "model"),
    [
        (Prompt("event", "You note what happens.", "Mara moved the key."), Events, None),
        (Prompt("events", "You note what happens", "Mara moved the key."), Events, None),
        (Prompt("events", "You note what happens.", "Mara moved the key. "), Events, None),
        (QUESTION, OtherEvents, None),
        (QUESTION, Events, "oracle-2"),
    ],
    ids=["name", "system", "text", "shape", "model"],
)
def test_an_unheard_question_is_an_error(
    prompt: Prompt, answer: type[BaseModel], model: str | None, tmp_path: Path
) -> None:
    ask(Recorder(Oracle(), tmp_path))
    replay = Replay(tmp_path, model)
    with pytest.raises(UnheardQuestion) as failure:
        ask(replay, prompt, answer)
    digest = prompt.digest(replay.model, shape_of(answer))
    assert f"nothing recorded for '{prompt.name}' with digest {digest[:16]}" in str(failure.value)
    assert f"{1 if prompt.name == 'events' else 0} other answers" in str(failure.value)


def test_nothing_recorded_or_two_models_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ModelFailed, match="holds no recorded answers"):
        Replay(tmp_path)
    one, other = Oracle(), Oracle()
    other.model = "oracle-2"
    ask(Recorder(one, tmp_path))
    ask(Recorder(other, tmp_path))
    with pytest.raises(ModelFailed, match="2 models: oracle-1, oracle-2"):
        Replay(tmp_path)
    assert ask(Replay(tmp_path, "oracle-2")).answer == LOUD


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_file_that_is_no_recording_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "events-1.json").write_text(text)
    with pytest.raises(ModelFailed, match=r"events-1\.json: is no recorded answer"):
        Replay(tmp_path)


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(ModelFailed):
        ask(Recorder(Oracle(), tmp_path), Prompt("events", "s", "fail"))
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
    assert '"title": {' in shape_of(Told1), "a field may be called title"


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
    cached = AnswerCache(Recorder(Oracle(answer), folder), folder / "answers.sqlite")
    assert ask(cached).answer == ask(cached).answer == ask(Replay(folder)).answer == answer


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
