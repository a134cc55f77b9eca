"""Onlookers: who saw what was done, and of whom the text says that they did not.

Looks at the words where the grammar of a long sentence may err: `who had silently observed her every move`. What somebody
thinks or says is for `minds`; who is where, and so sees what happens there, is for the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.people.salience import REACH
from narraworld.extract.embedded.unit import Roles, UnitState
from narraworld.extract.embedded.writers.intentions import CONFIRMED
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = ["write_access", "write_ignorance", "write_sights"]

LATEST = 40  # deeds that a look back goes through
FAR = 8  # words between a look and the deed that is looked at
STOPS = frozenset({",", ";", ":", ".", "-", "–", "—"})


def write_access(unit: UnitState, clause: Clause, roles: Roles, seen: list[int]) -> bool:
    """Who saw an event happen, or did not: one that is told, one beside it (`while she looked on`), somebody's `actions`."""
    watchers = unit.characters(roles.get("agent", ()))
    events = _told_here(unit, clause, seen)
    events += _watched(unit, clause, watchers) or ([] if events else _looked_on(unit, clause, watchers))
    doers = {deed.event: deed.agents for deed in unit.deeds[-LATEST:]}
    for holder in watchers:
        for event in dict.fromkeys(events):
            if holder not in doers.get(event, ()):  # nobody watches himself: `he left before seeing it`
                _notice(unit, holder, event, clause)
    return bool(events) or _see_things(unit, clause, watchers, roles)


def _told_here(unit: UnitState, clause: Clause, seen: list[int]) -> list[str]:
    """The events of this sentence that a look is at, or that it goes on beside."""
    beside = [clause.parent] if clause.relation == "advcl" and clause.parent is not None else []
    here = unit.sentence.events
    found = [here[number] for number in [*seen, *beside] if number in here]
    return [*found, here[CONFIRMED]] if found and CONFIRMED in here else found


def _see_things(unit: UnitState, clause: Clause, watchers: list[str], roles: Roles) -> bool:
    """Who sees a thing sees where it is; who does not notice it does not know that it is there."""
    here = [
        Statement(thing, "location", unit.stage.where[thing][0])
        for thing in roles.get("patient", ())
        if unit.kind(thing) == "object" and thing in unit.stage.where and "place" not in roles
    ]
    for holder in watchers:
        for said in here:
            if clause.realis == "negated":
                unit.add("Unawareness", clause.where, holder=holder, proposition=said)
            elif clause.realis == "actual":
                unit.add("Access", clause.where, holder=holder, proposition=said, mode="observation")
    return bool(here)


def _notice(unit: UnitState, holder: str, event: str, clause: Clause) -> None:
    if clause.realis == "negated":
        unit.add("Unawareness", clause.where, holder=holder, event=event)
    elif clause.realis == "actual":
        unit.add("Access", clause.where, holder=holder, event=event, mode="observation", at=event)


def _watched(unit: UnitState, clause: Clause, watchers: list[str]) -> list[str]:
    """What was just done by whoever is being watched: `watched his every move`, `watched her`, `was observing Leo`."""
    done = [
        word for word in clause.subjects if clause.passive and _is_deed(word)
    ]  # `her act was seen by Leo`
    if deed := next(iter(done), None) or _deed_behind(unit.sentence.words, clause.head.position):
        return _spoken_of(unit, deed, watchers)
    lasting = clause.head.tag == "VBG" or clause.verb in frame_table().watching
    people = unit.characters(unit.who(clause.objects)) if lasting else []
    return _just_done(unit, people, watchers) if people else []


def _spoken_of(unit: UnitState, deed: Word, watchers: list[str]) -> list[str]:
    """What `Leo's actions` were; `his friend's` may be anybody's of whom something was just told."""
    owners = [one for one in unit.sentence.words if one.head == deed.position and one.dep == "nmod:poss"]
    named = _just_done(unit, unit.who(owners, besides=watchers), watchers) if owners else []
    return named or ([] if any(one.name for one in owners) else _just_done(unit, None, watchers))


def _deed_behind(words: Sequence[Word], start: int) -> Word | None:
    """The `actions` or the `scene` that a phrase behind a word speaks of."""
    for word in words[start + 1 : start + 1 + FAR]:
        if word.text in STOPS or word.text in wordset("conjunctions.stopping"):
            return None
        if _is_deed(word):
            return word
    return None


def _is_deed(word: Word) -> bool:
    return word.lemma in frame_table().nouns["deeds"]


