"""Rule files in the hands of their author: `narraworld rules check`, `show` and `format`. Parses, asks, prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    as_json: AsJson = False,
) -> None:
    """What a relation says, its rules, who uses it, and a row of this story with its proof.   narraworld rules show mistaken"""
    from narraworld.rules.language.hints import used_by

    with open_world(where, rules=rules) as world:
        book = _book(world, relation)
        users = sorted({rule.head.relation for rule in used_by(book, relation)})
        example = _example(world, relation)
    if as_json:
        print_json({"relation": relation, **_described(book, relation), "used_by": users, "example": example})
        return
    print_lines(_described_lines(_described(book, relation)))
    echo(f"used by   {', '.join(users) or 'nothing'}")
    print_lines(_example_lines(example, on_demand=book.relations[relation].on_demand))


def _book(world: World, relation: str) -> RuleBook:
    from narraworld.rules.language.goal import parse_goal

    book = world.story.frame.program
    if relation not in book.relations:
        parse_goal(f"{relation}(X)", book)  # says what it may have been
    return book


def _described(book: RuleBook, relation: str) -> dict[str, Any]:
    from narraworld.rules.language.souffle import rule_text, statement_text

    written = [rule for source in book.sources for rule in source.rules if rule.head.relation == relation]
    return {
        "statement": statement_text(book.relations[relation]),
        "rules": list(dict.fromkeys(map(rule_text, written))),
        "declared": str(book.relations[relation].place),
    }


def _described_lines(told: Mapping[str, Any]) -> Iterator[str]:
    yield told["statement"]
    yield from told["rules"]
    yield f"declared  {told['declared']}"


def _example(world: World, relation: str) -> dict[str, Any] | None:
    """The first row there is, how many there are, and why it is there; None without a row, or where it takes a question."""
    from narraworld.rules.language.ir import Atom, Var
    from narraworld.rules.language.souffle import fact_text
    from narraworld.rules.proofs.prose import as_prose

    scope = world.scope()
    declared = scope.engine.program.relations[relation]
    if declared.on_demand:
        return None
    rows = scope.engine.ask(Atom(relation, tuple(Var(f"V{i}") for i in range(declared.arity))))
    if not rows:
        return None
    goal = fact_text(relation, rows[0]).removesuffix(".")
    proofs = scope.why(goal).proofs[:1]
    return {
        "goal": goal,
        "rows": len(rows),
        "proof": [as_prose(one, scope.names.in_sentence, scope.quotes) for one in proofs],
    }


def _example_lines(example: Mapping[str, Any] | None, *, on_demand: bool) -> Iterator[str]:
    if example is None:
        yield f"example   {'derived only when asked for' if on_demand else 'no row in this story'}"
        return
    yield f"example   {example['goal']}, one of {example['rows']}"
    yield from example["proof"]


# ---- format


@rules_app.command(name="format")
def format_(
    files: Files,
    write: Annotated[
        bool, typer.Option("--write", help="Change the files instead of printing them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Lay rule files out evenly; nothing they say changes.   narraworld rules format --write mine.dl"""
    from narraworld.base.atomic_files import write_whole

    told = list[dict[str, Any]]()
    for file in files:
        text = _evenly(file)
        changed = text != file.read_text(encoding="utf-8")
        told.append({"file": str(file), "changed": changed, "text": text})
        if write and changed:
            write_whole(file, text)
        if not as_json and (changed or not write):
            echo(f"laid out {file}\n" if write else text, nl=False)
    if as_json:
        print_json(told)


def _evenly(file: Path) -> str:
    """The file laid out; what cannot be read is left alone."""
    from narraworld.rules.language.program import read_source
    from narraworld.rules.language.souffle import source_text
    from narraworld.rules.language.surface.layout import laid_out
    from narraworld.rules.language.surface.syntax import parse

    source, text = read_source(file), laid_out(file.read_text(encoding="utf-8"))
    same = source_text(parse(text, str(file))).split() == source_text(source).split()
    assert same, "the layout changed its meaning"
    return text
