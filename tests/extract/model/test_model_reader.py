"""The reader as a whole: outcomes, links to what is known, asking again, what it costs, and what fuzzed answers do to it."""

from __future__ import annotations

import asyncio
import copy
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lantern import ONE, ONE_ANSWERS, TWO, TWO_ANSWERS
from places import SUPPORT
from pydantic import BaseModel
from scripted import Scripted, of_class, read, records, unit

from narraworld.extract.model.consolidation import consolidate, plotline_unit
from narraworld.extract.model.passage import NumberedText
from narraworld.extract.model.port import ModelFailed
from narraworld.extract.model.reader import ModelReading, ReaderSettings, read_unit
from narraworld.extract.model.schema import AnswerItem, Correction
from narraworld.extract.model.stages import STAGES
from narraworld.kb.delta import Delta
from narraworld.kb.plotlines import Candidate, SceneCard, SceneLine
from narraworld.kb.quads import canonical
from narraworld.kb.roster import Known, KnownFact, OpenPossibility, OpenThread, Prior, Roster
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift
from narraworld.ontology.vocabulary import vocabulary
from narraworld.world import World

EXAMPLES = int(os.environ.get("NARRAWORLD_FUZZ", "150"))


def spoilt(stage: str, listed: str, index: int, **changes: Any) -> dict[str, Any]:
    """The good answers with one item changed."""
    answers = copy.deepcopy(ONE_ANSWERS)
    answers[stage][listed][index] |= changes
    return dict(answers)


def reasons(done: ModelReading) -> list[str]:
    return [f"{one.record.removeprefix('ch01/')}: {one.shape}" for one in done.refusals]


# ---- a whole reading


def test_good_answers_are_kept_whole() -> None:
    asks = Scripted(**ONE_ANSWERS)
    done = read(ONE, asks)
    assert (done.outcome, done.refusals, done.unresolved, done.why) == ("ok", (), (), None)
    assert asks.names() == ["entities", "events", "perspective", "changes"]
    assert (done.questions, done.usage.calls) == (4, 4)
    assert done.delta is not None
    assert sift(done.delta.graph)[1] == []
    counts = {kind: len(of_class(done.delta, kind)) for kind in vocabulary().classes}
    assert {kind: count for kind, count in counts.items() if count and kind not in ("Span", "SourceUnit")} == {
        "Character": 3, "Object": 1, "Place": 2, "Naming": 1, "Event": 5, "Speech": 2, "TimeAnchor": 2,
        "TimeRelation": 1, "Proposition": 4, "State": 3, "Access": 1, "Attitude": 1, "Unawareness": 1, "Presence": 1,
        "Development": 1, "Step": 2, "Possibility": 1, "Scene": 2,
    }  # fmt: skip


def test_the_records_of_a_reading() -> None:
    done = read(ONE, Scripted(**ONE_ANSWERS))
    assert done.delta is not None
    told = records(done.delta)
    take = told["ch01/e5-take"]
    assert take.pop("evidence")[0].startswith("ch01/@")
    assert take == {
        "a": ["Event"], "kind": ["take"], "realis": ["actual"], "agent": ["dov"], "patient": ["copper-lantern"],
        "origin": ["hook-by-the-stable-door"], "destination": ["forge"], "cause": ["ch01/e4-split"],
        "requires": ["copper-lantern.location.hook-by-the-stable-door"],
    }  # fmt: skip
    scene = told["ch01/scene-1"]
    assert scene["summary"] == ["Nell hangs up the lantern, and Rafe promises to mend it."]
    assert scene["authority"] == ["modelInference"]
    possible = told[told["ch01/possibility-1"]["possibleEvent"][0]]
    assert (possible["realis"], possible["authority"]) == (["hypothetical"], ["modelInference"])
    assert done.newcomers[1] == Known("copper-lantern", "object", ("copper lantern", "lantern"))


