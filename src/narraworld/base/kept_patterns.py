"""Patterns that an earlier process compiled, in the form that `re` hands to its matcher, kept beside Python's own compiled modules.

A table of forms is some hundred long patterns of a millisecond each, and a command wants most of them once. What is kept is good for these
patterns and this very Python; the matcher looks it over before it takes it, and whatever is refused is compiled as ever.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from narraworld.base.compiled import compiled_bytes, digest

__all__ = ["KeptPatterns"]


class KeptPatterns:
    """Patterns by their text, each made when it is first wanted; ``name`` is that of their file. Texts that are not among these are compiled as ever."""

    def __init__(self, name: str, texts: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> None:
        self._flags, self._made = flags, dict[str, re.Pattern[str]]()
        known = sorted(set(texts))
        self._known = _loaded(name, known, int(flags)) if known else {}

    def __getitem__(self, text: str) -> re.Pattern[str]:
        found = self._made.get(text)
        if found is None:
            found = self._made[text] = self._again(text) or re.compile(text, self._flags)
        return found

    def _again(self, text: str) -> re.Pattern[str] | None:
        """The pattern as the library would have made it."""
        if text not in self._known:
            return None
        try:
            return import_module("_sre").compile(text, *self._known[text])  # type: ignore[no-any-return]
        except (TypeError, ValueError, RuntimeError, OverflowError):
            return None


def _loaded(name: str, texts: list[str], flags: int) -> dict[str, tuple[Any, ...]]:
    try:
        key = digest([*texts, str(flags)], ())
        return marshal.loads(compiled_bytes(f"{name}.patterns", key, _compiling(texts, flags)))  # type: ignore[no-any-return]
    except (
        ImportError,
        AttributeError,
        ValueError,
        TypeError,
        EOFError,
    ):  # another Python keeps them elsewhere
        return {}


def _compiling(texts: list[str], flags: int) -> Callable[[], bytes]:
    return lambda: marshal.dumps({text: _taken_apart(text, flags) for text in texts})


def _taken_apart(text: str, flags: int) -> tuple[Any, ...]:
    """What `re.compile` hands to the matcher."""
    compiler, parser = import_module("re._compiler"), import_module("re._parser")
    parsed = parser.parse(text, flags)
    code = [int(step) for step in compiler._code(parsed, flags)]
    names: dict[str, int] = dict(parsed.state.groupdict)
    groups = [
        next((name for name, at in names.items() if at == group), None)
        for group in range(parsed.state.groups)
    ]
    return flags | int(parsed.state.flags), code, parsed.state.groups - 1, names, tuple(groups)
