"""Who deceives whom, hides what from whom, suspects and has found out: asked in plain English of one small story of a forged letter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.situation import Situation
from narraworld.world import World

FIRST = (
    "The letter came. Abel read it out: it was Ida's, and she wanted nothing. Tom stood by. Mara suspected that Tom had written it. "
    "The till was empty; Tom told Mara that it was not. He hid from Abel that he owed Ben."
)
SECOND = (
    "Abel knew now that Tom had written it. Mara saw that the till was empty. “He does not know that you know,” Mara told Abel. "
    "Ben thought that it was Ida who had told Mara. Tom spoke of his fever, and Ben did not believe it."
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    first = Delta(Unit("ch01", 1, FIRST, title="The letter"))
    for who in ("abel", "ida", "tom", "mara", "ben"):
        first.add("Character", who, name=who.title())
    for what in ("letter", "till"):
        first.add("Object", what, name=what)
    first.add("Speech", "reads", kind="read", speaker="abel", addressee=["tom", "mara"], patient="letter", manner="asserts",
              claim=["letter.writer.ida", "ida.goal:nothing"], quote="Abel read it out")  # fmt: skip
    first.add("Attitude", holder="mara", proposition="letter.writer.tom", attitude="suspects",
              quote="Mara suspected that Tom had written it")  # fmt: skip
    first.add("State", proposition="till.condition:empty", quote="The till was empty")
    first.add("Speech", "lie", kind="tell", speaker="tom", addressee="mara", manner="lies", claim="not.till.condition:empty",
              quote="Tom told Mara that it was not")  # fmt: skip
    first.add(
        "Secret",
        holder="tom",
        proposition="tom.debt.ben",
        keptFrom="abel",
        quote="hid from Abel that he owed Ben",
    )
    second = Delta(Unit("ch02", 2, SECOND, title="The till"))
    second.add("Attitude", holder="abel", proposition="letter.writer.tom", attitude="knows",
               quote="Abel knew now that Tom had written it")  # fmt: skip
    second.add("Access", holder="mara", proposition="till.condition:empty", mode="observation",
               quote="Mara saw that the till was empty")  # fmt: skip
    second.add("Speech", "word", kind="tell", speaker="mara", addressee="abel", manner="asserts",
               claim="not.tom.knows.(abel.knows.(letter.writer.tom))", quote="He does not know that you know")  # fmt: skip
    second.add("Attitude", holder="ben", proposition="ida.told.mara", attitude="believes",
               quote="Ben thought that it was Ida who had told Mara")  # fmt: skip
    second.add("Attitude", holder="ben", proposition="tom.health:his fever", attitude="disbelieves",
               quote="Tom spoke of his fever, and Ben did not believe it")  # fmt: skip
    with World.open(tmp_path_factory.mktemp("shop"), create=True) as world:
        assert [world.commit(delta).refusals for delta in (first, second)] == [(), ()]
        yield world


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who lied to Mara about the till?", ["Tom: the till is not empty"]),
        ("What does Tom lie to Mara about?", ["the till is not empty"]),
        ("Whom does Tom deceive?", ["Abel: Ida wants nothing", "Abel: the letter writer Ida", "Mara: the till is not empty"]),
        ("Is Tom deceiving Mara?", ["the till is not empty"]),
        ("Who deceives Abel?", ["Tom: “Abel read it out”"]),
        ("What does Tom hide from Abel?", ["Tom owes Ben"]),
        ("What secrets does Tom keep?", ["Tom owes Ben"]),
        ("Who is hiding something from Abel?", ["Tom: Tom owes Ben"]),
        ("From whom does Tom keep secrets?", ["Abel: Tom owes Ben"]),
        ("Does Mara suspect that Tom wrote the letter?", ["yes"]),
        ("Does Mara suspect Tom?", ["the letter writer Tom"]),
        ("What does Mara suspect?", ["the letter writer Tom"]),
        ("Who suspects that Tom wrote the letter?", ["Mara"]),
        ("Who has found Tom out?", ["Abel: Ida wants nothing", "Abel: the letter writer Ida", "Mara: the till is not empty"]),
        ("Has Mara found Tom out?", ["the till is not empty"]),
        ("Who knows that Tom wrote the letter?", ["Abel", "Tom"]),
        ("Does Abel believe the letter?", ["Ida wants nothing", "the letter writer Ida"]),
        ("Who is lying to Mara?", ["Tom: “Tom told Mara that it was not”"]),
        ("Who is lied to?", ["Abel: Ida wants nothing", "Abel: the letter writer Ida", "Mara: the till is not empty"]),
        ("What did Tom lie about?", ["the till is not empty"]),
        ("Who was told that the till was not empty?", ["Mara"]),
        ("What was Mara told about the till?", ["the till is not empty"]),
        ("Who suspects Tom?", ["Mara: the letter writer Tom"]),
        ("Who does Abel think wrote the letter?", ["the letter writer Tom"]),
        ("Who does Ben think told Mara?", ["Ida told Mara"]),
    ],
)  # fmt: skip
def test_of_lies_and_secrets(shop: World, question: str, answers: list[str]) -> None:
    reply = shop.ask(question)

    assert (reply.outcome, [line.words for line in reply.lines]) == ("derived", answers)
    assert all(line.spans for line in reply.lines)


@pytest.mark.parametrize(
    ("at", "question", "verdict"),
    [
        ("ch01", "Does Abel believe the letter?", True),
        ("ch02", "Does Abel believe the letter?", False),
        ("ch02", "Has Mara found Tom out?", True),
        ("ch01", "Has Mara found Tom out?", None),
        ("ch02", "Does Tom know that Abel has found out?", False),
        ("ch01", "Does Tom know that Abel has found out?", None),
        ("ch02", "Does Tom know that Abel has found out about the letter?", False),
        ("ch02", "Does Ben believe in the fever?", False),
    ],
)
def test_it_depends_on_the_moment(shop: World, at: str, question: str, verdict: bool | None) -> None:
    assert shop.ask(question, Situation(at=at)).verdict is verdict


@pytest.mark.parametrize(("eyes", "verdict"), [("mara", False), ("tom", None)])
def test_that_another_does_not_know_is_told_by_whoever_holds_so_and_never_to_them(
    shop: World, eyes: str, verdict: bool | None
) -> None:
    reply = shop.ask("Does Tom know that Abel has found out?", Situation(at="ch02", focalizer=eyes))

    assert (reply.verdict, bool(reply.lines)) == (verdict, verdict is False)


@pytest.mark.parametrize(
    "question", ["Who deceives Abel?", "What does Tom hide from Abel?", "Who has found Tom out?"]
)
def test_whoever_is_deceived_cannot_tell(shop: World, question: str) -> None:
    reply = shop.ask(question, Situation(at="ch01", focalizer="abel"))

    assert (reply.outcome, reply.lines) == ("nothing found", ())