def test_two_units_make_one_world(tmp_path: Path) -> None:
    with World.open(tmp_path, create=True) as world:
        one = read(unit(ONE), Scripted(**ONE_ANSWERS))
        world.commit(delta_of(one))
        thread = OpenThread("rafe-will-mend-the-lantern", "Rafe will mend the lantern", "promise", "blocked")
        fact = KnownFact("copper-lantern.location.forge", "copper lantern location: forge")
        prior = Prior((fact,), (thread,), (OpenPossibility("ch01/possibility-1", "…"),))
        known = {one.id: one for one in one.newcomers}
        roster = Roster((known["nell"], known["copper-lantern"], known["rafe"]))
        two = read(unit(TWO, "ch02", 2), Scripted(**TWO_ANSWERS), roster, prior)
        assert (two.refusals, of_class(delta_of(two), "Character", "Object")) == ((), ["smith"])
        reading = world.commit(delta_of(two))
        assert reading.refusals == ()

        def told(question: str) -> list[str]:
            return sorted(" ".join(map(str, row)) for row in world.query(question).rows)

        assert told('named(R, "copper-lantern", N)') == [
            "ch01/naming-1 lantern", "ch02/naming-1 old lamp", "copper-lantern copper lantern",
        ]  # fmt: skip
        assert told('believes("rafe", P)') == [
            "copper-lantern.location:with%20Nell", "copper-lantern.possession.nell", "rafe.obligation:mend%20the%20lantern",
        ]  # fmt: skip
        assert told('gave_up("rafe", P, _)') == ["copper-lantern.location.hook-by-the-stable-door"]
        assert told("status(D, S, _)") == ["rafe-will-mend-the-lantern advanced"]
        assert told("realised(H, E)") == ["ch01/possibility-1 ch02/e1-give"]
        assert told("possible(H, D)") == []


def delta_of(done: ModelReading) -> Delta:
    assert done.delta is not None
    return done.delta


