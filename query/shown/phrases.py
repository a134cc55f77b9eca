"""How states of mind and deeds are said, by the one table `phrases.toml`. Reads that file and nothing else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["also_called", "deed", "held", "in_passing", "once_held", "private", "way"]


def held(state: str, proposition: str) -> str:
    """What somebody holds, without who: `believes that the key is in the drawer`."""
    return str(_table()["held"][state]).replace("{P}", proposition)


def once_held(state: str, proposition: str) -> str:
    """What somebody held and holds no more."""
    return str(_table()["once"][state]).replace("{P}", proposition)


def way(mode: str) -> str:
    """How somebody came by it: `was told`; a way of the project's own by its name."""
    return str(_table()["ways"].get(mode, mode))


def deed(kind: str, roles: Sequence[tuple[str, str]]) -> str:
    """What somebody did, from its kind and who or what filled which role: `Ines to Pim: promise`."""
    table = _table()["deed"]
    doers, whom = ([name for role, name in roles if role in table[part]] for part in ("doers", "towards"))
    rest = [
        words.replace("{X}", name)
        for part, words in table["others"].items()
        for role, name in roles
        if role == part
    ]
    form = table["between" if whom else "alone"]
    who = ", ".join(dict.fromkeys(doers)) or table["nobody"]
    return str(form.format(who=who, whom=", ".join(dict.fromkeys(whom)), deed=" ".join([kind, *rest])))


def in_passing(title: str) -> str:
    """A title that is a sentence, as it stands inside another: without its full stop."""
    return title if title.endswith("..") else title.removesuffix(".")


def also_called(who: str, names: Sequence[str]) -> str:
    """Under which other names somebody goes."""
    return str(_table()["named"]["also"].format(who=who, names=", ".join(names)))


def private(kind: str, **parts: str) -> str:
    """How a private matter of several people is said in one line."""
    return str(_table()["private"][kind].format(**parts))


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("narraworld.query.shown") / "phrases.toml").read_text(encoding="utf-8"))
