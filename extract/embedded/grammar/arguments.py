"""Arguments: which words of a clause fill which role of a verb frame. From grammar to words; resolves nobody. Pure."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.clauses import Clause
from narraworld.extract.embedded.grammar.parser import Word
from narraworld.extract.embedded.lexicon.function_words import wordset
from narraworld.extract.embedded.lexicon.verb_frames import VerbFrame, frame_table

__all__ = ["parts_of"]


def parts_of(frame: VerbFrame | None, clause: Clause) -> dict[str, list[Word]]:
    """Which words fill which role, by the frame's table; without a frame, the plain reading."""
    parts: dict[str, list[Word]] = {}
    if clause.passive:
        parts["patient"] = list(clause.subjects)
        seated = clause.verb in frame_table().postures  # `seated by the table`
        parts["agent"] = [word for preposition, word in clause.phrases if preposition == "by" and not seated]
    else:
        said = [word for word in clause.objects if not _part_of_the_verb(word, clause, frame)]
        parts[frame.object if frame else "patient"] = said
        parts[frame.subject if frame else "agent"] = [] if _weather(clause) else list(clause.subjects)
    parts[frame.second if frame else "recipient"] = [
        *parts.get(frame.second if frame else "recipient", ()),
        *clause.seconds,
    ]
    for preposition, word in clause.phrases:
        role = frame.markers.get(preposition) if frame else None
        if role:
            parts.setdefault(role, []).append(word)
        elif preposition == "with":  # `stood there with a mug`: nobody stands by means of it
            beside = clause.verb in frame_table().intransitive
            parts.setdefault("beside" if beside else "with", []).append(word)
        elif preposition in wordset("prepositions.in_a_place"):
            parts.setdefault("place", []).append(word)
    if frame and frame.type == "speech" and clause.seconds:
        parts["addressee"] = list(clause.seconds)
    return {role: words for role, words in parts.items() if words}


def _part_of_the_verb(word: Word, clause: Clause, frame: VerbFrame | None) -> bool:
    """The `way` of `made her way`, the `kick` of `gave a kick`: nothing that anybody has or makes."""
    groups = frame_table().nouns
    light = frame is None and clause.verb in groups["light"] and word.lemma in groups["figurative"]
    return word.lemma == clause.particle or light


def _weather(clause: Clause) -> bool:
    """`it was raining`: it is nobody."""
    return clause.verb in frame_table().weather and [one.text.lower() for one in clause.subjects] == ["it"]
