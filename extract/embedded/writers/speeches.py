"""Direct speech as records: each turn with its speaker, its listeners, and what its words claim.

`I` and `you` are the speaker and the one spoken to; what is said stays a claim and never becomes a fact. A turn whose speaker
nobody can tell is counted as unread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from narraworld.extract.embedded.coverage import Coverage
from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.mentions import Mention
from narraworld.extract.embedded.layout.document import Sentence, UnitDocument
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.people.cast import CastMember
from narraworld.extract.embedded.people.coreference import SUBJECT
from narraworld.extract.embedded.talk.attribution import SpeechTurn
from narraworld.extract.embedded.talk.dialogue import Dialogue
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.attendance import Attendance
from narraworld.extract.embedded.writers.developments import Aim, announced, begin, pledged, suppose
from narraworld.extract.embedded.writers.minds import claims_of
from narraworld.kb.propositions import Statement
from narraworld.kb.spans import TextRange

__all__ = ["Speeches"]

CLAIMED = frozenset({"actual", "negated"})


class Speeches:
    """The turns of a unit, written one by one as the reading comes to them."""

    def __init__(self, unit: UnitState, talk: Dialogue, lines: UnitDocument, coverage: Coverage) -> None:
        self._unit, self._coverage = unit, coverage
        self._lines = {one.where.start: said for one, said in zip(lines.quoted, lines.spoken, strict=True)}
        self._waiting = list(reversed(talk.turns))
        self._events: list[str | None] = []  # of each turn, in order
        self._last: int | None = None  # the paragraph of the last turn
        self._spoke: dict[str, None] = {}  # who has had a line in a script
        self._attendance = Attendance(unit, talk.turns)
        self._tags = {turn.tag.verb_at: turn for turn in talk.turns if turn.tag is not None}
        if talk.narrator is not None:
            unit.company.teller = unit.company.person(talk.narrator)

    def until(self, place: int) -> None:
        """Write the turns that begin before this place."""
        while self._waiting and self._waiting[-1].quotations[0].where.start < place:
            self._write(self._waiting.pop())

    def finish(self) -> None:
        """Write the rest, and who came and went in a script."""
        self.until(len(self._unit.delta.unit.text))
        self._attendance.write(self._events)

    def tags(self, clause: Clause) -> bool:
        """Whether a clause only says who is speaking; if so, its subject is the speaker."""
        turn = self._tags.get(clause.head.start)
        if turn is None:
            return False
        self._as_told(turn, self._already(turn))
        speaker = self._id(turn.speaker, turn)
        if speaker is None:
            self._unit.who(clause.subjects, SUBJECT)
        elif turn.tag is not None:
            self._unit.given[turn.tag.who.end] = (speaker,)
            self._unit.company.spoke(speaker)
        return True

    # -- who `he` is

    def _already(self, turn: SpeechTurn) -> str | None:
        """`he begged for his life and said`: whom the sentence has taken `he` for already."""
        tag = turn.tag
        return (
            self._unit.company.answers.get(tag.who.start)
            if tag is not None and tag.who.sort == "pronoun"
            else None
        )

    def _in_mind(self, turn: SpeechTurn) -> str | None:
        """`“Come down,” he called`, where no talk stands before: whom the telling was about."""
        who, before = turn.tag.who if turn.tag else None, self._last
        self._last = turn.last
        if who is None or who.sort != "pronoun" or who.gender not in {"male", "female"}:
            return None
        told = before is None or turn.paragraph - before > 1
        return self._unit.company.in_mind(who.gender) if told else None

    def _as_told(self, turn: SpeechTurn, id: str | None) -> None:
        """Let a turn be theirs whom the telling means."""
        company = self._unit.company
        if id is None or company.kind(id) != "character" or self._id(turn.speaker, turn) == id:
            return
        found = (one for one in company.people.persons if one.id == id)
        name = company.figures[id].names[0]
        turn.speaker = next(found, CastMember({name.lower(): name}, id, "noun"))

    # -- one turn

    def _write(self, turn: SpeechTurn) -> None:
        self._as_told(turn, self._already(turn) or self._in_mind(turn))
        said = [line for one in turn.quotations for line in self._lines[one.where.start]]
        speakers = self._speakers(turn)
        if not speakers:
            self._leave_unread(said)
            return
        unit, speaker, beside = self._unit, speakers[0], speakers[1:]
        if turn.tag is not None:
            unit.given[turn.tag.who.end] = (speaker,)
        to = self._listeners(turn, speaker)
        unit.company.speaking(speaker, to)
        unit.company.hear(token.text.lower() for line in said if not line.words for token in line.tokens)
        manner = self._manner(turn, said)
        claims = list(self._claims(said, manner))
        aims = self._aims(said, speaker)
        unit.company.silent()
        event = unit.add(
            "Speech", _quotes(turn), kind=_verb(turn), speaker=speaker, addressee=to, companion=beside,
            claim=list({one.id: one for one in claims}.values()), manner=manner,
        )  # fmt: skip
        self._events.append(event)
        unit.spoken.append((event, (speaker,), tuple(to), claims))
        self._promise(aims, manner, [speaker, *to], event)
        self._suppose(said, speaker, to, event)

    def _leave_unread(self, said: Iterable[Sentence]) -> None:
        """Nobody can tell who says it."""
        for line in said:
            self._coverage.count(line.where, 1, 0)
        self._events.append(None)

    def _listeners(self, turn: SpeechTurn, speaker: str) -> list[str]:
        heard = [one for one in turn.addressees if self._attendance.there(len(self._events), one)]
        return [id for one in heard if (id := self._id(one, turn)) is not None and id != speaker]

    def _promise(self, aims: list[Aim], manner: str, people: list[str], event: str) -> None:
        """The threads that a turn opens: promises where a word is given or it is for a listener, plans otherwise."""
        for aim in aims if manner == "promises" else announced(aims):
            promised = manner == "promises" or set(aim.to) & set(people[1:])
            begin(self._unit, "promise" if promised else "plan", people, aim, aim.where, event)

    def _suppose(self, said: Iterable[Sentence], speaker: str, to: list[str], event: str) -> None:
        """What may come, as the turn has it; a question offers nothing."""
        self._unit.company.speaking(speaker, to)
        for line in said:
            if line.words and line.words[-1].text != "?":
                self._unit.begin_sentence(line.words)
                suppose(self._unit, line.clauses, [speaker, *to], event)
        self._unit.company.silent()

    def _aims(self, said: Iterable[Sentence], speaker: str) -> list[Aim]:
        """What is promised in the turn, sentence by sentence: pronouns hold in one."""
        found = list[Aim]()
        for line in said:
            self._unit.begin_sentence(line.words)
            found += pledged(self._unit, line.clauses, speaker)
        return found

    def _speakers(self, turn: SpeechTurn) -> list[str]:
        """Who says it, the first before those who say it along; `All` are those who have had a line so far."""
        if turn.labels and turn.labels[0].casefold() in speech_words().everybody:
            return list(self._spoke)
        along = [self._unit.company.people.called(label) for label in turn.labels[1:]]
        found = [id for person in (turn.speaker, *along) if person and (id := self._id(person, turn))]
        self._spoke |= dict.fromkeys(found if turn.labels else [])
        return found

    def _id(self, person: CastMember | None, turn: SpeechTurn) -> str | None:
        """The entity of a person; of one known by a noun only, whoever that noun means here."""
        if person is None:
            return None
        if person.kind == "noun" and person.id is None:
            return self._by_noun(person, turn)
        company = self._unit.company
        id = company.person(person)
        return id if id is not None and company.kind(id) in {"character", "group"} else None

    def _by_noun(self, person: CastMember, turn: SpeechTurn) -> str | None:
        """Whoever a noun beside the words means: who speaks is somebody."""
        company, who = self._unit.company, turn.tag.who if turn.tag else None
        where = TextRange(who.start, who.end) if who is not None else turn.quotations[0].where
        name = next(iter(person.forms.values()))
        known = who is None or not who.new
        mention = Mention(name, name.split()[-1].lower(), where, "noun", person.gender, definite=known)
        person.id = next(iter(company.resolve(mention)), None)
        if person.id is not None and company.figures[person.id].kind not in {"character", "group"}:
            company.figures[person.id].kind = "character"
        return person.id

    def _manner(self, turn: SpeechTurn, said: Iterable[Sentence]) -> str:
        text = self._unit.delta.unit.text
        words = [line.where.cut(text) for line in said]
        verb = turn.tag.verb if turn.tag else ""
        if verb in speech_words().promising or any(map(pattern("talk.promise").search, words)):
            return "promises"
        if any(frame.manner == "lies" for frame in frame_table().of(_verb(turn), None)):
            return "lies"
        return "asks" if verb in speech_words().asking or all(map(_is_question, words)) else "asserts"

    def _claims(self, said: Iterable[Sentence], manner: str) -> Iterator[Statement]:
        """What the turn puts forward; questions only where it is all questions."""
        unit = self._unit
        for line in said:
            asked = line.where.cut(unit.delta.unit.text).rstrip("\"”’' ").endswith("?")
            understood = 0
            unit.begin_sentence(line.words)
            for clause in line.clauses if asked == (manner == "asks") else ():
                if clause.realis in CLAIMED and clause.relation in {"root", "conj", "parataxis"}:
                    unit.company.begin_clause(clause.where)
                    found = claims_of(unit, clause)
                    understood += bool(found)
                    yield from found
            self._coverage.count(line.where, max(2, len(line.clauses)), 1 + understood)


def _is_question(words: str) -> bool:
    return words.rstrip("\"”’' ").endswith("?")


def _verb(turn: SpeechTurn) -> str:
    return frame_table().lemma(turn.tag.verb, turn.tag.verb) if turn.tag else "say"


def _quotes(turn: SpeechTurn) -> list[TextRange]:
    """The words said, and the words that say who says them."""
    spoken = [one.where for one in turn.quotations]
    if turn.tag is None:
        return spoken
    who, verb = turn.tag.who, turn.tag.verb_at
    start, end = min(who.start, verb), max(who.end, verb + len(turn.tag.verb))
    return [*spoken, TextRange(start, end)]
