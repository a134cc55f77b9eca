"""The draft of a clause: which of the words below its head are its parts, and what is set right where a small parser errs.

Two tables of named cases, each with its example: `PARTS` says what becomes of a word that hangs on the head (the first case
that fits), `REPAIRS` what is mended afterwards (every case that fits, in this order). Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.grammar.repairs.misreadings import (
    has_absolute,
    has_participle,
    has_two,
    keep_nearest,
    make_earlier,
    set_beside,
)
from narraworld.extract.embedded.grammar.tree import NOMINAL, ClauseDraft, Tree
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["PARTS", "REPAIRS", "Part", "Repair", "draft_of"]

SUBJECTS = frozenset({"nsubj", "csubj"})
PASSIVE = frozenset({"aux:pass", "obl:agent"})
ADVERBIAL = frozenset({"advmod", "cc", "aux", "obl", "discourse"})
QUALITIES = frozenset({"ADJ", "ADV"})
PLACED = frozenset({"nmod", "obl"})
PATIENTS = frozenset({"patient", "patient:object"})


class Part(NamedTuple):
    """What becomes of a word below the head of a clause."""

    name: str
    when: Callable[[Word, Tree], bool]
    take: Callable[[ClauseDraft, Word, Tree], None]
    example: str


class Repair(NamedTuple):
    """What is set right in a draft."""

    name: str
    when: Callable[[ClauseDraft, Tree], bool]
    mend: Callable[[ClauseDraft, Tree], None]
    example: str


def draft_of(tree: Tree, head: int) -> ClauseDraft:
    """The clause at a head, by itself."""
    word = tree.words[head]
    clause = ClauseDraft(word, _verb(tree, word), _relation(word), where=tree.range_of(head))
    if tree.has(word, "cop"):
        clause.predicates, clause.preposition = tree.row(word), tree.case(word)
    for child in tree.children(word):
        _take(clause, child, tree)
    clause.phrases += list(_loose_phrases(clause, tree))
    clause.phrases.sort(key=lambda phrase: phrase[1].position < head)  # what follows the verb is nearer to it
    for repair in REPAIRS:
        if repair.when(clause, tree):
            repair.mend(clause, tree)
    been = any(child.relation == "cop" and child.tag == "VBN" for child in tree.children(word))
    clause.earlier = clause.earlier or (been and bool(clause.adverbs & wordset("auxiliaries.earlier")))
    clause.going_on = word.tag == "VBG" and bool(clause.adverbs & wordset("auxiliaries.being"))
    return clause


def _verb(tree: Tree, word: Word) -> str:
    return "be" if tree.has(word, "cop") else frame_table().lemma(word.text, word.lemma)


def _relation(word: Word) -> str:
    if word.relation == "acl" or word.dep == "acl:relcl":
        return "relative" if word.dep.endswith("relcl") else "acl"
    return "root" if word.head == word.position else word.relation


def _take(clause: ClauseDraft, child: Word, tree: Tree) -> None:
    for part in PARTS:
        if part.when(child, tree):
            part.take(clause, child, tree)
            return


def _nearby(clause: ClauseDraft) -> list[Word]:
    """The phrases that say where or whither: what hangs on these may say it too; not `with Stan out at the Legion`."""
    where = (
        wordset("prepositions.of_a_way")
        | wordset("prepositions.in_a_place")
        | wordset("prepositions.locative")
    )
    return [word for said, word in clause.phrases if said in where]


def _loose_phrases(clause: ClauseDraft, tree: Tree) -> Iterator[tuple[str, Word]]:
    """Phrases the parser hung on the object or on another phrase; the verb may want them all the same."""
    carriers = [*clause.objects, *_nearby(clause)]
    if clause.verb == "be" and not clause.predicates:  # `there was a key in the drawer`
        carriers += clause.subjects
    for carrier in carriers:
        for word in tree.children(carrier):
            preposition = tree.case(word)
            if word.relation in PLACED and preposition:
                carriers.append(
                    word
                )  # `the crate of plums from the pantry to the drawer`: one may hang on another
                if preposition != "of":
                    yield preposition, tree.substance(word)


# -- parts


def _phrase(word: Word, tree: Tree) -> bool:
    return word.position not in tree.heads


def _subject(word: Word, tree: Tree) -> bool:
    return word.relation in SUBJECTS and _phrase(word, tree)


def _slyly(word: Word, tree: Tree) -> bool:
    text = word.text.lower()
    return _subject(word, tree) and text.endswith("ly") and not word.name and len(text) > 4


def _placed_first(word: Word, tree: Tree) -> bool:
    return _subject(word, tree) and tree.case(word) in wordset("prepositions.locative")


def _being(word: Word, tree: Tree) -> bool:
    return word.relation == "nsubj" and any(child.text.lower() == "being" for child in tree.children(word))


def _object(word: Word, tree: Tree) -> bool:
    return word.relation == "obj" and _phrase(word, tree)


def _adverbial(word: Word, tree: Tree) -> bool:
    return word.relation in ADVERBIAL and _phrase(word, tree)


def _quality(word: Word, tree: Tree) -> bool:
    return word.relation == "xcomp" and word.pos in QUALITIES and _phrase(word, tree)


def _leave_out(_clause: ClauseDraft, _word: Word, _tree: Tree) -> None:
    """No part of the clause."""


def _take_place(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.phrases.append((tree.case(word) or "", word))


def _take_subject(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.subjects += tree.row(word)
    clause.passive = clause.passive or word.dep.endswith("pass")


def _take_inner_subject(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.subjects += tree.subjects_of(word)


def _take_object(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.objects += tree.row(word)


def _take_second(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.seconds += tree.row(word)


def _take_marker(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    """The word a clause begins with; `as though` supposes as `if` does."""
    near = tree.words[max(0, word.position - 1) : word.position + 2]
    text = " ".join(beside.text.lower() for beside in near)
    as_if = any(said in text for said in wordset("conjunctions.as_if"))
    clause.marker = "if" if as_if else word.text.lower()


def _take_particle(clause: ClauseDraft, word: Word, _tree: Tree) -> None:
    clause.particle = word.text.lower()


def _take_quality(clause: ClauseDraft, word: Word, _tree: Tree) -> None:
    clause.adverbs.add(word.text.lower())


def _take_adverbial(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    clause.passive = clause.passive or word.dep in PASSIVE
    preposition = tree.case(word)
    if preposition and (word.pos in NOMINAL or word.relation == "obl"):
        clause.phrases += [(tree.case_or(each, preposition), each) for each in tree.row(word)]
    else:
        _take_adverb(clause, word, tree)


def _take_adverb(clause: ClauseDraft, word: Word, tree: Tree) -> None:
    text = word.text.lower()
    whole = [each.text.lower() for each in [*tree.children(word), word] if each.relation != "punct"]
    clause.adverbs |= {text, " ".join(whole)}
    clause.either = clause.either or text == "either"
    if word.tag == "WRB":
        clause.marker = text
    if word.relation == "aux":
        _take_auxiliary(clause, text)
    clause.phrases += [
        (tree.case(each) or "", each) for each in tree.children(word) if each.relation in PLACED
    ]


def _take_auxiliary(clause: ClauseDraft, text: str) -> None:
    """`will`, `could`: what is only to come or only possible; `had gone`: past before the past."""
    clause.modal = wordmap("modals.realis").get(text, clause.modal)
    clause.earlier = clause.earlier or (text in wordset("auxiliaries.earlier") and clause.head.tag == "VBN")


PARTS = (
    Part("an adverb taken for a subject", _slyly, _leave_out, "Leo slyly moved it."),
    Part("a place before the verb", _placed_first, _take_place, "In the drawer lay a letter."),
    Part("subject", _subject, _take_subject, "Leo left."),
    Part("being somebody", _being, _take_inner_subject, "Leo, being a kind man, left."),
    Part("object", _object, _take_object, "Leo took the key."),
    Part("second object", lambda word, _: word.relation == "iobj", _take_second, "Leo gave her the key."),
    Part("marker", lambda word, _: word.relation == "mark", _take_marker, "Leo left as though he knew."),
    Part("particle", lambda word, _: word.dep == "compound:prt", _take_particle, "Leo picked up the key."),
    Part("adverb, helping verb or phrase", _adverbial, _take_adverbial, "Leo could go to the mill."),
    Part("quality", _quality, _take_quality, "Leo left her alone."),
)


# -- repairs


def _active(clause: ClauseDraft, tree: Tree) -> bool:
    return clause.passive and bool(clause.objects) and not tree.has(clause.head, "aux")


def _make_active(clause: ClauseDraft, _tree: Tree) -> None:
    clause.passive = False


def _following(clause: ClauseDraft, tree: Tree) -> list[Word]:
    return list(tree.words[clause.head.position + 1 : clause.head.position + 2])


def _lost_particle(clause: ClauseDraft, tree: Tree) -> str | None:
    """A word beside the verb with which the table knows it: `pick … up`, `make … way`."""
    near = [word.text.lower() for word in _following(clause, tree) if word.relation != "case"]
    light = [word.lemma for word in clause.objects]
    said = (*near, *light, *sorted(clause.adverbs))
    return next((word for word in said if f"{clause.verb} {word}" in frame_table().frames), None)


def _has_lost_particle(clause: ClauseDraft, tree: Tree) -> bool:
    return not clause.particle and _lost_particle(clause, tree) is not None


def _give_particle(clause: ClauseDraft, tree: Tree) -> None:
    clause.particle = _lost_particle(clause, tree)


def _put_on(clause: ClauseDraft, tree: Tree) -> list[tuple[str, Word]]:
    """`put on the shirt`: what looks like a place is what was put on."""
    following = _following(clause, tree)
    said = following[0].text.lower() if following else ""
    frames = frame_table().frames.get(f"{clause.verb} {said}", ())
    wants = {need for frame in frames for need in frame.needs} & PATIENTS
    if not wants or following[0].relation != "case":  # `came to the house`, though who `comes to` awakes
        return []
    return [phrase for phrase in clause.phrases if phrase[0] == said]


def _puts_on(clause: ClauseDraft, tree: Tree) -> bool:
    return not clause.particle and not clause.objects and bool(_put_on(clause, tree))


def _make_object(clause: ClauseDraft, tree: Tree) -> None:
    moved = _put_on(clause, tree)
    clause.particle, clause.objects = moved[0][0], [word for _, word in moved]
    clause.phrases = [phrase for phrase in clause.phrases if phrase not in moved]


def _there(clause: ClauseDraft, tree: Tree) -> bool:
    return not clause.subjects and tree.has(clause.head, "expl")


def _turn_subject(clause: ClauseDraft, _tree: Tree) -> None:
    clause.subjects, clause.objects = clause.objects, []


def _inverted(clause: ClauseDraft) -> bool:
    return not clause.subjects and bool(clause.objects)


def _lies(clause: ClauseDraft, tree: Tree) -> bool:
    """Whether the verb says where a thing is, and the sentence begins with the place."""
    if not _inverted(clause) or clause.head.position == 0:
        return False
    frames = frame_table().of(clause.verb, None)
    shows = any(frame.type == "show" and "place" in frame.needs for frame in frames)
    free = clause.head.relation not in {"nsubj", "conj", "advcl"} or _right_behind_a_place(clause.head, tree)
    return shows and (clause.head.head == 0 or free)


def _right_behind_a_place(head: Word, tree: Tree) -> bool:
    """`…; and on the gate hung a notice`: nobody else goes on."""
    places = _places_before(head, tree)
    return bool(places) and places[-1].position == head.position - 1


def _show(clause: ClauseDraft, tree: Tree) -> None:
    _turn_subject(clause, tree)
    clause.relation = "parataxis"
    clause.phrases += [(tree.case(word) or "", word) for word in _places_before(clause.head, tree)[-1:]]


def _places_before(head: Word, tree: Tree) -> list[Word]:
    locative = wordset("prepositions.locative")
    return [word for word in tree.words[: head.position] if tree.case(word) in locative]


def _comes(clause: ClauseDraft, tree: Tree) -> bool:
    """Not `He rose and went up the stairs`, where somebody else goes on."""
    before = tree.words[max(0, clause.head.position - 1)]
    goes_on = clause.relation == "conj" and before.relation == "cc"
    return _inverted(clause) and clause.verb in frame_table().perfect_with_be and not goes_on


def _lay(clause: ClauseDraft, _tree: Tree) -> bool:
    return clause.head.text.lower() == "lay" and not clause.objects


def _make_lie(clause: ClauseDraft, _tree: Tree) -> None:
    clause.verb = "lie"


def _speaks(clause: ClauseDraft, _tree: Tree) -> bool:
    said = any(frame.type == "speech" for frame in frame_table().of(clause.verb, None))
    return _inverted(clause) and clause.head.position == 0 and said


def _make_speaker(clause: ClauseDraft, _tree: Tree) -> None:
    clause.subjects, clause.objects = clause.objects[:1], clause.objects[1:]


def _handed(clause: ClauseDraft, _tree: Tree) -> bool:
    return not clause.seconds and [word.pos for word in clause.objects] == ["PRON", "NOUN"]


def _hand_over(clause: ClauseDraft, _tree: Tree) -> None:
    clause.seconds, clause.objects = clause.objects[:1], clause.objects[1:]


def _feels(clause: ClauseDraft, tree: Tree) -> bool:
    feeling = frame_table().adjectives.get(clause.head.text.lower(), "").endswith("*")
    done_by = any(preposition == "by" for preposition, _ in clause.phrases)
    return clause.passive and feeling and not done_by and not tree.has(clause.head, "cop")


def _make_feeling(clause: ClauseDraft, _tree: Tree) -> None:
    clause.verb, clause.predicates, clause.passive = "be", [clause.head], False


def _still_there(clause: ClauseDraft, tree: Tree) -> bool:
    return tree.has(clause.head, "cop") and clause.head.pos == "ADV" and bool(clause.phrases)


def _make_location(clause: ClauseDraft, _tree: Tree) -> None:
    clause.preposition, clause.predicates = clause.phrases[0][0], [clause.phrases[0][1]]


def _place_for_marker(clause: ClauseDraft, tree: Tree) -> bool:
    located = clause.marker in wordset("prepositions.locative") and not clause.preposition
    return tree.has(clause.head, "cop") and located and bool(clause.subjects)


def _turn_location(clause: ClauseDraft, _tree: Tree) -> None:
    clause.subjects, clause.predicates = clause.predicates, clause.subjects
    clause.preposition, clause.marker = clause.marker, None


def _place_before_be(clause: ClauseDraft, tree: Tree) -> bool:
    copula = next((word for word in tree.children(clause.head) if word.relation == "cop"), None)
    if copula is None or clause.subjects or clause.preposition or clause.head.pos not in NOMINAL:
        return False
    return copula.position <= clause.head.position and bool(_places_before(copula, tree))


def _turn_round(clause: ClauseDraft, tree: Tree) -> None:
    copula = next(word for word in tree.children(clause.head) if word.relation == "cop")
    place = _places_before(copula, tree)[-1]
    clause.subjects, clause.predicates, clause.preposition = clause.predicates, [place], tree.case(place)


def _left_open(clause: ClauseDraft, _tree: Tree) -> bool:
    return clause.relation == "dep"


def _guess_relation(clause: ClauseDraft, _tree: Tree) -> None:
    coming = "xcomp" if clause.head.tag == "VBG" else "dep"
    clause.relation = "ccomp" if clause.marker == "that" else coming


def _parted(clause: ClauseDraft, tree: Tree) -> bool:
    return clause.relation == "ccomp" and tree.beyond_a_stop(clause.head)


def _set_apart(clause: ClauseDraft, _tree: Tree) -> None:
    clause.relation = "parataxis"


REPAIRS = (
    Repair("two subjects that nothing joins", has_two, keep_nearest, "Mary Lodes ran the bakery."),
    Repair("no passive with an object", _active, _make_active, "Leo gently picked up the pear."),
    Repair("particle beside the verb", _has_lost_particle, _give_particle, "Leo made his way home."),
    Repair("particle taken for a place", _puts_on, _make_object, "Leo put on the shirt."),
    Repair("there stands", _there, _turn_subject, "There sat a pear."),
    Repair("place first", _lies, _show, "In the drawer lay a pear."),
    Repair("comer behind the verb", _comes, _turn_subject, "At last came a rumbling."),
    Repair("lay", _lay, _make_lie, "He lay there."),
    Repair(
        "participle taken for an object",
        has_participle,
        make_earlier,
        "Miss Yardley had lent them a real telescope.",
    ),
    Repair("beside it", has_absolute, set_beside, "He spoke with a rug over his knees."),
    Repair("speaker behind the verb", _speaks, _make_speaker, "Said Mara."),
    Repair("to whom, taken for what", _handed, _hand_over, "Leo gave each of them a biscuit."),
    Repair("feeling, taken for a deed", _feels, _make_feeling, "Marcus was ashamed."),
    Repair("still there", _still_there, _make_location, "Leo was still in the kitchen."),
    Repair("place taken for a while", _place_for_marker, _turn_location, "Inside the box a pear was."),
    Repair("place before be", _place_before_be, _turn_round, "Inside the box was a pear."),
    Repair("relation left open", _left_open, _guess_relation, "Leo saw Mara coming."),
    Repair("behind a semicolon", _parted, _set_apart, "He asked for water; that done, he slept."),
)
