"""The embedded reader: prose in, a delta out. Offline, without a key, and the same every time.

    text → sentences → grammar → clauses → entities → frames → records that quote their words

What it does not understand it counts (`Coverage`) and leaves out; it never guesses a fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.discourse import DiscourseState, Moves
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.veridicality import (
    generalize,
    no_deed,
    suppose,
    told_in_the_past,
    unvouched,
)
from narraworld.extract.embedded.layout.document import Sentence, lines_of
from narraworld.extract.embedded.lexicon.language import Language, adopt, speaking
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.people.cast import NARRATOR, gather
from narraworld.extract.embedded.people.coreference import SUBJECT, Coreference, Kin
from narraworld.extract.embedded.people.kinds import kinds_of
from narraworld.extract.embedded.talk.correspondents import Correspondence
from narraworld.extract.embedded.talk.dialogue import dialogue_of
from narraworld.extract.embedded.unit import Page, Roles
from narraworld.extract.embedded.writers.details import write_details
from narraworld.extract.embedded.writers.developments import (
    announce,
    follow_threads,
    note_possibility,
    open_thread,
)
from narraworld.extract.embedded.writers.events import write_event
from narraworld.extract.embedded.writers.identity import reconcile
from narraworld.extract.embedded.writers.intentions import confirm, take_leave
from narraworld.extract.embedded.writers.introductions import introduce, names_somebody
from narraworld.extract.embedded.writers.minds import contents, write_attitude, write_certainty, write_speech
from narraworld.extract.embedded.writers.perception import write_access, write_ignorance, write_sights
from narraworld.extract.embedded.writers.role_filling import Fitted, fit
from narraworld.extract.embedded.writers.speeches import Speeches
from narraworld.extract.embedded.writers.states import describe, show_scene, write_state
from narraworld.extract.embedded.writers.time_of_day import write_daylight
from narraworld.kb.delta import Delta
from narraworld.kb.roster import Known, Roster
from narraworld.kb.units import Unit

__all__ = ["ProseReading", "Sentence", "lines_of", "read_prose"]

adopt(LANGUAGE)

CLASSES = {"character": "Character", "place": "Place", "object": "Object", "group": "Group"}
MAIN = frozenset({"root", "conj", "parataxis"})
REPORTING = frozenset({"speech", "mind", "intend"})


@dataclass(frozen=True, slots=True)
class ProseReading:
    """What one unit gave: records, how much of it was understood, who is in it, and whom and what it moved."""

    delta: Delta
    coverage: Coverage
    cast: tuple[Known, ...]
    moves: Moves


def read_prose(
    unit: Unit, roster: Roster | None = None, *, stage: DiscourseState | None = None, prefix: str = "",
    language: Language = LANGUAGE,
) -> ProseReading:  # fmt: skip
    """Read a unit; ``roster`` is who is known already and ``stage`` where the last unit left them.

    ``prefix`` begins the ids of newcomers.
    """
    with speaking(language):
        return _read_prose(unit, roster, stage, prefix)


def _read_prose(unit: Unit, roster: Roster | None, stage: DiscourseState | None, prefix: str) -> ProseReading:
    known = roster or Roster()
    lines = lines_of(unit.text, known.words)
    labels = [one for one in lines.labels(unit.text) if one.text.casefold() not in speech_words().everybody]
    people = gather((line.tokens for line in lines), known.known, labels)
    people.presented(aside.name.text for line in lines for aside in line.asides)
    kinds = kinds_of(lines.told, unit.text)
    people.told(kinds)
    talk = dialogue_of(unit.text, lines, people)
    company = Coreference(known, unit.id, kinds, prefix, people)
    before = (stage or DiscourseState()).for_next_unit(known.by_id)
    page, coverage = Page(Delta(unit), company, before.after({})), Coverage()
    company.kin = Kin(page.stage.kin)
    page.past = told_in_the_past(clause for line in lines.told for clause in line.clauses)
    speeches = Speeches(page, talk, lines, coverage)
    correspondence = Correspondence(company, lines.letters)
    for line in lines.told:
        speeches.until(line.where.start)
        correspondence.at(line.where.start)
        coverage.count(line.where, *_read(page, line, speeches))
    speeches.finish()
    reconcile(page, lines.told)
    show_scene(page)
    write_details(page)
    write_daylight(page)
    _enlist(page)
    coverage.unresolved = [mention.where for mention in company.unresolved]
    cast = tuple(one for one in company.roll() if one.id in page.used)
    return ProseReading(page.delta, coverage, cast, page.stage.moves_since(before))


# -- records

Looking = tuple[Clause, Roles, list[int]]  # who looks or knows, and the clauses that say of what


def _read(page: Page, line: Sentence, speeches: Speeches) -> tuple[int, int]:
    """Write what a sentence says; how many clauses it has and how many were understood."""
    page.begin_sentence(line.words)
    if line.where.cut(page.delta.unit.text).endswith("?"):
        suppose(line.clauses)
    if page.past:
        generalize(line.clauses, line.words)
    sentence = _Sentence(page, line, speeches, shown=len(page.shown))
    in_order = sorted(range(len(line.clauses)), key=lambda n: line.clauses[n].where.start)
    understood = sum(sentence.take(number) for number in in_order)
    sentence.close()
    return len(line.clauses), understood


@dataclass(slots=True)
class _Sentence:
    """A sentence while its clauses are taken one by one: which of them are only reported, and who looks on."""

    page: Page
    line: Sentence
    speeches: Speeches
    shown: int  # how much was on show before it
    reported: set[int] = field(default_factory=set)
    watching: list[Looking] = field(default_factory=list)

    def take(self, number: int) -> bool:
        """Write what a clause says; whether it was understood."""
        page, clause = self.page, self.line.clauses[number]
        if no_deed(clause) or (_within(number, self.reported, self.line.clauses) and not _parting(clause)):
            return self._spoken_of(clause)
        self.reported |= unvouched(self.line.clauses, number)
        page.company.begin_clause(clause.where, clause.relation in MAIN)
        _notice_owners(page, clause)
        if self.speeches.tags(clause) or names_somebody(page, clause):
            return True
        return self._state(clause, number) if clause.copular else self._deed(clause, number)

    def _spoken_of(self, clause: Clause) -> bool:
        """Nothing is told as done, and yet they are on the reader's mind."""
        self.page.company.main = False
        self.page.who(clause.subjects, SUBJECT)
        self.page.who([*clause.objects, *(word for _, word in clause.phrases)])
        return True

    def _state(self, clause: Clause, number: int) -> bool:
        inner = contents(self.line.clauses, number)
        sure = write_certainty(self.page, clause, [self.line.clauses[n] for n in inner])
        self.reported |= set(inner) if sure else set()
        understood = sure or write_state(self.page, clause, _beside(self.page, clause))
        self.page.who(word for word in clause.predicates if _thing(word))  # `It was a red tie. The tie …`
        return understood

    def _deed(self, clause: Clause, number: int) -> bool:
        page, clauses = self.page, self.line.clauses
        inner = contents(clauses, number)
        frame, roles = fitted = fit(page, clause)
        page.who(word for _, word in clause.phrases)  # spoken of, whether or not the verb wants them
        if frame and frame.type in REPORTING:
            self.reported |= set(inner) if not frame.factive else set()
            means = _means(clauses, number, inner) if frame.type == "intend" else []
            self.reported |= set(means)
            told = {n: clauses[n] for n in inner}
            understood = _reported(page, clause, fitted, told, [clauses[n] for n in means], number)
            note_possibility(page, clause, roles, number, clauses)
            return understood
        written = write_event(page, clause, fitted, number)
        note_possibility(page, clause, roles, number, clauses)
        announce(page, clause)
        if frame and frame.type == "perceive":
            self.watching.append((clause, roles, inner))
        return written is not None or clause.seeming or bool(frame and frame.stative)

    def close(self) -> None:
        """Write what only the whole sentence tells."""
        confirm(self.page)
        for clause, roles, seen in self.watching:
            write_access(self.page, clause, roles, seen)
        introduce(self.page, self.line.asides)
        describe(self.page)
        write_sights(self.page, self.watching, self.shown)
        follow_threads(self.page)
        write_ignorance(self.page)
        _date(self.page, self.line)


