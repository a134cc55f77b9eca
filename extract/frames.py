"""What verbs mean, read from `frames.toml`: which frame fits a clause, and the lemma of a form. Holds no verb itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["Frame", "Table", "frame_table"]

TABLE = Path(__file__).with_name("frames.toml")
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
VOWELS = "aeiou"
NO_PAST = frozenset({"has"})  # an irregular form of the present
_ENDLESS = re.compile(r"([cflnprx]t|[lnr]d|[lnrs]k|ck|sh|mp|[rw]n|ss|ll|ff|wl)e$")  # no verb: `escorte`
_SYLLABLES = re.compile(r"[aeiouy]+[^aeiouy]+[aeiou]+[^aeiouy]")
ENDING_DOUBLE = frozenset({"add", "ebb", "egg", "err", "purr", "putt", "unroll"})
# stems that have lost an `e` before `-ed` and `-ing`: one short syllable (`glid`), and the endings that always have (`danc`, `settl`)
_LOST_E = re.compile(
    r"(?:[^aeiou]|[gq]u)*[aeiou][bcdfgklmnprstvz]"
    r"|.*(?:[cvu]|[^z]z|dg|[lr]g|[lnpr]s|[aeiou]s|[bcdfgkptz]l)"
    r"|.*(?:[^aeiou]|[gqs]u)(?:[au]t|[aiou]d|[aiu]r|[iou]l|[aiou]k|[aiu]g|in|um|ap|ib|ob|ot)"
)
_EITHER_WAY = re.compile(r".*(?:[ei]t|[eo]r|al|om|ng|th|ast|op|ed)")  # `invit`, `visit`: here a guess decides
_DOUBLED = re.compile(r"([bdgmnprt])\1$|([aeiou][^aeiou]+[eiou]l)l$")  # `nodd`, `travell`, not `call`
HISSING = ("sses", "shes", "ches", "xes", "zzes")  # `presses`
STEMS = frozenset({"murmur", "focus", "combat"})


@dataclass(frozen=True, slots=True)
class Frame:
    """One meaning of some verbs; see the head of `frames.toml`."""

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
    factive: bool = False
    quoting: bool = False
    markers: Mapping[str, str] = field(default_factory=dict)  # preposition → role


@dataclass(frozen=True, slots=True)
class Table:
    """The whole of `frames.toml`, looked up by what a clause has."""

    frames: Mapping[str, tuple[Frame, ...]]
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
    irregular: Mapping[str, list[str]]

    def of(self, verb: str, particle: str | None) -> tuple[Frame, ...]:
        """Frames of the verb with its particle first, then of the verb alone."""
        joined = self.frames.get(f"{verb} {particle}", ()) if particle else ()
        return (*joined, *self.frames.get(verb, ()))

    def perceives(self, verb: str) -> bool:
        return any(frame.type == "perceive" for frame in self.frames.get(verb, ()))

    def speaks(self, form: str) -> bool:
        """Whether this is a form of a verb of saying."""
        verb = self.lemmas.get(form.lower())
        return verb is not None and any(frame.type == "speech" for frame in self.of(verb, None))

    def past(self, verb: str) -> str:
        """The verb as a story tells it: `broke`, `stopped`."""
        told = [form for form in _forms(verb, self.irregular)[3:] if form not in NO_PAST]
        whole = verb not in self.irregular and _SYLLABLES.search(verb)  # `entered`, but `dropped`
        return told[-1] if whole else told[0]

    def lemma(self, form: str, otherwise: str) -> str:
        """The verb a form belongs to, as far as the table knows the verb."""
        return self.lemmas.get(form.lower()) or _undone(form.lower(), otherwise)


@lru_cache(maxsize=1)
def frame_table() -> Table:
    said = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    frames = [_frame(row) for row in said["frame"]]
    verbs = dict.fromkeys(verb for frame in frames for verb in frame.verbs)
    irregular = said["irregular"]
    simple = dict.fromkeys(
        [
            *(verb.split()[0] for verb in verbs),
            *_flat(said["conditions"]),
            *irregular,
            *said["happening"]["verbs"],
            *said["dreaming"]["verbs"],
            *said["alone"]["verbs"],
        ]
    )
    lemmas = {form: verb for verb in simple for form in _forms(verb, irregular)} | {
        verb: verb for verb in simple
    }
    return Table(
        {verb: tuple(frame for frame in frames if verb in frame.verbs) for verb in verbs},
        lemmas,
        _flat(said["adjectives"]),
        _flat(said["movements"]),
        _flat(said["conditions"]),
        _flat(said["adverbs"]),
        {group: frozenset(words) for group, words in said["nouns"].items()},
        frozenset(said["happening"]["verbs"]),
        frozenset(said["dreaming"]["verbs"]),
        _flat(said["ignorance"]),
        _flat(said["pledged"]),
        _flat(said["certainty"]),
        frozenset(said["watching"]["verbs"]),
        **{name: frozenset(words) for name, words in said["happening"].items() if name != "verbs"},
        alone=frozenset(said["alone"]["verbs"]),
        third={_forms(verb, irregular)[0]: verb for verb in simple},
        irregular=irregular,
        done=_past_of({verb for frame in frames if _moves_things(frame) for verb in frame.verbs}, lemmas),
    )


def _moves_things(frame: Frame) -> bool:
    return any(change.startswith(("patient.location.", "patient.possession.")) for change in frame.changes)


def _past_of(verbs: set[str], lemmas: Mapping[str, str]) -> frozenset[str]:
    return frozenset(
        form
        for form, verb in lemmas.items()
        if verb in verbs and form != verb and not form.endswith(("s", "ing"))
    )


def _frame(row: Mapping[str, Any]) -> Frame:
    markers = {word: role for role in ROLES if role in row for word in row[role].split()}
    rest: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in row.items()
        if key not in ROLES
    }
    return Frame(**rest, markers=markers)


def _flat(table: Mapping[str, list[str]]) -> dict[str, str]:
    return {word: meaning for meaning, words in table.items() for word in words}


def _forms(verb: str, irregular: Mapping[str, list[str]]) -> list[str]:
    """The forms of a verb; for irregular ones the table's, besides the regular -s and -ing."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    doubled = verb + verb[-1] if _doubles(verb) else stem
    third = (
        f"{verb[:-1]}ies"
        if _consonant_y(verb)
        else verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")
    )
    past = f"{verb[:-1]}ied" if _consonant_y(verb) else f"{doubled}ed"
    told = irregular.get(verb) or [past, f"{stem}ed"]
    return [third, f"{doubled}ing", f"{stem}ing", *told]


