"""What verbs mean, read from `verb_frames.toml`: which frame fits a clause, and the lemma of a form. Holds no verb itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.lexicon.function_words import wordrow
from narraworld.extract.embedded.lexicon.inflection import forms_of, third_of, verb_of
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["VerbFrame", "VerbFrames", "frame_table"]

ROLES = (
    "agent",
    "patient",
    "recipient",
    "origin",
    "destination",
    "place",
    "addressee",
    "instrument",
    "companion",
)


@dataclass(frozen=True, slots=True)
class VerbFrame:
    """One meaning of some verbs; see the head of `verb_frames.toml`."""

    name: str
    verbs: tuple[str, ...]
    subject: str = "agent"
    object: str = "patient"
    second: str = "recipient"
    needs: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    presence: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    type: str = "event"
    manner: str = "asserts"
    attitude: str | None = None
    development: str | None = None
    deciding: bool = False
    stative: bool = False
    ended: bool = False
    lasting: bool = False
    factive: bool = False
    quoting: bool = False
    markers: Mapping[str, str] = field(default_factory=dict)  # preposition → role


@dataclass(frozen=True, slots=True)
class VerbFrames:
    """The whole of `verb_frames.toml`, looked up by what a clause has."""

    frames: Mapping[str, tuple[VerbFrame, ...]]
    lemmas: Mapping[str, str]
    adjectives: Mapping[str, str]
    movements: Mapping[str, str]
    conditions: Mapping[str, str]
    adverbs: Mapping[str, str]
    nouns: Mapping[str, frozenset[str]]
    happening: frozenset[str]
    dreaming: frozenset[str]
    ignorance: Mapping[str, str]
    pledged: Mapping[str, str]  # by verb and realis: what becomes of a word that was given
    certainty: Mapping[str, str]
    watching: frozenset[str]
    going: frozenset[str]
    avoiding: frozenset[str]
    moved: frozenset[str]
    causing: frozenset[str]
    describing: frozenset[str]
    vouching: frozenset[str]
    seeming: frozenset[str]
    intransitive: frozenset[str]
    weather: frozenset[str]
    perfect_with_be: frozenset[str]
    prepositions: frozenset[str]
    postures: frozenset[str]
    done: frozenset[str]  # past forms of verbs that move or give things
    alone: frozenset[str]  # verbs that often stand without an object
    third: Mapping[str, str]  # `breaks`, `goes`: the verbs they are forms of

    def of(self, verb: str, particle: str | None) -> tuple[VerbFrame, ...]:
        """Frames of the verb with its particle first, then of the verb alone."""
        joined = self.frames.get(f"{verb} {particle}", ()) if particle else ()
        return (*joined, *self.frames.get(verb, ()))

    def perceives(self, verb: str) -> bool:
        return any(frame.type == "perceive" for frame in self.frames.get(verb, ()))

    def speaks(self, form: str) -> bool:
        """Whether this is a form of a verb of saying."""
        verb = self.lemmas.get(form.lower())
        return verb is not None and any(frame.type == "speech" for frame in self.of(verb, None))

    def lemma(self, form: str, otherwise: str) -> str:
        """The verb a form belongs to: one of the table, else by its spelling."""
        return self.lemmas.get(form.lower()) or verb_of(form.lower(), otherwise)


def frame_table() -> VerbFrames:
    """The verbs of the language that is read."""
    return of_spoken(_verb_frames)


def _verb_frames(language: Language) -> VerbFrames:
    said = language.table("verb_frames")
    frames = [_frame(row) for row in said["frame"]]
    by_verb = _by_verb(frames)
    simple = _simple(by_verb, said)
    lemmas = _lemmas(simple, said["copula"])
    return VerbFrames(
        frames=by_verb,
        lemmas=lemmas,
        **_meanings(said),
        nouns={group: frozenset(words) for group, words in said["nouns"].items()},
        third={third_of(verb): verb for verb in simple},
        done=_past_of({verb for frame in frames if _moves_things(frame) for verb in frame.verbs}, lemmas),
    )


def _by_verb(frames: Sequence[VerbFrame]) -> dict[str, tuple[VerbFrame, ...]]:
    verbs = dict.fromkeys(verb for frame in frames for verb in frame.verbs)
    return {verb: tuple(frame for frame in frames if verb in frame.verbs) for verb in verbs}


def _lemmas(simple: Iterable[str], copula: str) -> dict[str, str]:
    """Every form of every verb; the forms of `be` make nobody of the word before them: `wolves are dangerous`."""
    forms = {form: verb for verb in simple if verb != copula for form in forms_of(verb)}
    return forms | {verb: verb for verb in simple}


def _meanings(said: Mapping[str, Any]) -> dict[str, Any]:
    """The lists of words that are no frames: with a meaning each, or in groups."""
    groups = {name: frozenset(words) for name, words in said["happening"].items() if name != "verbs"}
    groups |= {
        name: frozenset(said[name]["verbs"]) for name in ("happening", "dreaming", "watching", "alone")
    }
    meant = ("adjectives", "movements", "conditions", "adverbs", "ignorance", "pledged", "certainty")
    return groups | {name: _flat(said[name]) for name in meant}


def _simple(verbs: Iterable[str], said: Mapping[str, Any]) -> dict[str, None]:
    """Every verb of the table by itself, in its order."""
    listed = [word for name in ("known", "happening", "dreaming", "alone") for word in said[name]["verbs"]]
    return dict.fromkeys([*(verb.split()[0] for verb in verbs), *_flat(said["conditions"]), *listed])


def _moves_things(frame: VerbFrame) -> bool:
    return any(change.startswith(("patient.location.", "patient.possession.")) for change in frame.changes)


def _past_of(verbs: set[str], lemmas: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        form
        for form, verb in lemmas.items()
        if verb in verbs and form != verb and not form.endswith(wordrow("endings.present"))
    )


def _frame(row: Mapping[str, Any]) -> VerbFrame:
    markers = {word: role for role in ROLES if role in row for word in row[role].split()}
    rest: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in row.items()
        if key not in ROLES
    }
    return VerbFrame(**rest, markers=markers)


def _flat(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: meaning for meaning, words in table.items() for word in words}