def _thing(word: Word) -> bool:
    return word.pos == "NOUN" and nouns().kind(word.lemma) not in {"character", "group"}


def _parting(clause: Clause) -> bool:
    """`decided to go, leaving Ida alone`: whom it leaves alone is left alone."""
    names = {frame.name for frame in frame_table().of(clause.verb, clause.particle)}
    return clause.head.tag == "VBG" and clause.relation == "advcl" and "leave somebody" in names


def _notice_owners(page: Page, clause: Clause) -> None:
    """`Leo's face fell. He sat down.`: whose face it is has been spoken of."""
    subjects = {word.position for word in clause.subjects}
    owners = [word for word in page.words if word.dep == "nmod:poss" and word.name and word.head in subjects]
    page.company.lead(page.characters(page.who(owners, SUBJECT)))


def _means(clauses: list[Clause], number: int, inner: list[int]) -> list[int]:
    """How somebody means to do it: `decided to surprise him by moving it`."""
    last = max((clauses[n].head.position for n in inner), default=None)
    return [
        n
        for n, one in enumerate(clauses)
        if last is not None and one.marker == "by" and one.parent in {number, *inner}
        and one.head.position > last
    ]  # fmt: skip


def _reported(
    page: Page, clause: Clause, fitted: Fitted, told: dict[int, Clause], means: list[Clause], number: int
) -> bool:
    """Speech, thoughts and intentions: what is told in them stays theirs; ``means`` is how they mean to do it."""
    frame = fitted[0]
    assert frame is not None
    if frame.type == "speech" and (told or not frame.quoting):
        wrote = write_speech(page, clause, fitted, list(told.values()), number)
    elif frame.type == "mind":
        wrote = write_attitude(page, clause, fitted, told)
    else:
        wrote = False
    if frame.type == "intend" and frame.deciding and clause.realis == "actual":
        plans = [*list(told.values())[:1], *means]
        decided = [(one, fit(page, one)) for one in plans if not one.copular and not one.negated]
        page.decided += [one for one in decided if not take_leave(page, *one)]
    if frame.type == "intend" or frame.manner == "promises":
        wrote = open_thread(page, clause, fitted, list(told.values()), number) or wrote
    return wrote or write_event(page, clause, fitted, number) is not None


