"""Several files, one program: what comes together, what is refused, what is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.rules.errors import NotStratified, RuleError, RuleSyntaxError, UnknownRelation
from narraworld.rules.language import program as programs
from narraworld.rules.language.program import (
    BUILT_IN,
    built_in_files,
    load_builtin,
    load_program,
    problems,
    read_source,
)
from narraworld.rules.language.souffle import rule_text
from narraworld.rules.language.surface.syntax import parse

READ = parse(".decl seen(who:symbol)\n.input seen\n.decl known(who:symbol)\nknown(W) :- seen(W).", "read.dl")


def test_a_user_file_adds_relations_and_extends_derived_ones(tmp_path: Path) -> None:
    mine = tmp_path / "mine.dl"
    mine.write_text('.decl famous(who:symbol)\nfamous(W) :- known(W).\nknown("leo").\n', encoding="utf-8")

    program = load_program([READ, mine])

    assert program.base() == ("seen",)
    assert program.derived() == ("known", "famous")
    assert [rule_text(rule) for rule in program.rules_for("known")] == [
        "known(W) :- seen(W).",
        'known("leo").',
    ]
    assert program.rules_for("famous")[0].place.file == str(mine)
    assert [source.file for source in program.sources] == ["read.dl", str(mine)]


def test_a_user_file_never_adds_to_what_was_read() -> None:
    with pytest.raises(RuleError, match="seen is given, no rule may add to it"):
        load_program([READ, parse("seen(W) :- known(W).", "mine.dl")])


def test_the_order_of_files_does_not_matter() -> None:
    mine = parse(".decl famous(who:symbol)\nfamous(W) :- known(W).", "mine.dl")
    assert load_program([mine, READ]).strata == load_program([READ, mine]).strata


def test_the_first_problem_is_raised_and_the_others_counted() -> None:
    wrong = parse("known(W) :- sen(W).\nknown(W) :- seen(V).\nknown(W, W).", "mine.dl")

    with pytest.raises(UnknownRelation) as caught:
        load_program([READ, wrong])

    assert str(caught.value) == (
        "mine.dl:1:13: no relation is called sen (and 2 more problems)\n  did you mean seen?"
    )
    assert [one.place.line for one in problems([READ, wrong])] == [1, 2, 3]


def test_a_single_problem_is_not_counted() -> None:
    with pytest.raises(UnknownRelation) as caught:
        load_program([READ, parse("known(W) :- sen(W).")])
    assert "more" not in str(caught.value)


def test_problems_tells_spelling_before_meaning_before_cycles(tmp_path: Path) -> None:
    one, two = tmp_path / "one.dl", tmp_path / "two.dl"
    one.write_text("known('leo').")
    two.write_text("known(W) :- .")
    meaningless = parse("known(W) :- nobody(W).")
    cycle = parse("known(W) :- seen(W), !known(W).")

    assert [type(error) for error in problems([one, READ, meaningless, two])] == [RuleSyntaxError] * 2
    assert [type(error) for error in problems([READ, meaningless, cycle])] == [UnknownRelation]
    assert [type(error) for error in problems([READ, cycle])] == [NotStratified]
    assert problems([READ]) == []


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.dl"
    latin.write_bytes('known("Zoë").'.encode("latin-1"))

    with pytest.raises(RuleError, match="cannot be read: No such file"):
        read_source(tmp_path / "nowhere.dl")
    with pytest.raises(RuleSyntaxError, match="not UTF-8"):
        read_source(latin)


def test_a_missing_built_in_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "BUILT_IN", ("base", "gone"))
    with pytest.raises(RuleError, match=r"gone\.dl:1:1: a built-in rule file is missing"):
        built_in_files()


def test_every_rule_file_of_the_room_is_built_in() -> None:
    room = Path(programs.__file__).parents[1]
    assert sorted(BUILT_IN) == sorted(path.stem for path in room.glob("*.dl"))


def test_the_built_in_program_is_loaded_once_per_content(tmp_path: Path) -> None:
    mine = tmp_path / "mine.dl"
    mine.write_text(".decl mine(a:symbol)")
    before = load_builtin([mine])
    assert load_builtin([mine]) is before

    mine.write_text(".decl yours(a:symbol)")

    assert "yours" in load_builtin([mine]).relations
    assert load_builtin() is load_builtin()


KINDS = ".type Person <: symbol\n.type Place <: symbol\n.type Thing = Person | Place\n.decl at(a:Person, b:Place)\n.input at\n"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        pytest.param(".decl met(a:Person)\nmet(x) :- at(x, _).", "", id="a person is a person"),
        pytest.param(".decl met(a:Thing)\nmet(x) :- at(_, x).", "", id="a place is a thing"),
        pytest.param(".decl met(a:symbol)\nmet(x) :- at(_, x).", "", id="anything is a symbol"),
        pytest.param(
            ".decl say(a:symbol)\n.decl met(a:Person)\nmet(x) :- say(x).", "", id="a symbol may be a person"
        ),
        pytest.param(
            ".decl met(a:Person)\nmet(x) :- at(_, x).",
            "x is a Place, but met holds a Person",
            id="a place is none",
        ),
        pytest.param(
            ".decl all(a:Thing)\n.decl met(a:Person)\nmet(x) :- all(x).",
            "x is a Thing, but met",
            id="nor is any thing",
        ),
    ],
)
def test_a_place_where_a_person_is_meant_is_found_when_the_file_is_read(rule: str, words: str) -> None:
    found = [error.what for error in problems([parse(KINDS + rule)])]
    assert [words in one for one in found] == [True] * bool(words)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        pytest.param("greeted(X) :- presence(_, X, _).", "", id="whoever is present may be a person"),
        pytest.param('greeted(X) :- entity(X, "character").', "", id="a character is a person"),
        pytest.param('greeted(X) :- entity(X, "place").', "X is a Place, but who of greeted holds a Person", id="a place is none"),
        pytest.param("greeted(E) :- happened(E).", "E is an Event, but who of greeted", id="nor is what happened, though derived"),
        pytest.param('greeted(X) :- entity(X, "place"), happened(X).', "X is nothing at all", id="nothing is both"),
        pytest.param("greeted(X) :- titled(X, _).", "X is a Development or a Scene or a SourceUnit", id="nor is what has a title"),
        pytest.param("greeted(X) :- at(X, _).", "", id="of the clock nothing is known"),
        pytest.param(".decl mine(a:symbol)\n.input mine\ngreeted(X) :- mine(X).", "", id="nor of one's own tables"),
    ],
)  # fmt: skip
def test_classes_of_the_ontology_are_types(rule: str, words: str) -> None:
    mine = parse(".type Person <: Character\n.decl greeted(who:Person)\n" + rule, "mine.dl")
    found = [error.what for error in problems([*load_builtin().sources, mine])]
    assert [words in one for one in found] == [True] * bool(words), found


def test_a_class_is_a_type_only_by_its_own_name() -> None:
    assert [error.what for error in problems([parse(".decl met(who:Charakter)")])] == [
        "Charakter is not a type"
    ]
    assert problems([parse(".type Place <: number\n.decl far(where:Place)\nfar(1).")]) == []
