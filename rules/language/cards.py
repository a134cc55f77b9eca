"""Checks as files: which rule files raise findings, and what their authors say about each in comments.

A check is a rule with the head `finding(Rule, First, Second, About)` and a fact `check(Rule, Severity, Title, Subtype,
Verdict)`; shipped ones and a project's own are written alike. Lines that begin with `//#` tell a person about a check:

    //# NW101 about: …     what it looks for, and what it leaves alone
    //# NW101 fires: …     a story it speaks up about
    //# NW101 silent: …    one that it must not
    //# NW101 needs: …     what a story must hold for it to have anything to look at

Reads `.dl` files and nothing else; runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from narraworld.rules.errors import RuleError
from narraworld.rules.language.dependencies import needed
from narraworld.rules.language.ir import SourcePlace
from narraworld.rules.language.program import RuleBook, load_builtin

__all__ = ["CHECK", "FINDING", "LOOKS", "CardText", "card_texts", "check_files", "check_program", "gathered"]

CHECK, FINDING, LOOKS = "check", "finding", "looks_at"
CHECKS = Path(__file__).parents[1] / "checks"
FIRST = "findings.dl"  # declares what the others raise
_LINE = re.compile(r"^//# (?P<id>\w+) (?P<part>about|fires|silent|needs): (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CardText:
    """What the comments of a rule file say about one check."""

    about: str = ""
    fires: str = ""
    silent: str = ""
    needs: str = ""


def check_files() -> tuple[Path, ...]:
    """The shipped checks, the file with the declarations first."""
    found = sorted(CHECKS.glob("*.dl"), key=lambda path: (path.name != FIRST, path.name))
    if not found:
        fix = "reinstall narraworld: its checks are part of the package"
        raise RuleError("the built-in checks are missing", SourcePlace(str(CHECKS), 1, 1), fix=fix)
    return tuple(found)


def gathered(paths: Iterable[Path]) -> Iterator[Path]:
    """Rule files as a project names them: files as they are, folders as the `.dl` files in them."""
    for path in paths:
        if not path.is_dir():
            yield path
        elif inside := sorted(path.glob("*.dl")):
            yield from inside
        else:
            raise RuleError("this folder holds no .dl file", SourcePlace(str(path), 1, 1))


def check_program(rule_files: Iterable[Path] = (), own_checks: Iterable[Path] = ()) -> RuleBook:
    """All that findings are derived from: our rules, the project's, the shipped checks and the project's own."""
    book = load_builtin((*rule_files, *check_files(), *gathered(own_checks)))
    part = needed(book, [CHECK, FINDING, LOOKS, "admissible", *book.base()])
    return replace(book, relations=part.relations, rules=part.rules, strata=part.strata, _by_head={})


def card_texts(own_checks: Iterable[Path] = ()) -> dict[str, CardText]:
    """What is said about each check, by its number."""
    found: dict[str, CardText] = {}
    for path in (*check_files(), *gathered(own_checks)):
        for line in _LINE.finditer(path.read_text(encoding="utf-8")):
            said = found.get(line["id"], CardText())
            more = " ".join(filter(None, (getattr(said, line["part"]), line["text"].strip())))
            found[line["id"]] = replace(said, **{line["part"]: more})
    return found
