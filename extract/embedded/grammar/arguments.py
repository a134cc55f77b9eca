"""Arguments: which words of a clause fill which role of a verb frame. From grammar to words; resolves nobody. Pure."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table

__all__ = ["parts_of"]

PLAIN = VerbFrame("", ())  # subject, object and second as in most frames


def parts_of(frame: VerbFrame | None, clause: Clause) -> dict[str, list[Word]]:
    """Which words fill which role, by the frame's table; without a frame, the plain reading."""
    shape = frame or PLAIN
    parts = _undergone(clause) if clause.passive else _done(shape, clause, frame)
    if frame is not None:  # `counting Miss Tuke, three`: of other verbs few have two objects
        parts[shape.second] = [*parts.get(shape.second, ()), *clause.seconds]
    for preposition, word in clause.phrases:
        if role := _role(preposition, frame, clause):
            parts.setdefault(role, []).append(word)
    if shape.type == "speech" and clause.seconds:
        parts["addressee"] = list(clause.seconds)
    return {role: words for role, words in parts.items() if words}


def _undergone(clause: Clause) -> dict[str, list[Word]]:
    """Subject and doer of a passive; `seated by the table` has none."""
    seated = clause.verb in frame_table().postures
    doers = [word for preposition, word in clause.phrases if preposition == "by" and not seated]
    return {"patient": list(clause.subjects), "agent": doers}


def _done(shape: VerbFrame, clause: Clause, frame: VerbFrame | None) -> dict[str, list[Word]]:
    said = [word for word in clause.objects if not _part_of_the_verb(word, clause, frame)]
    return {shape.object: said} | {shape.subject: [] if _weather(clause) else list(clause.subjects)}


def _role(preposition: str, frame: VerbFrame | None, clause: Clause) -> str | None:
    """The role of a phrase; `stood there with a mug`: nobody stands by means of it."""
    if frame and (role := frame.markers.get(preposition)):
        return role
    if preposition == "with":
        return "beside" if clause.verb in frame_table().intransitive else "with"
    return "place" if preposition in wordset("prepositions.in_a_place") else None


def _part_of_the_verb(word: Word, clause: Clause, frame: VerbFrame | None) -> bool:
    """The `way` of `made her way`, the `kick` of `gave a kick`: nothing that anybody has or makes."""
    groups = frame_table().nouns
    light = frame is None and clause.verb in groups["light"] and word.lemma in groups["figurative"]
    return word.lemma == clause.particle or light


def _weather(clause: Clause) -> bool:
    """`it was raining`: it is nobody."""
    return clause.verb in frame_table().weather and [one.text.lower() for one in clause.subjects] == ["it"]
