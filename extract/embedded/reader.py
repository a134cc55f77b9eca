"""The embedded reader: prose in, a delta out. Offline, without a key, and the same every time.

    text → sentences → grammar → clauses → entities → frames → records that quote their words

`READING` is the whole order. What the reader does not understand it counts (`Coverage`) and leaves out; it never guesses a fact.
"""

from __future__ import annotations

from narraworld.extract.embedded.at_hand import ClauseAtHand, ProseReading, Reading
from narraworld.extract.embedded.before_telling import (
    find_speakers,
    follow_people,
    gather_cast,
    hear_introductions,
    judge_kinds,
    open_unit,
    rank_people,
    read_document,
)
from narraworld.extract.embedded.details.writing import write_particulars
from narraworld.extract.embedded.discourse import DiscourseState
from narraworld.extract.embedded.doubt.weighing import withdraw_doubtful
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.mentions import is_thing
from narraworld.extract.embedded.grammar.veridicality import no_deed, stands_alone, unvouched
from narraworld.extract.embedded.layout.document import Sentence, lines_of
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.language import Language, adopt, speaking
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.passes import (
    at,
    clause_pass,
    closing_pass,
    ordered,
    sentence_pass,
    unit_pass,
)
from narraworld.extract.embedded.people.cast import NEITHER
from narraworld.extract.embedded.people.coreference import SUBJECT
from narraworld.extract.embedded.talk.correspondents import Correspondence
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.details import write_details
from narraworld.extract.embedded.writers.developments import announce, follow_threads, note_possibility
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.identity import CLASSES, reconcile, write_entities
from narraworld.extract.embedded.writers.intentions import confirm
from narraworld.extract.embedded.writers.introductions import introduce, names_somebody
from narraworld.extract.embedded.writers.marked.motives import write_motives
from narraworld.extract.embedded.writers.marked.time_of_day import write_dates, write_daylight
from narraworld.extract.embedded.writers.minds import contents, write_certainty
from narraworld.extract.embedded.writers.perception import write_access, write_ignorance, write_sights
from narraworld.extract.embedded.writers.reports import REPORTING, write_report
from narraworld.extract.embedded.writers.role_filling import fit
from narraworld.extract.embedded.writers.states import describe, show_scene, write_state
from narraworld.kb.roster import Roster
from narraworld.kb.time.calendar import Calendar
from narraworld.kb.time.calendar_file import GREGORIAN
from narraworld.kb.units import Unit

__all__ = ["CLASSES", "READING", "ProseReading", "Sentence", "lines_of", "read_prose"]

adopt(LANGUAGE)


def read_prose(
    unit: Unit, roster: Roster | None = None, *, stage: DiscourseState | None = None, prefix: str = "",
    language: Language = LANGUAGE, calendar: Calendar = GREGORIAN,
) -> ProseReading:  # fmt: skip
    """Read a unit; ``roster`` is who is known already and ``stage`` where the last unit left them.

    ``prefix`` begins the ids of newcomers; ``calendar`` has the story's own words of time.
    """
    known = roster or Roster()
    reading = Reading(unit, known, (stage or DiscourseState()).for_next_unit(known.by_id), prefix, calendar)
    read_through(reading, language)
    cast = tuple(known for known in reading.unit.company.roll() if known.id in reading.unit.used)
    return ProseReading(
        reading.unit.delta, reading.coverage, cast, reading.unit.stage.moves_since(reading.before)
    )


def read_through(reading: Reading, language: Language = LANGUAGE) -> None:
    """Take a unit through all passes."""
    with speaking(language):
        for step in at("unit", READING):
            step.run(reading)
        _tell(reading)
        for step in at("closing", READING):
            reading.unit.held.ledger.by = step.name
            step.run(reading)


def _tell(reading: Reading) -> None:
    """Go through the narration, sentence by sentence; what is said in between is written when its place has come."""
    correspondence = Correspondence(reading.unit.company, reading.document.letters)
    for sentence in reading.document.told:
        reading.speeches.until(sentence.where.start)
        correspondence.at(sentence.where.start)
        reading.coverage.count(sentence.where, len(sentence.clauses), _understood(reading, sentence))


