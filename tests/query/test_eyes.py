"""Through somebody's eyes: names by what each mind knows, lies that seem true, and words of the page only where all of them were met."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.query.eyes.renaming import Renaming, joined
from narraworld.query.names import rows
from narraworld.query.scope import Scope
from narraworld.rules.living.cut import seen_from_everywhere
from narraworld.world import World

INN = (
    "Jack Vane leaned on the desk. “I am Mr. Brown,” he told Ada, and she wrote it down. "
    "Bo, who had known Jack Vane for years, kept quiet. Jack Vane, the forger, kissed Ada."
)
RING = "“That is Jack Vane,” Bo told Ada by the fire, and she believed him."


def inn() -> Delta:
    """Jack is Brown to Ada, and Jack to Bo."""
    made = Delta(Unit("ch01", 1, INN, title="The forger"))
    for who, name in (("jack-vane", "Jack Vane"), ("ada", "Ada"), ("bo", "Bo")):
        made.add("Character", who, name=name)
    claim = "jack-vane.name:Mr. Brown"
    made.add(
        "Speech", "lie", kind="lie", speaker="jack-vane", addressee="ada", claim=claim, manner="lies",
        quote="“I am Mr. Brown,” he told Ada",
    )  # fmt: skip
    made.add(
        "Attitude", holder="ada", proposition=claim, attitude="believes", at="lie", quote="she wrote it down"
    )
    made.add(
        "Attitude", "b", holder="bo", proposition="jack-vane.name:Jack Vane", attitude="knows",
        quote="who had known Jack Vane for years",
    )  # fmt: skip
    made.add("State", "s", proposition="jack-vane.occupation:forger", quote="Jack Vane, the forger")
    made.add(
        "Event",
        "kiss",
        kind="kiss",
        agent="jack-vane",
        recipient="ada",
        quote="Jack Vane, the forger, kissed Ada",
    )
    made.add(
        "Development",
        "fraud",
        kind="plan",
        title="Jack Vane's forged name",
        holder="jack-vane",
        quote="“I am Mr. Brown,”",
    )
    made.add("Step", development="fraud", status="opened", at="lie", quote="“I am Mr. Brown,”")
    return made


def ring() -> Delta:
    """Ada learns who he is."""
    made = Delta(Unit("ch02", 2, RING, title="The ring"))
    made.add(
        "Speech", "reveal", kind="tell", speaker="bo", addressee="ada", claim="jack-vane.name:Jack Vane", manner="asserts",
        quote="“That is Jack Vane,” Bo told Ada by the fire",
    )  # fmt: skip
    made.add(
        "Attitude", holder="ada", proposition="jack-vane.name:Jack Vane", attitude="believes", at="reveal",
        quote="she believed him",
    )  # fmt: skip
    return made


@pytest.fixture(scope="module")
def hotel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World.open(tmp_path_factory.mktemp("hotel"), create=True) as world:
        for delta in (inn(), ring()):
            assert world.commit(delta).refusals == ()
        yield world


def everything(scope: Scope) -> str:
    """Every base row of a scope, in its own words."""
    program = scope.engine.program
    told = (name for name in program.base() if name not in seen_from_everywhere(program))
    return repr([rows(scope.engine, name) for name in told])


def test_each_mind_calls_him_by_the_name_it_knows(hotel: World) -> None:
    jack = {
        who: hotel.query('event(E, "kiss", R), role(E, X, "agent")', at="ch01", as_=who).words
        for who in ("Ada", "Jack")
    }
    assert [row[-1] for row in (*jack["Ada"], *jack["Jack"])] == ["Mr. Brown", "Jack Vane"]
    assert hotel.query("calls(Bo, Jack, ?Name)", at="ch01").rows == (("Jack Vane",),)


def test_nothing_of_the_secret_name_is_left_in_her_world(hotel: World) -> None:
    told = everything(hotel.scope(at="ch01", as_="Ada"))
    assert "Brown" in told
    assert "vane" not in told.casefold()
    assert "forg" not in told.casefold()
    assert "'lies'" not in told
    assert "ch01/lie" not in told  # nor does a symbol spell it


@pytest.fixture(scope="module")
def excuse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The narration calls a lie so, in words of its own and beside the spoken ones."""
    made = Delta(
        Unit(
            "ch01", 1, 'Tom came in, and Ida was there. "Rex took the box," Tom lied. And so he lied to her.'
        )
    )
    made.add("Character", "tom", name="Tom", quote="Tom came in")
    made.add("Character", "ida", name="Ida", quote="Ida was there")
    made.add("Character", "rex", name="Rex", quote="Rex took the box")
    made.add("Object", "box", name="the box", quote="the box")
    for id, quote in (("e1-lie", "And so he lied to her."), ("e2-lie", '"Rex took the box," Tom lied.')):
        made.add(
            "Speech", id, kind="lie", speaker="tom", addressee="ida", claim="box.possession.rex", manner="lies", quote=quote
        )  # fmt: skip
    with World.open(tmp_path_factory.mktemp("excuse"), create=True) as world:
        assert world.commit(made).refusals == ()
        yield world


