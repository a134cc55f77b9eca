"""`python -m bench NAME [--data DIR]`: a readable table, then one JSON object as the last line.

Exit codes: 0 measured, 2 unknown name or missing data.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from bench.frame import MissingDataError

__all__ = ["BENCHES", "main"]

# The name a person types, and the module that measures it.
BENCHES = {
    "derive": "bench.rules.derive",
    "cold": "bench.scale.cold",
    "peers": "bench.peers.comparison",
    "surfaces": "bench.scale.surfaces",
    "corpus": "bench.scale.corpus",
    "append": "bench.scale.append",
    "crash": "bench.scale.crash",
    "opentom-oracle": "bench.minds.opentom_oracle",
    "trip-oracle": "bench.checking.trip_oracle",
    "tomi": "bench.minds.tomi",
    "hitom": "bench.minds.hitom",
    "babi": "bench.minds.babi",
    "opentom": "bench.minds.opentom",
    "trip": "bench.checking.trip",
    "litbank": "bench.reading.litbank",
    "coref": "bench.reading.coref",
    "pdnc": "bench.reading.pdnc",
    "fantom": "bench.minds.fantom",
    "novels": "bench.reading.novels",
    "reading": "bench.reading.reading",
    "prompts": "bench.reading.prompt_tokens",
    "model-overhead": "bench.reading.model_overhead",
    "latency": "bench.memory.latency",
    "locomo": "bench.memory.locomo",
    "fairytale": "bench.memory.fairytale",
    "questions": "bench.memory.questions",
    "talks": "bench.minds.talks",
    "constory": "bench.checking.constory",
    "check-novels": "bench.checking.check_novels",
    "manuscripts": "bench.checking.manuscripts",
    "times": "bench.reading.times",
    "fuzz": "bench.scale.fuzz",
    "souffle": "bench.rules.souffle",
    "details": "bench.reading.details",
    "paraphrases": "bench.checking.paraphrases",
    "vocabulary": "bench.checking.vocabulary",
    "minds": "bench.minds.minds",
    "sig-oracle": "bench.rules.sig_oracle",
    "dramabank": "bench.reading.dramabank",
}

USAGE = "usage: python -m bench NAME [--data DIR] [options of NAME]\n       python -m bench --list"


def main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] in {"-h", "--help", "--list"}:
        return listing(usage=arguments != ["--list"])
    name, *rest = arguments
    if name not in BENCHES:
        return refuse(f"there is no bench {name!r}{did_you_mean(name)}; python -m bench --list shows all")
    bench = importlib.import_module(BENCHES[name])
    options = parser_for(name, bench).parse_args(rest)
    try:
        figures = bench.run(options)
    except MissingDataError as missing:
        return refuse(f"{name}: {missing}")
    print(json.dumps(figures, sort_keys=True))
    return 0


def listing(usage: bool) -> int:
    if usage:
        print(USAGE, end="\n\n")
    for name, module in BENCHES.items():
        print(f"{name:16} {first_line(importlib.import_module(module))}")
    return 0


def parser_for(name: str, bench: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m bench {name}", description=first_line(bench))
    folder = os.environ.get("NARRAWORLD_DATA")
    parser.add_argument(
        "--data", type=Path, default=Path(folder) if folder else None, metavar="DIR",
        help="folder of the external data sets (default: NARRAWORLD_DATA)",
    )  # fmt: skip
    getattr(bench, "add_options", lambda _: None)(parser)
    return parser


def first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").split("\n")[0]


def did_you_mean(name: str) -> str:
    close = difflib.get_close_matches(name, BENCHES, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def refuse(why: str) -> int:
    print(f"bench: {why}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