def _understood(reading: Reading, sentence: Sentence) -> int:
    """Write what a sentence says; how many of its clauses were understood."""
    reading.unit.begin_sentence(sentence.words)
    reading.unit.owners.before(sentence.words)
    in_order = sorted(range(len(sentence.clauses)), key=lambda n: sentence.clauses[n].where.start)
    understood = sum(_take(ClauseAtHand(reading, sentence, number)) for number in in_order)
    for step in at("sentence", READING):
        reading.unit.held.ledger.by = step.name
        step.run(reading.unit, sentence)
    return understood


def _take(here: ClauseAtHand) -> bool:
    """Hand a clause from pass to pass until one takes it."""
    for step in at("clause", READING):
        here.unit.held.ledger.by = step.name
        understood: bool | None = step.run(here)
        if understood is not None:
            return understood
    return False


# -- clauses


def speak_of(here: ClauseAtHand) -> bool | None:
    """What is only named, or part of what somebody says or thinks: nothing is told as done."""
    clause, unit = here.clause, here.unit
    reported = _within(here.number, unit.sentence.reported, here.sentence.clauses) and not _parting(clause)
    if not reported and not no_deed(clause):
        return None
    unit.company.main = False  # and yet they are on the reader's mind
    unit.who(clause.subjects, SUBJECT)
    unit.who([*clause.objects, *(word for _, word in clause.phrases)])
    return True


def begin_clause(here: ClauseAtHand) -> None:
    """Go on to the next clause; what it does not vouch for is only reported."""
    clause, unit = here.clause, here.unit
    unit.sentence.reported |= unvouched(here.sentence.clauses, here.number)
    unit.company.begin_clause(clause.where, stands_alone(here.sentence.clauses, here.number))
    _notice_owners(unit, clause)


def tag_speech(here: ClauseAtHand) -> bool | None:
    """Who is speaking, where the clause says no more than that."""
    return True if here.reading.speeches.tags(here.clause) else None


def name_somebody(here: ClauseAtHand) -> bool | None:
    """A name for somebody already met."""
    return True if names_somebody(here.unit, here.clause) else None


def read_state(here: ClauseAtHand) -> bool | None:
    """What a clause with `be` says, or what somebody is sure of."""
    clause, unit = here.clause, here.unit
    if not clause.copular:
        return None
    inner = contents(here.sentence.clauses, here.number)
    sure = write_certainty(unit, clause, [here.sentence.clauses[n] for n in inner])
    unit.sentence.reported |= set(inner) if sure else set()
    understood = sure or write_state(unit, clause, _beside(unit, clause))
    unit.who(word for word in clause.predicates if is_thing(word))  # `It was a red tie. The tie …`
    return understood


def fill_roles(here: ClauseAtHand) -> None:
    """The verb frame that fits, and who fills its roles."""
    here.fitted = fit(here.unit, here.clause)
    here.unit.held.ledger.frame = here.fitted[0].name if here.fitted[0] else "none"
    meant = here.unit.sentence.meant
    doing = [id for word in here.clause.subjects for id in meant.get(word.position, ())]
    for preposition, word in here.clause.phrases:  # spoken of, whether or not the verb wants them
        around = preposition in wordset("prepositions.around_oneself")
        here.unit.who([word], besides=() if around else doing)  # `he set a trap for him`: another


def read_report(here: ClauseAtHand) -> bool | None:
    """What somebody says, thinks or means to do."""
    frame, roles = here.fitted
    if frame is None or frame.type not in REPORTING:
        return None
    understood = write_report(here.unit, here.sentence.clauses, here.number, here.fitted)
    note_possibility(here.unit, here.clause, roles, here.number, here.sentence.clauses)
    return understood


def read_deed(here: ClauseAtHand) -> bool:
    """What is done, and what follows from it."""
    clause, unit, (frame, roles) = here.clause, here.unit, here.fitted
    written = write_event(unit, clause, here.fitted, here.number)
    note_possibility(unit, clause, roles, here.number, here.sentence.clauses)
    announce(unit, clause)
    if frame and frame.type == "perceive":
        unit.sentence.watching.append((clause, roles, contents(here.sentence.clauses, here.number)))
    return written is not None or clause.seeming or bool(frame and frame.stative)


def _parting(clause: Clause) -> bool:
    """`decided to go, leaving Ida alone`: whom it leaves alone is left alone."""
    names = {frame.name for frame in frame_table().of(clause.verb, clause.particle)}
    return clause.head.tag == "VBG" and clause.relation == "advcl" and "leave somebody" in names