def _beside(page: Page, clause: Clause) -> str | None:
    """The event during which something is said to be so: `while Leo was away`."""
    return (
        page.happened.get(clause.parent) if clause.parent is not None and clause.relation == "advcl" else None
    )


def _within(number: int, reported: set[int], found: list[Clause]) -> bool:
    """Whether a clause belongs to what somebody says or thinks."""
    here: int | None = number
    while here is not None:
        if here in reported:
            return True
        here = found[here].parent
    return False


def _date(page: Page, line: Sentence) -> None:
    if line.time.expression and page.happened:
        page.add(
            "TimeAnchor",
            line.time.where or line.where,
            event=min(page.happened.items())[1],
            expression=line.time.expression,
            flashback=True if line.time.back else None,
        )


def _enlist(page: Page) -> None:
    """Describe the entities that records speak of, known ones too: a unit stands by itself when others are edited."""
    text = _folded(page.delta.unit.text)
    for figure in page.company.figures.values():
        if figure.id in page.used:
            names = list(dict.fromkeys(figure.names))
            # what earlier units call it is theirs to say; a teller needs the word by which the next unit knows them
            here = [name for name in names if _folded(name) in text or name == NARRATOR]
            page.delta.add(CLASSES[figure.kind], figure.id, quote=figure.where, name=here or names[:1])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
