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
    "derive": "bench.derive",
    "cold": "bench.cold",
    "peers": "bench.peers.comparison",
    "surfaces": "bench.surfaces",
    "corpus": "bench.corpus",
    "append": "bench.append",
    "crash": "bench.crash",
    "opentom-oracle": "bench.opentom_oracle",
    "trip-oracle": "bench.trip_oracle",
    "tomi": "bench.tomi",
    "hitom": "bench.hitom",
    "babi": "bench.babi",
    "opentom": "bench.opentom",
    "trip": "bench.trip",
    "litbank": "bench.litbank",
    "coref": "bench.coref",
    "pdnc": "bench.pdnc",
    "fantom": "bench.fantom",
    "novels": "bench.novels",
    "reading": "bench.reading",
    "prompts": "bench.prompt_tokens",
    "model-overhead": "bench.model_overhead",
    "latency": "bench.latency",
    "locomo": "bench.locomo",
    "fairytale": "bench.fairytale",
    "questions": "bench.questions",
    "talks": "bench.talks",
    "constory": "bench.constory",
    "check-novels": "bench.check_novels",
    "manuscripts": "bench.manuscripts",
    "times": "bench.times",
    "fuzz": "bench.fuzz",
    "souffle": "bench.souffle",
    "details": "bench.details",
    "paraphrases": "bench.paraphrases",
    "vocabulary": "bench.vocabulary",
    "minds": "bench.minds",
    "sig-oracle": "bench.sig_oracle",
    "dramabank": "bench.dramabank",
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
