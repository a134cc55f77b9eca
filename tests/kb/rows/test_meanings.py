"""What deeds mean by the words of their kind: who notices them, from the table of deeds and the roles that are filled."""

from __future__ import annotations

import pytest

from narraworld.kb.normal import Normaliser
from narraworld.kb.rows.bindings import NodeFacts
from narraworld.kb.rows.meanings import Meanings
from narraworld.ontology.respects import respects

CAST = {
    "leo": NodeFacts("leo", "Character", {}, []),
    "ida": NodeFacts("ida", "Character", {}, []),
    "boat": NodeFacts("boat", "Object", {}, []),
}


def noticed(kind: str, **roles: str) -> set[str]:
    deed = NodeFacts("deed", "Event", {"kind": [kind], **{role: [who] for role, who in roles.items()}}, [])
    rows = Meanings(Normaliser(respects())).rows({**CAST, "deed": deed})
    return {str(one.row[1]) for one in rows if one.relation == "noticed_by"}


@pytest.mark.parametrize(
    ("kind", "patient", "who"),
    [
        ("marry", "ida", {"ida"}),
        ("Wed", "ida", {"ida"}),
        ("revive", "ida", {"ida"}),
        ("revive", "boat", set()),  # no deed of that name
        ("bury", "ida", set()),  # the dead notice nothing
        ("mention", "ida", set()),  # nor need whoever is spoken of
    ],
)
def test_whom_a_deed_does_not_escape(kind: str, patient: str, who: set[str]) -> None:
    assert noticed(kind, agent="leo", patient=patient) == who
