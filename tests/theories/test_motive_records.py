"""Records that theories need: causes told elsewhere, roles, outcomes, feelings, norms, levels; and nothing lost in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from world_fixtures import Said

from narraworld.kb.time.clock_values import ClockSettings
from narraworld.rules.packs.pack import FORMALISMS
from narraworld.world import World

STORIES = FORMALISMS / "stories"


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, World]]:
    found = {}
    for name in ("boat", "mill"):
        found[name] = World.open(tmp_path_factory.mktemp(name), create=True)
        found[name].read(*sorted((STORIES / name).glob("*.toml")))
    yield found
    for world in found.values():
        world.close()


def test_an_effect_of_one_chapter_has_a_cause_told_in_another(worlds: dict[str, World]) -> None:
    assert worlds["boat"].query("because(C, E, F, K)").rows == (
        ("ch03/cause-1", "ch02/find-empty", "ch03/untie", "physical"),
    )


def test_before_the_cause_is_told_nobody_asks_it(worlds: dict[str, World]) -> None:
    assert worlds["boat"].query("because(C, E, F, K)", told="ch02").rows == ()


def test_feelings_norms_and_roles_are_rows(worlds: dict[str, World]) -> None:
    mill = worlds["mill"]

    assert mill.query("feeling(F, W, K, V)").rows == (
        ("ch01/emotion-1", "miller", "grief", "negative"), ("ch03/emotion-1", "miller", "joy", "positive"),
    )  # fmt: skip
    assert mill.query("feeling_for(F, N)").rows == (("ch01/emotion-1", "wheel"),)
    assert mill.query("norm(N, B, K), norm_about(N, P), norm_source(N, W)").rows == (
        ("ch01/norm-1", "tamsin", "prohibition", "lantern.condition:lit", "miller"),
    )
    assert set(mill.query("thread_role(D, W, R)").rows) == {
        ("the-wheel", "tamsin", "wants"), ("the-wheel", "miller", "owed"), ("the-wheel", "grey-man", "opposes"),
        ("the-wheel", "old-woman", "helps"),
    }  # fmt: skip
    assert mill.query("outcome(D, O)").rows == (("the-wheel", "achieved"),)


def test_what_is_told_in_a_speech_lies_one_level_deeper(worlds: dict[str, World]) -> None:
    assert worlds["boat"].query("level(E, 1)").rows == (("ch03/row",), ("ch03/untie",))
    assert worlds["boat"].query('line(E, "analepsis")').rows == (("ch03/row",), ("ch03/untie",))


def test_the_rules_count_ticks_as_the_clock_does(worlds: dict[str, World]) -> None:
    assert worlds["boat"].query("ticks_of_a_character(N)").rows == ((ClockSettings().step,),)


def test_a_wish_is_no_doubt(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'character = [{id="leo", name="Leo", quote="Leo"}]\nobject = [{id="key", name="key", quote="key"}]\n'
        'place = [{id="drawer", name="drawer", quote="drawer"}]\n'
        'attitude = [{holder="leo", proposition="key.location.drawer", attitude="wishes", quote="Leo wished the key were in the drawer"}]\n'
        '[unit]\nid = "ch01"\norder = 1\ntext = "Leo wished the key were in the drawer."\n',
        "utf-8",
    )
    with World.open(tmp_path / "w", create=True) as world:
        world.read(tmp_path / "a.toml")

        assert world.query("believes(W, P)").rows == ()
        assert world.query('attitude(A, W, P, "wishes")').rows == (
            ("ch01/attitude-1", "leo", "key.location.drawer"),
        )


def test_a_unit_says_how_long_it_is_and_on_whose_word(worlds: dict[str, World]) -> None:
    assert worlds["boat"].query('unit_length("ch01", N)').rows == ((130,),)
    assert worlds["boat"].query('authority("ch03/untie", A)').rows == (("sourceText",),)


def test_the_teller_that_the_embedded_reader_finds_is_a_record(tmp_path: Path) -> None:
    (tmp_path / "i.txt").write_text(
        'I went down to the harbour. I saw Mara there. "Good day," I said to Mara.\n', "utf-8"
    )
    with World.open(tmp_path / "w", create=True) as world:
        world.read(tmp_path / "i.txt")

        [(unit, teller)] = world.query("teller(U, W)").rows
        assert (unit, world.scope().names(str(teller))) == ("i", "the narrator")


def test_what_a_file_of_records_was_refused_is_kept(narraworld: Callable[..., Said], tmp_path: Path) -> None:
    bad = '[unit]\nid = "ch01"\norder = 1\ntext = "Nell ran."\n[[event]]\nid = "run"\nkind = "run"\nquote = "Nell walked"\n'
    (tmp_path / "bad.toml").write_text(bad, "utf-8")
    narraworld("read", "-w", tmp_path / "w", tmp_path / "bad.toml")

    assert "ch01/run: the quote is not in the text" in narraworld("refusals", "-w", tmp_path / "w").out

    (tmp_path / "bad.toml").write_text(bad.replace("walked", "ran"), "utf-8")
    narraworld("read", "-w", tmp_path / "w", tmp_path / "bad.toml")
    assert "ch01/run" not in narraworld("refusals", "-w", tmp_path / "w").out


def test_an_input_that_nothing_fills_is_said(
    narraworld: Callable[..., Said], worlds: dict[str, World], tmp_path: Path
) -> None:
    rules = tmp_path / "mine.dl"
    rules.write_text(
        ".decl lex(word:symbol)\n.input lex\n.decl use(word:symbol)\nuse(W) :- lex(W).\n", "utf-8"
    )

    asked = narraworld("query", "-w", worlds["boat"].path, "--rules", rules, "use(W)")

    assert (asked.code, "lex is an input that nothing fills" in asked.err) == (1, True)
    assert "hint:" in narraworld("rules", "check", rules).out
    (tmp_path / "lex.facts").write_text("owl\n", "utf-8")
    assert (
        "nothing fills" not in narraworld("query", "-w", worlds["boat"].path, "--rules", rules, "use(W)").err
    )


def test_a_shipped_relation_is_never_extended_in_silence(
    narraworld: Callable[..., Said], worlds: dict[str, World], tmp_path: Path
) -> None:
    rules = tmp_path / "mine.dl"
    rule = 'happened(E) :- event(E, _, "hypothetical").\n'
    rules.write_text(rule, "utf-8")

    asked = narraworld("query", "-w", worlds["boat"].path, "--rules", rules, "happened(E)")

    assert (asked.code, "this adds to happened" in asked.err) == (0, True)
    rules.write_text(f".extend happened\n{rule}", "utf-8")
    assert narraworld("query", "-w", worlds["boat"].path, "--rules", rules, "happened(E)").err == ""


def test_a_pack_of_ones_own_says_what_nothing_fills(
    narraworld: Callable[..., Said], worlds: dict[str, World], tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pack.dl").write_text(
        "//! Words.\n//! cite: me\n//! features: words = count my_word in words\n.decl lex(word:symbol)\n.input lex\n"
        "/// my_word(Word): Word is told.\n.decl my_word(word:symbol)\nmy_word(W) :- lex(W).\n",
        "utf-8",
    )

    said = narraworld("analyse", tmp_path / "mine", worlds["boat"].path)

    assert (said.code, "lex is an input that nothing fills" in said.err) == (0, True)
