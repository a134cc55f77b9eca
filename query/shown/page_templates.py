"""The only door to Jinja: pages from the templates that lie beside a module. Loads it when first asked; knows no page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.base.quotation_marks import in_marks

if TYPE_CHECKING:
    from jinja2 import Environment
else:
    Environment: TypeAlias = object

__all__ = ["Environment", "Filters", "page_environment"]

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
