"""Theories of narrative over stories: `narraworld formalisms`, `narraworld analyse`, `narraworld relations`. Parses, asks, prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import (
    SEEN,
    AsJson,
    Engine,
    Rules,
    Situation,
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    situated,
)

if TYPE_CHECKING:
    from narraworld.query.theories.analysis import Analysis, PieceName

__all__ = ["register"]

FORMATS = ("table", "csv", "json", "ttl", "dot", "svg", "html")
PIECES = ("story", "unit", "scene")


def register(app: typer.Typer) -> None:
    for command in (formalisms, analyse, relations):
        app.command()(command)


def formalisms(
    pack: Annotated[str | None, typer.Argument(help="One pack, to read its page.")] = None,
    as_json: AsJson = False,
) -> None:
    """The theories of narrative that can be run over a story.   narraworld formalisms genette"""
    from narraworld.commands.show import table_lines
    from narraworld.rules.language.program import load_builtin
    from narraworld.rules.packs.pack import load_pack_named, pack_names

    book = load_builtin()
    found = [load_pack_named(name, book) for name in ([pack] if pack else pack_names())]
    if as_json:
        print_json([{
            "pack": one.name, "title": one.head.title, "cite": one.head.cite,
            "needs": [{"relation": need.relation, "for": need.results} for need in one.head.needs],
            "features": [{"name": it.name, "unit": it.unit} for it in one.head.features],
            "results": {it.name: it.doc for it in one.results},
        } for one in found])  # fmt: skip
    elif pack:
        echo(found[0].page or found[0].head.title)
    else:
        print_lines(table_lines(("pack", "theory"), [(one.name, one.head.title) for one in found]))


@situated(SEEN)
def analyse(
    pack: Annotated[
        str, typer.Argument(help="A pack of `narraworld formalisms`, or a folder with a pack.dl.")
    ],
    situation: Situation,
    worlds: Annotated[
        list[Path] | None, typer.Argument(help="Folders of stories, or fact tables; else --world.")
    ] = None,
    where: Where = Path(),
    by: Annotated[str, typer.Option("--by", help="story, unit or scene.")] = "story",
    format_: Annotated[str, typer.Option("--format", help=f"{', '.join(FORMATS)}.")] = "table",
    rules: Rules = None,
    engine: Engine = "auto",
    as_json: AsJson = False,
) -> None:
    """What a theory says of stories: results, features, a figure.   narraworld analyse genette tales/*/ --format csv"""
    format_ = "json" if as_json else format_
    one_of("--by", by, PIECES)
    one_of("--format", format_, FORMATS)

    def read(path: Path, opened: ExitStack) -> Analysis:
        if path.is_file():
            return _of_table(pack, path, engine)
        return opened.enter_context(open_world(path, rules=rules)).analyse(pack, situation, engine=engine)  # type: ignore[arg-type]

    paths = worlds or [where]
    if format_ == "csv":
        evaluated = _print_csv(paths, read, by)  # type: ignore[arg-type]
    else:
        with ExitStack() as opened:
            found = [read(path, opened) for path in paths]
            echo(_told(found, by, format_).rstrip("\n"))  # type: ignore[arg-type]
            evaluated = any(one.evaluated for one in found)
    _say_of_pack(pack)
    if not evaluated:
        raise typer.Exit(1)


def _say_of_pack(name: str) -> None:
    """What a pack of one's own does without a word: an input that nothing fills."""
    from narraworld.rules.language.hints import never_silent
    from narraworld.rules.language.program import load_builtin
    from narraworld.rules.packs.pack import load_pack_named, pack_names

    if name not in pack_names():
        pack = load_pack_named(name, load_builtin())
        for hint in never_silent(pack.program, {str(path) for path in pack.files}):
            echo(f"({hint})", err=True)


def _print_csv(paths: list[Path], read: Callable[[Path, ExitStack], Analysis], by: PieceName) -> bool:
    """Stories × features, one story open at a time; why cells are empty goes to stderr. Whether any was evaluated."""
    from narraworld.query.theories.frame import joined

    frames, why, evaluated = [], Counter[str](), False
    for path in paths:
        with ExitStack() as opened:
            one = read(path, opened)
            frames.append(one.by(by))
            why.update(one.not_evaluated)
            evaluated = evaluated or one.evaluated
    echo(joined(frames).to_csv().rstrip("\n"))
    for reason, stories in why.items():
        echo(f"{reason} ({stories} of {len(paths)} stories)", err=True)
    return evaluated


def _of_table(pack: str, path: Path, engine: str) -> Analysis:
    from narraworld.query.theories.fact_tables import analysis_of_table
    from narraworld.rules.language.program import load_builtin
    from narraworld.rules.packs.pack import load_pack_named

    book = load_builtin()
    return analysis_of_table(load_pack_named(pack, book), path, book, engine)  # type: ignore[arg-type]


def _told(found: list[Analysis], by: PieceName, format_: str) -> str:
    from narraworld.query.theories import telling

    if format_ in ("dot", "svg") and len(found) > 1:
        raise NarraWorldError(f"a {format_} shows one story", fix="name one folder; html shows many")
    match format_:
        case "json":
            import json

            return json.dumps(telling.as_json_value(found, by), ensure_ascii=False, indent=2)
        case "ttl":
            from narraworld.query.theories.provenance import as_turtle

            return as_turtle(found)
        case "dot":
            from narraworld.query.theories.figures.graph import as_dot

            return as_dot(found[0])
        case "svg":
            return found[0].figure.svg
        case "html":
            return telling.as_html_page(found, by)
        case _:
            return "\n".join(telling.table_text(found, by))


def relations(
    name: Annotated[str | None, typer.Argument(help="One relation, such as because.")] = None,
    where: Where = Path(),
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """The catalogue of what rules can read: sentence, columns, origin, who produces it.   narraworld relations because"""
    from narraworld.rules.packs.catalogue import CatalogueEntry, catalogue, respect_entries

    book, table = _book(where, rules)
    found = [one for one in catalogue(book) if name in (None, one.name)]
    found += respect_entries(table, name)
    if name and not found:
        from narraworld.rules.language.goal import parse_goal

        parse_goal(f"{name}(X)", book)  # says what it may have been
    if as_json:
        print_json([one.as_json() for one in found])
        return

    def lines(entry: CatalogueEntry) -> Iterator[str]:
        yield f"{entry.name}({', '.join(entry.columns)})  {entry.origin}"
        if entry.says:
            yield f"  {entry.says}"
        if name:
            yield from (f"  from      {line}" for line in entry.read_from)
            yield from (f"  produced  {line}" for line in entry.produced_by)

    for entry in found:
        print_lines(lines(entry))


def _book(where: Path, rules: list[Path] | None):  # type: ignore[no-untyped-def]
    """The project's rules and table of respects where there is a world, else the shipped ones."""
    from narraworld.kb.errors import NotAStore
    from narraworld.ontology.respects import respects
    from narraworld.rules.language.program import load_builtin

    try:
        with open_world(where, rules=rules) as world:
            return world.story.frame.program, world.story.frame.respects
    except NotAStore:
        return load_builtin(tuple(rules or ())), respects()
