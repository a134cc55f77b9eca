"""Whether the stage of details is asked: by option, by project, or as the recording was made; and what it costs is told before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from narraworld.commands.read import _wants_details
from narraworld.world import World


def recording(file: Path, *prompts: str) -> Path:
    lines = [
        json.dumps({"model": "m", "prompt": name, "digest": name, "given": {}, "usage": {}, "answer": {}})
        for name in prompts
    ]
    file.write_text("\n".join([*lines, ""]), "utf-8")
    return file


@pytest.mark.parametrize(
    ("said", "project", "recorded", "wanted"),
    [
        (None, "", None, False),
        (None, "[read]\ndetails = true\n", None, True),
        (False, "[read]\ndetails = true\n", None, False),
        (True, "", None, True),
        (None, "", ("entities", "details"), True),
        (None, "", ("entities", "conflicts"), True),
        (None, "[read]\ndetails = true\n", ("entities", "events"), False),
    ],
)
def test_who_says_whether(
    said: bool | None, project: str, recorded: tuple[str, ...] | None, wanted: bool, tmp_path: Path
) -> None:
    (tmp_path / "narraworld.toml").write_text(project, "utf-8")
    replay = recording(tmp_path / "old.jsonl", *recorded) if recorded else None
    assert _wants_details(tmp_path, said, replay) is wanted


def test_the_forecast_counts_one_more_question_for_each_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NARRAWORLD_MODEL", "tiny")
    for name in ("01", "02"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nIda sang.\n", "utf-8")
    files = [str(tmp_path / f"{name}.md") for name in ("01", "02")]
    with World.open(tmp_path / "world", create=True) as world:
        without, with_details = (
            world.forecast(*files, plotlines=False, details=said).expected for said in (False, True)
        )
        small = world.forecast(*files, plotlines=False, small=True, details=True).expected
    assert (without.calls.low, with_details.calls.low) == (8, 10)
    assert with_details.prompt_tokens.low > without.prompt_tokens.low + 2_000
    assert small.calls.low == 2 * (21 + 2)
