"""Values that are slow to make from files, kept beside Python's own compiled modules.

What is kept is plain JSON: a table of frozen values, each row built from rows before it; or bytes that a library reads
quicker than anything else. It is good for exactly the inputs it was made from, code included, and for nothing if a single byte of it is damaged; then, or where nothing may be
written, the value is simply made again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from hashlib import sha256
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from narraworld.base.atomic_files import write_whole

__all__ = ["compiled", "compiled_bytes", "digest", "from_rows", "to_rows"]

T = TypeVar("T")

CONTAINERS: dict[str, tuple[type, Callable[[list[Any]], Any]]] = {
    "(": (tuple, tuple),
    "<": (frozenset, frozenset),
    "{": (dict, lambda items: dict(zip(items[::2], items[1::2], strict=True))),
    "#": (MappingProxyType, lambda items: MappingProxyType(dict(zip(items[::2], items[1::2], strict=True)))),
}


def compiled(name: str, key: str, make: Callable[[], T], classes: Iterable[type]) -> T:
    """What ``make`` gives, from the file ``name`` if that was made under the same ``key``."""
    path = Path(cache_from_source(__file__)).with_name(f"{name}.json")
    known = {one.__name__: one for one in classes}
    with suppress(OSError, ValueError, KeyError, IndexError, TypeError):
        head, _, body = path.read_text(encoding="utf-8").partition("\n")
        if head == _head(key, body):
            return from_rows(json.loads(body), known)  # type: ignore[no-any-return]
    value = make()
    body = json.dumps(to_rows(value, known))
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{_head(key, body)}\n{body}")
    return value


def compiled_bytes(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """The same for bytes in a form that only their maker reads."""
    path = Path(cache_from_source(__file__)).with_name(name)
    with suppress(OSError):
        head, _, body = path.read_bytes().partition(b"\n")
        if head.decode("ascii", "replace") == _head(key, body):
            return body
    body = make()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{_head(key, body)}\n".encode() + body)
    return body


def digest(texts: Iterable[str], code: Iterable[Path]) -> str:
    """A key for what these texts give, read by these modules."""
    said = sha256(sys.version.encode())
    for content in (*(text.encode("utf-8", "surrogatepass") for text in texts), *map(Path.read_bytes, code)):
        said.update(sha256(content).digest())
    return said.hexdigest()


def _head(key: str, body: str | bytes) -> str:
    content = body.encode() if isinstance(body, str) else body
    return f"{key} {sha256(content).hexdigest()}"


# -- values as rows


def to_rows(value: Any, known: Mapping[str, type]) -> list[Any]:
    """The value and all it is made of, each once; a row names its class and the rows it is built from."""
    rows, places = list[Any](), dict[Any, int]()

    def place(one: Any) -> int:
        row = one if one is None or isinstance(one, (str, int, bool, float)) else _row(one, known, place)
        key = (type(one), tuple(row) if isinstance(row, list) else row)
        if key not in places:
            places[key] = len(rows)
            rows.append(row)
        return places[key]

    place(value)
    return rows


def _row(one: Any, known: Mapping[str, type], place: Callable[[Any], int]) -> list[Any]:
    if is_dataclass(one) and known.get(type(one).__name__) is type(one):
        return [type(one).__name__, *(place(getattr(one, name)) for name in _names(type(one)))]
    mark = next((mark for mark, (kind, _) in CONTAINERS.items() if type(one) is kind), None)
    if mark is None:
        raise TypeError(f"{type(one).__name__} cannot be kept")
    return [mark, *map(place, _parts(one))]


def _parts(one: Any) -> Iterable[Any]:
    """What lies in a container, in an order that does not depend on the day."""
    if isinstance(one, frozenset):
        return sorted(one)
    return chain.from_iterable(one.items()) if isinstance(one, Mapping) else one


def from_rows(rows: list[Any], known: Mapping[str, type]) -> Any:
    """The value that `to_rows` took apart."""
    made = list[Any]()
    names = {name: _names(kind) for name, kind in known.items()}
    for row in rows:
        if not isinstance(row, list):
            made.append(row)
            continue
        mark, *places = row
        parts = [made[place] for place in places]
        if mark in CONTAINERS:
            made.append(CONTAINERS[mark][1](parts))
        else:
            made.append(known[mark](**dict(zip(names[mark], parts, strict=True))))
    return made[-1]


def _names(kind: type) -> list[str]:
    """The fields that make the value what it is; the others are notes it keeps for itself."""
    return [one.name for one in fields(kind) if one.init and one.compare]
