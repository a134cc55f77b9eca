"""Each case of sharing gives its example something; who then does what is as the sentence has it."""

from __future__ import annotations

import pytest
from parses import parsed

from narraworld.extract.embedded.grammar import clauses as grammar
from narraworld.extract.embedded.grammar.clauses import SHARED, STANDING_FOR, ShareCase, Sharing, clauses

SUBJECTS = {
    "who stands for its noun": {"left": ["man"], "Leo": ["man"]},
    "where stands for its noun": {"kept": ["coat"], "box": ["It"]},
    "who stands for a name": {"saw": ["Ann"], "left": ["Ann"]},
    "beside a subject": {"left": ["Ann"]},
    "participle beside its noun": {"saw": ["Leo"], "tucked": ["coat"]},
    "a subject of its own": {"left": ["Leo"], "stayed": ["Ann"]},
    "as somebody did": {"watched": ["Leo"], "opened": ["Tom"]},
    "no part of the purpose": {"help": [], "moved": ["Leo"]},
    "left over": {"remember": ["I"], "painted": ["I"], "drawn": []},
    "shared": {"went": ["Leo"], "sat": ["Leo"]},
    "taken upon oneself": {"Leo": ["It"], "took": ["Leo"], "move": ["Leo"]},
}


def _subjects(example: str) -> dict[str, list[str]]:
    return {clause.head.text: [word.text for word in clause.subjects] for clause in clauses(parsed(example))}


@pytest.mark.parametrize("case", [*STANDING_FOR, *SHARED], ids=lambda case: case.name)
def test_each_case_applies_to_its_example(case: ShareCase, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list[str]()

    def noted(here: Sharing) -> None:
        given.append(here.clause.head.text)
        case.give(here)

    for table in ("STANDING_FOR", "SHARED"):
        watched = [
            other._replace(give=noted) if other is case else other for other in getattr(grammar, table)
        ]
        monkeypatch.setattr(grammar, table, tuple(watched))
    found = _subjects(case.example)
    assert given
    assert found == SUBJECTS[case.name]
