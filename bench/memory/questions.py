"""Questions on modern manuscripts, read by the embedded reader: derived, found by passage, wrong, or not understood.

Each clean twin is a world; each question goes through `World.ask`. A passage is right if it overlaps the answer's quote, by
program. A derived answer is right if it says what the key says: the program takes a shared telling word or the same yes or no
for that, and `--list` prints every derived answer to be judged by reading. Beside it the first three sentences of BM25 and of
the hybrid. `--forms` counts wordings that are not understood, in a file of questions without a text.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.frame import Figures, dataset, show
from bench.memory.plain_search import PlainLine, PlainSearch
from bench.memory.read_worlds import add_kept, read_world
from narraworld.extract.sources import Piece, read_sources
from narraworld.kb.search.passages import passages_of
from narraworld.kb.search.search_words import analyse
from narraworld.query.ask.found import stretch_of
from narraworld.query.memory.index.admission import AdmittedPassage
from narraworld.query.situation import Situation

if TYPE_CHECKING:
    from narraworld.query.ask.answer import Reply
    from narraworld.world import World

__all__ = ["add_options", "keys_of", "run"]

DATA = "manuscripts"
SHOWN = 3
NOT_SAID = "not said"
NOT_UNDERSTOOD = "not understood"
Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a key: its answer, and the places that hold it."""

    id: str
    text: str
    answer: str
    places: tuple[Place, ...]

    @property
    def answerable(self) -> bool:
        return self.answer != NOT_SAID


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one question."""

    asked: Asked
    reply: Reply
    derived: bool
    agrees: bool  # what was derived says what the key says, as far as a program can tell
    passage: bool
    bm25: bool
    hybrid: bool
    beside: bool  # BM25's first three, each shown with the sentences beside it as ours are

    @property
    def right(self) -> bool:
        return self.agrees or self.passage


def add_options(parser: argparse.ArgumentParser) -> None:
    add_kept(parser)
    parser.add_argument("--list", action="store_true", help="print every question with what became of it")
    parser.add_argument("--forms", type=Path, help="a file of questions: count those that are not understood")


def run(options: argparse.Namespace) -> Figures:
    judged = list[Judged]()
    unread = dict[str, int]()
    for folder in sorted(path.parent for path in dataset(DATA, options.data).glob("*/questions.toml")):
        pieces = read_sources(sorted((folder / "clean").glob("*.md")))
        with read_world(pieces, options.kept and options.kept / folder.name) as world:
            judged += _judge(world, pieces, folder / "questions.toml")
            if options.forms:
                unread |= _forms(world, options.forms)
    if options.list:
        print(*map(_told, judged), sep="\n\n", end="\n\n")
    found = _figures(judged)
    if options.forms:
        print(*sorted(unread), sep="\n")
        found |= {"forms_not_understood": len(unread) / len(_questions(options.forms))}
    show(
        f"{len(judged)} questions on manuscripts",
        ["", "share"],
        [[name, _share(value)] for name, value in found.items()],
    )
    return found


def _share(value: object) -> str:
    return f"{100 * value:.1f}" if isinstance(value, float) else str(value)


def _figures(judged: Sequence[Judged]) -> dict[str, object]:
    answerable = [one for one in judged if one.asked.answerable]
    unsaid = [one for one in judged if not one.asked.answerable]
    many = len(answerable)
    right = sum(one.right for one in answerable) / many
    bm25 = sum(one.bm25 for one in answerable) / many
    wrong = [one for one in judged if one.derived and not one.agrees]
    return {
        "right": right, "bm25": bm25, "hybrid": sum(one.hybrid for one in answerable) / many,
        "bm25_beside": sum(one.beside for one in answerable) / many, "margin": right - bm25, "passage": sum(one.passage for one in answerable) / many,
        "derived": sum(one.agrees for one in answerable) / many, "wrong": len(wrong) / len(judged),
        "not_understood": sum(one.reply.outcome == NOT_UNDERSTOOD for one in judged) / len(judged),
        "unsaid": sum(not one.derived for one in unsaid), "of_unsaid": len(unsaid), "questions": len(judged),
    }  # fmt: skip


def _told(one: Judged) -> str:
    marks = [
        name
        for name, so in (
            ("derived", one.derived),
            ("agrees", one.agrees),
            ("passage", one.passage),
            ("bm25", one.bm25),
        )
        if so
    ]
    lines = [f"   = {line.words}" for line in one.reply.lines[:SHOWN]]
    shown = [f"   “{passage.quote}”" for passage in one.reply.passages[:SHOWN]]
    head = f"{one.asked.id} {one.asked.text} [{one.asked.answer}] {one.reply.outcome} ({one.reply.form}): {', '.join(marks)}"
    return "\n".join([head, *lines, *shown])


# -- the keys


def _judge(world: World, pieces: Sequence[Piece], key: Path) -> Iterator[Judged]:
    texts = {piece.unit.id: piece.unit.text for piece in pieces}
    lines = [(unit, one) for unit, text in texts.items() for one in passages_of(text)]
    plain = PlainSearch([PlainLine(one.cut(texts[unit]), one.cut(texts[unit]), unit) for unit, one in lines])
    places: list[Place] = [(unit, one.start, one.end) for unit, one in lines]
    for asked in keys_of(key, texts):
        reply = world.ask(asked.text, Situation.questioner())
        shown = [(span.unit, span.start, span.end) for span in reply.passages[:SHOWN]]
        by_word, by_both = (
            plain.order(scores) for scores in (plain.by_word(asked.text), plain.hybrid(asked.text))
        )
        yield Judged(
            asked, reply, bool(reply.lines), _agrees(asked, reply), _overlap(asked, shown),
            _overlap(asked, [places[nth] for nth in by_word[:SHOWN]]),
            _overlap(asked, [places[nth] for nth in by_both[:SHOWN]]),
            _overlap(asked, list(_beside(by_word, places))),
        )  # fmt: skip


def _beside(order: Sequence[int], places: Sequence[Place]) -> Iterator[Place]:
    """The first sentences of an order with those beside them, none twice."""
    passages = [AdmittedPassage(nth, *place, (), "") for nth, place in enumerate(places)]
    seen, shown = set[int](), 0
    for nth in order:
        if nth not in seen and shown < SHOWN:
            stretch = stretch_of(passages, nth)
            seen.update(stretch)
            shown += 1
            yield places[nth][0], places[stretch[0]][1], places[stretch[-1]][2]


def keys_of(path: Path, texts: Mapping[str, str]) -> Iterator[Asked]:
    for one in _questions(path):
        quoted = [one, *one.get("also", ())] if "quote" in one else []
        places = [place for quote in quoted for place in _place(quote, texts)]
        yield Asked(one["id"], one["ask"], one["answer"], tuple(places))


def _place(quote: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[Place]:
    words = quote["quote"].replace("*", "")  # a text as read has no marks of Markdown
    start = texts[quote["chapter"]].find(words)
    if start < 0:
        raise ValueError(f"the quote {words!r} does not stand in {quote['chapter']}")
    yield quote["chapter"], start, start + len(words)


def _questions(path: Path) -> list[dict[str, Any]]:
    return list(tomllib.loads(path.read_text(encoding="utf-8"))["question"])


# -- the judging


def _overlap(asked: Asked, shown: Sequence[Place]) -> bool:
    return any(
        unit == other and start < last and first < end
        for unit, start, end in shown
        for other, first, last in asked.places
    )


def _agrees(asked: Asked, reply: Reply) -> bool:
    """Whether what was derived says what the key says, as far as a program can tell."""
    if not reply.lines or not asked.answerable:
        return False
    gold = asked.answer.casefold().split(maxsplit=1)[0].strip(".,")
    if reply.verdict is not None:
        return gold == ("yes" if reply.verdict else "no")
    wanted = set(analyse(asked.answer)) - set(analyse(asked.text))
    return any(wanted & set(analyse(line.words)) for line in reply.lines[:SHOWN])


def _forms(world: World, path: Path) -> dict[str, int]:
    """The wordings that this world does not understand."""
    asked = [one["ask"] for one in _questions(path)]
    return {text: 1 for text in asked if world.ask(text, Situation.questioner()).outcome == NOT_UNDERSTOOD}
