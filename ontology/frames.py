"""The table of frames as values: what a deed needs and changes, by the words of its kind. Reads `frames.toml`, nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from narraworld.ontology.files import FRAMES

__all__ = ["Frame", "frame_facts", "frames", "frames_of"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One meaning of some verbs; the fields are explained at the head of `frames.toml`."""

    name: str
    verbs: tuple[str, ...]
    roles: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    learns: tuple[str, ...] = ()


@cache
def frames() -> Mapping[str, Frame]:
    """Every frame by its name."""
    said = tomllib.loads(FRAMES.read_text(encoding="utf-8"))
    return {
        name: Frame(name, **{field: tuple(words) for field, words in row.items()})
        for name, row in said.items()
    }


def frame_facts() -> dict[str, set[tuple[str | int, ...]]]:
    """What rules ask of the table: which kinds of event can be which deed."""
    return {"does": {(verb, frame.name) for frame in frames().values() for verb in frame.verbs}}


@cache
def frames_of(kind: str) -> tuple[Frame, ...]:
    """The frames that an event's kind can mean, by its words: `Throw_away` is `throw away`."""
    words = " ".join(kind.replace("_", " ").replace("-", " ").lower().split())
    return tuple(frame for frame in frames().values() if words in frame.verbs)
