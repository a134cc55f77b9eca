"""A project's own rules: through the same door as ours, with the same errors, and with no way to do anything but derive."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narraworld.rules.errors import RuleError
from narraworld.rules.language.program import load_builtin

Command = Callable[..., Any]

SECRETS = """\
/// keeps_from(Keeper, Other, Proposition): Keeper knows what Other is wrong about.
.decl keeps_from(keeper:symbol, other:symbol, proposition:symbol)
//> {K} knows that {P}, and {O} thinks otherwise
keeps_from(K, O, P) :- knows(K, P), about(P, S, R, _), mistaken(O, Q, _), about(Q, S, R, _), K != O.
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.dl"
    path.write_text(SECRETS, encoding="utf-8")
    return path


def settings(folder: Path, text: str) -> None:
    (folder / "narraworld.toml").write_text(text, encoding="utf-8")


# -- they work


def test_a_rule_file_on_the_command_line(narraworld: Command, key_copy: Path, house: Path) -> None:
    said = narraworld("query", "keeps_from(Who, Leo, P)", "--at", "ch02", "-w", key_copy, "--rules", house)

    assert said.code == 0
    assert said.out.splitlines() == [
        "Who   P",
        "────  ─────────────────────────────",
        "Mara  the key is in the hollow book",
    ]


def test_a_rule_file_in_the_settings(narraworld: Command, key_copy: Path) -> None:
    (key_copy / "rules").mkdir()
    (key_copy / "rules" / "house.dl").write_text(SECRETS, encoding="utf-8")
    settings(key_copy, '[rules]\nfiles = ["rules/house.dl"]\n')

    said = narraworld("why", "keeps_from(Mara, Leo, P)", "--at", "ch02", "-w", key_copy)

    assert said.code == 0
    assert said.out.startswith("Mara knows that the key is in the hollow book, and Leo thinks otherwise.\n")


def test_switches(narraworld: Command, key_copy: Path) -> None:
    """Mara knows where the key is by having moved it; without participation there is no evidence that she does."""
    assert narraworld("query", "knows(Mara, P)", "--at", "ch02", "-w", key_copy).code == 0
    settings(key_copy, '[rules]\noff = ["participation"]\n')

    assert narraworld("query", "knows(Mara, P)", "--at", "ch02", "-w", key_copy).code == 1


# -- they are checked


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(".decl r(x:symbol)\nr(X) :- belives(X, _).\n", ":2:9: no relation is called belives\n  did you mean believes?", id="unknown relation"),
        pytest.param(".decl r(x:symbol)\nr(X) : entity(X, _).\n", ":2:6: ", id="not a rule"),
        pytest.param("entity(X, K) :- instance(X, K).\n", ":1:1: entity is given, no rule may add to it", id="a rule for a base relation"),
    ],
)  # fmt: skip
def test_a_wrong_rule_is_named_by_its_place(
    narraworld: Command, key_folder: Path, house: Path, text: str, complaint: str
) -> None:
    house.write_text(text, encoding="utf-8")

    said = narraworld("query", "open(D)", "-w", key_folder, "--rules", house)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"narraworld: {house}{complaint}")


def test_a_missing_rule_file(narraworld: Command, key_folder: Path, tmp_path: Path) -> None:
    said = narraworld("query", "open(D)", "-w", key_folder, "--rules", tmp_path / "none.dl")

    assert said.code == 2
    assert (
        said.err
        == f"narraworld: {tmp_path / 'none.dl'}:1:1: this rule file cannot be read: No such file or directory\n"
    )


# -- they can derive and nothing else


@pytest.mark.parametrize(
    "text",
    [
        '.decl r(x:symbol)\nr(X) :- entity(X, _), __import__("os").system("touch pwned").\n',
        '.decl r(x:symbol)\nr(X) :- X = @system("touch pwned").\n',
        '.include "/etc/passwd"\n',
        '#include "/etc/passwd"\n',
        '.decl r(x:symbol)\n.input r(IO=file, filename="/etc/passwd")\n',
        ".functor touch(x:symbol):symbol\n",
    ],
    ids=lambda text: text.split()[0],
)
def test_no_way_out_of_a_rule_file(house: Path, text: str) -> None:
    house.write_text(text, encoding="utf-8")

    with pytest.raises(RuleError) as refusal:
        load_builtin([house])
    assert str(refusal.value).startswith(f"{house}:")
    assert not list(house.parent.rglob("pwned"))


