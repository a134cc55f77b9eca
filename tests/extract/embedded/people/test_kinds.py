"""What each name and noun is, by what the sentences do with it, on hand-made parses."""

from __future__ import annotations

from parses import parsed

from narraworld.extract.embedded.grammar.clauses import clauses
from narraworld.extract.embedded.grammar.time_expressions import TimeWords
from narraworld.extract.embedded.layout.document import Sentence
from narraworld.extract.embedded.people.kinds import kinds_of
from narraworld.kb.spans import TextRange


def _kinds(text: str) -> dict[str, str]:
    words = parsed(text)
    return kinds_of([Sentence(TextRange(0, len(text)), words, clauses(words), TimeWords())], text)


def test_who_takes_is_somebody_and_what_is_taken_a_thing() -> None:
    found = _kinds("Leo took the key from the drawer.")
    assert (found["leo"], found["key"]) == ("character", "object")


def test_where_somebody_goes_is_a_place() -> None:
    assert _kinds("Leo went to the mill.") == {"leo": "character", "mill": "place"}
