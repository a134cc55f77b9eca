"""Which indexes the tables of a program need: worked out once, and kept for the next world with the same rules.

To know them every step of every rule has to be written, which takes longer than deriving a small world. They follow from the program
alone, so they are kept in this process and, of large programs, beside Python's own compiled modules. Never touches a database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from narraworld.base.compiled import compiled, digest
from narraworld.rules.engines.sql import aggregates, components, indexes, joins, nearest, writer
from narraworld.rules.engines.sql.indexes import Order
from narraworld.rules.engines.sqlite import plans as plans_module
from narraworld.rules.engines.sqlite.plans import Plans
from narraworld.rules.language import few

__all__ = ["Orders", "orders_of"]

Orders: TypeAlias = Mapping[str, tuple[Order, ...]]

MOST = 16  # programs whose orders a process remembers
LARGE = 10  # rules; fewer are planned about as soon as a file is read
_CODE = [
    Path(str(module.__file__))
    for module in (aggregates, components, few, indexes, joins, nearest, writer, plans_module)
]
_known: dict[str, Orders] = {}


def orders_of(program_is: str, plans: Plans, check: Callable[[], None]) -> Orders:
    """By relation of the program with this fingerprint: the orders of columns to index. ``check`` may raise when it takes too long."""
    if program_is not in _known:
        _known[program_is] = _kept(program_is, plans, check)
        for oldest in list(_known)[:-MOST]:
            _known.pop(oldest, None)
    return _known[program_is]


def _kept(program_is: str, plans: Plans, check: Callable[[], None]) -> Orders:
    if len(plans.sql.program.rules) < LARGE:
        return _worked_out(plans, check)
    # few files, however many programs there are: one with the same two letters takes the place of another
    name, key = f"sqlite-orders-{program_is[:2]}", digest([program_is], _CODE)
    return compiled(name, key, lambda: _worked_out(plans, check), ())


def _worked_out(plans: Plans, check: Callable[[], None]) -> Orders:
    probes: dict[str, list[joins.Probe]] = {}
    for probe in plans.probes(check):
        probes.setdefault(probe.relation, []).append(probe)
    names = (*plans.sql.program.base(), *plans.derived)
    return {
        name: tuple(indexes.indexes(len(plans.sql.columns(name)), probes.get(name, []))) for name in names
    }
