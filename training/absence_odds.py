"""How what is seen of a silence is weighed: the encoder, the cues, its length. A logistic choice for each sort of silence.

python -m training.absence_odds DATA FOUND ...      # DATA: training/prose; FOUND: what `training.absences --held` found of authors kept aside
writes extract/embedded/english/tables/absences.json. Fitted together (L-BFGS): the same weights every time.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from math import exp
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from narraworld.base.settings import DEFAULTS
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.talk.absence_odds import ToldMoves, kind_of, seen
from narraworld.extract.embedded.talk.participants import Utterance, moves_by_cues
from narraworld.kb.encoder.readings import Silence
from training.talk_labels import is_away, talks_of

__all__ = ["main"]

PENALTY = 2.0  # on all weights but the first


def gathered(data: Path, found: list[Path]) -> dict[str, list[tuple[dict[str, float], bool]]]:
    """What is seen of every silence, by its sort, and whether whoever is silent is away."""
    settings = DEFAULTS.embedded.absences
    talks = cache(lambda author: talks_of(Path(author) if author.endswith(".toml") else data / author))
    out: dict[str, list[tuple[dict[str, float], bool]]] = {}
    for one in (one for path in found for one in json.loads(path.read_text(encoding="utf-8"))):
        talk, silence = talks(one["author"])[one["talk"]], Silence(*one["silence"])
        script = [Utterance((turn["by"],), turn["says"]) for turn in talk["turns"]]
        if len(silence.lines(len(script))) < settings.shortest:
            continue
        told = ToldMoves(script, moves_by_cues(script))
        row = seen(script, silence, told, 1 / (1 + exp(-one["odds"])), settings.least)
        out.setdefault(kind_of(silence), []).append((row, is_away(talk, silence)))
    return out


def fitted(rows: list[tuple[dict[str, float], bool]]) -> dict[str, float]:
    names = list(rows[0][0])
    given = np.array([[row[name] for name in names] for row, _ in rows])
    away = np.array([float(one) for _, one in rows])

    def loss(weights):
        odds, free = given @ weights, weights * (np.arange(len(names)) > 0)
        shares = 1 / (1 + np.exp(-odds))
        value = (np.logaddexp(0, odds) - away * odds).sum() + PENALTY / 2 * (free @ free)
        return value, given.T @ (shares - away) + PENALTY * free

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(one), 3) for name, one in zip(names, found, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("found", type=Path, nargs="+")
    options = parser.parse_args()
    with speaking(LANGUAGE):
        table = {kind: fitted(rows) for kind, rows in sorted(gathered(options.data, options.found).items())}
    (LANGUAGE.tables / "absences.json").write_text(f"{json.dumps(table, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
