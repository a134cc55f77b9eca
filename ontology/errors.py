"""What can go wrong with the vocabulary: a branch of the one error tree."""

from __future__ import annotations

from narraworld.base.errors import NarraWorldError

__all__ = ["OntologyError"]


class OntologyError(NarraWorldError):
    """A class, property or code list member that the ontology does not define."""
