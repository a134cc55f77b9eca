"""The bench of planted errors: quotes are located whatever their marks, and a finding counts for both sides or not at all."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from bench.checking.manuscripts import Place, Planted, add_options, located, read_twin, run


def test_a_quote_is_located_without_its_marks() -> None:
    assert located("off the *Anna Vos* on", "01", "come off the  Anna Vos on Monday") == Place("01", 5, 25)
    assert located("not there", "01", "come off") is None


def test_a_passage_on_each_side_is_needed() -> None:
    one = Planted("e1", "looks", "direct", ((Place("01", 0, 10),), (Place("02", 5, 9), Place("03", 0, 4))))

    assert one.is_met_by([Place("01", 9, 12), Place("03", 3, 8)])
    assert not one.is_met_by([Place("01", 9, 12), Place("03", 4, 8)])


def test_a_manuscript_from_end_to_end(tmp_path: Path) -> None:
    _write_manuscript(tmp_path)

    broken, clean = read_twin(tmp_path, "broken"), read_twin(tmp_path, "clean")

    assert broken.met("direct", broken.found) == {"e1"} == broken.listed("direct")
    assert not clean.found


def test_figures_alone_quote_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write_manuscript(tmp_path / "one")
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    add_options(parser)

    run(parser.parse_args(["--data", str(tmp_path)]))
    told = capsys.readouterr().out
    figures = run(parser.parse_args(["--data", str(tmp_path), "--figures-only", "--misses", "--losses"]))
    alone = capsys.readouterr().out

    assert "Ida" in told and "Ida" not in alone and "e1" not in alone
    assert figures["direct"] == 1.0


def _write_manuscript(folder: Path) -> None:
    for twin, eyes in (("broken", "brown"), ("clean", "grey")):
        (folder / twin).mkdir(parents=True)
        text = f"# One\n\nIda came in. Ida's eyes were grey. The road was long. Ida's eyes were {eyes}.\n"
        (folder / twin / "01.md").write_text(text, encoding="utf-8")
    (folder / "planted.toml").write_text(
        '[[error]]\nid = "e1"\nkind = "looks"\nlevel = "direct"\n'
        'a = { chapter = "01", quote = "eyes were grey. The" }\nb = { chapter = "01", quote = "Ida\'s eyes were brown" }\n',
        encoding="utf-8",
    )
