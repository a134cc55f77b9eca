"""The sentences of a unit: what is told and what is said, each with its clauses."""

from __future__ import annotations

from narraworld.extract.embedded.layout.document import lines_of


def test_what_is_told_and_what_is_said() -> None:
    text = "Mara went in.\n\n“The key is in the drawer. Oh!” said Leo."
    document = lines_of(text)
    assert document.told[0].where.cut(text) == "Mara went in."
    [said] = document.spoken
    assert [line.where.cut(text) for line in said] == ["The key is in the drawer.", "Oh!"]
    assert [bool(line.words) for line in said] == [
        True,
        False,
    ]  # only what can claim something is worth its parse


def test_a_question_of_the_narration_tells_nothing() -> None:
    told, asked = lines_of("Mara took the key. Did Leo take the lamp?").told
    assert ([clause.realis for clause in told.clauses], [clause.realis for clause in asked.clauses]) == (
        ["actual"], ["hypothetical"],
    )  # fmt: skip


def test_the_labels_of_a_script_are_names() -> None:
    text = "Mara: Hello.\nLeo: Good day.\nMara: Come in."
    assert [label.text for label in lines_of(text).labels(text)] == ["Mara", "Leo", "Mara"]
