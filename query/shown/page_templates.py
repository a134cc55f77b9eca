"""The only door to Jinja: pages from the templates that lie beside a module. Loads it when first asked; knows no page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from jinja2 import Environment
else:
    Environment: TypeAlias = object

__all__ = ["Environment", "Filters", "in_marks", "page_environment"]

Filters: TypeAlias = Mapping[str, Callable[..., Any]]


def page_environment(package: str, filters: Filters, *, escape: bool) -> Environment:
    """The templates of a package, with filters of its own; ``escape`` for HTML."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader(package, "templates"), autoescape=escape, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {"in_marks": in_marks, **filters}
    return made


_SPEECH = re.compile(r"[“\"]([^“”\"]*)(?:[”\"]|$)")


def in_marks(words: str) -> str:
    """Words of the page between quotation marks: what is all speech keeps its own, speech among other words gets single ones.

    >>> in_marks("“I am Mr. Brown,” he told Ada")
    '“‘I am Mr. Brown,’ he told Ada”'
    """
    alone = _SPEECH.fullmatch(words.strip())
    inside = alone[1] if alone else _SPEECH.sub(r"‘\1’", words)
    return f"“{inside}”"