def _notice_owners(unit: UnitState, clause: Clause) -> None:
    """`Leo's face fell. He sat down.`: whose face it is has been spoken of."""
    subjects = {word.position for word in clause.subjects}
    owners = [
        word
        for word in unit.sentence.words
        if word.dep == "nmod:poss" and word.name and word.head in subjects
    ]
    unit.company.lead(unit.characters(unit.who(owners, SUBJECT)))


def _beside(unit: UnitState, clause: Clause) -> str | None:
    """The event during which something is said to be so: `while Leo was away`."""
    hangs = clause.parent is not None and clause.relation == "advcl"
    return unit.sentence.events.get(clause.parent) if hangs and clause.parent is not None else None


def _within(number: int, reported: set[int], found: list[Clause]) -> bool:
    """Whether a clause belongs to what somebody says or thinks."""
    here: int | None = number
    while here is not None:
        if here in reported:
            return True
        here = found[here].parent
    return False


# -- the end of a sentence


def confirm_decisions(unit: UnitState, _sentence: Sentence) -> None:
    """A decision of which the sentence speaks as done is done."""
    confirm(unit)


def see_deeds(unit: UnitState, _sentence: Sentence) -> None:
    """Who saw what was done, or did not."""
    for clause, roles, seen in unit.sentence.watching:
        write_access(unit, clause, roles, seen)


def introduce_people(unit: UnitState, sentence: Sentence) -> None:
    """Who somebody is, said beside the name."""
    introduce(unit, sentence.asides)


def describe_things(unit: UnitState, _sentence: Sentence) -> None:
    """What a sentence says by the way: `the locked gate`, `a basket of limes`."""
    describe(unit)


def hear_possessives(unit: UnitState, sentence: Sentence) -> None:
    """Whom the rules take `his` and `her` for: the second opinion beside the ranker's."""
    unit.owners.after(sentence.words, unit.sentence.meant)


def see_things(unit: UnitState, _sentence: Sentence) -> None:
    """What the sentence shows is seen by whoever looks in it."""
    write_sights(unit, unit.sentence.watching, unit.sentence.shown_before)


def carry_threads_on(unit: UnitState, _sentence: Sentence) -> None:
    """Steps of the threads that the deeds of the sentence carry on."""
    follow_threads(unit)


def read_motives(unit: UnitState, sentence: Sentence) -> None:
    """Why it was done and felt, where the sentence marks it."""
    here = set(unit.sentence.events.values())
    write_motives(unit, sentence.clauses, next((one.event for one in reversed(unit.deeds) if one.event not in here and one.realis == "actual"), None))  # fmt: skip


def note_ignorance(unit: UnitState, _sentence: Sentence) -> None:
    """Who does not know of what was just done."""
    write_ignorance(unit)


def date_events(unit: UnitState, sentence: Sentence) -> None:
    """When it happened, where the sentence says so."""
    write_dates(unit, sentence)


# -- the end of the unit


def finish_speeches(reading: Reading) -> None:
    """What is said behind the last sentence, and who came and went in a script."""
    reading.speeches.finish()


def reconcile_names(reading: Reading) -> None:
    """Two names, one person: where the text says so."""
    reconcile(reading.unit, reading.document.told)


def show_things(reading: Reading) -> None:
    """The events by which the scene shows things."""
    show_scene(reading.unit)


def read_details(reading: Reading) -> None:
    """Looks, ages, families, skills, and the names people go by."""
    write_details(reading.unit)


def read_particulars(reading: Reading) -> None:
    """What every sentence says by the way, told or said: looks, kin, deaths, things, numbers, times."""
    write_particulars(reading.unit, reading.document)


def read_daylight(reading: Reading) -> None:
    """How the time of day changes."""
    write_daylight(reading.unit)


def withdraw_unsure(reading: Reading) -> None:
    """What is likelier wrong than right is taken back, and counted."""
    if reading.doubting:
        reading.coverage.unsure = withdraw_doubtful(reading.unit, reading.document)


def remember_sexes(reading: Reading) -> None:
    """How often everybody was `he`, and `she`: the next unit may call them by name alone."""
    votes = {one.id: one.sex for one in reading.cast.persons if one.id is not None and one.sex != NEITHER}
    reading.unit.stage.sexes |= {id: sex for id, sex in votes.items() if id in reading.unit.used}


