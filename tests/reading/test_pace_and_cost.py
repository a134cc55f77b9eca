"""Reading with a model as a whole: how many questions at once, what it may cost, and what the scenes come to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fault_server import FaultServer, Reply, Seen, answers
from verbatim import every_quote_is_verbatim

from narraworld.world import World

PARTS, WORDS = 4, 1_500
FILLER = "And so the wind went round the yard all night, and nobody counted the hours. "


def long_chapter(folder: Path) -> Path:
    """One chapter of four parts; in each somebody carries something somewhere."""
    deeds = [f"Ann carried parcel {n} to house {n}. " for n in range(1, PARTS + 1)]
    (folder / "ch01.md").write_text("\n\n".join(deed + FILLER * (WORDS // 15) for deed in deeds), "utf-8")
    return folder / "ch01.md"


def scenes(folder: Path) -> list[Path]:
    """A parcel on its way through three short chapters."""
    for n in range(1, 4):
        text = f"Ann carried the parcel to house {n}.\n"
        (folder / f"ch{n:02}.md").write_text(text, encoding="utf-8")
    return sorted(folder.glob("ch*.md"))


def carried(seen: Seen) -> dict[str, Any]:
    """What a careful model says: who carries what where, in the part it is shown."""
    stage = seen.json["tools"][0]["function"]["name"]
    if stage == "PlotlinesAnswer":
        return plotline(seen.user)
    deeds = re.findall(
        r"(Ann) carried ((?:the )?parcel ?\d*) to (house \d+)", seen.user.partition("The passage:")[2]
    )
    kinds = ("character", "object", "place")
    named = [(name, kind) for deed in deeds for name, kind in zip(deed, kinds, strict=True)]
    if stage == "EntitiesAnswer":
        known = dict(re.findall(r"^(\d+)\. ([\w ]+) \(", seen.user, re.MULTILINE))
        numbers = {name: int(number) for number, name in known.items()}
        return {"entities": [
            {"quote": name, "number": n, "is_a": kind, "name": name.removeprefix("the "), "known": numbers.get(name.removeprefix("the "))}
            for n, (name, kind) in enumerate(named, 1)
        ]}  # fmt: skip
    if stage != "EventsAnswer":
        return {}
    numbers = {name: int(n) for n, name in re.findall(r"^(\d+)\. ([\w ]+), \w+$", seen.user, re.MULTILINE)}
    events, states = [], []
    for n, (who, what, where) in enumerate(deeds, 1):
        quote = {"quote": f"{who} carried {what} to {where}", "number": n}
        thing, place = numbers[what.removeprefix("the ")], numbers[where]
        roles = {"agent": [numbers[who]], "patient": [thing], "destination": [place]}
        events.append(quote | {"what": "carry", "realis": "actual"} | roles)
        said = {
            "subject": thing,
            "predicate": "location",
            "object": place,
            "truth": "asserted",
            "effect_of": n,
        }
        states.append(quote | said)
    return {"events": events, "propositions": states}


def plotline(user: str) -> dict[str, Any]:
    lines = {text: int(n) for n, text in re.findall(r"^  (\d+)\. (.*)$", user, re.MULTILINE)}
    carry = [number for text, number in lines.items() if text.startswith("carry")]
    joints = [{"relation": "progression", "earlier": [a], "later": [b]} for a, b in pairwise(carry)]
    said = "Ann carries the parcel from house to house."
    return {"plotlines": [{"candidate": 1, "is_a": "goal", "connections": joints, "summary": said}]}


@pytest.fixture
def read(
    narraworld: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Any]:
    """`read(server, files, "--jobs", "4")`: the command, pointed at a server."""

    def run(server: FaultServer, where: str, *words: str | Path) -> Any:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("NARRAWORLD_MODEL", "tiny")
        monkeypatch.setenv("NARRAWORLD_MODE", "tools")
        return narraworld("read", "--reader", "model", "-w", tmp_path / where, *words)

    return run


def journal(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob(".narraworld/journal/*.nq"))}


# ---- how many at once


def scrambled(seen: Seen) -> Reply:
    """Later parts are answered sooner."""
    [first] = re.findall(r"parcel (\d)", seen.user.partition("The passage:")[2])[:1] or ["4"]
    reply = answers(carried)(seen)
    return replace(reply, wait=0.05 * (PARTS - int(first)))


def test_the_journal_is_the_same_for_every_number_of_jobs(read: Callable[..., Any], tmp_path: Path) -> None:
    chapter = long_chapter(tmp_path)
    for jobs in ("1", "4"):
        with FaultServer(scrambled) as server:
            said = read(server, f"jobs{jobs}", "--jobs", jobs, chapter)
            assert said.code == 0, said.err
            assert len(server.seen) == 4 * PARTS, "four stages of four parts"
    one, four = journal(tmp_path / "jobs1"), journal(tmp_path / "jobs4")
    assert len(one) == 1 and one == four
    with World.open(tmp_path / "jobs4") as world:
        assert every_quote_is_verbatim(world) > 3 * PARTS


# ---- what it may cost


@pytest.fixture
def prices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text("[tiny]\nprompt = 0.0\nanswer = 1000.0\n", encoding="utf-8")
    monkeypatch.setenv("NARRAWORLD_PRICES", str(tmp_path / "prices.toml"))


@pytest.mark.usefixtures("prices")
def test_a_dry_run_asks_nothing_and_writes_nothing(read: Callable[..., Any], tmp_path: Path) -> None:
    with FaultServer(answers(carried)) as server:
        said = read(server, "w", "--dry-run", *scenes(tmp_path))
        assert server.seen == []
    assert said.code == 0 and journal(tmp_path / "w") == {}
    assert re.match(
        r"3 units with tiny at http://127\S+: 13–17 calls, ~\S+ tokens in, .*, about \$\d", said.out
    )


@pytest.mark.usefixtures("prices")
def test_the_maximum_stops_the_reading_and_a_higher_one_goes_on(
    read: Callable[..., Any], tmp_path: Path
) -> None:
    """An answer costs 2 cents here and could cost $16.384; so there is room for nine, and two whole units."""
    files = scenes(tmp_path)
    with FaultServer(answers(carried)) as server:
        said = read(server, "w", "--max-cost", f"{16.384 + 8 * 0.02 + 0.001}", *files)
        assert said.code == 1 and "$0.1800 of at most $16.5450 is spent" in said.err
        assert len(server.seen) == 9
        assert re.findall(r"^(ch\d+)  r\d.*\$(\S+) so far", said.out, re.MULTILINE) == [
            ("ch01", "0.0800"), ("ch02", "0.1600"),
        ]  # fmt: skip
        assert read(server, "w", "--max-cost", "20", *files).code == 0
        assert len(server.seen) == 13, "nothing is paid twice"
    assert len(journal(tmp_path / "w")) == 4


# ---- what the scenes come to


def test_scenes_become_a_plotline_and_a_second_reading_asks_nothing(
    read: Callable[..., Any], tmp_path: Path
) -> None:
    files = scenes(tmp_path)
    with FaultServer(answers(carried)) as server:
        said = read(server, "w", *files)
        assert len(server.seen) == 3 * 4 + 1
        assert said.out.splitlines()[-1].startswith("plotlines  Plotlines  r4  2 connection, 1 plotline")
        assert read(server, "w", *files).out.split() == [
            word for n in (1, 2, 3) for word in (f"ch0{n}", "unchanged")
        ]
        assert len(server.seen) == 13
    with World.open(tmp_path / "w") as world:
        assert world.query("summary(L, Says), plotline_scene(L, S)").rows == tuple(
            ("plotlines/plotline-1", "Ann carries the parcel from house to house.", f"ch0{n}/scene-1")
            for n in (1, 2, 3)
        )


def test_a_consolidation_that_fails_keeps_the_scenes_and_is_tried_again(
    read: Callable[..., Any], tmp_path: Path
) -> None:
    def refuses_plotlines(seen: Seen) -> Reply:
        asked = json.dumps(seen.json["tools"])
        return answers({"plotlines": "none"} if "PlotlinesAnswer" in asked else carried)(seen)

    files = scenes(tmp_path)
    with FaultServer(refuses_plotlines) as server:
        said = read(server, "w", *files)
    assert said.code == 1 and re.search(
        r"^plotlines  Plotlines  failed: .*shape asked for", said.err, re.MULTILINE
    )
    assert len(journal(tmp_path / "w")) == 3
    with FaultServer(answers(carried)) as server:
        assert read(server, "w", *files).code == 0
        assert len(server.seen) == 1, "only the plotlines are asked for"
    assert len(journal(tmp_path / "w")) == 4


def test_without_plotlines_none_are_asked_for(read: Callable[..., Any], tmp_path: Path) -> None:
    with FaultServer(answers(carried)) as server:
        assert read(server, "w", "--no-plotlines", *scenes(tmp_path)).code == 0
        assert len(server.seen) == 12
