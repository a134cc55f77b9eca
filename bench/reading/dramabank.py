"""DramaBank's fables, read by the embedded reader: attempts, goals and beliefs against the spans of its annotators.

Scored by `score_spans.py` of the data set (half rule, right agent). What counts as an attempt, a goal and a belief is said in
`ATTEMPT`, `GOAL` and `BELIEF` below: records and words of the reader's own tables, and nothing of the fables. Figures are of all
fables and of two halves by the hash of their names: one open to who mends the reader, one closed.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import runpy
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from bench.frame import Figures, dataset, show
from narraworld.extract.embedded.lexicon.motive_words import motive_words
from narraworld.extract.sources import read_sources
from narraworld.query.names import rows
from narraworld.rules.engines import Engine
from narraworld.world import World

__all__ = ["DATA", "run"]

DATA = "dramabank"
ATTEMPT = "deeds and speeches of somebody, done on purpose and not denied; and what goals are about"
GOAL = "goals, plans and promises, the steps that open them, and deeds told as future or supposed"
BELIEF = "attitudes and access, and deeds of the mind (to see, to think)"
KINDS = ("attempt", "goal", "belief")
HALVES = ("all", "open", "closed")
MEANT = frozenset({"future", "hypothetical"})
_CUT = re.compile(r"[^,;:.!?]+[,;:.!?]*")
_SCORE = re.compile(
    r"^(\w+) +F ([\d.]+) +precision ([\d.]+) of (\d+) +recall ([\d.]+) of (\d+)", re.MULTILINE
)


class SpanRow(NamedTuple):
    """What a system says: of which kind, of whom, from where, up to where."""

    kind: str
    agent: str
    begin: int
    end: int


def run(options: argparse.Namespace) -> Figures:
    folder = dataset(DATA, options.data)
    texts = sorted((folder / "spans" / "texts").glob("*.txt"))
    said = [(path.stem, row) for path in texts for row in _read(path)]
    found = {half: _scored(folder, said, half) for half in HALVES}
    show(
        "DramaBank's fables, embedded reader",
        ["kind", "fables", "F", "precision", "said", "recall", "marked"],
        [[kind, half, *found[half][kind]] for kind in KINDS for half in HALVES],
    )
    return (
        {f"{kind}_f": found["all"][kind][0] for kind in KINDS}
        | {f"{kind}_f_{half}": found[half][kind][0] for kind in KINDS for half in ("open", "closed")}
        | {"attempt": ATTEMPT, "goal": GOAL, "belief": BELIEF}
    )


def _half(story: str) -> str:
    """Whether a fable may be looked at while the reader is mended: half of them, by their names."""
    return "open" if int(hashlib.sha256(story.encode()).hexdigest(), 16) % 2 == 0 else "closed"


def _scored(folder: Path, said: list[tuple[str, SpanRow]], half: str) -> dict[str, tuple[float, ...]]:
    """What the data set's own scorer says of one half, or of all: by kind F, precision, said, recall, marked."""
    scorer = runpy.run_path(str(folder / "score_spans.py"))
    told = scorer["score"].__globals__
    told["stories"] = lambda every=scorer["stories"]: {
        story: encodings for story, encodings in every().items() if half in {"all", _half(story)}
    }
    with tempfile.TemporaryDirectory() as room, redirect_stdout(StringIO()) as printed:
        table = Path(room) / "system.tsv"
        lines = ["\t".join((story, *map(str, row))) for story, row in said]
        table.write_text("\n".join(["story\tkind\tagent\tbegin\tend", *lines, ""]), encoding="utf-8")
        told["score"](table)
    return {
        kind: (float(f), float(p), int(n), float(r), int(m))
        for kind, f, p, n, r, m in _SCORE.findall(printed.getvalue())
    }


def _read(path: Path) -> set[SpanRow]:
    """The rows of one fable, pieces between punctuation marks, counted as the file counts its characters."""
    with tempfile.TemporaryDirectory() as room, World.open(room, create=True) as world:
        world.read(path)
        engine = world.scope().engine
        text, back = _page(path)
        names: dict[object, str] = {}
        for _, who, name in rows(engine, "named"):
            names[who] = f"{names.get(who, '')} {name}".strip()
        found = {
            (kind, names[who], span)
            for kind, record, who in _marks(engine)
            if who in names
            for span in _spans(engine, record)
        }
    return {
        SpanRow(kind, who, back[begin], back[end - 1] + 1)
        for kind, who, span in found
        for begin, end in _pieces(text, *span)
    }


def _page(path: Path) -> tuple[str, list[int]]:
    """The text as the reader has it, and where each of its characters stands in the file: spaces are not kept."""
    (piece,) = read_sources([str(path)])
    text, told = piece.unit.text, path.read_text(encoding="utf-8")
    letters = [place for place, letter in enumerate(told) if not letter.isspace()]
    if "".join(text.split()) != "".join(told.split()):
        raise SystemExit(f"{path.name}: the reader's text is not the file's")
    marks, seen = [], 0
    for letter in text:
        marks.append(letters[min(seen, len(letters) - 1)])
        seen += not letter.isspace()
    return text, marks


def _marks(engine: Engine) -> Iterator[tuple[str, str, object]]:
    """(kind, record, who) for all that counts."""
    realis = {event: (str(kind).split()[0], str(real)) for event, kind, real in rows(engine, "event")}
    words = motive_words()
    for event, who, role in rows(engine, "role"):
        verb, real = realis[event]
        if role == "agent" and real in {*MEANT, "actual"} and verb not in words.unwilled:
            yield "attempt", str(event), who
        if role == "agent" and real in MEANT:
            yield from (("goal", str(event), who), ("attempt", str(event), who))
        if role in {"agent", "experiencer"} and verb in words.minding:
            yield "belief", str(event), who
    for thread, who in rows(engine, "owner"):
        if str(rows(engine, "development", thread)[0][1]) in {"goal", "plan", "promise"}:
            steps = [step for step, _, status in rows(engine, "step", None, thread) if status == "opened"]
            for record in (thread, *steps):
                yield from (("goal", str(record), who), ("attempt", str(record), who))
    for relation in ("attitude", "access"):
        yield from (("belief", str(row[0]), row[1]) for row in rows(engine, relation))


def _spans(engine: Engine, record: str) -> list[tuple[int, int]]:
    spans = [rows(engine, "span", span) for _, span in rows(engine, "evidence", record)]
    return [(int(start), int(end)) for found in spans for _, _, start, end in found]


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    for piece in _CUT.finditer(text, begin, end):
        if any(letter.isalpha() for letter in piece[0]):  # a quotation mark alone says nothing
            yield piece.start(), piece.end()
