"""Proofs as a reader sees them: the tree, the sentences, the quotes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from proof_stories import StoryEngine, atom, fact, key_story, told
from random_programs import Case, cases

from narraworld.rules.explain import ExplainSettings, explain, explain_all
from narraworld.rules.ir import Atom, Column, Fold, Program, Relation, Rule, Var
from narraworld.rules.proof import Given, leaves
from narraworld.rules.prose import Quote, Style, as_prose, as_tree, why_not_prose
from narraworld.rules.stratify import stratify
from narraworld.rules.whynot import why_not

NAMES = {
    "leo": "Leo",
    "mara": "Mara",
    "in-drawer": "the key is in the drawer",
    "in-book": "the key is in the book",
}
QUOTES = {
    "ch01/see": [Quote("ch01", 10, 42, "Leo and Mara watched", "ch01.md:3")],
    "ch02/see": [Quote("ch02", 0, 9, "Mara knew", "ch02.md:14"), Quote("ch02", 80, 86, "looked")],
}


def name_of(symbol: str) -> str:
    return NAMES.get(symbol, symbol)


def quote_of(record: str) -> list[Quote]:
    return QUOTES.get(record, [])


def told_of(relation: str, *row: str | int) -> str:
    proof = explain(key_story(), fact(relation, *row))
    assert proof is not None
    return as_prose(proof, name_of, quote_of)


# -- the tree


def test_every_record_shows_its_words_and_where_they_stand():
    proof = explain(key_story(), fact("outdated", "mara", "in-drawer"))
    assert as_tree(proof, quote_of=quote_of) == (
        "outdated(mara, in-drawer)  [key.dl:19]\n"
        "├─ learns(mara, in-drawer, 1)  [key.dl:15]\n"
        "│  ├─ access(ch01/see, mara, in-drawer)\n"
        "│  │  “Leo and Mara watched” (ch01.md:3, ch01 10–42)\n"
        "│  └─ at(ch01/see, 1)\n"
        "│     as above (ch01.md:3, ch01 10–42)\n"
        "├─ slot(in-drawer, key|location)\n"
        "├─ slot(in-book, key|location)\n"
        "├─ learns(mara, in-book, 2)  [key.dl:15]\n"
        "│  ├─ access(ch02/see, mara, in-book)\n"
        "│  │  “Mara knew” (ch02.md:14, ch02 0–9)\n"
        "│  │  “looked” (ch02 80–86)\n"
        "│  └─ at(ch02/see, 2)\n"
        "│     as above (ch02.md:14, ch02 0–9)\n"
        "│     as above (ch02 80–86)\n"
        "└─ 2 > 1"
    )


def test_a_plain_terminal_gets_plain_characters():
    text = as_tree(
        explain(key_story(), fact("learns", "leo", "in-drawer", 1)), name_of, quote_of, Style(ascii=True)
    )
    assert text == (
        "learns(Leo, the key is in the drawer, 1)  [key.dl:15]\n"
        "|- access(ch01/see, Leo, the key is in the drawer)\n"
        '|  "Leo and Mara watched" (ch01.md:3, ch01 10-42)\n'
        "`- at(ch01/see, 1)\n"
        "   as above (ch01.md:3, ch01 10-42)"
    )


def test_below_the_depth_of_the_style_steps_are_counted():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    assert as_tree(proof, style=Style(depth=1)) == (
        "believes(leo, in-drawer)  [key.dl:23]\n"
        "├─ learns(leo, in-drawer, 1)  [key.dl:15]\n"
        "│  └─ … 2 more steps\n"
        "└─ no outdated(who: leo, proposition: in-drawer)"
    )


TWICE = """
.decl seed(r:symbol, n:number)
.input seed
.decl one(n:number)
one(N) :- seed(_, N).
.decl pair(n:number)
pair(N) :- one(N), two(N).
.decl two(n:number)
two(N) :- one(N).
"""


def test_a_subtree_is_told_once():
    proof = explain(StoryEngine(told(TWICE), {"seed": {("r", 1)}}), fact("pair", 1))
    assert as_tree(proof) == (
        "pair(1)  [key.dl:7]\n"
        "├─ one(1)  [key.dl:5]\n"
        "│  └─ seed(r, 1)\n"
        "└─ two(1)  [key.dl:9]\n"
        "   └─ one(1)  [key.dl:5] (as above)"
    )
    assert as_prose(proof).splitlines() == [
        "pair(1).",
        "one(1). seed(r, 1) [r].",
        "two(1).",
        "one(1). (as above)",
    ]


def test_a_count_that_is_too_long_says_what_it_hides():
    proof = explain(key_story(), fact("sightings", "mara", 2), ExplainSettings(members=1))
    assert "└─ 2, counted (1 of 2 shown)  [key.dl:34]" in as_tree(proof)


# -- the sentences


def test_a_mistake_reads_as_prose():
    assert told_of("mistaken", "leo", "in-drawer", "in-book").splitlines() == [
        "Leo is wrong to believe that the key is in the drawer. slot(the key is in the drawer, key|location) [in-drawer]."
        " slot(the key is in the book, key|location) [in-book]. Here the key is in the drawer != the key is in the book.",
        "Leo still believes that the key is in the drawer."
        " Nothing leads to outdated with who Leo and proposition the key is in the drawer.",
        "Leo learns the key is in the drawer at tick 1. Leo sees that the key is in the drawer [ch01/see]:"
        " “Leo and Mara watched” (ch01.md:3, ch01 10–42). at(ch01/see, 1) [ch01/see]: as above (ch01.md:3, ch01 10–42).",
        "Since tick 2 it is so that the key is in the book. slot(the key is in the book, key|location) [in-book]. (as above)"
        " The key is in the book becomes so [ch02/move]. at(ch02/move, 2) [ch02/move].",
        "It is 2, the largest of 2. The key is in the book becomes so [ch02/move]. (as above)"
        " slot(the key is in the book, key|location) [in-book]. (as above) at(ch02/move, 2) [ch02/move]. (as above)",
    ]


SENTENCES = """
{doc}.decl has(record:symbol, who:symbol)
.input has
.decl rich(who:symbol)
{sentence}rich(W) :- has(_, W).
"""


@pytest.mark.parametrize(
    ("doc", "sentence", "said"),
    [
        ("", "//> {W} is rich\n", "Leo is rich. has(r, Leo) [r]."),
        ("/// has(Record, Who): Who has gold.\n", "", "rich(Leo). Leo has gold [r]."),
        ("/// has(Record, Who): there is gold.\n", "", "rich(Leo). There is gold: has(r, Leo) [r]."),
        ("/// has(Record, Who, What): too many names.\n", "", "rich(Leo). has(r, Leo) [r]."),
        ("/// Who has gold.\n", "", "rich(Leo). has(r, Leo) [r]."),
    ],
    ids=["rule", "declaration", "declaration that leaves out a column", "wrong number of names", "no names"],
)
def test_the_rule_speaks_first_then_the_declaration_then_the_row(doc, sentence, said):
    rules = SENTENCES.replace("{doc}", doc).replace("{sentence}", sentence)
    proof = explain(StoryEngine(told(rules), {"has": {("r", "leo")}}), fact("rich", "leo"))
    assert as_prose(proof, name_of) == said


def test_an_id_without_a_name_stays_as_it_is_written():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    assert as_prose(proof).startswith("leo still believes that in-drawer. Nothing leads to outdated")


def test_a_placeholder_that_nothing_binds_stays_visible():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    proof = replace(proof, rule=replace(proof.rule, sentence="{C} asks {X}!"), premises=())
    assert as_prose(proof, name_of) == "Leo asks {X}!"


def test_a_fold_with_a_sentence_of_its_own():
    fold = Rule(
        Atom("last", (Var("R"), Var("T"))),
        (Atom("at", (Var("R"), Var("U"))),),
        Fold("max", Var("U"), ()),
        sentence="{R} ends at {T}",
    )
    relations = {
        "at": Relation("at", (Column("r", "symbol"), Column("t", "number")), base=True),
        "last": Relation("last", (Column("r", "symbol"), Column("t", "number"))),
    }
    engine = StoryEngine(
        Program(relations, (fold,), stratify(relations, (fold,))), {"at": {("r", 1), ("r", 7)}}
    )
    proof = explain(engine, fact("last", "r", 7))
    assert as_prose(proof) == "r ends at 7: 7, the largest of 2. at(r, 7) [r]."
    assert as_tree(proof) == "last(r, 7), the largest of 2\n└─ at(r, 7)"


# -- why not


def why_not_told(relation: str, *args: str | int | None) -> list[str]:
    return why_not_prose(why_not(key_story(), atom(relation, *args)), name_of, quote_of).splitlines()


def test_a_missing_record_is_the_end_of_the_chain():
    assert why_not_told("believes", "ida", "in-book") == [
        "Nothing leads to believes with who ida and proposition the key is in the book.",
        "- The rule at key.dl:23 has no outdated(ida, the key is in the book), but:",
        "  - Nothing leads to learns with who ida and proposition the key is in the book.",
        "    - The rule at key.dl:15 lacks this:",
        "      - No record gives access with who ida and proposition the key is in the book.",
        "      - Open until then: at(R, T).",
    ]


def test_what_blocks_is_proven_with_its_quotes():
    lines = why_not_told("believes", "mara", "in-drawer")
    assert lines[:4] == [
        "Nothing leads to believes with who Mara and proposition the key is in the drawer.",
        "- The rule at key.dl:23 has learns(Mara, the key is in the drawer, 1), but:",
        "  - It must not be that outdated(Mara, the key is in the drawer), but it is:",
        "    Mara has learned better than the key is in the drawer."
        " slot(the key is in the drawer, key|location) [in-drawer]."
        " slot(the key is in the book, key|location) [in-book]. Here 2 > 1.",
    ]
    assert "“Mara knew” (ch02.md:14, ch02 0–9); “looked” (ch02 80–86)" in lines[-1]


def test_another_value_is_told_without_the_relations_we_made():
    assert why_not_told("sightings", "mara", 5) == [
        "Nothing leads to sightings with who Mara and number 5.",
        "- The rule at key.dl:34 has access(ch01/see, Mara, the key is in the drawer), but:",
        "  - The value is 2, not 5:",
        "    It is 2, counted. Mara sees that the key is in the drawer [ch01/see]: “Leo and Mara watched”"
        " (ch01.md:3, ch01 10–42). Mara sees that the key is in the book [ch02/see]: “Mara knew” (ch02.md:14, ch02 0–9);"
        " “looked” (ch02 80–86).",
    ]


@pytest.mark.parametrize(
    ("goal", "last"),
    [
        (("outdated", "leo", "in-drawer"), "  - It is not so that 1 > 1."),
        (
            ("state", "r9", "in-book"),
            "No record gives state with record r9 and proposition the key is in the book.",
        ),
        (
            ("mistaken", None, "in-book", None),
            "  - It is not so that the key is in the book != the key is in the book.",
        ),
    ],
    ids=["comparison", "base", "free variables"],
)
def test_the_last_line_is_the_reason(goal, last):
    assert why_not_told(*goal)[-1] == last


def test_what_holds_after_all_is_said_so():
    lines = why_not_told("learns", "leo", "in-drawer", None)
    assert lines[0] == "learns(Leo, the key is in the drawer, X2) does hold."
    assert lines[1].startswith("  Leo learns the key is in the drawer at tick 1.")


RULES = ".decl a(r:symbol)\n.input a\n.decl b(x:symbol)\n" + 'b(X) :- a(X), X != "x".\n' * 5


def test_only_the_nearest_rules_are_told():
    engine = StoryEngine(told(RULES), {})
    lines = why_not_prose(why_not(engine, fact("b", "y")), style=Style(rules=2)).splitlines()
    assert lines[-1] == "- … and 3 more rules, none nearer."
    assert why_not_prose(why_not(engine, atom("b", None)), style=Style(ascii=True, rules=1)).endswith(
        "- ... and 4 more rules, none nearer."
    )


def test_no_rule_for_this_form():
    engine = StoryEngine(told('.decl b(x:symbol)\nb("x").\n'), {})
    assert why_not_prose(why_not(engine, fact("b", "y"))).splitlines() == [
        "Nothing leads to b with x y.",
        "- No rule concludes it in this form.",
    ]


# -- any program at all


@settings(max_examples=40, deadline=None)
@given(cases)
def test_every_record_of_a_proof_is_told_in_tree_and_prose(case: Case):
    engine = StoryEngine(case.program, case.facts)
    marks: dict[str, str] = {}

    def mark(record: str) -> list[Quote]:
        text = marks.setdefault(record, f"<{len(marks)}>")
        return [Quote("u", 0, 1, text)]

    for goal in case.goals:
        for proof in explain_all(engine, goal, limit=3):
            cited = {mark(leaf.record)[0].text for leaf in leaves(proof) if isinstance(leaf, Given)}
            for text in (as_tree(proof, quote_of=mark), as_prose(proof, quote_of=mark)):
                assert sorted(re.findall(r"“(<\d+>)”", text)) == sorted(cited)
