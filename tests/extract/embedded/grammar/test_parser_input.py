"""What the parser gets to see, and how a lost verb is put back, on grammar alone."""

from __future__ import annotations

from narraworld.extract.embedded.grammar.parser_input import Row, company, made_finite, restored, retold

WAITED: tuple[Row, ...] = (
    ("woman", "NOUN", "NN", "ROOT", 0),
    ("wait", "VERB", "VBN", "acl", 0),
    ("at", "ADP", "IN", "case", 3),
    ("gate", "NOUN", "NN", "obl", 1),
    (".", "PUNCT", ".", "punct", 0),
)


def test_a_verb_without_a_passive_is_the_verb_of_its_sentence() -> None:
    rows = made_finite(("woman", "waited", "at", "gate", "."), WAITED)
    assert [(dep, head) for _, _, _, dep, head in rows] == [
        ("nsubj", 1), ("ROOT", 1), ("case", 3), ("obl", 1), ("punct", 1),
    ]  # fmt: skip
    assert rows[1][:3] == ("wait", "VERB", "VBD")
    assert company(1, rows) == {"nsubj", "obl", "punct"}


def test_a_story_in_the_present_is_shown_in_the_past() -> None:
    grammar: tuple[Row, ...] = (
        ("dog", "NOUN", "NN", "nsubj", 1),
        ("bark", "NOUN", "NNS", "ROOT", 1),
        (".", "PUNCT", ".", "punct", 1),
    )
    told = retold(("dog", "barks", "."), grammar)
    assert told is not None
    assert told.words == ("dog", "barked", ".")
    assert restored(told, grammar)[1] == ("bark", "VERB", "VBZ", "ROOT", 1)