def enlist_entities(reading: Reading) -> None:
    """The entities that records speak of, known ones too: a unit stands by itself when others are edited."""
    write_entities(reading.unit)
    reading.coverage.unresolved = [mention.where for mention in reading.unit.company.unresolved]


# -- the order

READING = ordered(
    unit_pass(read_document, needs="unit.text roster", adds="document clause.parts clause.realis"),
    unit_pass(gather_cast, needs="document roster", adds="unit.cast"),
    unit_pass(judge_kinds, needs="clause.parts unit.cast", adds="unit.kinds"),
    unit_pass(find_speakers, needs="document unit.cast", adds="unit.turns"),
    unit_pass(follow_people, needs="document unit.cast unit.turns", adds="unit.trail"),
    unit_pass(hear_introductions, needs="unit.text unit.cast unit.trail", adds="unit.introduced"),
    unit_pass(open_unit, needs="unit.kinds unit.cast unit.turns discourse", adds="unit.entities unit.discourse"),
    unit_pass(rank_people, needs="unit.trail unit.introduced unit.entities", adds="unit.owners"),
    clause_pass(speak_of, needs="clause.parts unit.entities", adds="sentence.spoken_of"),
    clause_pass(begin_clause, needs="clause.parts unit.entities", adds="sentence.unvouched unit.salience"),
    clause_pass(tag_speech, needs="unit.turns", adds="unit.given"),
    clause_pass(name_somebody, needs="clause.parts unit.cast", adds="unit.named"),
    clause_pass(
        read_state, needs="clause.realis unit.salience",
        adds="sentence.meant sentence.made_so unit.held record.State record.Attitude record.Presence",
    ),
    clause_pass(fill_roles, needs="clause.parts unit.kinds sentence.meant", adds="clause.roles"),
    clause_pass(
        read_report, needs="clause.roles clause.realis",
        adds="sentence.reported unit.decided unit.spoken record.Speech record.Attitude record.Unawareness record.Development",
    ),
    clause_pass(
        read_deed, needs="clause.roles clause.realis",
        adds="sentence.events sentence.watching unit.deeds unit.shown record.Event record.State record.Presence record.Possibility",
    ),
    sentence_pass(confirm_decisions, needs="unit.decided unit.deeds sentence.events", adds="unit.confirmed record.Event"),
    sentence_pass(see_deeds, needs="sentence.watching sentence.events unit.confirmed", adds="record.Access record.Unawareness"),
    sentence_pass(introduce_people, needs="document unit.entities", adds="unit.kin record.State"),
    sentence_pass(describe_things, needs="sentence.meant", adds="unit.only_owners record.State"),
    sentence_pass(hear_possessives, needs="unit.owners sentence.meant", adds="unit.possessors"),
    sentence_pass(see_things, needs="sentence.watching unit.shown", adds="record.Access"),
    sentence_pass(carry_threads_on, needs="unit.deeds sentence.events sentence.made_so", adds="record.Step"),
    sentence_pass(read_motives, needs="unit.deeds sentence.events sentence.reported", adds="record.Cause record.Emotion record.Norm record.Development record.Step"),
    sentence_pass(note_ignorance, needs="unit.deeds unit.shown sentence.events", adds="record.Unawareness"),
    sentence_pass(date_events, needs="document sentence.events", adds="record.TimeAnchor"),
    closing_pass(finish_speeches, needs="unit.turns unit.spoken", adds="record.Speech record.Presence"),
    closing_pass(reconcile_names, needs="document unit.entities", adds="record.Identity record.Naming"),
    closing_pass(show_things, needs="unit.shown unit.held", adds="record.Event"),
    closing_pass(read_details, needs="unit.entities unit.only_owners unit.possessors", adds="record.State record.Naming record.Suspicion"),
    closing_pass(read_particulars, needs="document unit.owners unit.possessors unit.turns", adds="record.Detail record.State"),
    closing_pass(read_daylight, needs="unit.entities unit.text", adds="record.State"),
    closing_pass(withdraw_unsure, needs="document unit.owners unit.possessors", adds="unit.unsure"),
    closing_pass(remember_sexes, needs="unit.cast unit.entities", adds="unit.sexes"),
    closing_pass(enlist_entities, needs="unit.entities", adds="record.Entity coverage"),
)  # fmt: skip
