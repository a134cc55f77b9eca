"""The author's file: read with care, written without touching what stands there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_check import CHECKED, EYES, KNOWN_LEAK, TWO_COLOURS

from narraworld.query.checks.author_facts import UNIT, authors_word
from narraworld.query.checks.decisions import BadDecisions, Decision, Decisions, add_decision, read_decisions
from narraworld.query.checks.sifting import answered

WRITTEN = """# my own words
[[intentional]]
key = "aaaa"   # keep me
reason = "a dream"
"""


def test_there_need_be_no_file(tmp_path: Path) -> None:
    assert read_decisions(tmp_path / "decisions.toml") == Decisions()


def test_a_new_decision_leaves_comments_and_neighbours_alone(tmp_path: Path) -> None:
    path = tmp_path / "decisions.toml"
    path.write_text(WRITTEN, encoding="utf-8")

    assert not add_decision(path, Decision("intentional", {"key": "bbbb", "reason": "a lie"}), same=["key"])

    assert path.read_text("utf-8") == WRITTEN + '\n[[intentional]]\nkey = "bbbb"\nreason = "a lie"\n'


def test_deciding_again_changes_the_reason_in_place(tmp_path: Path) -> None:
    path = tmp_path / "decisions.toml"
    path.write_text(WRITTEN, encoding="utf-8")

    assert add_decision(path, Decision("intentional", {"key": "aaaa", "reason": "a vision"}), same=["key"])

    assert path.read_text("utf-8") == WRITTEN.replace("a dream", "a vision")


@given(reason=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_reason_comes_back_as_it_went_in(reason: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "decisions.toml"
    add_decision(path, Decision("intentional", {"key": "k", "reason": reason}))

    assert [one["reason"] for one in read_decisions(path).all] == [reason]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[intentional", "is not TOML"),
        ('[[waived]]\nkey = "a"', "has an unknown table [[waived]]"),
        ('[intentional]\nkey = "a"', "[intentional] stands alone"),
        ('[[intentional]]\nkey = "a"', "has no reason"),
        ('[[intentional]]\nkey = "a"\nreason = "b"\nwhy = "c"', "has an unknown key 'why'"),
        ('[[exception]]\nrule = "NW5"\nreason = "r"\nunits = "ch01"', "units is 'ch01'"),
    ],
    ids=["not-toml", "unknown-table", "single-table", "no-reason", "unknown-key", "wrong-type"],
)
def test_a_file_that_cannot_be_used_says_why(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "decisions.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadDecisions) as refused:
        read_decisions(path)
    assert message in str(refused.value)
    with pytest.raises(BadDecisions):
        add_decision(path, Decision("same", {"one": "a", "other": "b"}))
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("fields", "matched"),
    [
        ({"rule": "NW1"}, ["NW103"]),
        ({"rule": "NW"}, ["NW204", "NW103"]),
        ({"rule": "NW", "about": "leo"}, ["NW204"]),
        ({"rule": "NW", "about": "le"}, []),
        ({"rule": "NW", "units": ["ch02"]}, ["NW204"]),
        ({"rule": "NW1", "units": ["ch02"]}, []),
    ],
    ids=["family", "all", "about-somebody", "whole-words-only", "in-a-unit", "both-must-hold"],
)
def test_an_exception_silences_what_it_names(fields: dict[str, object], matched: list[str]) -> None:
    decisions = Decisions((Decision("exception", {**fields, "reason": "so it is here"}),))

    after = answered(replace(CHECKED, waived=(), unused=()), decisions.answers())

    assert [one.rule.id for one in after.waived] == matched
    assert {one.waived.reason for one in after.waived if one.waived} <= {"so it is here"}
    assert bool(after.unused) == (not matched)


def test_a_canon_choice_does_not_silence_but_says_what_to_change() -> None:
    choice = Decision("canon", {"key": TWO_COLOURS.key, "keep": "ch01"})

    told = Decisions((choice,)).directed(CHECKED).findings[1]

    assert told.message.endswith("(you decided that ch01 holds: change ch04)")
    assert [one.unit for one in told.passages] == ["ch04", "ch01"]
    assert told.key == TWO_COLOURS.key


@pytest.mark.parametrize(("rule", "told"), [("NW103", 1), ("NW999", 0)], ids=["looked-for", "not-looked-for"])
def test_a_canon_choice_whose_finding_is_gone_is_done(rule: str, told: int) -> None:
    choice = Decision("canon", {"key": "gone", "keep": "ch01", "rule": rule})

    after = Decisions((choice,)).directed(replace(CHECKED, unused=()))

    assert len(after.unused) == told


def test_a_waiver_dies_with_its_quote() -> None:
    decisions = Decisions((Decision("intentional", {"key": KNOWN_LEAK.key, "reason": "he guessed"}),))
    fresh = replace(CHECKED, waived=(), unused=())
    changed = replace(fresh, findings=(replace(KNOWN_LEAK, key="other-words"), TWO_COLOURS))

    assert [one.key for one in answered(fresh, decisions.answers()).waived] == [KNOWN_LEAK.key]
    assert answered(changed, decisions.answers()).waived == ()
    assert [one.key for one in answered(changed, decisions.answers()).unused] == [KNOWN_LEAK.key]


def test_decisions_about_the_world_are_a_unit_before_the_first() -> None:
    delta = authors_word(
        Decisions((
            Decision("same", {"one": "tom", "other": "mr-thomas"}),
            Decision("fact", {"says": "magic.impossible:fly", "subject_is": "Object"}),
            Decision("intentional", {"key": "k", "reason": "r"}),
        ))
    )  # fmt: skip

    assert delta is not None
    assert (delta.unit.id, delta.unit.order, delta.unit.authority) == (UNIT, 0, "authorNote")
    assert delta.unit.text.splitlines() == [
        "same: one tom, other mr-thomas",
        "fact: says magic.impossible:fly, subject_is Object",
    ]
    assert delta.refusals == []


def test_decisions_about_findings_alone_make_no_unit() -> None:
    assert authors_word(Decisions((Decision("exception", {"rule": EYES.id, "reason": "r"}),))) is None
