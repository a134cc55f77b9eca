"""Private minds: stories that turn on secrets, against gold; who knows what, leaks over all verbs, ask, threads, needs of a scene.

`--data FOLDER` holds a folder for each story: chapters `01.md …`, `gold.toml`, and `strong.jsonl`, the answers of a strong reader to our
prompts (`narraworld read --reader relay --record`), which are replayed. Without it the model's part is null. Gold says what a reader takes people
to hold, so the stories are read under `trust` (hearers believe what they have no reason to doubt); `--without-trust` leaves it off.
How gold is matched: `minds_matching.py`. Cells: right where the state is gold's (or one of `also`); silence is right for `unaware` and `no
evidence`, and where the text shows the state only in a later chapter (`shown`). `shuffled` is the control: the cells that need a statement,
judged by the nodes of another matter. Leaks: pairs of (who, words that must stay hidden) that any verb shows through those
eyes after a chapter before `until`; `leaking` counts them by verb. Ask: right where the answer rests on gold's quotation or
has half of its words, wrong where it is derived and does not; a question that the text does not answer is right unless something is
derived. Deceptions: pairs of `deceives`; by silence alone, of `withholds`. Threads: open and changed are one, not closed. Needs: facts that
a context of 1,500 tokens tells, in one line and, strictly, in one sentence (`needs_met.py`); needs of another story are the control. Where
`chosen.jsonl` is beside gold, with the lines that a mind named (`scene_needs.py`), and `needs_by_rules` is without.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from bench.frame import Figures, MissingDataError, show
from bench.minds.asked import judged_questions, lay_out_all, plain
from bench.minds.minds_gold import NEEDS_A_STATEMENT, GoldStory, Told, load_gold
from bench.minds.minds_matching import Matching, stems
from bench.minds.scene_needs import judged_needs, lay_out_for_judges, lay_out_scenes
from narraworld.base.errors import NarraWorldError
from narraworld.commands.show import (
    context_json,
    matrix_lines,
    reply_json,
    reply_lines,
    views_lines,
)
from narraworld.models.recordings import CarriedOver, Replay
from narraworld.query.knows import NO_EVIDENCE
from narraworld.query.names import rows
from narraworld.world import World

__all__ = ["add_options", "run", "shown_through"]

Judged: TypeAlias = Iterator[tuple[str, int, str]]  # what is counted, how much, and what to say of it
LaysOut: TypeAlias = Callable[[World, GoldStory, Path], str]
Judge: TypeAlias = Callable[[World, GoldStory, str], Judged]

UNSEEN = Path(__file__).parents[1] / "data" / "unseen"
READINGS = ("model", "embedded")
SILENT = frozenset({NO_EVIDENCE, "unaware"})
CLOSED = frozenset({"resolved", "abandoned"})
DECEIVING = ("deceives", "withholds")
SILENCE = frozenset({"silence", "concealment"})  # what gold calls deceiving and we keeping from somebody
TRUST = '[rules]\non = ["trust"]\n'
NEXT = "What happens next? Write the next scene."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--story", help="only this one")
    parser.add_argument(
        "--without-trust", action="store_true", help="hearers believe only what the text says they do"
    )
    parser.add_argument(
        "--nodes", action="store_true", help="print what was read, for whoever writes matched.toml"
    )
    parser.add_argument("--by-words", action="store_true", help="match by words alone, without matched.toml")
    parser.add_argument("--wrong", action="store_true", help="print what was judged wrongly")
    parser.add_argument(
        "--only", type=_parts, default=[*JUDGES], metavar="PART,…", help=f"of {', '.join(JUDGES)}"
    )
    parser.add_argument(
        "--pages",
        type=Path,
        help="lay the questions out there for whoever answers them, and record what is answered",
    )
    parser.add_argument(
        "--judges", type=Path, help="lay needs and contexts out there for whoever judges by eye, and count"
    )
    parser.add_argument("--reading", choices=READINGS, help="only this one")


def _parts(given: str) -> list[str]:
    """What is to be judged, as told on the command line; the walk for leaks alone takes minutes a story."""
    if unknown := [one for one in given.split(",") if one not in JUDGES]:
        raise argparse.ArgumentTypeError(f"there is no part {unknown[0]!r}: {', '.join(JUDGES)}")
    return given.split(",")


def run(options: argparse.Namespace) -> Figures:
    stories = _stories(options)
    settings = "" if options.without_trust else TRUST
    readings = [options.reading] if options.reading else [*READINGS]
    if options.pages:
        _pages(stories, settings, options.pages, [LAID_OUT[one] for one in LAID_OUT if one in options.only])
        stories = _stories(options)
    if options.judges:
        _pages(stories, settings, options.judges, [lay_out_for_judges])
    if options.nodes:
        return {reading: _nodes(stories, reading, settings) for reading in readings}
    judges = [JUDGES[part] for part in options.only]
    figures = {reading: _measured(stories, reading, settings, judges, options.wrong) for reading in readings}
    _show(len(stories), {reading: one for reading, one in figures.items() if one})
    return figures


def _pages(stories: list[GoldStory], settings: str, pages: Path, lay_out: Sequence[LaysOut]) -> None:
    """Pages of each story, and what was answered of them."""
    for story in stories:
        if story.recording:
            with _world(story, "model", settings) as world:
                for lays_out in lay_out:
                    print(lays_out(world, story, pages.resolve() / story.name))


def _nodes(stories: list[GoldStory], reading: str, settings: str) -> int:
    """Print matters of gold and all propositions and events of a reading, and nothing of any mind."""
    many = 0
    for story in stories if reading == "embedded" else [one for one in stories if one.recording]:
        with _world(story, reading, settings) as world:
            lines = [f"{one['id']} | {one['says']}" for one in story.of("matter")]
            lines += Matching(world.scope(), {}).nodes()
        print(f"[{reading}] {story.name}", *lines, sep="\n")
        many += len(lines)
    return many


def _show(many: int, figures: Mapping[str, Figures]) -> None:
    names = [name for name in next(iter(figures.values()), {}) if name not in ("of", "leaking")]
    table = [[name, *(_cell(one, name) for one in figures.values())] for name in names]
    show(f"private minds, {many} stories", ["", *figures], table)


def _stories(options: argparse.Namespace) -> list[GoldStory]:
    given: Path | None = options.data
    root = (
        given.resolve() if given and any(given.glob("*/gold.toml")) else UNSEEN
    )  # each is read in a folder of its own
    folders = sorted(
        file.parent for file in root.glob("*/gold.toml") if options.story in (None, file.parent.name)
    )
    read = [load_gold(folder, by_words=options.by_words) for folder in folders]
    found = [story for story in read if story.of("cell")]
    if not found:
        raise MissingDataError(f"there is no story with cells in {root}: give --data DIR")
    return found


def _cell(figures: Figures, name: str) -> str:
    value = figures[name]
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _measured(
    stories: list[GoldStory], reading: str, settings: str, judges: Sequence[Judge], tell: bool
) -> Figures | None:
    counts: Counter[str] = Counter()
    read = [story for story in stories if reading == "embedded" or story.recording]
    for story in stories:
        if story not in read:
            print(f"{story.name}: no strong.jsonl beside its gold, so no model's reading is measured")
    for story in read:
        with _world(story, reading, settings) as world:
            for what, count, said in chain.from_iterable(judge(world, story, reading) for judge in judges):
                counts[what] += count
                if tell and said:
                    print(f"{reading} {story.name} {what}: {said}")
    return _figures(counts) if read else None


def _figures(counts: Counter[str]) -> Figures:
    def share(what: str) -> float | None:
        return counts[f"{what} right"] / counts[what] if counts[what] else None

    return {
        "leaks": counts["leaks"], "stated": share("stated"), "cells": share("cells"), "ask": share("ask"),
        "wrong_answers": counts["wrong_answers"], "ask_by_rules": share("ask_by_rules"), "wrong_by_rules": counts["wrong_by_rules"],
        "asked": counts["asked"], "threads": share("threads"), "needs": share("needs"),
        "needs_in_a_sentence": share("needs_in_a_sentence"), "needs_of_others": share("needs_of_others"),
        "chosen": counts["chosen"], "needs_by_rules": share("needs_by_rules"),
        "needs_by_rules_in_a_sentence": share("needs_by_rules_in_a_sentence"),
        "wrong_cells": counts["wrong_cells"], "deceptions": share("deceptions"), "other_deceptions": counts["other_deceptions"],
        "shuffled": share("shuffled"),
        "leaking": {one.removeprefix("by "): counts[one] for one in sorted(counts) if one.startswith("by ")},
        "of": {one: counts[one] for one in ("hidden", "stated", "cells", "ask", "threads", "needs", "deceptions")},
    }  # fmt: skip


@contextmanager
def _world(story: GoldStory, reading: str, settings: str) -> Iterator[World]:
    """The story read in a folder of its own, as an author has it, so that places are told as `01.md:5:1`."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("narraworld.toml").write_text(settings, encoding="utf-8")
        chapters = [Path(shutil.copy(file, ".")).name for file in story.chapters]
        with World.open(".", create=True) as world:
            if reading == "embedded":
                world.read(*chapters)
            else:
                asyncio.run(_replayed(world, story, chapters))
            yield world


