"""Rule files assembled into one checked program; the door that built-in and user rules share.

Reads `.dl` files and nothing else, runs nothing. A user file may declare relations of its own and add rules to
any derived relation; base relations stay what was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

from narraworld.base.compiled import compiled, digest
from narraworld.base.given_files import read_given_text
from narraworld.base.quick_dataclass import dataclass
from narraworld.ontology.files import MODULES
from narraworld.rules.errors import RuleError, RuleSyntaxError
from narraworld.rules.language.conditions import with_tests
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
    Call,
    Column,
    Compare,
    Const,
    Fold,
    Not,
    Program,
    Relation,
    Rule,
    SourcePlace,
    Stratum,
    Var,
)
from narraworld.rules.language.lowering import normalise
from narraworld.rules.language.surface.extending import given_apart, given_facts, is_given
from narraworld.rules.language.surface.inputs import given_rows
from narraworld.rules.language.surface.statements import (
    Directive,
    Extension,
    RuleText,
    SouffleAdvice,
    SurfaceRule,
    TypeName,
)
from narraworld.rules.language.surface.syntax import parse, parse_whole
from narraworld.rules.language.values.classes import class_problems
from narraworld.rules.language.values.fractions import with_fractions
from narraworld.rules.language.values.subtypes import kind_problems
from narraworld.rules.language.wellformed import declared, source_problems

__all__ = [
    "BUILT_IN",
    "RuleBook",
    "built_in_files",
    "load_builtin",
    "load_pack",
    "load_program",
    "option_file",
    "problems",
    "read_source",
]

BUILT_IN = (
    "base", "base_story", "base_minds", "base_threads", "base_motives", "base_words", "base_details", "thresholds", "time", "matters", "world", "space",
    "presence", "same_scene", "speech", "access", "beliefs", "truth", "told_deeds", "deceit", "writings", "secrets", "seen_through", "nested", "developments", "possible", "scale", "motives", "admissible", "names", "eyes",
)  # fmt: skip

RuleFile: TypeAlias = RuleText | Traversable  # a Path is Traversable


@dataclass(frozen=True, slots=True)
class RuleBook(Program):
    """A checked program in core form that remembers how it was written."""

    sources: tuple[RuleText, ...] = ()
    surface: Mapping[Rule, Rule] = field(default_factory=dict)

    def written(self, rule: Rule) -> Rule:
        """The rule as a person wrote it, for a core rule that may have been made from it."""
        return self.surface.get(rule, rule)


CLASSES = (
    RuleBook, Relation, Column, Rule, Fold, Stratum, SourcePlace, Var, Const, Arithmetic, Call, Atom, Not, Compare, Aggregate,
    RuleText, SurfaceRule, Directive, TypeName, SouffleAdvice, Extension,
)  # fmt: skip


def load_program(rule_files: Iterable[RuleFile]) -> RuleBook:
    """Read, check, normalise and order; raises the first problem and says how many more there are."""
    rule_files = tuple(rule_files)
    sources = with_tests(tuple(map(_source, rule_files)))
    _raise_first([*source_problems(sources)] or [*kind_problems(sources), *class_problems(sources)])
    book = _assembled(sources)
    read = [source for source, file in zip(sources, rule_files, strict=True) if isinstance(file, Path)]
    return _with_rows(book, read)


def _with_rows(book: RuleBook, read: Iterable[RuleText]) -> RuleBook:
    """The program together with the tables that lie beside its files; a text without a file has none."""
    rows = given_rows(read, book.relations)
    whole = {name: (*book.given.get(name, ()), *rows.get(name, ())) for name in {**book.given, **rows}}
    return replace(book, given=whole, _by_head={}) if rows else book


def problems(rule_files: Iterable[RuleFile]) -> list[RuleError]:
    """Everything wrong, in order: spelling first, then meaning, then cycles, as each needs the one before."""
    sources, read, found = list[RuleText](), list[RuleText](), list[RuleError]()
    for rule_file in rule_files:
        try:
            source, errors = _whole(rule_file)
        except RuleError as error:
            found.append(error)
        else:
            sources.append(source)
            read += [source] if isinstance(rule_file, Path) else []
            found += errors
    sources = list(with_tests(sources))
    found = found or [*source_problems(sources)] or [*kind_problems(sources), *class_problems(sources)]
    if not found:
        try:
            _with_rows(_assembled(tuple(sources)), read)
        except RuleError as error:
            found.append(error)
    return found


def _raise_first(found: list[RuleError]) -> None:
    if not found:
        return
    first, more = found[0], len(found) - 1
    if not more:
        raise first
    what = f"{first.what} (and {more} more problem{'' if more == 1 else 's'})"
    raise type(first)(what, first.place, fix=first.fix)


def _assembled(sources: tuple[RuleText, ...]) -> RuleBook:
    relations: dict[str, Relation] = declared(sources)
    written = [rule for source in sources for rule in source.rules]
    given = given_facts((with_fractions(rule, relations) for rule in written), relations)
    written = [rule for rule in written if not is_given(rule, relations)]
    apart, rules, home = given_apart(written, relations)
    relations |= apart
    surface, made = dict[Rule, Rule](), Counter[str]()
    for rule in written:
        core = normalise(rule, relations, made)
        relations |= {relation.name: relation for relation in core.relations}
        rules += core.rules
        surface |= dict.fromkeys(core.rules, rule)
    strata = stratify(relations, rules)
    return RuleBook(relations, tuple(rules), strata, given, home, sources=sources, surface=surface)


def read_source(path: Traversable) -> RuleText:
    """Read one file; its errors call it by its path."""
    return parse(_text(path, str(path)), str(path))


def _source(rule_file: RuleFile) -> RuleText:
    return rule_file if isinstance(rule_file, RuleText) else read_source(rule_file)


def _whole(rule_file: RuleFile) -> tuple[RuleText, list[RuleSyntaxError]]:
    """What can be read of a file, and everything that cannot."""
    if isinstance(rule_file, RuleText):
        return rule_file, []
    return parse_whole(_text(rule_file, str(rule_file)), str(rule_file))


def _text(path: Traversable, name: str) -> str:
    try:
        return read_given_text(path) if isinstance(path, Path) else path.read_text(encoding="utf-8")
    except OSError as error:
        raise RuleError(
            f"this rule file cannot be read: {error.strerror}", SourcePlace(name, 1, 1)
        ) from error
    except UnicodeDecodeError as error:
        raise RuleSyntaxError("this rule file is not UTF-8 text", SourcePlace(name, 1, 1)) from error


def built_in_files() -> tuple[Traversable, ...]:
    """The rule files we ship, in reading order; a missing one means a broken installation."""
    room = files("narraworld.rules")
    found = tuple(room.joinpath(f"{name}.dl") for name in BUILT_IN)
    for path in found:
        if not path.is_file():
            fix = "reinstall narraworld: its rule files are part of the package"
            raise RuleError("a built-in rule file is missing", SourcePlace(path.name, 1, 1), fix=fix)
    return found


def option_file(name: str) -> Path:
    """A shipped rule file that a project switches on by name, such as `sight`."""
    room = Path(__file__).parents[1] / "options"
    path = room / f"{name}.dl"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in room.glob("*.dl")))
        raise RuleError(
            f"there is no optional rule file {name!r}", SourcePlace(name, 1, 1), fix=f"known are: {known}"
        )
    return path


def load_builtin(extra: Sequence[Path] = ()) -> RuleBook:
    """The shipped rules and a project's own; read again only when a file's text has changed."""
    built_in = [(path.name, _text(path, path.name)) for path in built_in_files()]
    book = _load_texts(tuple(built_in + [(str(path), _text(path, str(path))) for path in extra]))
    names = {str(path) for path in extra}
    return _with_rows(book, [source for source in book.sources if source.file in names])


def load_pack(paths: Sequence[Path], book: RuleBook) -> RuleBook:
    """Rule files that stand on ``book`` and do not touch it: for them its relations are given, like what was read.

    Relations that are derived only on demand have no rows to give, and are not offered.
    """
    offered = [one for one in book.relations.values() if not (one.on_demand or one.auxiliary)]
    texts = [("the rules of the world", "".join(map(_as_given, offered)))]
    texts += [(str(path), _text(path, str(path))) for path in paths]
    pack = _load_texts(tuple(texts))
    names = {str(path) for path in paths}
    return _with_rows(pack, [source for source in pack.sources if source.file in names])


def _as_given(relation: Relation) -> str:
    columns = ", ".join(f"{column.name}:{column.type}" for column in relation.columns)
    return f".decl {relation.name}({columns})\n.input {relation.name}\n"


@lru_cache(maxsize=16)
def _load_texts(texts: tuple[tuple[str, str], ...]) -> RuleBook:
    """The program; made once for each wording, also by other processes. One file is kept for each set of names."""
    names, room = sha256(repr([name for name, _ in texts]).encode()).hexdigest(), Path(__file__).parent
    key = digest(
        [part for text in texts for part in text],
        [*sorted(room.rglob("*.py")), room / "surface" / "grammar.lark", *MODULES],
    )
    return compiled(
        f"rules-{names[:12]}", key, lambda: load_program([parse(text, name) for name, text in texts]), CLASSES
    )
