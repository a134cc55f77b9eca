"""Memory fits its budget, says nothing twice, and reads the same every time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from narraworld.query.evidence import Span
from narraworld.query.memory.assemble import assemble
from narraworld.query.memory.needs import FoundRecord, MemoryItem, MemoryPlan, Need, Section
from narraworld.query.memory.retrieve import Retrieved
from narraworld.query.memory.tokens import TokenCounter, counter, estimate
from narraworld.query.shown.item_lines import ItemLines

PLAN = MemoryPlan("scene", ("leo",), "the betrayal", ())


def item(
    key: str, words: str, section: Section = "W", unit: str = "ch01", start: int = 0, **more: object
) -> MemoryItem:
    span = Span(unit, start, start + 5, words[:5])
    return MemoryItem(key, section, words, (f"{unit}/{key}",), (span,), told=start, **more)  # type: ignore[arg-type]


def found(*items: MemoryItem, needs: dict[str, str] | None = None) -> Retrieved:
    """The items, each worth a little less than the one before."""
    served = {key: frozenset({need}) for key, need in (needs or {}).items()}
    return Retrieved(
        tuple(
            FoundRecord(one, 1.0 - nth / 100, served.get(one.key, frozenset()))
            for nth, one in enumerate(items)
        ),
        (),
        str.title,
    )


def test_sections_stand_in_order_each_line_under_its_unit() -> None:
    told = found(
        item("t", "Leo left.", "T", "ch02", 9),
        item("h", "possible: Leo returns", "H", "ch02", 8, conditions=("if the tide turns",)),
        item("d", "the promise (open)", "D", "ch01", 7),
        item("b", "believes that the key is safe", "B", "ch01", 6, holder="leo"),
        item("w2", "the gate is shut", "W", "ch02", 5),
        item("w1", "the key is in the drawer", "W", "ch01", 4),
    )
    assert assemble(told, PLAN, 500).text == (
        "W: the world\n[ch01]\n- the key is in the drawer\n[ch02]\n- the gate is shut\n"
        "B: Leo\n[ch01]\n- believes that the key is safe\n"
        "D: developments\n[ch01]\n- the promise (open)\n"
        "H: possible, not so yet\n[ch02]\n- possible: Leo returns; if the tide turns\n"
        "In the text\n[ch02]\n- Leo left.\n"
    )


def test_what_is_found_in_a_file_says_where() -> None:
    placed = MemoryItem(
        "w", "W", "the gate is shut", ("ch01/w",), (Span("ch01", 0, 5, "gate", "one.md:3:1"),)
    )
    assert "- the gate is shut (one.md:3:1)\n" in assemble(found(placed), PLAN, 100).text


def test_the_same_line_is_told_once() -> None:
    told = found(item("a", "the gate is shut", start=1), item("b", "the gate is shut", start=9))
    context = assemble(told, PLAN, 100)
    assert (context.text.count("gate"), context.left_out) == (1, 1)


def test_a_need_is_met_before_more_of_the_same() -> None:
    plan = MemoryPlan("scene", (), "x", (Need("promise", "thread", "why"),))
    lines = [item(f"w{n}", f"fact number {n} about the gate", start=10 * n) for n in range(8)]
    told = found(*lines, item("p", "the father promised a box", "D", start=99), needs={"p": "promise"})
    context = assemble(told, plan, 30)
    assert "the father promised a box" in context.text
    assert context.left_out > 0


def test_other_words_come_before_the_same_words_again() -> None:
    summary, detail, other = (
        item("a", "Leo left it", start=0),
        item("b", "He left it", start=0),
        item("c", "Rain", start=50),
    )
    tight = assemble(found(summary, detail, other), PLAN, assemble(found(summary, other), PLAN, 100).tokens)
    assert [one.item.key for one in tight.items] == ["a", "c"]
    wide = assemble(found(summary, detail, other), PLAN, 100)
    assert {one.item.key for one in wide.items} == {"a", "b", "c"}


def test_a_short_line_is_taken_before_a_long_one_of_equal_worth_and_the_worthiest_comes_first() -> None:
    long, short = (
        item("a", "the gate of the old town was shut that night", start=0),
        item("b", "it rained", start=50),
    )
    tight = assemble(found(long, short), PLAN, assemble(found(long), PLAN, 100).tokens)
    assert [one.item.key for one in tight.items] == ["b"]
    better = (FoundRecord(long, 1.1), FoundRecord(short, 1.0))
    wide = assemble(Retrieved(better), PLAN, 100)
    assert [one.item.key for one in wide.items] == ["a", "b"]


def test_what_somebody_knows_stands_under_a_heading_that_says_so_once() -> None:
    told = found(
        item("b", "believes that the tide is out", "B", start=9, holder="leo"),
        item("k2", "knows that the gate is shut", "B", start=7, holder="leo", known="the gate is shut"),
        item("k1", "knows that Ida left", "B", start=5, holder="leo", known="Ida left"),
    )
    assert assemble(told, PLAN, 200).text == (
        "B: Leo knows\n[ch01]\n- Ida left\n- the gate is shut\nB: Leo\n[ch01]\n- believes that the tide is out\n"
    )


def test_a_line_under_a_heading_that_stands_is_taken_before_one_that_needs_its_own() -> None:
    first, apart, beside = (
        item("a", "the gate is shut", unit="the first of May"),
        item("b", "it rained a lot", unit="the second of May", start=50),
        item("c", "Leo sang a song", unit="the first of May", start=90),
    )
    all_alike = tuple(FoundRecord(one, score) for one, score in ((first, 1.0), (apart, 0.52), (beside, 0.5)))
    tight = assemble(Retrieved(all_alike), PLAN, assemble(found(first, apart), PLAN, 100).tokens)
    assert [one.item.key for one in tight.items] == ["a", "c"]
    wide = assemble(Retrieved(all_alike), PLAN, 100)
    assert [one.item.key for one in wide.items] == ["a", "b", "c"]


@pytest.mark.parametrize("budget", [1, 4], ids=["one token", "less than a heading and a line"])
def test_nothing_fits(budget: int) -> None:
    context = assemble(found(item("a", "the gate is shut")), PLAN, budget)
    assert (context.text, context.tokens, context.items, context.left_out) == ("", 0, (), 1)


def test_a_line_that_was_counted_before_is_counted_again_by_another_measure() -> None:
    told = found(*(item(f"w{n}", f"the gate is shut, said number {n}", start=10 * n) for n in range(6)))
    kept = replace(told, lines=ItemLines(str.title))
    letters = TokenCounter("letters", len)
    for count in (counter(), letters, counter()):
        assert assemble(kept, PLAN, 60, counter=count) == assemble(told, PLAN, 60, counter=count)
    assert assemble(kept, PLAN, 60, counter=letters).text != assemble(kept, PLAN, 60).text


def test_an_estimate_is_called_one() -> None:
    context = assemble(found(item("a", "shut")), PLAN, 100, counter=TokenCounter("estimate", estimate))
    assert (context.counted_with, context.tokens) == ("estimate", estimate(context.text))


WORDS = st.text(alphabet="abcé’ .\n“”-—日", min_size=1, max_size=80)
ITEMS = st.lists(
    st.tuples(
        st.sampled_from("WBDHT"), WORDS, st.sampled_from(["ch01", "ch02", "9-May"]), st.integers(0, 40)
    ),
    max_size=25,
)


@settings(max_examples=1000, deadline=None)
@given(drawn=ITEMS, budget=st.integers(1, 400), seed=st.integers(0, 99))
def test_the_budget_is_never_exceeded(
    drawn: list[tuple[Section, str, str, int]], budget: int, seed: int
) -> None:
    """Whatever the words; and whatever order the items came in, the same ones give the same bytes."""
    items = [
        item(str(nth), words, section, unit, start, holder="leo" if section == "B" else None)
        for nth, (section, words, unit, start) in enumerate(drawn)
    ]
    scored = [FoundRecord(one, 1.0 / (1 + nth)) for nth, one in enumerate(items)]
    context = assemble(Retrieved(tuple(scored)), PLAN, budget)
    assert context.tokens == counter()(context.text) <= budget
    assert len(context.items) + context.left_out == len(items)
    random.Random(seed).shuffle(scored)
    assert assemble(Retrieved(tuple(scored)), PLAN, budget).text == context.text
