"""Rule files assembled into one checked program; the door that built-in and user rules share.

Reads `.dl` files and nothing else, runs nothing. A user file may declare relations of its own and add rules to
any derived relation; base relations stay what was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

from narraworld.base.compiled import compiled, digest
from narraworld.base.given_files import read_given_text
from narraworld.rules.errors import NotStratified, RuleError, RuleSyntaxError
from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import (
    Aggregate,
    Arithmetic,
    Atom,
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
from narraworld.rules.language.syntax import Directive, RuleText, SurfaceRule, parse
from narraworld.rules.language.wellformed import declared, source_problems

__all__ = [
    "BUILT_IN",
    "RuleBook",
    "built_in_files",
    "load_builtin",
    "load_program",
    "option_file",
    "problems",
    "read_source",
]

BUILT_IN = (
    "base", "base_story", "base_threads", "thresholds", "time", "world", "space", "access", "beliefs", "nested", "developments",
    "possible", "scale", "admissible", "eyes",
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
    RuleBook, Relation, Column, Rule, Fold, Stratum, SourcePlace, Var, Const, Arithmetic, Atom, Not, Compare, Aggregate,
    RuleText, SurfaceRule, Directive,
)  # fmt: skip


def load_program(rule_files: Iterable[RuleFile]) -> RuleBook:
    """Read, check, normalise and order; raises the first problem and says how many more there are."""
    sources = tuple(map(_source, rule_files))
    _raise_first(list(source_problems(sources)))
    return _assembled(sources)


def problems(rule_files: Iterable[RuleFile]) -> list[RuleError]:
    """Everything wrong, in order: spelling first, then meaning, then cycles, as each needs the one before."""
    sources, found = list[RuleText](), list[RuleError]()
    for rule_file in rule_files:
        try:
            sources.append(_source(rule_file))
        except RuleError as error:
            found.append(error)
    found = found or list(source_problems(sources))
    if not found:
        try:
            _assembled(tuple(sources))
        except NotStratified as error:
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
    rules, surface, made = list[Rule](), dict[Rule, Rule](), Counter[str]()
    for rule in (rule for source in sources for rule in source.rules):
        core = normalise(rule, relations, made)
        relations |= {relation.name: relation for relation in core.relations}
        rules += core.rules
        surface |= dict.fromkeys(core.rules, rule)
    return RuleBook(relations, tuple(rules), stratify(relations, rules), sources=sources, surface=surface)


def read_source(path: Traversable) -> RuleText:
    """Read one file; its errors call it by its path."""
    return parse(_text(path, str(path)), str(path))


def _source(rule_file: RuleFile) -> RuleText:
    return rule_file if isinstance(rule_file, RuleText) else read_source(rule_file)


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
    return _load_texts(tuple(built_in + [(str(path), _text(path, str(path))) for path in extra]))


@lru_cache(maxsize=8)
def _load_texts(texts: tuple[tuple[str, str], ...]) -> RuleBook:
    """The program; made once for each wording, also by other processes. One file is kept for each set of names."""
    names, room = sha256(repr([name for name, _ in texts]).encode()).hexdigest(), Path(__file__).parent
    key = digest(
        [part for text in texts for part in text], [*sorted(room.glob("*.py")), room / "grammar.lark"]
    )
    return compiled(
        f"rules-{names[:12]}", key, lambda: load_program([parse(text, name) for name, text in texts]), CLASSES
    )