async def _replayed(world: World, story: GoldStory, chapters: Sequence[str]) -> None:
    from narraworld.extract.sources import read_sources
    from narraworld.reading.order import in_place
    from narraworld.reading.with_model import read_with_model

    assert story.recording is not None
    asks = CarriedOver(story.recording, Replay(story.recording))  # a rule may have changed what a list says
    pieces = in_place(world.story, read_sources(chapters))
    async for done in read_with_model(world.story, pieces, asks):
        if done.outcome == "failed":
            print(f"{story.name} {done.unit}: {done.why}")


# -- who knows what


def _cells(world: World, story: GoldStory, reading: str) -> Judged:
    matching = Matching(world.scope(), story.matched.get(reading, {}))
    others = _shifted(story)
    told = {str(one["after"]): Told(world.scope(at=str(one["after"])), story) for one in story.of("cell")}
    for cell in story.of("cell"):
        matter = story.matters[cell["matter"]]
        found = told[cell["after"]].state(matching(matter), matter, cell["who"])
        wanted = _wanted(cell)
        right = found in wanted
        where = f"{cell['matter']} {cell['who']} after {cell['after']}"
        yield "cells", 1, "" if right else f"{where}: {found}, not {cell['state']}"
        yield "cells right", right, ""
        yield "wrong_cells", not right and found not in SILENT, ""
        if wanted <= NEEDS_A_STATEMENT:
            yield "stated", 1, ""
            yield "stated right", right, ""
            chance = told[cell["after"]].state(matching(others[cell["matter"]]), matter, cell["who"])
            yield "shuffled", 1, ""
            yield "shuffled right", chance in wanted, ""