def test_the_page_that_calls_a_lie_so_is_not_quoted_to_who_is_taken_in(excuse: World) -> None:
    told = {who: everything(excuse.scope(at="ch01", as_=who)).casefold() for who in ("Ida", "Tom")}

    assert ("lied" in told["Ida"], "-lie" in told["Ida"], "box.possession.rex" in told["Ida"]) == (
        False,
        False,
        True,
    )
    assert ("lied" in told["Tom"], "-lie" in told["Tom"]) == (True, True)


def test_he_knows_that_he_lies(hotel: World) -> None:
    told = everything(hotel.scope(at="ch01", as_="Jack"))
    assert ("'lies'" in told, "Jack Vane's forged name" in told) == (True, True)


def test_the_name_is_learned(hotel: World) -> None:
    told = everything(hotel.scope(as_="Ada"))
    assert "Jack Vane" in told
    assert "forg" not in told.casefold(), "what he does for a living she has not learned"


def test_what_the_page_gives_away_is_told_in_plain_words(hotel: World) -> None:
    events = [event.words for event in hotel.views(at="ch01", as_="Ada").events]
    assert events == ["“‘I am Mr. Brown,’ he told Ada”", "Mr. Brown to Ada: kiss"]


def test_a_thread_that_is_not_hers_has_no_title(hotel: World) -> None:
    assert [one.words for one in hotel.views(at="ch01", as_="Ada").threads] == ["a plan of Mr. Brown"]


def test_its_symbol_spells_no_title_either(hotel: World) -> None:
    symbols = {
        who: [one.development for one in hotel.views(at="ch01", as_=who).threads] for who in ("Ada", "Jack")
    }
    assert symbols == {"Ada": ["plan"], "Jack": ["fraud"]}


