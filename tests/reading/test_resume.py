"""A reading that was cut down goes on where it was: no unit is read twice, no answer paid twice, the journal is the same."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen, answers
from verbatim import every_quote_is_verbatim

from narraworld.world import World

UNITS, PER_UNIT = 20, 5  # four stages, and asking again about what was refused
LIMIT = 600.0  # seconds for a reading; a busy machine needs ten

pytestmark = pytest.mark.slow


# ---- a tale of twenty units, and a model that reads it


def manuscript(folder: Path) -> Path:
    chapters = folder / "chapters"
    chapters.mkdir()
    for number in range(1, UNITS + 1):
        text = f"Ann carried parcel {number} to house {number}. Bob saw her.\n"
        (chapters / f"ch{number:02}.md").write_text(text, encoding="utf-8")
    return chapters


def reads_parcels(seen: Seen) -> dict[str, Any]:
    """A short good answer to each of the four questions."""
    [number] = set(re.findall(r"Ann carried parcel (\d+)", seen.user.partition("The passage:")[2]))
    carried = f"Ann carried parcel {number} to house {number}"
    said = {
        "EntitiesAnswer": {
            "entities": [
                {"quote": "Ann", "number": 1, "is_a": "character", "name": "Ann"},
                {"quote": "Bob", "number": 2, "is_a": "character", "name": "Bob"},
                {
                    "quote": f"parcel {number}",
                    "number": 3,
                    "is_a": "object",
                    "name": f"parcel {number}",
                },
                {"quote": f"house {number}", "number": 4, "is_a": "place", "name": f"house {number}"},
            ]
        },
        "EventsAnswer": {
            "events": [
                {"quote": carried, "number": 1, "what": "carry", "realis": "actual",
                 "agent": [1], "patient": [3], "destination": [4]},
                {"quote": "nobody said so", "number": 2, "what": "vanish", "realis": "actual", "patient": [3]},
            ],
            "propositions": [
                {"quote": carried, "number": 1, "subject": 3, "predicate": "location", "object": 4,
                 "truth": "asserted", "effect_of": 1}
            ],
        },
        "PerspectiveAnswer": {
            "accesses": [{"quote": "Bob saw her", "holder": 2, "event": 1, "mode": "observation"}]
        },
    }  # fmt: skip
    return said.get(seen.json["tools"][0]["function"]["name"], {})


@dataclass
class Till:
    """A server that counts what it was paid for, and at one request does something to the reader instead."""

    strike_at: int = 0
    strike: Callable[[], None] = lambda: None
    arrived: int = 0
    paid: list[bytes] = field(default_factory=list)

    def __call__(self, seen: Seen) -> Reply:
        self.arrived += 1
        if self.arrived == self.strike_at:
            self.strike()
            return Reply(b"", wait=LIMIT, keep=0)
        self.paid.append(seen.body)
        return answers(reads_parcels)(seen)


# ---- running the command


def start(server: FaultServer, chapters: Path, world: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "narraworld", "read", "--reader", "model", "-w", world, chapters]
    env = os.environ | {"OPENAI_BASE_URL": server.url, "NARRAWORLD_MODEL": "tiny", "NARRAWORLD_MODE": "tools"}
    return subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_hears_ctrl_c
    )


def _hears_ctrl_c() -> None:
    """What a shell starts in the background ignores it, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(reader: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = reader.communicate(timeout=LIMIT)
    return reader.returncode, out, err


def run(till: Till, chapters: Path, world: Path) -> tuple[int, str, str]:
    with FaultServer(till) as server:
        return finish(start(server, chapters, world))


def run_struck(till: Till, how: signal.Signals, chapters: Path, world: Path) -> tuple[int, str, str]:
    with FaultServer(till) as server:
        reader = start(server, chapters, world)
        till.strike = lambda: os.kill(reader.pid, how)
        return finish(reader)


def journal(folder: Path) -> list[tuple[str, str]]:
    with World.open(folder) as world:
        every_quote_is_verbatim(world)
        return [(entry.unit, entry.body_sha) for entry in world.store.log()]


def outcomes(out: str) -> list[str]:
    """`unchanged` or the revision, line by line."""
    return re.findall(r"\b(unchanged|r\d+)\b", out)


@dataclass(frozen=True)
class Whole:
    chapters: Path
    journal: list[tuple[str, str]]
    paid: int
    refusals: list[bytes]


def refusals(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob(".narraworld/refusals/*"))]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    folder, till = tmp_path_factory.mktemp("undisturbed"), Till()
    chapters, world = manuscript(folder), folder / "world"
    code, out, err = run(till, chapters, world)
    assert (code, outcomes(out)) == (0, [f"r{n}" for n in range(1, UNITS + 1)]), err
    assert len(till.paid) == len(set(till.paid)) == UNITS * PER_UNIT
    assert outcomes(run(till, chapters, world)[1]) == ["unchanged"] * UNITS
    assert len(till.paid) == UNITS * PER_UNIT, "a finished reading asks nothing more"
    return Whole(chapters, journal(world), len(till.paid), refusals(world))


# ---- the stories

STRIKES = {
    "between two units": 10 * PER_UNIT + 1,
    "inside a unit": 10 * PER_UNIT + 3,
}


@pytest.mark.parametrize("strike_at", STRIKES.values(), ids=STRIKES)
def test_killed_and_started_again(strike_at: int, undisturbed: Whole, tmp_path: Path) -> None:
    world, first, second = tmp_path / "world", Till(strike_at), Till()
    code, out, _ = run_struck(first, signal.SIGKILL, undisturbed.chapters, world)
    assert code == -signal.SIGKILL
    done = (strike_at - 1) // PER_UNIT
    assert len(first.paid) == strike_at - 1

    code, out, err = run(second, undisturbed.chapters, world)
    assert code == 0, err
    assert outcomes(out) == ["unchanged"] * done + [f"r{n}" for n in range(done + 1, UNITS + 1)]
    paid = first.paid + second.paid
    assert len(paid) == len(set(paid)) == undisturbed.paid, "an answer was paid twice"
    assert journal(world) == undisturbed.journal
    assert refusals(world) == undisturbed.refusals


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(undisturbed: Whole, tmp_path: Path) -> None:
    world, till = tmp_path / "world", Till(7 * PER_UNIT + 2)
    code, out, err = run_struck(till, signal.SIGINT, undisturbed.chapters, world)
    assert code == 130
    assert outcomes(out) == [f"r{n}" for n in range(1, 8)]
    assert "finished units are kept" in err and "again to go on" in err and "Traceback" not in err
    assert journal(world) == undisturbed.journal[:7]
