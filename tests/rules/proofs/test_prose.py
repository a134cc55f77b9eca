"""Proofs as a reader sees them: the tree, the sentences, the quotes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from proof_stories import StoryEngine, atom, fact, key_story, told
from random_programs import Case, cases

from narraworld.rules.language.dependencies import stratify
from narraworld.rules.language.ir import Atom, Column, Fold, Program, Relation, Rule, Var
from narraworld.rules.proofs.explain import ExplainSettings, explain, explain_all
from narraworld.rules.proofs.proof import Given, leaves
from narraworld.rules.proofs.prose import USUAL, Quote, Style, as_prose, as_tree, why_not_prose
from narraworld.rules.proofs.why_not import WhyNot, why_not

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
        "  one(1).",
        "    seed(r, 1) [r].",
        "  two(1).",
        "    one(1). (as above)",
    ]


def test_a_count_that_is_too_long_says_what_it_hides():
    proof = explain(key_story(), fact("sightings", "mara", 2), ExplainSettings(members=1))
    assert "└─ 2, counted (1 of 2 shown)  [key.dl:34]" in as_tree(proof)


# -- the sentences


def test_a_mistake_reads_as_prose():
    assert told_of("mistaken", "leo", "in-drawer", "in-book").splitlines() == [
        "Leo is wrong to believe that the key is in the drawer.",
        "  Leo still believes that the key is in the drawer.",
        "    Leo learns the key is in the drawer at tick 1.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "    Nothing leads to outdated with who Leo and proposition the key is in the drawer.",
        "  slot(the key is in the drawer, key|location) [in-drawer].",
        "  slot(the key is in the book, key|location) [in-book].",
        "  Since tick 2 it is so that the key is in the book.",
        "    The key is in the book becomes so [ch02/move].",
        "    at(ch02/move, 2) [ch02/move].",
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
        ("", "//> {W} is rich\n", "Leo is rich.\n  has(r, Leo) [r]."),
        ("/// has(Record, Who): Who has gold.\n", "", "rich(Leo).\n  Leo has gold [r]."),
        ("/// has(Record, Who): there is gold.\n", "", "rich(Leo).\n  There is gold: has(r, Leo) [r]."),
        ("/// has(Record, Who, What): too many names.\n", "", "rich(Leo).\n  has(r, Leo) [r]."),
        ("/// Who has gold.\n", "", "rich(Leo).\n  has(r, Leo) [r]."),
    ],
    ids=["rule", "declaration", "declaration that leaves out a column", "wrong number of names", "no names"],
)
def test_the_rule_speaks_first_then_the_declaration_then_the_row(doc, sentence, said):
    rules = SENTENCES.replace("{doc}", doc).replace("{sentence}", sentence)
    proof = explain(StoryEngine(told(rules), {"has": {("r", "leo")}}), fact("rich", "leo"))
    assert as_prose(proof, name_of) == said


def test_a_record_by_itself_shows_its_words():
    proof = explain(key_story(), fact("access", "ch01/see", "leo", "in-drawer"))
    assert as_prose(proof, name_of, quote_of) == (
        "Leo sees that the key is in the drawer.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)"
    )
    assert as_prose(proof, name_of) == "Leo sees that the key is in the drawer [ch01/see]."


def test_words_are_quoted_once_on_a_line_and_once_in_a_telling():
    proof = explain(key_story(), fact("outdated", "mara", "in-drawer"))
    same = QUOTES["ch01/see"]  # access and at both rest on these words, and so does what comes later
    assert as_prose(proof, name_of, lambda record: same).splitlines() == [
        "Mara has learned better than the key is in the drawer.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "  Mara learns the key is in the drawer at tick 1.  as above (ch01.md:3, ch01 10–42)",
        "  Mara learns the key is in the book at tick 2.  as above (ch01.md:3, ch01 10–42)",
    ]


# -- quiet relations and absences

NIGHT = """
/// role(Record, Who): Who is in the story.
.decl role(record:symbol, who:symbol)
.input role
//@ quiet
.decl at(record:symbol, tick:number)
.input at
/// wakes(Record, Who): Who wakes.
{absent}.decl wakes(record:symbol, who:symbol)
.input wakes
//@ quiet
/// night(Who, When): it is night for Who.
.decl night(who:symbol, when:number)
//> this is bookkeeping
night(W, T) :- role(R, W), at(R, T), T > 0, !clock(W).
//@ quiet
.decl clock(who:symbol)
clock(W) :- role(_, W), role(W, _).
.decl sleeps(who:symbol)
//> {W} sleeps
sleeps(W) :- night(W, _), !wakes(_, W).
.decl dreams(who:symbol)
//> {W} dreams
dreams(W) :- sleeps(W), !wakes(W, W), !wakes(_, _).
"""
NIGHT_FACTS = {"role": {("ch01/see", "leo")}, "at": {("ch01/see", 1)}}


def night(absent: str = "") -> StoryEngine:
    return StoryEngine(told(NIGHT.replace("{absent}", absent)), NIGHT_FACTS)


def test_what_a_quiet_relation_rests_on_is_told_in_its_place():
    proof = explain(night(), fact("sleeps", "leo"))
    assert as_prose(proof, name_of).splitlines() == [
        "Leo sleeps.",
        "  Leo is in the story [ch01/see].",
        "  No record says that Leo wakes.",
    ]
    assert as_prose(proof, name_of, quote_of).splitlines() == [
        "Leo sleeps.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "  No record says that Leo wakes.",
    ]


def test_a_tree_shows_what_is_quiet():
    assert as_tree(explain(night(), fact("sleeps", "leo"))).splitlines()[1:4] == [
        "├─ night(leo, 1)  [key.dl:15]",
        "│  ├─ role(ch01/see, leo)",
        "│  ├─ no clock(who: leo)",
    ]


def test_a_quiet_relation_that_is_asked_for_speaks():
    proof = explain(night(), fact("night", "leo", 1))
    proof = replace(proof, rule=replace(proof.rule, sentence=None))
    assert as_prose(proof, name_of) == "It is night for Leo.\n  Leo is in the story [ch01/see]."


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        ("", ["No record says that Leo wakes.", "No record says that Leo wakes.", "No record says that someone wakes."]),
        ("//@ absent: nothing woke {who}\n", ["Nothing woke Leo.", "Nothing woke Leo.", "Nothing woke anyone."]),
        ("//@ absent: {who} slept on\n", ["Leo slept on.", "Leo slept on.", "No record says that someone wakes."]),
        ("//@ absent: in {record} none woke\n", ["In any record none woke.", "In Leo none woke.", "In any record none woke."]),
    ],
    ids=["the declaration denied", "its own sentence", "nobody to begin it with", "any column"],
)  # fmt: skip
def test_absences_have_sentences(absent, said):
    first, second, third = said
    assert as_prose(explain(night(absent), fact("dreams", "leo")), name_of).splitlines() == [
        "Leo dreams.",
        "  Leo sleeps.",
        "    Leo is in the story [ch01/see].",
        f"    {first}",
        f"  {second}",
        f"  {third}",
    ]


def test_an_id_without_a_name_stays_as_it_is_written():
    proof = explain(key_story(), fact("believes", "leo", "in-drawer"))
    assert as_prose(proof).splitlines()[:2] == [
        "leo still believes that in-drawer.",
        "  leo learns in-drawer at tick 1.",
    ]


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
    assert as_prose(proof) == "r ends at 7: 7, the largest of 2.\n  at(r, 7) [r]."
    assert as_tree(proof) == "last(r, 7), the largest of 2\n└─ at(r, 7)"


def test_a_count_is_a_step_but_which_moment_is_last_is_bookkeeping():
    assert told_of("sightings", "mara", 2).splitlines() == [
        "sightings(Mara, 2).  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "  It is 2, counted.  as above (ch01.md:3, ch01 10–42); “Mara knew” (ch02.md:14, ch02 0–9); “looked” (ch02 80–86)",
    ]
    assert "largest" not in told_of("holds", "in-book")


# -- why not


def denied(why: WhyNot, style: Style = USUAL) -> list[str]:
    return why_not_prose(why, name_of, quote_of, style).splitlines()


def why_not_told(relation: str, *args: str | int | None) -> list[str]:
    return denied(why_not(key_story(), atom(relation, *args)))


def test_a_missing_record_is_the_end_of_the_chain():
    assert why_not_told("believes", "ida", "in-book") == [
        "Nothing leads to believes with who ida and proposition the key is in the book.",
        "  It is not so that ida learns the key is in the book at tick some number.",
        "    No record says that ida sees that the key is in the book.",
    ]


def test_what_is_there_is_quoted_and_what_blocks_is_proven():
    assert why_not_told("believes", "mara", "in-drawer") == [
        "Nothing leads to believes with who Mara and proposition the key is in the drawer.",
        "  Mara learns the key is in the drawer at tick 1.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "  But Mara has learned better than the key is in the drawer.",
        "    Mara learns the key is in the drawer at tick 1. (as above)",
        "    slot(the key is in the drawer, key|location) [in-drawer].",
        "    slot(the key is in the book, key|location) [in-book].",
        "    Mara learns the key is in the book at tick 2.  “Mara knew” (ch02.md:14, ch02 0–9); “looked” (ch02 80–86)",
    ]


def test_another_value_is_told_without_the_relations_we_made():
    assert why_not_told("sightings", "mara", 5) == [
        "Nothing leads to sightings with who Mara and number 5.",
        "  So far: “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "  But the value is 2, not 5.",
        "    It is 2, counted.  as above (ch01.md:3, ch01 10–42); “Mara knew” (ch02.md:14, ch02 0–9); “looked” (ch02 80–86)",
    ]


@pytest.mark.parametrize(
    ("goal", "last"),
    [
        (("outdated", "leo", "in-drawer"), "  But it is not so that 1 is more than 1."),
        (("state", "r9", "in-book"), "No record says that the key is in the book becomes so."),
        (
            ("mistaken", None, "in-book", None),
            "  But it is not so that the key is in the book is other than the key is in the book.",
        ),
    ],
    ids=["comparison", "base", "free variables"],
)
def test_the_last_line_is_the_reason(goal, last):
    assert why_not_told(*goal)[-1] == last


def test_what_holds_after_all_is_said_so():
    assert why_not_told("learns", "leo", "in-drawer", None)[:2] == [
        "This does hold:",
        "  Leo learns the key is in the drawer at tick 1.  “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
    ]


WAYS = """
/// saw(Record, Who, Event): Who saw Event.
.decl saw(record:symbol, who:symbol, event:symbol)
.input saw
.decl told_by(record:symbol, who:symbol, speaker:symbol)
.input told_by
//@ quiet
//@ absent: the lamp called {name} is off
.decl lamp(name:symbol)
.input lamp
//@ quiet
.decl sign(event:symbol, sign:symbol)
.input sign
//@ quiet
.decl near(who:symbol, event:symbol)
near(W, E) :- saw(_, W, E), !lamp(E).
//@ absent: {who} does not know
.decl knows(who:symbol, event:symbol)
//> {W} was near {E}
knows(W, E) :- near(W, E).
//> {S} told {W} by the light of {L}
knows(W, E) :- lamp("oil"), told_by(R, W, S), sign(R, L), saw(L, W, E).
//> the sign of {E} is right
knows(W, E) :- sign(E, "right"), saw(_, W, _).
knows(W, E) :- told_by(E, W, W).
//@ absent: {who} is not wise
.decl wise(who:symbol)
//> {W} knows how it ends
wise(W) :- knows(W, "end").
//> {W} knows how it ends and why
wise(W) :- knows(W, "end"), knows(W, "why").
"""


def ways(goal: Atom, rules: int = 9, **facts: set[tuple[str, ...]]) -> list[str]:
    return denied(why_not(StoryEngine(told(WAYS), facts), goal), Style(rules=rules))


def test_each_way_is_told_by_its_rule_and_whatever_is_open_by_its_column():
    assert ways(fact("knows", "leo", "storm")) == [
        "Leo does not know.",
        "  It would be otherwise if Leo was near storm.",
        "    But no record says that Leo saw storm.",
        "  It would be otherwise by the rule at key.dl:25.",
        "    But no record gives told_by with record storm and who Leo and speaker Leo.",
        "  It would be otherwise if the sign of storm is right.",
        "    But no record says that Leo saw some event.",
        "  It would be otherwise if someone told Leo by the light of some record.",
        "    But the lamp called oil is off.",
        "    And no record gives told_by with who Leo.",
        "    And no record says that Leo saw storm.",
    ]


def test_a_way_that_only_bookkeeping_bars_is_left_out():
    # that nobody gave the storm a sign is quiet and has no words of its own; that the lamp is off has
    assert ways(fact("knows", "leo", "storm"), saw={("ch01/see", "leo", "storm")}, lamp={("storm",)}) == [
        "Leo does not know.",
        "  It would be otherwise if Leo was near storm.",
        "    But lamp(storm) [storm].",
        "  It would be otherwise by the rule at key.dl:25.",
        "    But no record gives told_by with record storm and who Leo and speaker Leo.",
        "  It would be otherwise if something told Leo by the light of ch01/see.",
        "    So far: “Leo and Mara watched” (ch01.md:3, ch01 10–42)",
        "    But the lamp called oil is off.",
    ]


def test_bookkeeping_is_told_where_it_is_all_there_is():
    rules = "//@ quiet\n.decl sign(e:symbol)\n.input sign\n.decl right(e:symbol)\nright(E) :- sign(E).\n"
    assert denied(why_not(StoryEngine(told(rules), {}), fact("right", "storm"))) == [
        "Nothing leads to right with e storm.",
        "  No record gives sign with e storm.",
    ]


def test_the_same_denial_is_explained_once():
    assert ways(fact("wise", "leo"), 2)[7:10] == [
        "      … and 2 more ways, none nearer.",
        "  It would be otherwise if Leo knows how it ends and why.",
        "    But Leo does not know. (as above)",
    ]


def test_at_most_so_many_rules_per_level():
    assert ways(fact("wise", "leo"), 1) == [
        "Leo is not wise.",
        "  It would be otherwise if Leo knows how it ends.",
        "    But Leo does not know.",
        "      It would be otherwise if Leo was near end.",
        "        But no record says that Leo saw end.",
        "      … and 3 more ways, none nearer.",
        "  … and 1 more way, none nearer.",
    ]


RULES = ".decl a(r:symbol)\n.input a\n.decl b(x:symbol)\n" + 'b(X) :- a(X), X != "x".\n' * 5


def test_only_the_nearest_rules_are_told():
    engine = StoryEngine(told(RULES), {})
    lines = why_not_prose(why_not(engine, fact("b", "y")), style=Style(rules=2)).splitlines()
    assert lines == [
        "Nothing leads to b with x y.",
        "  It would be otherwise by the rule at key.dl:4.",
        "    But no record gives a with r y.",
        "  It would be otherwise by the rule at key.dl:5.",
        "    But no record gives a with r y.",
        "  … and 3 more ways, none nearer.",
    ]
    assert why_not_prose(why_not(engine, atom("b", None)), style=Style(ascii=True, rules=1)).endswith(
        "... and 4 more ways, none nearer."
    )


def test_no_rule_for_this_form():
    engine = StoryEngine(told('.decl b(x:symbol)\nb("x").\n'), {})
    assert why_not_prose(why_not(engine, fact("b", "y"))).splitlines() == [
        "Nothing leads to b with x y.",
        "  No rule concludes it in this form.",
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
