"""A proposition is a line of text that can be read aloud, taken apart, denied, and put together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.kb.propositions import BadProposition, Statement, parse_statement

KEY = Statement("key", "location", object="drawer")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("key.location.drawer", KEY, id="about two things"),
        pytest.param("not.key.location.drawer", KEY.negated(), id="denied"),
        pytest.param("lamp.condition:works", Statement("lamp", "condition", value="works"), id="a value"),
        pytest.param("leo.age:12", Statement("leo", "age", value="12"), id="a number is text"),
        pytest.param(
            "door.open:half%20shut", Statement("door", "open", value="half shut"), id="a value with a space"
        ),
        pytest.param("tea.price:3.50", Statement("tea", "price", value="3.50"), id="a value with a dot"),
        pytest.param(
            "mara.knows.(key.location.drawer)",
            Statement("mara", "knows", object="key.location.drawer"),
            id="nested",
        ),
        pytest.param(
            "mara.knows.(not.lamp.condition:works)",
            Statement("mara", "knows", object="not.lamp.condition:works"),
            id="a denial, nested",
        ),
    ],
)
def test_reading(text: str, expected: Statement) -> None:
    assert parse_statement(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "key", "key.location", "key.location.", ".location.drawer", "key..drawer", "not.key", "key:drawer"],
)
def test_not_a_proposition(text: str) -> None:
    with pytest.raises(BadProposition, match="is not a proposition"):
        parse_statement(text)


def test_matter_slot_and_denial() -> None:
    assert KEY.negated().id == "not.key.location.drawer"
    assert KEY.negated().matter == KEY.matter == KEY.id == "key.location.drawer"
    assert KEY.slot(functional=True) == "key.location"
    assert KEY.slot(functional=False) == "key.location.drawer"


names = st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True).filter(lambda name: name != "not")
plain = st.builds(Statement, names, names, object=names, negative=st.booleans()) | st.builds(
    Statement, names, names, value=st.text(min_size=1, max_size=12), negative=st.booleans()
)
nested = st.builds(Statement, names, names, object=plain.map(lambda one: one.id), negative=st.booleans())


@given(plain | nested)
def test_what_is_written_can_be_read(statement: Statement) -> None:
    assert parse_statement(statement.id) == statement


@given(plain | nested)
def test_twice_denied_is_affirmed(statement: Statement) -> None:
    assert statement.negated().negated() == statement
    assert statement.negated().id != statement.id
