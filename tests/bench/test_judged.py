"""The model track of planted errors: replayed readings, by rules alone and with the judge's word."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted

from bench.checking.judged_manuscripts import model_figures
from bench.frame import MissingDataError
from narraworld.extract.model.port import Prompt, Told
from narraworld.extract.sources import read_sources
from narraworld.models.recordings import Recorder
from narraworld.reading.with_model import ReadingSettings, read_with_model
from narraworld.world import World

ONE = "# One\n\nIda Fell had grey eyes. Only Ida knew of the letter.\n"
TWO = "# Two\n\nIda Fell had brown eyes. Leo spoke of the letter at once. Leo sang.\n"
PLANTED = """
[[error]]
id = "e1"
kind = "looks"
level = "direct"
a = { chapter = "01", quote = "had grey eyes" }
b = { chapter = "02", quote = "had brown eyes" }
[[error]]
id = "e2"
kind = "knowledge"
level = "inferred"
a = { chapter = "01", quote = "Only Ida knew of the letter" }
b = { chapter = "02", quote = "Leo spoke of the letter" }
[[error]]
id = "e3"
kind = "place"
level = "inferred"
a = { chapter = "01", quote = "Ida Fell" }
b = { chapter = "02", quote = "Leo sang" }
"""
IDA = {"quote": "Ida Fell", "number": 1, "is_a": "character", "name": "Ida Fell"}


def eyes(colour: str) -> dict[str, Any]:
    return {"quote": f"{colour} eyes", "owner": 1, "respect": "eyes", "value": colour}


SCRIPT = Scripted(
    entities=[{"entities": [IDA]}, {"entities": [IDA | {"known": 1}]}],
    details=[
        {
            "details": [
                eyes("grey"),
                {
                    "quote": "Only Ida knew of the letter",
                    "owner": 1,
                    "respect": "knowledge",
                    "value": "the letter",
                },
            ]
        },
        {
            "details": [eyes("brown")],
            "conflicts": [
                {"quote": "Leo spoke of the letter", "fact": 2, "is_a": "knowing", "why": "Nobody told him."}
            ],
        },
    ],
)


class Judge:
    """Calls everything a contradiction."""

    model = "judge"

    async def ask(self, prompt: Prompt, answer: Any, /) -> Told[Any]:
        pairs = range(1, prompt.user.count("PAIR ") + 1)
        said = [{"pair": n, "verdict": "contradiction", "reason": "So it is."} for n in pairs]
        return Told(answer.model_validate({"judgements": said}))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A manuscript, and the folder of its recordings."""
    root = tmp_path_factory.mktemp("judged")
    folder, recordings = root / "mini", root / "recordings"
    (folder / "broken").mkdir(parents=True)
    for name, text in (("01", ONE), ("02", TWO)):
        (folder / "broken" / f"{name}.md").write_text(text, "utf-8")
    (folder / "planted.toml").write_text(PLANTED, "utf-8")

    async def reading(world: World) -> None:
        settings = ReadingSettings(details=True, plotlines_every=None)
        asks = Recorder(SCRIPT, recordings / "mini.jsonl")
        async for one in read_with_model(
            world.story, read_sources([str(folder / "broken")]), asks, settings=settings
        ):
            assert one.outcome == "read" and not one.refusals

    with World.open(root / "world", create=True) as world:
        asyncio.run(reading(world))
        world.check(judge=Recorder(Judge(), recordings / "mini.judge.jsonl"))
        (recordings / "kept.json").write_bytes((world.store.root / "verdicts.json").read_bytes())
    return folder, recordings


def test_rules_alone_find_what_they_can_and_the_judge_the_rest(recorded: tuple[Path, Path]) -> None:
    folder, recordings = recorded
    figures = model_figures([folder], recordings)
    assert (figures["model_rules"], figures["model_judged"], figures["model_precision"]) == (
        0.333,
        0.667,
        1.0,
    )
    assert (figures["model_errors"], figures["model_twins"]) == (3, 1)


def test_verdicts_by_words_stand_in_for_the_judges_answers(
    recorded: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, recordings = recorded
    (tmp_path / "mini.jsonl").write_bytes((recordings / "mini.jsonl").read_bytes())
    (tmp_path / "mini.verdicts.json").write_bytes((recordings / "kept.json").read_bytes())
    assert model_figures([folder], tmp_path)["model_judged"] == 0.667


def test_without_a_recording_it_says_so(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no recording of a manuscript"):
        model_figures([recorded[0]], tmp_path)
