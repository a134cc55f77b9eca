"""The small numbers by which items refer to one another: which there are, and how to move them.

Read off the `Refers` marks of the answer classes, so that a new field needs no code here. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from pydantic import BaseModel

from narraworld.extract.model.schema import AnswerItem, Refers

__all__ = ["Items", "Reference", "items_of", "joined", "merged", "references", "referred"]

# All items of a reading so far, by kind, in the order they were given.
Items: TypeAlias = Mapping[str, tuple[AnswerItem, ...]]
Model = TypeVar("Model", bound=BaseModel)


class Reference(NamedTuple):
    """``field`` of an item names item ``number`` of ``to.kind``."""

    field: str
    to: Refers
    number: int


def items_of(answer: BaseModel) -> Items:
    """The items of an answer by kind."""
    lists = [getattr(answer, name) for name in type(answer).model_fields]
    return {some[0].kind: tuple(some) for some in lists if some}


def merged(items: Items, more: Items) -> Items:
    """Both, those of ``more`` behind those of ``items``."""
    kinds = [*items, *(kind for kind in more if kind not in items)]
    return {kind: (*items.get(kind, ()), *more.get(kind, ())) for kind in kinds}


def references(item: BaseModel) -> Iterator[Reference]:
    """Every number in an item that stands for another one."""
    marks = _marks(type(item))
    for field in type(item).model_fields:
        for value in _several(getattr(item, field)):
            if isinstance(value, BaseModel):
                yield from references(value)
            elif field in marks and value is not None:
                yield Reference(field, marks[field], value)


def referred(item: type[BaseModel]) -> set[str]:
    """The kinds that items of a class refer to, what stands inside them included."""
    inner = [one for field in item.model_fields.values() for one in get_args(field.annotation)]
    within = [referred(one) for one in inner if isinstance(one, type) and issubclass(one, BaseModel)]
    return {mark.kind for mark in _marks(item).values()}.union(*within)


def joined(items: Items, more: Items, base: Mapping[str, int]) -> Items:
    """The answers to two halves of one question as one.

    Numbers up to ``base`` were in the prompt and stay; those above were given by each answer for itself, so the second
    one's are moved behind the first one's.
    """
    offsets = {kind: _highest(items.get(kind, ()), low) - low for kind, low in base.items()}

    def moved(kind: str, number: int) -> int:
        return number + offsets[kind] if kind in base and number > base[kind] else number

    return merged(
        items, {kind: tuple(_renumbered(one, moved) for one in some) for kind, some in more.items()}
    )


def _highest(items: Sequence[AnswerItem], least: int) -> int:
    return max([least, *(getattr(item, "number", least) for item in items)])


def _renumbered(model: Model, moved: Callable[[str, int], int]) -> Model:
    marks, changes = _marks(type(model)), dict[str, Any]()
    for field in type(model).model_fields:
        value = getattr(model, field)
        if field in marks:
            changes[field] = _each(value, partial(moved, marks[field].kind))
        elif isinstance(value, list):
            changes[field] = [_renumbered(one, moved) for one in value]
    if isinstance(model, AnswerItem) and "number" in type(model).model_fields:
        changes["number"] = moved(model.kind, getattr(model, "number"))  # noqa: B009
    return model.model_copy(update=changes)


def _each(value: Any, change: Callable[[int], int]) -> Any:
    if value is None:
        return None
    return [change(one) for one in value] if isinstance(value, list) else change(value)


def _several(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else (value,)


@cache
def _marks(model: type[BaseModel]) -> dict[str, Refers]:
    """The fields of a class that hold references, and to what."""
    hints = get_type_hints(model, include_extras=True)
    return {name: mark for name in model.model_fields if (mark := _mark(hints[name])) is not None}


def _mark(hint: Any) -> Refers | None:
    """The mark inside an annotation such as `list[Annotated[int, Refers("entity")]] | None`."""
    if isinstance(hint, Refers):
        return hint
    return next((mark for part in get_args(hint) if (mark := _mark(part)) is not None), None)
