"""The bundled stories, read and asked about in a folder that is gone afterwards.

The short ones come as records; one page and a broken story come as plain prose for the embedded reader. The long one is prose
that the model reader reads from recorded answers: no model is asked, and the demo says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from narraworld.base.errors import NarraWorldError
from narraworld.base.quotation_marks import in_marks
from narraworld.commands.show import answer_lines, matrix_lines, views_lines
from narraworld.query.situation import Situation
from narraworld.rules.proofs.prose import as_prose
from narraworld.world import World

__all__ = ["LONG_STORY", "LOOKS", "QUESTIONS", "STORIES", "tell", "tell_replay"]

STORIES = ("key", "lamp", "gate")
LONG_STORY = "crossing"
REPLAY = (
    "A REPLAY: the answers were written down beforehand and ship with the story. No model is asked and nothing is paid;\n"
    "the prompts, the checks and the rules are those of a reading with a live model."
)

# For each story the moments worth a look and the question its proof answers.
QUESTIONS = {
    "key": (Situation(at="ch02"), "mistaken(Leo, P, Truth)"),
    "lamp": (Situation(), "mistaken(Tomas, P, Truth)"),
    "gate": (Situation(), 'open("getting-leon-out")'),
}

# What a writer asks of memory, and how much of it may be used.
REQUEST, BUDGET = "Write the next scene: that same evening, upstairs, alone; a small step towards peace.", 600

# Read by the embedded reader as it stands: no records, no model.
PROSE = (
    "Leo left the key in the drawer. He went down to the harbour. Mara moved the key from the drawer into the hollow book. "
    "Mara told Tomas that the key was in the book. Tomas believed her."
)

# What the long story was made to show: a lie, a flashback, what cannot be, what is still owed.
LOOKS = (
    (Situation(at="02-what-tobias-said"), "mistaken(Who, P, Truth)"),
    (Situation(told="02-what-tobias-said"), "mistaken(Who, P, Truth)"),
    (Situation(), "mistaken(Who, P, Truth)"),
    (Situation(), "impossible(Event, Needs, State)"),
    (Situation(), "open(Thread)"),
)
LONG_QUESTION = (
    Situation(at="02-what-tobias-said"),
    'mistaken("Ines Corvo", "blue tin box in mill", Truth)',
)


def tell(story: str | None = None) -> Iterator[str]:
    """Views, who knows what, and one proof for each story."""
    if story is not None and story not in STORIES:
        raise NarraWorldError(
            f"there is no bundled story {story!r}", fix=f"choose from: {', '.join(STORIES)}"
        )
    for name in (story,) if story else STORIES:
        with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
            yield from _tell_one(world, name)
    for told in () if story else (_tell_prose, _tell_broken, _tell_memory):
        with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
            yield from told(world)


def _tell_prose(world: World) -> Iterator[str]:
    """Plain prose through the embedded reader, to a table and a proof."""
    from narraworld.extract.embedded.reader import read_prose
    from narraworld.kb.units import Unit

    yield "━━ plain prose, read by the embedded reader " + "━" * 30
    yield f"   {PROSE}"
    read = read_prose(Unit("page", 1, PROSE))
    world.commit(read.delta)
    yield f"   ({read.coverage.read} of {read.coverage.sentences} sentences read)"
    yield ""
    yield "narraworld knows"
    yield from matrix_lines(world.knows())
    yield ""
    yield from _proved(world, Situation(), "mistaken(Leo, P, Truth)")


def _tell_broken(world: World) -> Iterator[str]:
    """A story with planted errors, as prose, and what the checks find in it."""
    from narraworld.reading.stories import read_bundled

    yield "━━ broken, a story with errors in it " + "━" * 37
    units = read_bundled(world.story, "broken")
    yield f"   {len(units)} chapters"
    yield ""
    yield "narraworld check"
    for finding in world.check().findings:
        yield f"{finding.rule.severity} {finding.rule.id} {finding.message}"
        yield from (f"    {passage.unit}  {in_marks(passage.quote)}" for passage in finding.passages)
    yield ""


def _tell_memory(world: World) -> Iterator[str]:
    """A request that names none of what it needs, and the memory it gets."""
    from narraworld.reading.stories import read_bundled

    yield "━━ fox, and what the next scene needs " + "━" * 36
    read_bundled(world.story, "fox")
    yield f"narraworld context --budget {BUDGET} '{REQUEST}'"
    yield world.context(REQUEST, budget=BUDGET).text
    yield ""


def _tell_one(world: World, name: str) -> Iterator[str]:
    situation, question = QUESTIONS[name]
    yield f"━━ {name} " + "━" * (70 - len(name))
    with as_file(files("narraworld") / "stories" / name) as folder:
        for file in sorted(Path(folder).glob("*.toml")):
            world.read(file)
            yield f"   {_text(file)}"
    yield ""
    scope = world.scope(situation)
    yield f"narraworld views{_flags(situation)}"
    yield from views_lines(scope.views(), scope)
    yield f"narraworld knows{_flags(situation)}"
    yield from matrix_lines(scope.knows())
    yield ""
    yield from _proved(world, situation, question)


def tell_replay() -> Iterator[str]:
    """The long story through the model reader, from recordings: each chapter, then what the world answers."""
    yield f"━━ {LONG_STORY} " + "━" * (70 - len(LONG_STORY))
    yield REPLAY
    yield ""
    with tempfile.TemporaryDirectory() as home, World.open(home, create=True) as world:
        with as_file(files("narraworld") / "stories" / LONG_STORY) as folder:
            yield from _replayed(world, Path(folder))
        yield ""
        yield "what the scenes were consolidated into"
        for _, kind, said in world.query("plotline_of(Line, Kind), summary(Line, Says)").words:
            yield f"   {kind}: {said}"
        yield ""
        for situation, goal in LOOKS:
            yield f"narraworld query{_flags(situation)} '{goal}'"
            yield from answer_lines(world.query(goal, situation))
            yield ""
        yield from _proved(world, *LONG_QUESTION)


def _replayed(world: World, folder: Path) -> Iterator[str]:
    """One line for each chapter read."""
    from narraworld.models.session import ModelSession
    from narraworld.reading.read import ModelReader, open_files

    opened = open_files(sorted((folder / "chapters").glob("*.md")))
    words = {piece.unit.id: len(piece.unit.text.split()) for piece in opened.pieces}
    session = ModelSession(folder, replay=folder / "recorded.jsonl")
    for unit in world.reading(opened, reader=ModelReader(lambda: session)):
        if unit.committed is None or unit.usage is None:
            raise NarraWorldError(unit.why or "was not read", where=unit.unit)
        kept = sum(unit.committed.records.values())
        length = f"{words[unit.unit]:,} words, " if unit.unit in words else ""
        yield (
            f"   {unit.unit}  {length}{unit.usage.cached} answers replayed, {kept} records, "
            f"{len(unit.refusals)} refused"
        )


def _proved(world: World, situation: Situation, question: str) -> Iterator[str]:
    scope = world.scope(situation)
    yield f"narraworld why{_flags(situation)} '{question}'"
    yield from (as_prose(proof, scope.names, scope.quotes) for proof in scope.why(question).proofs)
    yield ""


def _flags(situation: Situation) -> str:
    at = f" --at {situation.at}" if situation.at else ""
    return at + (f" --told {situation.told}" if situation.told else "")


def _text(file: Path) -> str:
    import tomllib

    unit = tomllib.loads(file.read_text(encoding="utf-8"))["unit"]
    return f"{unit['id']}  {' '.join(unit['text'].split())}"
