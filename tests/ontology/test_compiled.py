"""What was made from files is made again when it must be, and only then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.base import compiled as room
from narraworld.base.compiled import compiled, compiled_bytes, digest, from_rows, to_rows
from narraworld.ontology.load import read_vocabulary
from narraworld.ontology.vocabulary import vocabulary


@dataclass(frozen=True)
class Leaf:
    word: str
    notes: dict[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True)
class Twig:
    leaves: tuple[Leaf, ...]
    counts: dict[str, int]
    marks: frozenset[str] = frozenset()


KNOWN = {"Leaf": Leaf, "Twig": Twig}
TWIG = Twig((Leaf("a"), Leaf("b"), Leaf("a")), {"a": 2, "b": 1}, frozenset({"x", "y"}))


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Asks for the twig under a key; says whether it had to be made."""
    monkeypatch.setattr(room, "cache_from_source", lambda file: str(tmp_path / "pycache/compiled.pyc"))

    def asks(key: str) -> list[str]:
        made: list[str] = []
        assert compiled("twig", key, lambda: (made.append(key), TWIG)[1], (Leaf, Twig)) == TWIG
        return made

    return asks


def test_it_is_made_once_for_a_key(make: Callable[[str], list[str]]) -> None:
    assert [make("one"), make("one"), make("two"), make("one")] == [["one"], [], ["two"], ["one"]]


@pytest.mark.parametrize(
    "at", [0, 70, 140, -1], ids=["in the key", "in its seal", "in the rows", "at the end"]
)
def test_a_damaged_file_is_made_anew(make: Callable[[str], list[str]], tmp_path: Path, at: int) -> None:
    make("one")
    file = tmp_path / "pycache/twig.json"
    letters = list(file.read_text())
    letters[at] = "0" if letters[at] != "0" else "1"
    file.write_text("".join(letters))

    assert make("one") == ["one"]
    assert make("one") == []


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"one two\n[]"], ids=["empty", "no text", "no rows"])
def test_a_strange_file_is_made_anew(
    make: Callable[[str], list[str]], tmp_path: Path, content: bytes
) -> None:
    make("one")
    (tmp_path / "pycache/twig.json").write_bytes(content)

    assert make("one") == ["one"]


def test_where_nothing_can_be_written_it_is_made_every_time(
    make: Callable[[str], list[str]], tmp_path: Path
) -> None:
    (tmp_path / "pycache").write_text("a file where the folder should be")

    assert [make("one"), make("one")] == [["one"], ["one"]]


def test_a_key_tells_texts_and_code_apart(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text("1")
    keys = {
        digest(["a", "b"], [code]),
        digest(["ab"], [code]),
        digest(["a", "b"], []),
        digest(["b", "a"], [code]),
    }
    code.write_text("2")

    assert len(keys | {digest(["a", "b"], [code])}) == 5


def test_the_vocabulary_is_what_the_files_say() -> None:
    assert vocabulary() == read_vocabulary()


def test_what_is_no_plain_value_is_not_kept() -> None:
    with pytest.raises(TypeError, match="cannot be kept"):
        to_rows(object(), KNOWN)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=4)
        | st.frozensets(st.text(), max_size=4)
        | st.text().map(Leaf)
    ),
    max_leaves=20,
)


@given(PLAIN)
def test_there_and_back(value: object) -> None:
    back = from_rows(to_rows(value, KNOWN), KNOWN)

    assert back == value
    assert to_rows(back, KNOWN) == to_rows(value, KNOWN)  # which tells True from 1


@pytest.mark.parametrize(
    "spoil", [lambda kept: kept[:-1], lambda kept: kept + b"!", lambda kept: b"", lambda kept: b"\xff" + kept]
)
def test_kept_bytes_are_good_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(room, "cache_from_source", lambda file: str(tmp_path / "pycache/compiled.pyc"))
    made: list[str] = []

    def make() -> bytes:
        made.append("made")
        return b"one\ntwo"

    assert compiled_bytes("table", "key", make) == compiled_bytes("table", "key", make) == b"one\ntwo"
    assert made == ["made"]
    [path] = tmp_path.rglob("table")
    path.write_bytes(spoil(path.read_bytes()))

    assert compiled_bytes("table", "key", make) == b"one\ntwo"
    assert compiled_bytes("table", "another key", make) == b"one\ntwo"
    assert made == ["made"] * 3
