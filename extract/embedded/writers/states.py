"""States said outright: `the key is in the drawer`, `the lamp was broken`, `Leo was away`.

A thing shown in the scene is shown to whoever is there, so its location comes with an event at that place.
"""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import pattern, wordmap, wordrow, wordset
from narraworld.extract.embedded.lexicon.nouns import holding_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table
from narraworld.extract.embedded.people.coreference import OTHER, SUBJECT
from narraworld.extract.embedded.unit import UnitState
from narraworld.extract.embedded.writers.plausible.holding import can_hold, holds
from narraworld.kb.propositions import Statement, parse_statement
from narraworld.kb.spans import TextRange

__all__ = ["describe", "locate", "looked_into", "note_absence", "show_scene", "stated", "write_state"]

COMPARED = frozenset({"JJR", "JJS"})  # beside others, and no condition
MEASURE = "obl:unmarked"  # the dependency of `twelve years` in `twelve years old`


def stated(unit: UnitState, clause: Clause) -> list[Statement]:
    """The propositions a clause says outright, with `be` or a verb of condition, whoever vouches for them."""
    if clause.announcing:
        return []
    subjects = unit.who(clause.subjects, SUBJECT)
    if clause.copular and clause.preposition in wordset("prepositions.of_location"):
        return _located(unit, clause, subjects)
    if clause.copular:
        return [said for one in subjects for said in _quality(unit, clause, one)]
    condition = frame_table().conditions.get(clause.verb)
    if condition and not clause.objects:
        return [Statement(one, "condition", value=condition, negative=clause.negated) for one in subjects]
    return []


def _located(unit: UnitState, clause: Clause, subjects: tuple[str, ...]) -> list[Statement]:
    """Where somebody or something is; nobody is in a person: `when the fit was on him`."""
    places = unit.who(clause.predicates, OTHER, besides=subjects)
    somewhere = [place for place in places if unit.kind(place) != "character"]
    return [
        Statement(one, "location", place, negative=clause.negated) for one in subjects for place in somewhere
    ]


def _quality(unit: UnitState, clause: Clause, subject: str) -> list[Statement]:
    """What an adjective says of its subject; `twelve years old` measures, and does not call anybody old."""
    measured = {word.head for word in unit.sentence.words if word.dep == MEASURE}
    noun = {
        word.head for word in unit.sentence.words if word.relation == "det"
    }  # `the whistle`, taken for a quality
    plain = [
        word for word in clause.predicates
        if not (word.position in measured | noun or _figurative(unit, word) or _of_a_deed(unit, word))
    ]  # fmt: skip
    found = (_of_adjective(word, subject, clause.negated) for word in plain)
    return [said for said in found if said is not None]


def _of_adjective(word: Word, subject: str, negated: bool) -> Statement | None:
    """What the table makes of an adjective; one that it has not is a condition, unless it counts or moves."""
    text, table = word.text.lower(), frame_table()
    shape = table.adjectives.get(text)
    if shape:
        form = parse_statement(shape)
        value = text if form.value == "*" else form.value
        return Statement(subject, form.predicate, value=value, negative=form.negative != negated)
    if word.pos != "ADJ" or _compared(word) or _says_no_condition(text):
        return None
    if text in table.movements or pattern("number.numeral").fullmatch(text):
        return None
    return Statement(subject, "condition", value=text, negative=negated)


def _says_no_condition(text: str) -> bool:
    """`due`, `true`; and `sure`, which tells of what somebody thinks."""
    return text in holding_words().no_condition or text in frame_table().certainty


def _compared(word: Word) -> bool:
    """`longer than usual`, `best`, `nearer`, whatever the parser calls it."""
    return word.tag in COMPARED or (
        word.lemma != word.text.lower() and word.text.lower().endswith(wordrow("endings.compared"))
    )


def _of_a_deed(unit: UnitState, word: Word) -> bool:
    """`careful to say`, `ready to go`: how something is done, or would be."""
    behind = [one for one in unit.sentence.words if one.head == word.position < one.position]
    to = {one.head for one in unit.sentence.words if one.tag == "TO"}
    return any(one.position in to and one.tag == "VB" for one in behind)


def _figurative(unit: UnitState, word: Word) -> bool:
    """`dead on her feet`: the adjective means something else by what follows it."""
    return bool(
        pattern("word.figure").match(" ".join(one.text for one in unit.sentence.words[word.position :][:4]))
    )


