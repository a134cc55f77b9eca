"""Rule files in the hands of their author: `narraworld rules check`, `show` and `format`. Parses, asks, prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.commands.options import AsJson, Rules, Where, echo, open_world, print_json, print_lines

if TYPE_CHECKING:
    from narraworld.rules.errors import RuleError
    from narraworld.rules.language.hints import Hint
    from narraworld.rules.language.ir import SourcePlace
    from narraworld.rules.language.program import RuleBook
    from narraworld.world import World

__all__ = ["register"]

Files = Annotated[list[Path], typer.Argument(help="Rule files (.dl).")]
Alone = Annotated[
    bool, typer.Option("--alone", help="A program of its own: without the rules and relations of the world.")
]

rules_app = typer.Typer(
    no_args_is_help=True, help="Your own rule files: check them, look around, lay them out."
)


def register(app: typer.Typer) -> None:
    app.add_typer(rules_app, name="rules")


# ---- check


@rules_app.command()
def check(files: Files, alone: Alone = False, as_json: AsJson = False) -> None:
    """Everything wrong with rule files, and what is probably not meant.   narraworld rules check mine.dl"""
    from narraworld.rules.language.hints import hints
    from narraworld.rules.language.program import built_in_files, load_program, problems

    together = [*(() if alone else built_in_files()), *files]
    found = problems(together)
    noticed = [] if found else hints(load_program(together), {str(file) for file in files})
    if as_json:
        print_json({"problems": [_told(one.what, one.place, one.fix) for one in found],
                    "hints": [_told(one.what, one.place, one.fix) for one in noticed]})  # fmt: skip
    else:
        print_lines(_checked(found, noticed))
    if found:
        raise typer.Exit(1)


def _told(what: str, place: SourcePlace, fix: str | None) -> dict[str, Any]:
    return {"what": what, "file": place.file, "line": place.line, "column": place.column, "fix": fix or None}


def _checked(found: Sequence[RuleError], noticed: Sequence[Hint]) -> Iterator[str]:
    yield from map(str, found)
    yield from (f"hint: {hint}" for hint in noticed)
    if found:
        yield f"{len(found)} problem{'' if len(found) == 1 else 's'}"
    else:
        yield f"no problems, {len(noticed)} hint{'' if len(noticed) == 1 else 's'}"


# ---- show


@rules_app.command()
def show(
    relation: Annotated[str, typer.Argument(help="The name of a relation, such as mistaken.")],
    where: Where = Path(),
    rules: Rules = None,
) -> None:
    """What a relation says, its rules, who uses it, and a row of this story with its proof.   narraworld rules show mistaken"""
    from narraworld.rules.language.hints import used_by

    with open_world(where, rules=rules) as world:
        book = _book(world, relation)
        print_lines(_described(book, relation))
        users = sorted({rule.head.relation for rule in used_by(book, relation)})
        echo(f"used by   {', '.join(users) or 'nothing'}")
        print_lines(_example(world, relation))


def _book(world: World, relation: str) -> RuleBook:
    from narraworld.rules.language.goal import parse_goal

    book = world.story.frame.program
    if relation not in book.relations:
        parse_goal(f"{relation}(X)", book)  # says what it may have been
    return book


def _described(book: RuleBook, relation: str) -> Iterator[str]:
    from narraworld.rules.language.souffle import rule_text, statement_text

    yield statement_text(book.relations[relation])
    written = [rule for source in book.sources for rule in source.rules if rule.head.relation == relation]
    yield from dict.fromkeys(map(rule_text, written))
    yield f"declared  {book.relations[relation].place}"


def _example(world: World, relation: str) -> Iterator[str]:
    """The first row there is, and why it is there."""
    from narraworld.rules.language.ir import Atom, Var
    from narraworld.rules.language.souffle import fact_text
    from narraworld.rules.proofs.prose import as_prose

    scope = world.scope()
    declared = scope.engine.program.relations[relation]
    rows = (
        scope.engine.ask(Atom(relation, tuple(Var(f"V{i}") for i in range(declared.arity))))
        if not declared.on_demand
        else []
    )
    if not rows:
        yield (
            "example   derived only when asked for"
            if declared.on_demand
            else "example   no row in this story"
        )
        return
    goal = fact_text(relation, rows[0]).removesuffix(".")
    yield f"example   {goal}, one of {len(rows)}"
    for proof in scope.why(goal).proofs[:1]:
        yield as_prose(proof, scope.names, scope.quotes)


# ---- format


@rules_app.command(name="format")
def format_(
    files: Files,
    write: Annotated[
        bool, typer.Option("--write", help="Change the files instead of printing them.")
    ] = False,
) -> None:
    """Lay rule files out evenly; nothing they say changes.   narraworld rules format --write mine.dl"""
    from narraworld.base.atomic_files import write_whole
    from narraworld.rules.language.program import read_source
    from narraworld.rules.language.souffle import source_text
    from narraworld.rules.language.surface.layout import laid_out
    from narraworld.rules.language.surface.syntax import parse

    for file in files:
        source = read_source(file)  # what cannot be read is left alone
        text = laid_out(file.read_text(encoding="utf-8"))
        assert source_text(parse(text, str(file))).split() == source_text(source).split(), (
            "the layout changed its meaning"
        )
        if not write:
            echo(text, nl=False)
        elif text != file.read_text(encoding="utf-8"):
            write_whole(file, text)
            echo(f"laid out {file}")
