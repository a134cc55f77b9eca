"""Programs made of rules that a test writes out, and the words with which one is refused."""

from __future__ import annotations

import pytest

from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Program
from narraworld.rules.language.program import load_program
from narraworld.rules.language.surface.syntax import parse

__all__ = ["program_of", "refusal_of"]


def program_of(text: str) -> Program:
    """These rules and nothing else, as if they stood in a file."""
    return load_program([parse(text, "test.dl")])


def refusal_of(text: str) -> str:
    """Why these rules are not taken; the test fails where they are."""
    with pytest.raises(RuleError) as caught:
        program_of(text)
    return str(caught.value)
