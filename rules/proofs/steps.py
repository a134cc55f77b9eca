"""A proof as nested steps: what a page can draw and link. The sentences of `prose`, without its layout. No engine, no model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from narraworld.rules.proofs.proof import Absent, Proof, ProofNames, premises
from narraworld.rules.proofs.prose import USUAL, Style, worth_telling
from narraworld.rules.proofs.words import ProofWords, Quote, QuoteOf

__all__ = ["ToldStep", "proof_steps"]


@dataclass(frozen=True, slots=True)
class ToldStep:
    """One step: its sentence, the rule's place, the words it rests on, and what it follows from."""

    sentence: str
    rule: str
    quotes: tuple[Quote, ...]
    below: tuple[ToldStep, ...]
    negative: bool = False
    again: bool = False


def proof_steps(proof: Proof, names: ProofNames, quote_of: QuoteOf, style: Style = USUAL) -> ToldStep:
    """The proof as steps; what stands twice is told once."""
    return _step(proof, ProofWords(names, cache(quote_of)), style.depth)


def _step(node: Proof, words: ProofWords, depth: int) -> ToldStep:
    sentence, below = words.line(words.sentence(node)), worth_telling(premises(node))
    if id(node) in words.told:
        return ToldStep(sentence, "", (), (), isinstance(node, Absent), again=bool(below))
    words.told.add(id(node))
    quotes = tuple(words.quotes((node, *below)))
    deeper = [premise for premise in below if not words.quotes([premise])] if depth else []
    steps = tuple(_step(premise, words, depth - 1) for premise in deeper)
    return ToldStep(sentence, _place(node), quotes, steps, isinstance(node, Absent))


def _place(node: Proof) -> str:
    place = getattr(getattr(node, "rule", None), "place", None)
    return f"{place.file}:{place.line}" if place is not None else ""
