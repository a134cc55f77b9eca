"""What every command shares: its options, the world it opens, and how it prints. Knows no command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter, Signature, signature
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.surfaces import completion

if TYPE_CHECKING:
    from narraworld.query.situation import Situation
    from narraworld.world import World
else:
    Situation = object  # signatures name it; only a command that runs pays for it

__all__ = [
    "CUT", "SEEN", "AsJson", "At", "Branch", "Engine", "Eyes", "ModelName", "Replayed", "Revision", "Rules", "Situation", "Told", "Where",
    "echo", "needs_extra", "one_of", "open_world", "print_json", "print_lines", "print_read_as", "revision_of", "situated", "visible",
]  # fmt: skip

AT_A_TIME = 200  # lines of a long answer
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

Where = Annotated[Path, typer.Option("--world", "-w", help="Folder of the manuscript.", envvar="NARRAWORLD")]
At = Annotated[
    str | None,
    typer.Option(
        "--at",
        help='How far the story has come: a chapter (2, 02.md, "The Ferry"), one of its scenes, or tick:6.',
        autocompletion=completion.moments,
    ),
]
Told = Annotated[
    str | None,
    typer.Option(
        "--told",
        help="How far the telling has come; nothing later is seen.",
        autocompletion=completion.moments,
    ),
]
Revision = Annotated[
    str | None,
    typer.Option(
        "--revision", "-r", help="An earlier commit, as in r3.", autocompletion=completion.revisions
    ),
]
Branch = Annotated[
    str,
    typer.Option("--branch", "-b", help="Which version of the story.", autocompletion=completion.branches),
]
Eyes = Annotated[
    str | None, typer.Option("--as", help="Through whose eyes.", autocompletion=completion.minds)
]
Rules = Annotated[
    list[Path] | None, typer.Option("--rules", help="A rule file of your own; may be repeated.")
]
Engine = Annotated[str, typer.Option("--engine", help="auto, sqlite, duckdb or pydatalog.")]
ModelName = Annotated[
    str | None, typer.Option("--model", help="Model name, or relay; else NARRAWORLD_MODEL.")
]
Replayed = Annotated[
    Path | None, typer.Option("--replay", help="Answer from this recording instead of a model.")
]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


@contextmanager
def open_world(
    where: Path, *, create: bool = False, rules: list[Path] | None = None, engine: str = "auto"
) -> Iterator[World]:
    """The world in a folder; what of it could not be read is said at the end, after the answer from the rest."""
    from narraworld.world import World

    with World.open(where, create=create, rules=tuple(rules or ()), engine=engine) as world:  # type: ignore[arg-type]
        yield world
        _say_of_rules(world, rules)
        for trouble in world.damage:
            echo(f"narraworld: left out of the answer: {trouble}", err=True)


def _say_of_rules(world: World, rules: list[Path] | None) -> None:
    """What a rule file does without a word: an input that nothing fills, rows for a relation of others."""
    files = {str(path) for path in (*world.story.settings.rule_files, *(rules or ()))}
    if not files:
        return
    from narraworld.rules.language.hints import never_silent

    for hint in never_silent(world.story.frame.program, files):
        echo(f"({hint})", err=True)


@contextmanager
def needs_extra(command: str, extra: str) -> Iterator[None]:
    """Around an import: a package that is not installed is said with what to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "narraworld":
            raise
        raise NarraWorldError(
            f"narraworld {command} needs the {extra} extra", fix=f'pip install "narraworld[{extra}]"'
        ) from missing


Options = Mapping[str, tuple[Any, Any]]
Command = Callable[..., None]
CUT: Options = {
    "at": (At, None), "told": (Told, None), "revision": (Revision, None), "branch": (Branch, "main"),
}  # fmt: skip
SEEN: Options = {**CUT, "eyes": (Eyes, None)}


def situated(options: Options = CUT) -> Callable[[Command], Command]:
    """The command with its parameter ``situation`` spelled out as the options that make one.

    The command line is read off a signature, so without this each command would list the options anew.
    """

    def spelled_out(command: Command) -> Command:
        def run(**given: Any) -> None:
            chosen = {name: given.pop(name) for name in options}
            command(situation=_situation_of(**chosen), **given)

        parameters = list(_spelled_out(signature(command, eval_str=True), options))
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return spelled_out


def _spelled_out(written: Signature, options: Options) -> Iterator[Parameter]:
    for parameter in written.parameters.values():
        if parameter.name == "situation":
            for name, (option, default) in options.items():
                yield Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=option)
        else:
            yield parameter.replace(kind=Parameter.KEYWORD_ONLY)


def _situation_of(
    at: str | None, told: str | None, revision: str | None, branch: str, eyes: str | None = None
) -> Situation:
    from narraworld.query.situation import Situation

    return Situation(at, told, revision_of(revision), branch, eyes)


def revision_of(text: str | None) -> int | None:
    from narraworld.query.moments import revision_of

    return revision_of(text)


def one_of(option: str, given: str, known: Sequence[str]) -> None:
    """Refuse a word that an option does not know."""
    if given not in known:
        raise NarraWorldError(f"{option} has no choice {given!r}", fix=f"choose from: {', '.join(known)}")


def echo(text: object, *, err: bool = False, nl: bool = True) -> None:
    """Print; the one way by which words of a story come to a terminal."""
    typer.echo(visible(str(text)), err=err, nl=nl)


def visible(text: str) -> str:
    """The text with what a terminal would obey, and what no stream can encode, written out as `\\u001b`.

    That is also how JSON writes such a sign, so that JSON which went through here means the same.
    """
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def print_read_as(answer: Any) -> None:
    """Say how what was typed was understood, where that is not plain."""
    for how in answer.read_as:
        if how.telling:
            echo(f"({how})", err=True)


def print_json(value: Any) -> None:
    echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_lines(lines: Iterable[object]) -> None:
    """Many at a time: each print goes through to the terminal, which takes longer than making a line."""
    waiting = iter(lines)
    while some := list(islice(waiting, AT_A_TIME)):
        echo("\n".join(map(str, some)))