def _wanted(cell: Mapping[str, Any]) -> frozenset[str]:
    """The states that are right: gold's, one of `also`, and silence where gold has nothing, or has it only from a later chapter."""
    wanted = frozenset({cell["state"], *cell.get("also", ())})
    late = cell.get("shown", "") > cell["after"]
    return wanted | SILENT if wanted & SILENT or late else wanted


def _shifted(story: GoldStory) -> dict[str, Mapping[str, Any]]:
    """For each matter another of its story, as a control: by their nodes, hardly a cell should come out right."""
    names = list(story.matters)
    return {
        one: story.matters[names[(place + len(names) // 2) % len(names)]] for place, one in enumerate(names)
    }


def _deceptions(world: World, story: GoldStory, _: str) -> Judged:
    """Gold's deceptions among `deceives(Who, Whom, P)`, those by silence among `withholds`; what else is in the first."""
    told = Told(world.scope(), story)
    if "deceives" not in told.engine.program.relations:
        return
    pairs = {name: {(str(row[0]), str(row[1])) for row in rows(told.engine, name)} for name in DECEIVING}
    wanted = [(told.who(one["liar"]), told.who(one["deceived"]), one["how"]) for one in story.of("deception")]
    for pair in dict.fromkeys((liar, whom) for liar, whom, _ in wanted):
        silent = all(how in SILENCE for *one, how in wanted if tuple(one) == pair)
        found = pair in pairs["deceives"] or (silent and pair in pairs["withholds"])
        yield "deceptions", 1, "" if found else repr(pair)
        yield "deceptions right", found, ""
    for other in sorted(pairs["deceives"] - {(liar, whom) for liar, whom, _ in wanted}):
        yield "other_deceptions", 1, repr(other)


# -- leaks


def _leaks(world: World, story: GoldStory, _: str) -> Judged:
    for hidden in story.of("hidden"):
        for words in hidden["words"]:
            found = list(_leaking(world, story, hidden, words))
            yield "hidden", 1, ""
            yield (
                "leaks",
                bool(found),
                f"{hidden['from']} sees {words!r} by {', '.join(found)}" if found else "",
            )
            for verb in {one.partition(" ")[0] for one in found}:
                yield f"by {verb}", 1, ""


def _leaking(world: World, story: GoldStory, hidden: Mapping[str, Any], words: str) -> Iterator[str]:
    for chapter in (file.stem for file in story.chapters):
        who = Told(world.scope(at=chapter), story).who(hidden["from"])
        if who is None or (hidden["until"] != "end" and chapter >= hidden["until"]):
            continue
        for verb, text in _shown(world, who, chapter).items():
            if plain(words) in plain(text):
                yield f"{verb} after {chapter}"


def _shown(world: World, who: str, chapter: str) -> Mapping[str, str]:
    """What every verb shows through somebody's eyes, made once."""
    kept: dict[tuple[int, str, str], Mapping[str, str]] = _SHOWN
    key = id(world), who, chapter
    if key not in kept:
        kept[key] = shown_through(world, who, chapter)
    return kept[key]


_SHOWN: dict[tuple[int, str, str], Mapping[str, str]] = {}


def shown_through(world: World, who: str, at: str) -> dict[str, str]:
    """Everything that can be shown through somebody's eyes at a moment, by verb."""
    scope = world.scope(at=at, as_=who)
    views = scope.views()
    things = [str(entity) for entity, _ in rows(scope.engine, "entity")]

    def replies() -> Iterator[str]:
        for one in things[:12]:
            reply = world.ask(f"What does {scope.names(one)} know?", at=at, as_=who)
            yield "\n".join(reply_lines(reply, show_query=True)) + json.dumps(reply_json(reply), default=str)

    def context() -> str:
        found = world.context(NEXT, at=at, as_=who, budget=8000)
        return found.text + json.dumps(context_json(found), default=str)

    verbs: dict[str, Callable[[], str]] = {
        "views": lambda: "\n".join(views_lines(views, scope)) + repr(asdict(views)),
        "knows": lambda: "\n".join(matrix_lines(scope.knows())),
        "query": lambda: repr([scope.query(goal) for goal in GOALS]),
        "why": lambda: str(scope.why("believes(Who, P)")) + str(scope.why("mistaken(Who, P, T)")),
        "preview": lambda: "\n".join(world.preview(at=at, as_=who).lines()),
        "context": context,
        "ask": lambda: "\n".join(replies()),
        "search": lambda: repr(
            world.search(" OR ".join(map(_searched, scope.names.called)) or "x", at=at, as_=who, limit=200)
        ),
    }
    return {verb: _without_trouble(show) for verb, show in verbs.items()}


GOALS = (
    "named(R, X, N)", "titled(R, N)", "summary(R, N)", "quote(R, N)", "speech(E, X, M)", "proposition(P, X, R, O, Q)",
    "event(E, K, R)", "identity(R, X, Y, V)", "claim(E, P)",
)  # fmt: skip


def _without_trouble(show: Callable[[], str]) -> str:
    try:
        return show()
    except NarraWorldError as trouble:
        return str(trouble)


def _searched(name: str) -> str:
    return '"' + name.replace('"', "") + '"'


# -- threads


def _threads(world: World, story: GoldStory, _: str) -> Judged:
    for chapter in (file.stem for file in story.chapters):
        views = world.views(at=chapter)
        worded = [(stems(one.words), one.status) for one in views.threads]
        for gold in story.of("thread"):
            if (wanted := gold["status"].get(chapter)) is None:
                continue
            words = stems(gold["title"])
            best = max(worded, key=lambda one: len(words & one[0]), default=(set[str](), ""))
            found = ("closed" if best[1] in CLOSED else "open") if len(words & best[0]) >= 2 else "unknown"
            right = found == ("closed" if wanted == "closed" else "open")
            yield "threads", 1, "" if right else f"{gold['title']} after {chapter}: {found}, not {wanted}"
            yield "threads right", right, ""


LAID_OUT = {"ask": lay_out_all, "needs": lay_out_scenes}  # what somebody may answer on paper
JUDGES: dict[str, Judge] = {
    "cells": _cells, "leaks": _leaks, "ask": judged_questions, "threads": _threads, "needs": judged_needs,
    "deceptions": _deceptions,
}  # fmt: skip
