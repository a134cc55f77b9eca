"""`dataclass` of the standard library, quicker to define: for modules that every command imports.

The library writes six methods of a frozen class as text and compiles them on every start, half a millisecond a class and a sixth of
a short command. Here a frozen class with slots gets methods that need no text, and its `__init__` is written when it is first
wanted. What a class can do is the same (`fields`, `replace`, `match`, pickling, errors); any other kind of class goes to the library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, repr=True, **others):
        """A decorator as the library's; quick for `frozen=True, slots=True`, with or without a `repr` of its own."""
        if cls is not None or not (frozen and slots) or others:
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, repr=repr, **others)
        return lambda plain: _frozen(plain, shown=repr)


__all__ = ["dataclass"]


def _frozen(plain: type, *, shown: bool) -> Any:
    """The class with slots, and with all that a frozen one of the library has. Heirs of another one are left to the library."""
    if any(map(dataclasses.is_dataclass, plain.__bases__)):
        return dataclasses.dataclass(frozen=True, slots=True, repr=shown)(plain)
    given = _given(plain)
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(plain)
    made.__dataclass_params__ = _PARAMS
    every = dataclasses.fields(made)
    compared = _values([one.name for one in every if one.compare])
    methods = _methods(made, compared, _values([one.name for one in every]))
    if shown:
        methods["__repr__"] = _representation([one.name for one in every if one.repr])
    for name, method in methods.items():
        if name not in given:
            setattr(made, name, method)
    return made


def _given(plain: type) -> set[str]:
    """What the class says for itself; a `__hash__` of None is only what Python puts beside an `__eq__`."""
    return {name for name, value in vars(plain).items() if name != "__hash__" or value is not None}


@dataclasses.dataclass(frozen=True, slots=True)
class _Pattern:
    """What the parameters of a frozen class are read from."""


_UNSET = object()
_PARAMS = _Pattern.__dataclass_params__  # type: ignore[attr-defined]


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The values of these fields, as a tuple whatever their number."""
    if len(names) > 1:
        return attrgetter(*names)
    one = attrgetter(*names) if names else None
    return lambda self: () if one is None else (one(self),)


def _methods(made: type, compared: Callable[[Any], Any], every: Callable[[Any], Any]) -> dict[str, Any]:
    def same(self: Any, other: object) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(compared(self))

    def not_set(self: Any, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def not_deleted(self: Any, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def restored(self: Any, state: list[Any]) -> None:
        for field, value in zip(dataclasses.fields(self), state, strict=True):
            object.__setattr__(self, field.name, value)

    return {
        "__eq__": same, "__hash__": hashed, "__setattr__": not_set, "__delattr__": not_deleted,
        "__getstate__": lambda self: list(every(self)), "__setstate__": restored, "__init__": _FirstInit(made),
    }  # fmt: skip


def _representation(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def representation(self: Any) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({told})"

    return representation


class _FirstInit:
    """Stands where `__init__` will be; writes it and makes room for it when it is first wanted."""

    __slots__ = ("_made",)

    def __init__(self, made: type) -> None:
        self._made = made

    def __get__(self, one: Any, kind: type | None = None) -> Any:
        written = _written_init(self._made)
        self._made.__init__ = written  # type: ignore[misc]
        return written if one is None else written.__get__(one, kind)


def _written_init(made: Any) -> Any:
    """`__init__` as the library writes it."""
    wanted = dataclasses.fields(made)
    known: dict[str, Any] = {"_set": object.__setattr__, "_unset": _UNSET}
    heads = dict[bool, list[str]]({False: [], True: []})  # by place, by name only
    lines = list[str]()
    for one in wanted:
        known[f"_of_{one.name}"] = one.default if one.default_factory is MISSING else one.default_factory
        if one.init:
            heads[bool(one.kw_only)].append(_parameter(one))
        if (value := _value(one)) is not None:
            lines.append(f" _set(self, {one.name!r}, {value})")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    named = ["*", *heads[True]] if heads[True] else []
    head = ", ".join(("self", *heads[False], *named))
    exec(f"def __init__({head}):\n" + ("\n".join(lines) or " pass"), known)
    written = known["__init__"]
    written.__qualname__ = f"{made.__qualname__}.__init__"
    written.__annotations__ = {one.name: one.type for one in wanted if one.init} | {"return": None}
    return written


def _parameter(one: Any) -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=_unset"
    return one.name if one.default is MISSING else f"{one.name}=_of_{one.name}"


def _value(one: Any) -> str | None:
    """What a field is set to; None where only `__post_init__` sets it."""
    if one.default_factory is not MISSING:
        made = f"_of_{one.name}()"
        return f"{made} if {one.name} is _unset else {one.name}" if one.init else made
    if one.init:
        return str(one.name)
    return None if one.default is MISSING else f"_of_{one.name}"
