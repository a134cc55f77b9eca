"""A real model reads through the real client: it invents freely, and nothing it invents gets in. `make test-model` runs this.

NARRAWORLD_MODEL_PYTHON is the interpreter that has the model; without it nothing here is collected (see conftest).
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from verbatim import every_quote_is_verbatim

from narraworld.extract.records import read_records
from narraworld.extract.sources import Piece, Places
from narraworld.kb.plotlines import PLOTLINES
from narraworld.models.environment import ModelSettings, Secret
from narraworld.models.openai import OpenAIModel
from narraworld.reading.outcome import UnitRead
from narraworld.reading.refusals import kept_refusals
from narraworld.reading.with_model import read_with_model
from narraworld.report_cards.report_card import NO_PLOTLINES, card_lines, try_reader
from narraworld.world import World

HERE = Path(__file__).resolve().parent
# Two hours: how long an answer takes is the machine's matter, and no answer is late here.
PATIENT: dict[str, Any] = {
    "timeout": 7200.0,
    "patience": 7200.0,
    "transport_retries": 0,
    "repairs": 1,
    "answer_tokens": 700,
}
CHAPTERS = sorted((HERE.parents[2] / "src/narraworld/stories/key").glob("*.toml"))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The model on this machine, for as long as it is needed."""
    command = [os.environ["NARRAWORLD_MODEL_PYTHON"], HERE / "serve.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def read_all(world: World, pieces: list[Piece], settings: ModelSettings) -> list[UnitRead]:
    async def all_of_them() -> list[UnitRead]:
        async with OpenAIModel(settings) as model:
            found = read_with_model(world.story, pieces, model, on_failure="go-on")
            return [one async for one in found]

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("mode", ["json_schema", "md_json"])
def test_a_real_model_gets_nothing_in_that_is_not_there(mode: str, url: str, tmp_path: Path) -> None:
    pieces = [Piece(read_records(path).unit, (), (), Places((), ())) for path in CHAPTERS]
    settings = ModelSettings("smollm2", url, Secret("none"), mode=mode, jobs=1, **PATIENT)
    with World.open(tmp_path, create=True) as world:
        done = read_all(world, pieces, settings)
        accepted = every_quote_is_verbatim(world)
        refused = len(kept_refusals(world.store))
    print(f"\n{mode}: {accepted} records and entities accepted, {refused} items refused")
    for one in done:
        print(f"  {one.unit} {one.outcome}: {one.why or 'no trouble'}")
    assert [one.unit for one in done if one.unit != PLOTLINES] == ["ch01", "ch02", "ch03"]


@pytest.mark.parametrize("small", [False, True], ids=["full", "small"])
def test_the_report_card_of_a_real_model(small: bool, url: str) -> None:
    """Printed, for docs/models.md; what is certain is that nothing the pages deny was kept."""
    settings = ModelSettings("smollm2", url, Secret("none"), mode="json_schema", jobs=1, **PATIENT)
    card = try_reader(OpenAIModel(settings), "mode json_schema", replace(NO_PLOTLINES, small=small))
    print("", *card_lines([card]), sep="\n")
    assert card.score.invented == 0
