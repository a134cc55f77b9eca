"""What a unit goes through before anything of it is told: its sentences, who is in them, who speaks, whom each word means.

These are passes of `READING` (`reader.py`), in their order; they write no record.
"""

from __future__ import annotations

from narraworld.extract.embedded.at_hand import Reading
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.layout.document import lines_of
from narraworld.extract.embedded.lexicon.language import Language, speaking
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.people.cast import gather
from narraworld.extract.embedded.people.coreference import Coreference, Kin
from narraworld.extract.embedded.people.introduced import introduced, join
from narraworld.extract.embedded.people.kinds import kinds_of
from narraworld.extract.embedded.people.owners import Owners
from narraworld.extract.embedded.people.ranker import rank_table, walk
from narraworld.extract.embedded.people.trail import Talk, Trail, trail_of
from narraworld.extract.embedded.talk.dialogue import dialogue_of
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.speeches import Speeches
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Roster
from narraworld.kb.units import Unit

__all__ = [
    "find_speakers",
    "follow_people",
    "gather_cast",
    "hear_introductions",
    "judge_kinds",
    "open_unit",
    "rank_people",
    "read_document",
    "trail_through",
]


def trail_through(text: str, language: Language = LANGUAGE) -> Trail:
    """The people of a text before anybody is ranked: what the ranker's table is trained on."""
    reading = Reading(Unit("unit", 1, text), Roster(), DiscourseState(), "")
    with speaking(language):
        for step in (read_document, gather_cast, judge_kinds, find_speakers, follow_people):
            step(reading)
        hear_introductions(reading)
    return reading.trail


def read_document(reading: Reading) -> None:
    """Sentences with their clauses: what is told, what is said, letters."""
    reading.document = lines_of(reading.text.text, reading.roster.words, reading.calendar)


def gather_cast(reading: Reading) -> None:
    """Every name of the unit, sorted into persons."""
    everybody = speech_words().everybody
    labels = [
        label
        for label in reading.document.labels(reading.text.text)
        if label.text.casefold() not in everybody
    ]
    reading.cast = gather(
        (line.tokens for line in reading.document), reading.roster.known, labels, reading.before.sexes
    )
    reading.cast.presented(aside.name.text for line in reading.document for aside in line.asides)


def judge_kinds(reading: Reading) -> None:
    """What each name and noun is, by what the sentences do with it."""
    reading.kinds = kinds_of(reading.document.told, reading.text.text)
    reading.cast.told(reading.kinds)


def find_speakers(reading: Reading) -> None:
    """The turns of every conversation, with who speaks to whom."""
    reading.talk = dialogue_of(reading.text.text, reading.document, reading.cast)


def follow_people(reading: Reading) -> None:
    """Every name, noun and pronoun that can mean somebody, in the order of the text."""
    talk = [
        Talk(tuple(one.where for one in turn.quotations), turn.speaker, tuple(turn.addressees),
             turn.tag.who.end if turn.tag is not None else None, turn.sure)
        for turn in reading.talk.turns
    ]  # fmt: skip
    reading.trail = trail_of(reading.document, reading.cast, talk)


def hear_introductions(reading: Reading) -> None:
    """Who is described and then named: one person, where the text says so."""
    join(reading.trail, reading.cast, introduced(reading.text.text, reading.trail))


def rank_people(reading: Reading) -> None:
    """Whom each pronoun means, by the ranker; the rules have their say while the telling goes on."""
    company, judge = reading.unit.company, reading.judge or rank_table().judge
    reading.unit.owners = Owners(company, reading.trail, walk(reading.trail, judge))
    company.weigh = reading.unit.owners.weigh


def open_unit(reading: Reading) -> None:
    """The state that the passes below add to."""
    company = Coreference(reading.roster, reading.text.id, reading.kinds, reading.prefix, reading.cast)
    reading.unit = UnitState(Delta(reading.text), company, reading.before.after({}))
    company.kin = Kin(reading.unit.stage.kin)
    reading.speeches = Speeches(reading.unit, reading.talk, reading.document, reading.coverage)
