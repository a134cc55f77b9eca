"""The root of everything we raise: it says what, where, why and what to do. Each room has its branch of the tree.

Refusals (the text or a model gave something we will not commit) are data, not errors: see `ontology.validate.Refusal`.
"""

from __future__ import annotations

__all__ = ["NarraWorldError"]


class NarraWorldError(Exception):
    """Base of all our errors; `str()` is one readable message, the parts stay available."""

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(what)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f"\n  {self.fix}" if self.fix else ""
        return f"{place}{self.what}{advice}"
