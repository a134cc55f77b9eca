"""Names are runs of capitals with their titles; a heading names nobody."""

from __future__ import annotations

import pytest
from parses import tokens

from narraworld.extract.embedded.grammar.name_spans import name_uses


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("She had often met Miss Ruth Hale there.", ("Miss", "Ruth", "Hale"), ["Miss Ruth Hale"]),
        ("her cousin Edgar came", ("Edgar",), ["Edgar"]),
        ("Catherine de Bourgh came", ("Catherine", "Bourgh"), ["Catherine de Bourgh"]),
        ("THE LONG WAY HOME", ("THE", "LONG", "WAY", "HOME"), []),
        ("I left", ("I",), []),
        ("Dear Ruth came", ("Dear", "Ruth"), ["Ruth"]),
    ],
)
def test_names_in_a_sentence(text: str, names: tuple[str, ...], found: list[str]) -> None:
    assert [use.text for use in name_uses(tokens(text, *names))] == found