def write_state(unit: UnitState, clause: Clause, beside: str | None = None) -> bool:
    """Records of a clause with `be`, tied to the event it is told beside; whether there were any."""
    said = stated(unit, clause)
    if len(several := unit.characters(unit.who(clause.subjects, SUBJECT))) > 1:
        unit.company.together = tuple(several)
    wrote = _presence_word(unit, clause, beside)
    if clause.realis not in {"actual", "negated"}:
        return wrote
    truth = "unknown" if clause.either and len(said) > 1 else None
    for one in (one for one in said if holds(unit, clause, one, told=True)):
        if one.predicate == "location":
            locate(unit, clause.where, one, truth)
        else:
            at = looked_into(unit, one.subject) if _looked(unit, one) else None
            unit.add("State", clause.where, proposition=one, truth=truth, at=at)
    missed = note_absence(unit, clause, unit.who(clause.subjects, SUBJECT))
    return wrote or missed or bool(said)


def _looked(unit: UnitState, said: Statement) -> bool:
    """Whether it is how a thing is found by who has just opened it."""
    return said.predicate == "condition" and unit.kind(said.subject) == "object"


def locate(unit: UnitState, where: TextRange, said: Statement, truth: str | None = None) -> str | None:
    """Say where somebody or something is; a thing is shown there, and the event of that is the answer."""
    place, doubted = said.object or "", bool(said.negative or truth)
    again = said.subject in unit.held.moved and unit.stage.where.get(said.subject, ("",))[0] == place
    event = None
    if unit.kind(said.subject) == "character" or doubted or again:  # `so it lay where she had put it`
        unit.add("State", where, proposition=said, truth=truth)
    else:
        event = _shown(unit, where, said.subject, place)
        unit.add("State", where, proposition=said, at=event)
    if not again:
        unit.held.moved.discard(said.subject)
    _stands_at(unit, said.subject, None if doubted else (place, where))
    return event


def _shown(unit: UnitState, where: TextRange, thing: str, place: str) -> str:
    """The event of a thing being shown somewhere."""
    event = unit.shown_event(len(unit.shown))
    unit.delta.reserve([event.rpartition("/")[2]])
    unit.shown.append((thing, place, _around(unit, place) or _scene_at_hand(unit), where))
    return event


def _scene_at_hand(unit: UnitState) -> str | None:
    """Where the telling is, as long as it still speaks of the place."""
    scene = unit.company.figures.get(unit.stage.scene or "")
    return scene.id if scene is not None and unit.company.near(scene) else None


def _stands_at(unit: UnitState, subject: str, told: tuple[str, TextRange] | None) -> None:
    """Remember where somebody or something is, or that it is not known any more."""
    if told is None:
        unit.stage.where.pop(subject, None)
        return
    unit.stage.where[subject] = told
    if around := _around(unit, told[0]):
        unit.held.stood.setdefault(subject, around)


def _around(unit: UnitState, thing: str) -> str | None:
    """The place that a thing is or stands in, through whatever holds it, as far as the text has told."""
    passed = set[str]()
    while unit.kind(thing) != "place" and thing in unit.stage.where and thing not in passed:
        passed.add(thing)
        thing = unit.stage.where[thing][0]
    return thing if unit.kind(thing) == "place" else None


def describe(unit: UnitState) -> None:
    """What a sentence says by the way: `the locked gate`, `a basket of limes`."""
    for word in unit.sentence.words:
        shape = frame_table().adjectives.get(word.text.lower()) if word.relation == "amod" else None
        if shape and not shape.endswith("*") and _definite(unit, noun := unit.sentence.words[word.head]):
            form = parse_statement(shape)
            for one in unit.who([noun]):
                said = Statement(one, form.predicate, value=form.value, negative=form.negative)
                unit.add("State", TextRange(word.start, noun.end), proposition=said)
    _show_contents(unit)
    _note_owners(unit)


def _note_owners(unit: UnitState) -> None:
    """Whose `her brown eyes` and `his brother` are, where that leaves no choice: for `details`, which sees no grammar."""
    for word in unit.sentence.words:
        if word.dep == "nmod:poss" and _looked_at(unit, word):
            gender = wordmap("pronouns.gender").get(word.text.lower())
            named = [
                one for one in unit.sentence.words[word.position + 2 : word.head + 3] if one.name
            ]  # `his brother, Tom`
            if gender in {"male", "female"} and (owner := unit.company.only(gender, unit.who(named))):
                unit.owners.only[word.start] = owner


def _looked_at(unit: UnitState, owner: Word) -> bool:
    phrase = unit.sentence.words[owner.position + 1 : owner.head + 1]
    return any(word.lemma in frame_table().nouns["looks"] for word in phrase)


def _definite(unit: UnitState, noun: Word) -> bool:
    return any(one.head == noun.position and one.text.lower() == "the" for one in unit.sentence.words)


def _show_contents(unit: UnitState) -> None:
    """`a basket of limes`: the limes are in it."""
    for word in unit.sentence.words:
        inside = _held_by(unit, word) if word.lemma in frame_table().nouns["containers"] else None
        if inside is None or _likened(unit, word):
            continue
        containers, things = unit.who([word]), unit.who([inside])
        for thing in things if containers else ():
            if thing != containers[0] and unit.kind(thing) == "object":
                said = Statement(thing, "location", containers[0])
                if not can_hold(unit, said):
                    continue
                locate(unit, TextRange(word.start, inside.end), said)