def _undone(form: str, guess: str) -> str:
    """The verb of a regular form, by its spelling: `glide` for `glided`, `nod` for `nodded`; a guess decides where that cannot."""
    if form.endswith(HISSING) and guess in {form, form[:-1]}:
        return form[:-2]
    if guess == form and form.endswith("s") and not form.endswith("ss"):  # `slaps`
        return form[:-1]
    stem = re.sub("(?:ed|ing)$", "", form)
    if stem == form or form.endswith("eed") or not re.search("[aeiouy]", stem):
        return guess
    if stem.endswith("i"):
        return f"{stem[:-1]}y" if len(stem) > 2 else f"{stem}e"  # `tried`, `tied`
    if stem not in STEMS and (
        _LOST_E.fullmatch(stem) or (_EITHER_WAY.fullmatch(stem) and guess == f"{stem}e")
    ):
        return f"{stem}e"
    return stem if stem in ENDING_DOUBLE else _DOUBLED.sub(r"\1\2", stem)


def _consonant_y(verb: str) -> bool:
    return verb.endswith("y") and verb[-2:-1] not in VOWELS


def _doubles(verb: str) -> bool:
    """travel, travelled; drop, dropped: one vowel before one consonant at the end."""
    ending = verb[-3:]
    return (
        len(ending) == 3
        and ending[0] not in VOWELS
        and ending[1] in VOWELS
        and ending[2] not in f"{VOWELS}wxy"
    )
