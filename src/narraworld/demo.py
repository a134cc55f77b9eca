"""The bundled stories, read and asked about in a folder that is gone afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from narraworld.ontology.errors import NarraWorldError
from narraworld.query.situation import Situation
from narraworld.rules.prose import as_prose
from narraworld.show import matrix_lines, views_lines
from narraworld.world import World

__all__ = ["QUESTIONS", "STORIES", "tell"]

STORIES = ("key", "lamp", "gate")

# For each story the moments worth a look and the question its proof answers.
QUESTIONS = {
    "key": (Situation(at="ch02"), "mistaken(Leo, P, Truth)"),
    "lamp": (Situation(), "mistaken(Tomas, P, Truth)"),
    "gate": (Situation(), 'open("getting-leon-out")'),
}


def tell(story: str | None = None) -> Iterator[str]:
    """Views, who knows what, and one proof for each story."""
    if story is not None and story not in STORIES:
        raise NarraWorldError(
            f"there is no bundled story {story!r}", fix=f"choose from: {', '.join(STORIES)}"
        )
    for name in (story,) if story else STORIES:
        with tempfile.TemporaryDirectory() as folder, World.open(folder, create=True) as world:
            yield from _tell_one(world, name)


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
    yield f"narraworld why{_flags(situation)} '{question}'"
    yield from (as_prose(proof, scope.names, scope.quotes) for proof in scope.why(question).proofs)
    yield ""


def _flags(situation: Situation) -> str:
    return f" --at {situation.at}" if situation.at else ""


def _text(file: Path) -> str:
    import tomllib

    unit = tomllib.loads(file.read_text(encoding="utf-8"))["unit"]
    return f"{unit['id']}  {' '.join(unit['text'].split())}"