def _likened(unit: UnitState, word: Word) -> bool:
    """`like a pan of soup`."""
    case = [
        one.text.lower()
        for one in unit.sentence.words
        if one.head == word.position and one.relation == "case"
    ]
    return bool(wordset("prepositions.likening") & {*case})


def _held_by(unit: UnitState, container: Word) -> Word | None:
    """What a container is `of`."""
    below = [one for one in unit.sentence.words if one.head == container.position and one.relation == "nmod"]
    return next((one for one in below if _of(unit, one) and not _owns(unit, one)), None)


def _owns(unit: UnitState, word: Word) -> bool:
    """`the drawer of the desk`: what has a part is not in it."""
    return word.name or any(
        one.head == word.position and one.relation in {"det", "nmod"} for one in unit.sentence.words
    )


def _of(unit: UnitState, word: Word) -> bool:
    return any(
        one.head == word.position and one.relation == "case" and one.text == "of"
        for one in unit.sentence.words
    )


def show_scene(unit: UnitState) -> None:
    """Write the events by which the scene shows things, once the text has said where their containers stand."""
    for number, (thing, container, scene, where) in enumerate(unit.shown):
        place = unit.held.stood.get(container, scene) if unit.kind(container) != "place" else container
        fields = {"patient": thing} | ({"place": place} if place else {})
        unit.use(tuple(fields.values()))
        event = unit.delta.add("Event", f"shown-{number}", quote=where, kind="be", **fields)
        unit.held.ledger.enter(event, "Event", fields, where, unit.sentence)


def _presence_word(unit: UnitState, clause: Clause, beside: str | None) -> bool:
    """`away`, `asleep`: how somebody is there or not."""
    movement = next(
        (found for word in clause.predicates if (found := frame_table().movements.get(word.text.lower()))),
        None,
    )
    if movement is None or clause.realis not in {"actual", "negated"}:
        return False
    opposite = {"asleep": "awake", "awake": "asleep", "away": "present"}
    for one in unit.characters(unit.who(clause.subjects, SUBJECT)):
        said = opposite[movement] if clause.negated else movement
        unit.add("Presence", clause.where, holder=one, movement=said, at=beside)
    return True


# -- What is not there: `the chest was empty`, `the ring was gone`. Whoever has just opened the chest learns it

JUST = 2  # clauses since somebody opened it


def note_absence(unit: UnitState, clause: Clause, subjects: tuple[str, ...]) -> bool:
    """Write what a clause with `empty` or `gone` says is not there; whether there was anything."""
    if clause.realis != "actual" or clause.negated:
        return False
    absent = _absent(unit, clause, [id for id in subjects if unit.kind(id) == "object"])
    for thing, container in absent:
        said = Statement(thing, "location", container, negative=True)
        unit.add("State", clause.where, proposition=said, at=looked_into(unit, container))
        if unit.stage.where.get(thing, ("",))[0] == container:
            del unit.stage.where[thing]
    return bool(absent)


def _absent(unit: UnitState, clause: Clause, things: list[str]) -> list[tuple[str, str]]:
    """What is not there, and what it is not in."""
    words = {word.text.lower() for word in clause.predicates}
    if words & frame_table().nouns["empty"]:
        return [(thing, holds) for holds in things for thing in _thought_in(unit, holds)]
    if words & frame_table().nouns["gone"]:
        return [(thing, holds) for thing in things if (holds := _missed_from(unit, thing))]
    return []


def looked_into(unit: UnitState, holds: str) -> str | None:
    """The deed by which somebody has just opened it, or come upon it."""
    return next(
        (one.event for one in reversed(unit.deeds)
         if one.realis == "actual" and holds in one.patients and unit.company.clause - one.clause <= JUST),
        None,
    )  # fmt: skip


def _missed_from(unit: UnitState, thing: str) -> str | None:
    """Where it is gone from: what somebody has just looked into, else where it lay."""
    looked = [
        holds
        for one in unit.deeds
        if one.realis == "actual" and unit.company.clause - one.clause <= JUST
        and one.kind in frame_table().nouns["looked_into"]
        for holds in one.patients
    ]  # fmt: skip
    return looked[-1] if looked else unit.stage.where.get(thing, (None,))[0]


def _thought_in(unit: UnitState, holds: str) -> list[str]:
    """Things that lay there when last told of, or that somebody last said to be there."""
    lay = [thing for thing, (place, _) in unit.stage.where.items() if place == holds]
    said = [thing for thing, place in unit.stage.said.items() if place == holds]
    return sorted({*lay, *said})
