"""The root of everything we raise, and what can go wrong with the vocabulary.

* NarraWorldError        says what, where, why and what to do
  - OntologyError        a class, property or code the ontology does not define

Refusals (the text or a model gave something we will not commit) are data, not errors: see `validate.Refusal`.
"""

from __future__ import annotations

__all__ = ["NarraWorldError", "OntologyError"]


class NarraWorldError(Exception):
    """Base of all our errors; `str()` is one readable message, the parts stay available."""

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(what)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f"\n  {self.fix}" if self.fix else ""
        return f"{place}{self.what}{advice}"


class OntologyError(NarraWorldError):
    """A class, property or code list member that the ontology does not define."""