def _looked_on(unit: UnitState, clause: Clause, watchers: list[str]) -> list[str]:
    """`Leo watched in silence`: what the others were just doing."""
    watching = {clause.verb, f"{clause.verb} {clause.particle}"} & frame_table().watching
    return _just_done(unit, None, watchers) if watching and not clause.objects and not clause.seconds else []


def _just_done(unit: UnitState, by: Iterable[str] | None, besides: Iterable[str]) -> list[str]:
    """The latest deeds of these people; of everybody else when nobody is named."""
    return [
        one.event
        for one in unit.deeds[-LATEST:]
        if unit.company.clause - one.clause <= REACH
        and (
            set(one.agents) & set(by) if by is not None else one.agents and not set(one.agents) & set(besides)
        )
    ]


def write_sights(unit: UnitState, watching: Iterable[tuple[Clause, Roles, list[int]]], shown: int) -> None:
    """What a sentence shows is seen by whoever looks in it: `they noticed a jar of plums`, `his eyes fell on a coat in a box`."""
    looks = [(clause, roles) for clause, roles, _ in watching if clause.realis == "actual"]
    owners = _eyes(unit)
    seers = {id for _, roles in looks for id in roles.get("agent", ())} | set(unit.who(owners))
    for owner in owners:
        _follow_with_eyes(unit, owner)
    for number, (_, _, _, where) in list(enumerate(unit.shown))[shown:]:
        for holder in sorted(unit.characters(seers)):
            event = unit.shown_event(number)
            unit.add("Access", where, holder=holder, event=event, mode="observation", at=event)


def _eyes(unit: UnitState) -> list[Word]:
    """Whose eyes or gaze the sentence speaks of."""
    looks = [word.position for word in unit.sentence.words if word.lemma in frame_table().nouns["gaze"]]
    return [word for word in unit.sentence.words if word.head in looks and word.dep == "nmod:poss"]


def _follow_with_eyes(unit: UnitState, owner: Word) -> None:
    """`his eyes fixed on her every move`."""
    holders = unit.characters(unit.who([owner]))
    deed = _deed_behind(unit.sentence.words, owner.head)
    for event in _spoken_of(unit, deed, holders) if deed else ():
        for holder in holders:
            where = TextRange(owner.start, deed.end) if deed else TextRange(owner.start, owner.end)
            unit.add("Access", where, holder=holder, event=event, mode="observation", at=event)


# -- ignorance


def write_ignorance(unit: UnitState) -> int:
    """`unaware of what he did`, `unbeknownst to her`: who does not know of what was just done; how many such words."""
    found = list(_cues(unit.sentence.words))
    for word, side in found:
        holder = _ignorant(unit, word, before=side != "after")
        for event in _unknown(unit, holder, here=side == "after"):
            for one in holder:
                unit.add(
                    "Unawareness",
                    TextRange(unit.sentence.words[0].start, unit.sentence.words[-1].end),
                    holder=one,
                    event=event,
                )
    return len(found)


def _cues(words: Sequence[Word]) -> Iterable[tuple[Word, str]]:
    """The words that say it, each with where the ignorant stands; some only where they speak of a deed: `missed the act`."""
    texts = [word.text.lower() for word in words]
    sentence = f" {' '.join(texts)} "
    for cue, side in frame_table().ignorance.items():
        if f" {cue} " not in sentence:
            continue
        phrase = cue.split()
        for word in words:
            said = texts[word.position : word.position + len(phrase)] == phrase
            if said and (side != "missing" or _deed_behind(words, word.position)):
                yield word, side


def _ignorant(unit: UnitState, word: Word, *, before: bool) -> tuple[str, ...]:
    """Who it is said of: the nearest person before `unaware`, the first one behind `unbeknownst to`."""
    people = [one for one in unit.sentence.words if _may_be_somebody(one)]
    near = [one for one in people if one.position > word.position]
    if before:
        near = [*(one for one in reversed(people) if one.position < word.position), *near]
    besides = set() if before else unit.sentence.subjects
    found = (unit.characters(unit.who([one], besides=besides)) for one in near)
    return tuple(next(filter(None, found), ()))


def _may_be_somebody(word: Word) -> bool:
    return word.pos in {"PROPN", "PRON"} and word.dep != "nmod:poss"


def _unknown(unit: UnitState, holder: tuple[str, ...], *, here: bool) -> list[str]:
    """The deeds it is about: those of this sentence behind `unbeknownst to her`, else what others did just before."""
    deeds = _just_done(unit, None, holder) if holder else []
    here_told = set(unit.sentence.events.values()) if here and holder else set()
    told = [event for event in deeds if event in here_told]
    shown = [unit.shown_event(number) for number in range(len(unit.shown))]
    return [*told, *(event for event in shown if event in here_told)] or deeds