@pytest.mark.parametrize(
    "text",
    ['.output believes(IO=file, filename="pwned")\n', '.pragma "libraries" "evil"\n', ".plan 0: (1, 2)\n"],
    ids=lambda text: text.split()[0],
)
def test_what_asks_for_more_than_deriving_is_read_and_not_obeyed(
    narraworld: Command, key_copy: Path, house: Path, text: str
) -> None:
    house.write_text(f".decl r(x:symbol)\nr(X) :- entity(X, _).\n{text}", encoding="utf-8")
    said = narraworld("query", "r(X)", "--rules", house, "--world", key_copy)
    assert said.code == 0, said.err
    assert not list(house.parent.rglob("pwned")) + list(key_copy.rglob("pwned"))


def test_a_constant_is_only_a_constant(narraworld: Command, key_copy: Path, house: Path) -> None:
    """Not SQL, not a format, not Python; in a file as long as a novel."""
    words = ["'); DROP TABLE believes; --", '" OR 1=1', "%s {} {0.__class__}", "__import__('os')", "\\", "🗝"]
    quoted = [json.dumps(word, ensure_ascii=False) for word in words] + [
        f'"{number}"' for number in range(2000)
    ]
    house.write_text(".decl r(x:symbol)\n" + "".join(f"r({word}).\n" for word in quoted), encoding="utf-8")

    said = narraworld("query", "r(X)", "-w", key_copy, "--rules", house, "--json")

    found = {row[0] for row in json.loads(said.out)["rows"]}
    assert found == {*words, *map(str, range(2000))}
    assert narraworld("query", "happened(E)", "-w", key_copy).code == 0


# -- they come to an end

COUNTS = ".decl n(x:number)\nn(1) :- unit(_, _).\nn(Y) :- n(X), Y = X + 1.\n"
GROWS = ".decl n(x:number)\nn(3) :- unit(_, _).\nn(Y) :- n(X), Y = X * 3.\n"


def test_a_rule_that_counts_for_ever_is_stopped(narraworld: Command, key_copy: Path, house: Path) -> None:
    house.write_text(COUNTS, encoding="utf-8")
    settings(key_copy, "[limits]\nfacts = 2000\n")

    said = narraworld("query", "n(X)", "-w", key_copy, "--rules", house)

    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("narraworld: deriving 'n' made more than 2,000 derived rows\n")
    assert narraworld("query", "happened(E)", "-w", key_copy).code == 0, "and the world is as it was"


def test_a_rule_that_grows_beyond_all_numbers_is_stopped(
    narraworld: Command, key_copy: Path, house: Path
) -> None:
    house.write_text(GROWS, encoding="utf-8")

    said = narraworld("query", "n(X)", "-w", key_copy, "--rules", house)

    assert (said.code, said.out) == (2, "")
    assert "deriving 'n' gave a number that does not fit in 64 bits" in said.err
    assert narraworld("query", "happened(E)", "-w", key_copy).code == 0


def test_a_threshold_of_ones_own(narraworld: Command, key_copy: Path) -> None:
    (key_copy / "narraworld.toml").write_text('[thresholds]\n"often named" = 12\n', encoding="utf-8")
    said = narraworld("query", 'threshold("often named", N)', "--world", key_copy)
    assert said.out.split() == ["N", "──", "12"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            '"oftn named" = 12',
            "narraworld.toml: no rule compares with the threshold 'oftn named'\n  did you mean often named?",
        ),
        ('"often named" = "many"', "'often named' in [thresholds] is 'many'\n  it should be a whole number"),
    ],
)
def test_a_threshold_that_means_nothing_is_refused(
    narraworld: Command, key_copy: Path, line: str, why: str
) -> None:
    (key_copy / "narraworld.toml").write_text(f"[thresholds]\n{line}\n", encoding="utf-8")
    said = narraworld("views", "--world", key_copy)
    assert said.code == 2
    assert why in said.err
