"""What the lines that begin with `//@` say of a relation. Pure text."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["KNOWN", "after", "few", "is_known"]

ALONE = ("given", "on demand", "quiet")
FROM, ABSENT, FEW = STARTS = ("from ", "absent: ", "few per ")
KNOWN = "write '//@ from …', '//@ given', '//@ on demand', '//@ quiet', '//@ absent: …' or '//@ few per …'"
RECORD = "id"  # in a binding: the record itself
CARRIED = (
    "clock",
    "links",
    "classes",
    "meaning",
    "lengths",
)  # bindings of which a record has few, in the first column
SMALL = ("table", "settings", "situation")  # bindings whose rows are few altogether


def is_known(line: str) -> bool:
    return line in ALONE or line.startswith(STARTS)


def after(start: str, lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.removeprefix(start).strip() for line in lines if line.startswith(start))


def few(lines: Sequence[str], columns: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The columns that `few per …` names, and those that follow from where rows are read."""
    named = [tuple(name.strip() for name in line.split(",")) for line in after(FEW, lines)]
    for binding in after(FROM, lines):
        kind, _, sources = binding.partition(": ")
        if kind in SMALL:
            named.append(())
        elif kind in CARRIED:
            named.append((columns[0],))
        elif RECORD in (places := [source.strip() for source in sources.split(",")]):
            named += [(column,) for column, source in zip(columns, places, strict=False) if source == RECORD]
    return tuple(dict.fromkeys(named))
