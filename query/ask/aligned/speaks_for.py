"""What speaks for a part of a sentence as the answer to a question, as numbers by name. What each is worth was learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TypeAlias

from narraworld.query.ask.aligned.alignment import Aligned, Met
from narraworld.query.ask.aligned.asked import AskedPart, QuestionPattern, sort_of
from narraworld.query.ask.aligned.candidates import AnswerPart
from narraworld.query.ask.aligned.fitting import is_shaped, is_timely
from narraworld.query.ask.aligned.grammar import ParsedWord, ParseTree
from narraworld.query.ask.from_sentences.tellings import is_question, stems_in

__all__ = ["CLAUSAL", "Beside", "Features", "features", "sentence_features"]

Features: TypeAlias = dict[str, float]
AskedShare: TypeAlias = tuple[
    float, AskedPart, Met
]  # what a part of the question weighs, the part, and where it stands

# How features are scaled. The weights were learned with these numbers: they are no settings, and change only with a new training.
FAR, FARTHER = 6, 12  # steps of grammar, and words, beyond which all is equally far
SURE, WELL, HARDLY = 0.95, 0.7, 0.3  # how surely a word of the question stands somewhere
HEAVY, HEAVIEST, LONGEST, SCALE = 12.0, 16.0, 40, 4
SUBJECTS, OBJECTS = frozenset({"nsubj"}), frozenset({"obj", "iobj", "ccomp", "xcomp"})
HANGS = {
    "subject": SUBJECTS,
    "object": OBJECTS,
    "oblique": frozenset({"obl", "nmod", "obj"}),
    "adverb": frozenset({"obl", "advmod", "advcl", "xcomp"}),
    "copula": frozenset({"nsubj", "ROOT", "appos"}),
}
CLAUSAL = frozenset({"VERB", "AUX"})


@dataclass(frozen=True)
class Beside:
    """A question beside a sentence, with what follows from it for every part of the sentence."""

    pattern: QuestionPattern
    aligned: Aligned
    weights: Sequence[float]

    @property
    def tree(self) -> ParseTree:
        return self.aligned.tree

    @cached_property
    def shares(self) -> list[AskedShare]:
        return list(zip(self.weights, self.pattern.parts, self.aligned.met, strict=True))

    @cached_property
    def total(self) -> float:
        return sum(self.weights) or 1.0

    @cached_property
    def verb(self) -> Met:
        """Where the predicate of the question stands."""
        return next((met for _, part, met in self.shares if part.role == "verb"), Met(0.0))

    @property
    def group(self) -> str:
        kind = self.pattern.kind
        return f"{kind}/{self.pattern.role}" if kind in sort_of("by_role") else kind

    @cached_property
    def own_roles(self) -> Features:
        """Whether subject and object of the question are those of the verb in the sentence."""
        if self.verb.place < 0:
            return {"no verb": 1.0}
        found: Features = {}
        for role, deps in (("subject", SUBJECTS), ("object", OBJECTS)):
            parts = [met for _, part, met in self.shares if part.role == role]
            if parts:
                own = {
                    one for nth in self.tree.having(self.verb.place, *deps) for one in self.tree.under(nth)
                }
                fit = max((met.sure for met in parts if met.place in own), default=0.0)
                found |= {f"its {role}": fit, f"not its {role}": float(fit == 0.0)}
        return found


def sentence_features(beside: Beside, rank: int, close: float, quoted: bool) -> Features:
    """How well a whole sentence fits a question, whatever part of it may answer."""
    shares, total, words = beside.shares, beside.total, beside.tree.words
    here = [(weight, part, _here(met)) for weight, part, met in shares]
    common = [(weight, sure) for weight, part, sure in here if not part.named]
    named = [met.sure for _, part, met in shares if part.named]
    return {
        "cover": sum(weight * met.sure for weight, _, met in shares) / total,
        "exact": sum(weight for weight, _, met in shares if met.sure >= SURE) / total,
        "here": sum(weight * sure for weight, _, sure in here) / total,
        "missing": min(sum(weight for weight, _, met in shares if met.sure < HARDLY), HEAVY) / SCALE,
        "weight": min(sum(weight * sure for weight, _, sure in here), HEAVIEST) / SCALE,
        "common": sum(weight * sure for weight, sure in common)
        / (sum(weight for weight, _ in common) or 1.0),
        "all": float(all(sure >= WELL for _, _, sure in here)),
        "named": sum(named) / len(named) if named else 1 / 2,
        "verb": _here(beside.verb),
        "rank": 1 / (1 + rank),
        "score": close,
        "quoted": float(quoted),
        "length": min(len(words), LONGEST) / LONGEST,
        "asks": float(is_question(beside.tree.text)),
    }


def features(beside: Beside, one: AnswerPart, about: Features, person: bool, asked_about: bool) -> Features:
    """What speaks for one part of a sentence, with what speaks for the sentence (``about``)."""
    found = {f"s {name}": value for name, value in about.items()}
    found |= _kind(beside, one, person, asked_about)
    found |= _words(beside, one)
    found |= _near(beside, one)
    found |= _preposition(beside.pattern, beside.tree, one)
    return found | _role(beside, one)


def _here(met: Met) -> float:
    return met.sure if met.place >= 0 else 0.0


def _kind(beside: Beside, one: AnswerPart, person: bool, asked_about: bool) -> Features:
    """What sort of part it is, for what sort of question."""
    kind, group, tree = beside.pattern.kind, beside.group, beside.tree
    head = tree.words[one.head]
    numbers = any(word.pos == "NUM" for word in tree.words[one.first : one.last + 1])
    found: Features = {
        "bias": 1.0,
        f"shape {group} {one.shape}": 1.0,
        f"dep {group} {head.dep}": 1.0,
        f"pos {kind} {head.tag}": 1.0,
        f"kind {kind} {head.kind or head.pos}": 1.0,
        f"entity {kind}": float(person),
        f"asked about {kind}": float(asked_about),
        f"digit {kind}": float(numbers or head.pos == "NUM"),
        f"time {kind}": float(is_timely(tree, one)),
    }
    if (shaped := is_shaped(beside.pattern, tree, one)) is not None:
        found |= {
            f"shaped {kind}": float(shaped),
            "other shape": float(not shaped),
            f"shaped {one.shape}": float(shaped),
        }
    return found


def _words(beside: Beside, one: AnswerPart) -> Features:
    """What its own words are: new ones, or those of the question."""
    tree, long = beside.tree, 1 + one.last - one.first
    stems = stems_in(tree.words_of(range(one.first, one.last + 1)))
    fresh = len(stems - stems_in(beside.pattern.tree.text))
    inside = [(weight, met.sure) for weight, _, met in beside.shares if one.first <= met.place <= one.last]
    return {
        "inside": sum(weight * sure for weight, sure in inside) / beside.total,
        "said": len(inside) / long,
        "all said": float(fresh == 0),
        "partly said": 1 - fresh / (len(stems) or 1),
        f"long {beside.pattern.kind}": log(1 + long),
        "one word": float(long == 1),
        "owner": float(one.shape == "phrase" and bool(tree.having(one.head, "nmod"))),
    }


def _near(beside: Beside, one: AnswerPart) -> Features:
    """How near, by grammar and by words, the words of the question stand around it."""
    tree = beside.tree
    around = [
        (weight, met)
        for weight, _, met in beside.shares
        if met.place >= 0 and not one.first <= met.place <= one.last
    ]
    reach = [min(tree.apart(one.head, met.place), FAR) for _, met in around]
    line = [min(abs(one.head - met.place), FARTHER) for _, met in around]
    clause = _clause(tree, one.head)
    within = sum(weight * met.sure for weight, met in around if met.place in clause) / beside.total
    return {
        "outside": sum(weight * met.sure for weight, met in around) / beside.total,
        "in clause": within,
        f"in clause {beside.pattern.kind}": within,
        "reach": (sum(reach) / len(reach) if reach else FAR) / FAR,
        "nearest": (min(reach) if reach else FAR) / FAR,
        "line": (sum(line) / len(line) if line else FARTHER) / FARTHER,
    }


def _clause(tree: ParseTree, head: int) -> set[int]:
    """The words of the clause a word stands in."""
    above = (nth for nth in tree.above(head) if nth != head and tree.words[nth].pos in CLAUSAL)
    verb = next(above, None)
    return set(range(len(tree.words)) if verb is None else tree.under(verb))


def _preposition(pattern: QuestionPattern, tree: ParseTree, one: AnswerPart) -> Features:
    kind, head, found = pattern.kind, tree.words[one.head], dict[str, float]()
    if one.mark:
        found |= {f"mark {kind} {one.mark}": 1.0, "by": float(bool(pattern.by) and one.mark == pattern.by)}
    if pattern.by and one.mark != pattern.by:
        found["other by"] = 1.0
    if kind in ("where", "when"):
        found[f"marked {kind} {one.mark} {head.kind or head.pos}"] = 1.0
    inside = tree.words[one.first : one.last + 1]
    found["noun"] = float(bool(pattern.noun) and head.lemma.lower() == pattern.noun)
    if pattern.noun:
        found["noun near"] = float(any(word.lemma.lower() == pattern.noun for word in inside))
    return found


def _role(beside: Beside, one: AnswerPart) -> Features:
    """Whether it hangs on the verb of the question, as what is asked for does."""
    head, verb = beside.tree.words[one.head], beside.verb
    at_verb = verb.place >= 0 and head.head == verb.place
    same = float(at_verb and _fits(beside.pattern, head, one)) * verb.sure
    roles = beside.own_roles
    found = {
        "at verb": float(at_verb) * verb.sure,
        "same role": same,
        f"same role {beside.group}": same,
    } | roles
    if same:
        found["all roles"] = min(roles.get("its subject", 1.0), roles.get("its object", 1.0)) * verb.sure
    return found


def _fits(pattern: QuestionPattern, head: ParsedWord, one: AnswerPart) -> bool:
    """Whether a part hangs on its verb as what is asked for hangs on the verb of the question."""
    other = pattern.role == "oblique" and bool(one.mark) and one.mark != pattern.by
    return not other and head.dep.partition(":")[0] in HANGS[pattern.role]