def test_what_others_say_of_her_own_affairs_is_a_thought_without_their_words(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    made = Delta(
        Unit("ch01", 1, "Miriam read. “She lives in Lisbon,” Ada told Bo in the cellar, “poor thing.”")
    )
    for who in ("miriam", "ada", "bo"):
        made.add("Character", who, name=who.capitalize())
    made.add("Event", "read", kind="read", agent="miriam", quote="Miriam read")
    made.add(
        "Speech", "gossip", kind="gossip", speaker="ada", addressee="bo", claim="miriam.home:Lisbon", manner="asserts",
        quote="“She lives in Lisbon,” Ada told Bo in the cellar",
    )  # fmt: skip
    with World.open(tmp_path_factory.mktemp("cellar"), create=True) as world:
        assert world.commit(made).refusals == ()
        own = world.scope(as_="Miriam")
        assert [row[1] for row in rows(own.engine, "believes", "miriam")] == ["miriam.home:Lisbon"]
        assert not {"gossip", "cellar", "ada"} & set(everything(own).casefold().replace("'", " ").split())


# -- two who are one


def ball() -> Delta:
    made = Delta(
        Unit(
            "ch01",
            1,
            "The masked man danced with Ida. Tom saw it. “You are Karl!” she cried; it was he. Karl was ill.",
        )
    )
    for who, name in (("masked-man", "masked man"), ("karl", "Karl"), ("ida", "Ida"), ("tom", "Tom")):
        made.add("Character", who, name=name)
    made.add(
        "Event",
        "dance",
        kind="dance",
        agent="masked-man",
        companion="ida",
        quote="The masked man danced with Ida",
    )
    made.add("Access", holder="tom", event="dance", mode="observation", at="dance", quote="Tom saw it")
    made.add("Event", "cry", kind="cry", agent="ida", quote="“You are Karl!” she cried; it was he")
    made.add("Identity", one="masked-man", other="karl", verdict="same", quote="it was he")
    made.add("State", proposition="karl.health:ill", quote="Karl was ill")
    made.add("Attitude", holder="ida", proposition="karl.health:ill", attitude="knows", quote="Karl was ill")
    return made


def test_two_are_one_for_those_who_learned_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    with World.open(tmp_path_factory.mktemp("ball"), create=True) as world:
        assert world.commit(ball()).refusals == ()
        dancers = {
            who: world.query('role(E, X, "agent"), event(E, "dance", R)', as_=who).rows
            for who in ("Ida", "Tom")
        }
        assert dancers == {
            "Ida": (("ch01/dance", "karl", "actual"),),
            "Tom": (("ch01/dance", "masked-man", "actual"),),
        }
        assert world.query(
            'role("ch01/dance", X, "agent"), believes(Ida, P), proposition(P, X, K, V, S)', as_="Ida"
        ).rows
        who = 'role("ch01/dance", X, "agent"), named(R, X, ?Name)'
        assert {row[-1] for row in world.query(who).rows} == {"Karl", "masked man"}, (
            "for the author they are one"
        )
        world.decide("different", "Karl", "masked man")
        world.decisions()
        assert {row[-1] for row in world.query(who).rows} == {"masked man"}, (
            "and two again, once that is taken back"
        )


@pytest.mark.parametrize("name", ["Karl", "masked man"])
def test_who_went_by_another_name_has_met_what_they_met_under_it(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """Whichever of the two names is asked for; and not once the author says that they are two."""
    with World.open(tmp_path_factory.mktemp("ball"), create=True) as world:
        assert world.commit(ball()).refusals == ()
        own = world.scope(as_=name)
        assert {row[-1] for row in rows(own.engine, "named", None, own.focalizer)} == {"Karl", "masked man"}
        danced = [row[0] for row in rows(own.engine, "role", None, own.focalizer, "agent")]
        assert danced == ["ch01/dance"]
        world.decide("different", "Karl", "masked man")
        world.decisions()
        two = world.scope(as_=name)
        assert len(rows(two.engine, "named", None, two.focalizer)) == 1


def test_what_a_reader_thinks_may_come_of_words_does_not_close_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Who heard them may quote them, and does not meet the outlook; what rests on words of its own does close those."""
    made = Delta(Unit("ch01", 1, "“I sail on Monday,” Tom told Ida. “I may follow,” Karl told Ida."))
    for who in ("tom", "ida", "karl"):
        made.add("Character", who, name=who.capitalize())
    sails = "“I sail on Monday,” Tom told Ida"
    made.add("Speech", "tell", kind="tell", speaker="tom", addressee="ida", manner="asserts", quote=sails)
    follows = "“I may follow,” Karl told Ida"
    made.add("Speech", "say", kind="say", speaker="karl", addressee="ida", manner="asserts", quote=follows)
    made.add("Event", "wreck", kind="wreck", agent="tom", realis="hypothetical", quote=sails)
    made.add("Event", "follow", kind="follow", agent="karl", realis="hypothetical", quote=follows)
    made.add("Development", "voyage", kind="plan", title="Tom's voyage", holder="tom", quote=sails)
    made.add("Step", development="voyage", status="opened", at="tell", quote=sails)
    made.add(
        "Possibility", "lost", development="voyage", premise="tom.health:ill", possibleEvent="wreck", summary="The ship is lost.",
        uncertainty="high", quote=sails,
    )  # fmt: skip
    made.add(
        "Possibility", "chase", development="voyage", premise="tom.health:ill", possibleEvent="follow", summary="Karl follows.",
        uncertainty="high", quote=sails,
    )  # fmt: skip
    with World.open(tmp_path_factory.mktemp("quay"), create=True) as world:
        assert world.commit(made).refusals == ()
        hers = world.scope(as_="Ida")
        assert [str(text) for _, text in rows(hers.engine, "quote")] == [sails]
        assert "wreck" not in everything(hers) and "lost" not in everything(hers)


def test_symbols_are_renamed_inside_propositions() -> None:
    names = Renaming({"hyde": "stranger"})
    assert [names.symbol(one) for one in ("hyde", "hyde.location", "not.key.possession.hyde", "ann.knows.(hyde.age:9)", "x.name:hyde")] == [
        "stranger", "stranger.location", "not.key.possession.stranger", "ann.knows.(stranger.age:9)", "x.name:hyde",
    ]  # fmt: skip
    assert joined([("a", "b"), ("c", "b"), ("x", "y")], first="c") == {"a": "c", "b": "c", "y": "x"}