def test_the_same_answers_give_the_same_bytes_whatever_the_hash_seed() -> None:
    program = (
        "from lantern import *; from scripted import *; from narraworld.kb.quads import canonical; import hashlib;"
        "print(hashlib.sha256(canonical(read(ONE, Scripted(**ONE_ANSWERS)).delta.graph, 'ch01').encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=SUPPORT, env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(digests) == 1


def test_scenes_that_the_caller_knows_are_taken_with_their_titles() -> None:
    cut = ONE.index("***")
    asks = Scripted(**ONE_ANSWERS)
    source, cuts = unit(ONE), [(0, cut, "Evening"), (cut + 3, len(ONE), None)]
    told = records(delta_of(asyncio.run(read_unit(source, Roster(), asks, scenes=cuts))))
    assert [told[f"ch01/scene-{n}"].get("title") for n in (1, 2)] == [["Evening"], None]


def test_scenes_are_summed_up_only_if_wanted() -> None:
    done = read(ONE, Scripted(**ONE_ANSWERS), settings=ReaderSettings(summaries=False))
    assert "summary" not in records(delta_of(done))["ch01/scene-1"]
    assert done.refusals == ()


# ---- outcomes


@pytest.mark.parametrize("text", ["", " \n\n ", "***", "— … —"], ids=["nothing", "white", "break", "dashes"])
def test_a_unit_without_words_is_empty_and_costs_nothing(text: str) -> None:
    asks = Scripted()
    done = read(text, asks)
    assert (done.outcome, done.questions, asks.heard) == ("empty", 0, [])
    assert of_class(delta_of(done), "SourceUnit") == ["ch01"]


def test_a_unit_in_which_the_model_finds_nothing_is_empty_after_one_question() -> None:
    done = read("It rained.", Scripted())
    assert (done.outcome, done.questions) == ("empty", 1)
    assert list(records(delta_of(done))) == ["ch01"]


@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
def test_a_model_that_fails_in_any_stage_fails_the_unit(stage: str) -> None:
    asks = Scripted(**(dict(ONE_ANSWERS) | {stage: ModelFailed("gave up")}))
    done = read(ONE, asks)
    assert (done.outcome, done.delta, done.why) == ("failed", None, "gave up")


def test_a_model_that_only_invents_fails_the_unit_and_every_invention_is_listed() -> None:
    invented = {"entities": [{"quote": "Zeno of Elea", "number": 1, "is_a": "character", "name": "Zeno"}]}
    done = read(ONE, Scripted(entities=invented))
    assert (done.outcome, done.delta) == ("failed", None)
    assert reasons(done) == ["entity 1: Quote-nowhere"]
    assert done.refusals[0].value == "Zeno of Elea"
    assert done.why == "none of the 1 items the model gave could be tied to the text"


# ---- asking again


def test_a_refused_item_is_asked_for_once_with_the_reason_and_what_hung_on_it_recovers() -> None:
    wrong = spoilt("events", "events", 4, quote="Dov carried the lantern to the forge")
    right = ONE_ANSWERS["events"]["events"][4]
    asks = Scripted(**wrong, repair={"corrections": [{"refused": 1, "event": right}]})
    done = read(ONE, asks)
    assert asks.names()[-1] == "repair"
    assert "Dov carried the lantern" in asks.heard[-1].user
    assert "the passage has: That night Dov took the lantern to the forge" in asks.heard[-1].user
    assert done.refusals == ()
    assert done.delta is not None
    assert canonical(done.delta.graph, "ch01") == canonical(
        delta_of(read(ONE, Scripted(**ONE_ANSWERS))).graph, "ch01"
    )


def test_what_stays_wrong_is_quarantined_with_all_that_hangs_on_it_and_the_rest_stays() -> None:
    wrong = spoilt("events", "events", 4, quote="Dov carried the lantern to the forge")
    done = read(ONE, Scripted(**wrong))
    assert done.questions == 5
    assert reasons(done) == [
        "event 5: Quote-nowhere", "cause 1: refers-to-refused", "order 1: refers-to-refused",
        "proposition 1: refers-to-refused", "proposition 2: refers-to-refused", "unawareness 1: refers-to-refused",
        "presence 1: refers-to-refused", "step 1: refers-to-refused", "possibility 1: refers-to-refused",
    ]  # fmt: skip
    kept = of_class(delta_of(done), "Event", "Speech")
    assert kept == ["ch01/e1-hang", "ch01/e2-promise", "ch01/e3-mend", "ch01/e4-split", "ch01/e6-tell"]


def test_a_correction_cannot_push_out_a_good_neighbour() -> None:
    wrong = spoilt("events", "events", 0, quote="Nell hangs it")
    stolen = ONE_ANSWERS["events"]["events"][0] | {"number": 2}
    done = read(ONE, Scripted(**wrong, repair={"corrections": [{"refused": 1, "event": stolen}]}))
    assert reasons(done) == []
    assert {"ch01/e1-hang", "ch01/e2-promise"} <= set(of_class(delta_of(done), "Event", "Speech"))


@pytest.mark.parametrize(
    "corrections",
    [
        [],
        [{"refused": 1}],
        [{"refused": 7, "event": ONE_ANSWERS["events"]["events"][0]}],
        [{"refused": 1, "cause": ONE_ANSWERS["events"]["causes"][0]}],
        [{"refused": 1, "event": ONE_ANSWERS["events"]["events"][0] | {"quote": "still wrong"}}],
    ],
    ids=["silence", "withdrawn", "no-such-item", "another-kind", "wrong-again"],
)
def test_an_item_that_is_not_put_right_stays_refused(corrections: list[dict[str, Any]]) -> None:
    wrong = spoilt("events", "events", 0, quote="Nell hangs it")
    done = read(ONE, Scripted(**wrong, repair={"corrections": corrections}))
    assert reasons(done)[0] == "event 1: Quote-nowhere"
    assert done.questions == 5


def test_what_was_numbered_twice_is_asked_for_under_a_free_number() -> None:
    done = read(ONE, Scripted(**spoilt("entities", "entities", 4, number=4)))
    assert [one.message for one in done.refusals if one.shape == "Number-twice"] == [
        "the number was given before, and the item needs a free one: entity 4"
    ]


def test_a_doubted_truth_is_not_made_worse_by_a_bad_correction() -> None:
    wrong = spoilt("events", "propositions", 2, truth="asserted")
    bad = ONE_ANSWERS["events"]["propositions"][2] | {"quote": "not there"}
    done = read(ONE, Scripted(**wrong, repair={"corrections": [{"refused": 1, "proposition": bad}]}))
    assert reasons(done) == ["proposition 3: Speech-as-fact"]
    assert records(delta_of(done))["ch01/e6-tell"]["claim"] == [
        "copper-lantern.location.hook-by-the-stable-door"
    ]


def test_a_model_that_fails_when_asked_again_keeps_what_was_good() -> None:
    wrong = spoilt("events", "events", 0, quote="Nell hangs it")
    done = read(ONE, Scripted(**wrong, repair=ModelFailed("tired")))
    assert (done.outcome, done.why) == ("ok", "what was refused could not be asked again: tired")
    assert "event 1: Quote-nowhere" in reasons(done)


# ---- one item wrong, and why


WRONG = [
    ("entities", "entities", 4, {"number": 4}, "entity 4: Number-twice"),
    ("entities", "entities", 4, {"number": 0}, "entity 0: Number-unknown"),
    ("entities", "entities", 4, {"known": 9}, "entity 5: Number-unknown"),
    ("entities", "entities", 4, {"name": "Dovid"}, "entity 5: Name-nowhere"),
    ("entities", "entities", 4, {"name": "him"}, "entity 5: Name-pronoun"),
    ("entities", "entities", 4, {"name": "Dov\x00"}, "entity 5: Words-unfit"),
    ("entities", "namings", 0, {"quote": "it", "sentence": 3}, "naming 1: Name-pronoun"),
    ("events", "events", 0, {"agent": [77]}, "event 1: Number-unknown"),
    ("events", "causes", 0, {"cause": 5, "effect": 4}, "cause 1: Cause-reversed"),
    ("events", "times", 0, {"scene": 3}, "time 1: Number-unknown"),
    (
        "events",
        "times",
        0,
        {"scene": None, "quote": "where I left it", "flashback": True},
        "time 1: Time-of-nothing",
    ),
    ("events", "propositions", 3, {"value": None}, "proposition 4: Content-count"),
    ("events", "propositions", 3, {"object": 3}, "proposition 4: Content-count"),
    ("events", "propositions", 3, {"value": None, "about": 1}, "proposition 4: Content-count"),
    ("events", "propositions", 3, {"value": None, "object": 2}, "proposition 4: Content-itself"),
    ("events", "propositions", 3, {"value": "m" * 500}, "proposition 4: Words-unfit"),
    ("perspective", "speeches", 0, {"event": 1}, "speech 1: Speech-unmarked"),
    ("perspective", "speeches", 0, {"event": 6}, "speech 1: Speaker-elsewhere"),
    ("perspective", "accesses", 0, {"holder": 6}, "access 1: Number-kind"),
    ("perspective", "accesses", 0, {"proposition": None}, "access 1: Content-missing"),
    ("perspective", "presences", 0, {"holder": 2}, "presence 1: Number-kind"),
    ("changes", "steps", 0, {"status": "resolved"}, "possibility 1: Thread-closed"),
    ("changes", "summaries", 0, {"scene": 2}, "summary 1: Scene-elsewhere"),
    ("changes", "summaries", 0, {"events": [1, 5]}, "summary 1: Scene-elsewhere"),
    ("changes", "summaries", 0, {"summary": "In 1900 Nell hangs it up."}, "summary 1: Summary-unsupported"),
]


@pytest.mark.parametrize(
    ("stage", "listed", "index", "changes", "reason"), WRONG, ids=[one[-1] for one in WRONG]
)
def test_a_wrong_item_is_refused_for_its_own_reason(
    stage: str, listed: str, index: int, changes: dict[str, Any], reason: str
) -> None:
    done = read(ONE, Scripted(**spoilt(stage, listed, index, **changes)))
    assert reason in reasons(done)
    assert sift(delta_of(done).graph)[1] == []


# ---- who is who


TWINS = Roster((Known("mara", "character", ("Mara", "the ferrywoman")), Known("leo", "character", ("Leo",))))
STRANGER = "Mara tied up the boat. A stranger watched from the bank. The ferrywoman sang. I saw her."


def entity(**said: Any) -> dict[str, Any]:
    return {"quote": "Mara", "number": 1, "is_a": "character", "name": "Mara"} | said


@pytest.mark.parametrize(
    ("said", "id", "new"),
    [
        (entity(), "mara", False),
        (entity(known=1), "mara", False),
        (entity(name="ferrywoman", quote="The ferrywoman", known=1), "mara", False),
        (entity(namesake=True), "mara-2", True),
        (entity(is_a="object"), "mara-2", True),
        (entity(name="stranger", quote="A stranger"), "stranger", True),
        (entity(name="stranger", quote="A stranger", could_be=[1, 2]), "stranger", True),
        (entity(name="her", quote="her", known=1), "mara", False),
        (entity(name="I", quote="I"), "narrator", True),
    ],
    ids=[
        "by-name",
        "by-number",
        "by-alias",
        "namesake",
        "another-kind",
        "new",
        "unresolved",
        "known-by-pronoun",
        "teller",
    ],
)
def test_links_and_newcomers(said: dict[str, Any], id: str, new: bool) -> None:
    done = read(STRANGER, Scripted(entities={"entities": [said]}), TWINS)
    assert [one.id for one in done.newcomers] == [id]
    assert (of_class(delta_of(done), "Character", "Object") == [id]) is new


def test_an_identity_that_the_text_leaves_open_stays_open() -> None:
    said = entity(name="stranger", quote="A stranger", could_be=[2])
    done = read(STRANGER, Scripted(entities={"entities": [said]}), TWINS)
    assert [(one.entity, one.candidates) for one in done.unresolved] == [("stranger", ("leo",))]
    assert of_class(delta_of(done), "Identity") == []


def test_an_identity_that_the_text_states_is_a_record() -> None:
    text = "A stranger watched. The stranger was Leo."
    said = {
        "entities": [entity(name="stranger", quote="A stranger"), entity(number=2, name="Leo", quote="Leo")],
        "identities": [{"quote": "The stranger was Leo", "one": 1, "other": 2, "verdict": "same"}],
    }
    done = read(text, Scripted(entities=said), TWINS)
    assert done.refusals == ()
    [record] = of_class(delta_of(done), "Identity")
    assert records(delta_of(done))[record]["other"] == ["leo"]


def test_names_that_would_break_ids_do_not() -> None:
    text = "Not met Ch01."
    said = {"entities": [entity(name="Not", quote="Not"), entity(number=2, name="Ch01", quote="Ch01")]}
    assert [one.id for one in read(text, Scripted(entities=said)).newcomers] == ["not-2", "ch01-2"]


def test_the_roster_shows_first_who_is_named() -> None:
    crowd = Roster(tuple(Known(f"guest-{n}", "character", (f"Guest {n}x",)) for n in range(100)))
    roster = Roster((*crowd.known, *TWINS.known))
    assert [one.id for one in roster.likely(STRANGER, 3)] == ["mara", "guest-0", "guest-1"]


# ---- what it costs


def test_calls_for_a_story_of_8800_words() -> None:
    """Six units of about 1,500 words, each with something to ask again, and consolidation: at most 40 calls."""
    asks = Scripted()
    padding = "\n\n" + "And so the wind went round the yard all night. " * 142
    for order in range(6):
        chapter = Unit(f"ch{order}", order, ONE + padding)
        assert 1_400 < NumberedText(chapter.text).words < 1_550
        answers = spoilt("events", "events", 0, quote="Nell hangs it")
        asks.script |= {name: [said] for name, said in answers.items()}
        before = len(asks.heard)
        assert read(chapter, asks).outcome == "ok"
        assert len(asks.heard) - before == 5
    line = SceneLine("r", "s", "w")
    scenes = tuple(SceneCard(f"ch{n}/scene-1", (line,) * 12) for n in range(6))
    candidates = [Candidate(f"thread-{n}", "a thread", scenes) for n in range(6)]
    asyncio.run(consolidate(candidates, asks, plotline_unit(6)))
    assert len(asks.heard) == 36 <= 40


# ---- fuzz: valid by schema, wrong in every other way

TEXTS = [
    "Nell",
    "lantern",
    "mended",
    "location",
    "knows",
    "x",
    "Ünïcode ☂",
    "",
    "\x00",
    "a.b:c/(d)",
    "m" * 130,
    "not",
]
QUOTES = [
    "Nell", "the copper lantern", "Rafe promised her", "Dov took the lantern to the forge", "“The lantern is where I left it,”",
    "the  copper\nlantern", "[3] That night", "the cupper lantern", "opper lanter", "", "…", "nowhere at all", "{{passage}}",
]  # fmt: skip


def anything(hint: Any, name: str = "") -> st.SearchStrategy[Any]:
    """Values that the schema allows, and little else in their favour."""
    arguments = get_args(hint)
    if get_origin(hint) is Literal:
        return st.sampled_from(arguments)
    if get_origin(hint) is list:
        return st.lists(anything(arguments[0]), max_size=3)
    if type(None) in arguments:
        return st.none() | anything(next(one for one in arguments if one is not type(None)), name)
    if hint is bool:
        return st.booleans()
    if hint is str:
        return st.sampled_from(QUOTES if name == "quote" else TEXTS) | st.text(max_size=12)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return models(hint)
    return st.integers(-1, 8)


def models(cls: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    hints = get_type_hints(cls)
    return st.fixed_dictionaries({name: anything(hints[name], name) for name in cls.model_fields})


ITEMS: Mapping[str, type[BaseModel]] = {
    name: next(one for one in get_args(hint) if isinstance(one, type) and issubclass(one, AnswerItem))
    for name, hint in get_type_hints(Correction).items()
    if name in Correction.model_fields and name != "refused"
}
NONSENSE = st.fixed_dictionaries(
    {stage.name: models(stage.answer) for stage in STAGES}
    | {
        "repair": st.fixed_dictionaries(
            {
                "corrections": st.lists(
                    st.sampled_from(sorted(ITEMS)).flatmap(
                        lambda kind: st.fixed_dictionaries(
                            {"refused": st.integers(0, 6), kind: models(ITEMS[kind])}
                        )
                    ),
                    max_size=4,
                )
            }
        )
    }
)


@st.composite
def mutations(draw: st.DrawFn) -> dict[str, Any]:
    """The good answers with a few items changed, doubled, dropped or swapped."""
    answers: dict[str, Any] = copy.deepcopy(ONE_ANSWERS)
    for _ in range(draw(st.integers(1, 6))):
        stage = draw(st.sampled_from(STAGES))
        lists = answers[stage.name]
        listed = draw(st.sampled_from(sorted(lists)))
        items = lists[listed]
        if not items:
            continue
        index = draw(st.integers(0, len(items) - 1))
        cls = get_args(get_type_hints(stage.answer)[listed])[0]
        hints = get_type_hints(cls)
        match draw(st.sampled_from(["change", "change", "change", "double", "drop", "turn"])):
            case "change":
                field = draw(st.sampled_from(sorted(cls.model_fields)))
                items[index] = items[index] | {field: draw(anything(hints[field], field))}
            case "double":
                items.insert(draw(st.integers(0, len(items))), items[index])
            case "drop":
                items.pop(index)
            case "turn":
                items.reverse()
    return answers


ROSTER = Roster(
    (Known("nell", "character", ("Nell",)), Known("forge", "place", ("forge",))), frozenset({"dov"})
)
PRIOR = Prior(
    (KnownFact("forge.light:dark", "forge light: dark"),),
    (OpenThread("old", "t", "goal", "opened"),),
    (OpenPossibility("ch00/possibility-1", "s"),),
)
KNOWN = {"nell": "Character", "forge": "Place", "old": "Development", "ch00/possibility-1": "Possibility"}


def check(done: ModelReading) -> None:
    """No record without words that stand in the text; nothing that SHACL would refuse."""
    if done.outcome == "failed":
        assert done.delta is None
        return
    delta = delta_of(done)
    assert delta.refusals == []
    assert sift(delta.graph, KNOWN)[1] == []
    told = records(delta)
    for said in told.values():
        if said["a"] == ["Span"]:
            assert ONE[int(said["start"][0]) : int(said["end"][0])] == said["quote"][0]
        term = vocabulary().cls(said["a"][0])
        if term.is_a("Record") or term.is_a("Entity"):
            assert said["evidence"]
            assert all(told[span]["a"] == ["Span"] for span in said["evidence"])
    canonical(delta.graph, "ch01")


@settings(max_examples=EXAMPLES, deadline=None)
@given(NONSENSE)
def test_nonsense_never_gets_in_and_never_breaks_anything(answers: dict[str, Any]) -> None:
    check(read(ONE, Scripted(**answers), ROSTER, PRIOR))


@settings(max_examples=EXAMPLES, deadline=None)
@given(mutations())
def test_spoilt_answers_never_get_in_and_never_break_anything(answers: dict[str, Any]) -> None:
    check(read(ONE, Scripted(**answers), ROSTER, PRIOR))
