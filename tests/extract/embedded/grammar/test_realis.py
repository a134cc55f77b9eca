"""Each case of the realis table decides its example, and no case stands there for nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar.clauses import clauses, drafted
from narraworld.extract.embedded.grammar.realis import (
    CASES,
    Around,
    Case,
    carried_out,
    realis_of,
    settle_realis,
)

VALUES = {
    "joined to a modal": "future",
    "modal": "future",
    "seen by another": "actual",
    "happens with it": "actual",
    "taken upon oneself": "actual",
    "meanwhile": "future",
    "glad to learn": "actual",
}  # of the cases that ask the clause above


def _decided(example: str) -> tuple[str, str]:
    """The case and the realis of the clause whose verb stands between stars, the clauses before it settled."""
    draft = drafted(parsed(example))
    settled = settle_realis(draft.found, draft.tree)
    turned = {clause.head.position for clause in settled if clause.turned}
    around = Around(draft.found, draft.tree.words, turned=turned)
    for clause in draft.found:
        decided = realis_of(clause, around)
        around.settled[clause.head.position] = decided.value
        if clause.head.start == example.index("*"):
            return decided
    raise AssertionError(f"no clause begins at the star: {example}")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_decides_its_example(case: Case) -> None:
    expected = case.value if isinstance(case.value, str) else VALUES[case.name]
    assert _decided(case.example) == (case.name, expected)


def test_a_question_tells_nothing() -> None:
    draft = drafted(parsed("Did Leo take it?"))
    [plain], [asked] = (
        settle_realis(draft.found, draft.tree),
        settle_realis(draft.found, draft.tree, question=True),
    )
    assert (plain.realis, asked.realis) == ("actual", "hypothetical")


def test_the_ways_of_the_world_are_no_event_in_a_story_told_in_the_past() -> None:
    draft = drafted(parsed("Cats are sly."))
    [now], [then] = settle_realis(draft.found, draft.tree), settle_realis(draft.found, draft.tree, past=True)
    assert (now.realis, then.realis) == ("actual", "habitual")


def test_a_decision_carried_out_is_another_clause() -> None:
    [_, meant] = clauses(parsed("Leo wanted to leave."))
    assert carried_out(meant) == replace(meant, realis="actual")
    assert meant.realis == "hypothetical"
