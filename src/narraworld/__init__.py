"""NarraWorld: a story world that remembers.

    with narraworld.open("my-novel", create=True) as world:
        world.read("chapters/")
        world.query("mistaken(Who, P, Truth)", at="chapter 2")

This package is the front door and holds nothing heavy: `import narraworld` costs no library until a name is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from narraworld.base.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from narraworld.base.errors import NarraWorldError
    from narraworld.kb.delta import Delta
    from narraworld.kb.units import Unit
    from narraworld.ontology.validate import Refusal
    from narraworld.project.opened import Committed
    from narraworld.query.moments import Tick
    from narraworld.query.situation import Situation
    from narraworld.rules.engines.choose import EngineName
    from narraworld.world import World

__all__ = [
    "Committed",
    "Delta",
    "NarraWorldError",
    "Refusal",
    "Situation",
    "Tick",
    "Unit",
    "World",
    "__version__",
    "open",
]

_HOMES = {
    "Delta": "kb.delta",
    "NarraWorldError": "base.errors",
    "Committed": "project.opened",
    "Refusal": "ontology.validate",
    "Situation": "query.situation",
    "Tick": "query.moments",
    "Unit": "kb.units",
    "World": "world",
}


def open(
    path: Path | str = ".", *, create: bool = False, rules: tuple[Path, ...] = (), engine: EngineName = "auto"
) -> World:
    """The world in the folder ``path``, as `World.open`."""
    from narraworld.world import World

    return World.open(path, create=create, rules=rules, engine=engine)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
