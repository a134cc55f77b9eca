"""Words of the command line as texts and paths, without pydantic: Typer imports it to convert them, 0.06 s of every command.

What is no plain text or path (a number that was typed) goes Typer's own way. Of fifty commands only the one
that was typed is built.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, get_args, get_origin

import typer
from typer.main import get_command
from typer.models import CommandInfo, TyperInfo

__all__ = ["quick_command"]

PLAIN = (str, Path)


def quick_command(app: typer.Typer, words: Sequence[str] | None = None) -> Any:
    """The command line of ``app``, ready to be called; of the commands only the one that ``words`` begin with, if there is one."""
    typed = sys.argv[1:] if words is None else words
    if _completes():
        return get_command(app)
    if list(typed) in ([], ["--help"]):
        return get_command(_with(app, [_bare(one) for one in app.registered_commands], app.registered_groups))
    only = _only(app, typed[:1])
    if only is None:
        return get_command(app)
    command = get_command(only)
    _convert_plainly(command)
    return command


def _completes() -> bool:
    """Whether a shell asks what can be typed: then every command may be meant."""
    return any(name.endswith("_COMPLETE") for name in os.environ)


def _only(app: typer.Typer, begun: Sequence[str]) -> typer.Typer | None:
    """The same line with one command, or one group of them; None where there is none of that name."""
    commands = [one for one in app.registered_commands if {one.name, _said(one.callback)} & {*begun}]
    groups = [one for one in app.registered_groups if one.name in begun]
    if len(commands) + len(groups) != 1:
        return None
    chosen = _with(app, commands, groups)
    chosen._add_completion = False
    return chosen


def _with(app: typer.Typer, commands: list[CommandInfo], groups: list[TyperInfo]) -> typer.Typer:
    """The same line with these commands."""
    other = copy(app)
    other.registered_commands, other.registered_groups = commands, groups
    return other


def _bare(command: CommandInfo) -> CommandInfo:
    """A command as the list of all shows it: its name and what it is for. Its options are not looked at."""

    def shown() -> None: ...

    bare, shown.__doc__ = copy(command), command.callback.__doc__
    shown.__name__, bare.callback = _said(command.callback), shown
    return bare


def _said(callback: Any) -> str:
    return str(getattr(callback, "__name__", "")).lower().replace("_", "-")


# -- values


def _convert_plainly(command: Any) -> None:
    for param in command.get_params(typer.Context(command)):  # `--help` is not among its own
        if (kind := getattr(param, "type_descriptor", None)) is not None:
            param._runtime_param = PlainValue(kind.annotation)
    for one in getattr(command, "commands", {}).values():
        _convert_plainly(one)


class PlainValue:
    """What was typed, as a text or a path; anything else as Typer has it."""

    def __init__(self, annotation: Any) -> None:
        self._many = get_origin(annotation) is list
        self._kind = get_args(annotation)[0] if self._many else annotation

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if self._many and isinstance(value, list | tuple) and all(map(self._is_plain, value)):
            return [self._kind(one) for one in value]
        if not self._many and self._is_plain(value):
            return self._kind(value)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _is_plain(self, value: Any) -> bool:
        """A default of the right kind, or words for a text or a path."""
        if isinstance(value, str):
            return self._kind in PLAIN
        return isinstance(self._kind, type) and isinstance(value, self._kind)
