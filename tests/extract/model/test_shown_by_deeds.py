"""Items that a strong reader gave in good faith and the guards once refused: secrets shown by a deed, a no that another takes back, a thought as it is thought."""

from __future__ import annotations

from typing import Any

import pytest

from narraworld.extract.model.grounding import Grounding, GroundingContext, ground
from narraworld.extract.model.passage import NumberedText
from narraworld.extract.model.schema import (
    AccessItem,
    AnswerItem,
    AttitudeItem,
    EntityItem,
    EventItem,
    PropositionItem,
    SecretItem,
    SpeechItem,
    UnawarenessItem,
)

TEXT = """Ines Roca kept the inn with her cousin Paul. The parcel for Mr. Hale had come open on the road.
Ines sewed the sacking up again with black thread. Nobody in the valley called her by her name except Paul.
They spoke of it with the tap running. "Who told you?" asked Mr. Hale. "Never mind who," said Ines. "That's the mill's affair."
"You would oblige me by not letting him hear of it," said Paul. "It has come to my notice that the bridge is down."
There was nothing Paul had mended that she hadn't seen. Ines wished Paul not to go.
She left the room before Paul could answer. She was whistling before she noticed it.
He must mean the key, thought of as she was by the stairs. She knew that Ines had a key. She laughed. She went down.
He thought that there was a key. *She keeps a key in secret,* wrote Mr. Hale."""

PEOPLE = [
    EntityItem(quote=name, number=number, is_a=kind, name=name)
    for number, (name, kind) in enumerate(
        [("Ines Roca", "character"), ("Paul", "character"), ("Mr. Hale", "character"), ("parcel", "object"), ("key", "object")], 1
    )
]  # fmt: skip


def said(number: int, quote: str, **more: Any) -> PropositionItem:
    return PropositionItem(quote=quote, number=number, **({"truth": "unstated"} | more))


MATTERS = [
    said(1, "The parcel for Mr. Hale had come open", subject=4, predicate="open", value="open"),
    said(2, "the bridge is down", subject=3, predicate="road", value="down"),
    said(3, "He must mean the key", subject=2, predicate="goal", value="the key"),
    said(4, "keeps a key in secret", subject=1, predicate="possession", object=5),
    said(5, "She was whistling", subject=1, predicate="habit", value="whistling"),
]
WHISTLED = EventItem(quote="She was whistling", number=1, what="whistle", realis="actual", agent=[1])
SHES = [
    EventItem(quote=quote, number=number, what=what, realis="actual", agent=[1])
    for number, (quote, what) in enumerate([("She laughed", "laugh"), ("She went down", "go down")], 2)
]


def grounded(*more: AnswerItem) -> Grounding:
    items: dict[str, tuple[AnswerItem, ...]] = {}
    for item in (*PEOPLE, WHISTLED, *SHES, *MATTERS, *more):
        items[item.kind] = (*items.get(item.kind, ()), item)
    return ground(GroundingContext("ch01", NumberedText(TEXT)), items)


def kept_secret(quote: str, holder: int = 1, kept_from: int = 3) -> SecretItem:
    return SecretItem(quote=quote, holder=holder, proposition=1, kept_from=[kept_from])


def done(quote: str, what: str, realis: str = "actual", agent: int = 1) -> EventItem:
    return EventItem(quote=quote, number=9, what=what, realis=realis, agent=[agent])  # type: ignore[arg-type]


HONEST = {
    "sewn up": kept_secret("Ines sewed the sacking up again"),
    "called so by one": kept_secret("Nobody in the valley called her by her name except Paul"),
    "under the noise of water": kept_secret("They spoke of it with the tap running"),
    "no answer": kept_secret('"Never mind who," said Ines'),
    "another's affair": kept_secret("That's the mill's affair"),
    "somebody is not to hear": kept_secret("not letting him hear of it", holder=2),
    "nothing that she had not": said(
        7, "There was nothing Paul had mended that she hadn't seen", subject=1, predicate="work", value="seen", truth="asserted"
    ),
    "nothing that did not reach her": AccessItem(
        quote="There was nothing Paul had mended that she hadn't seen", holder=1, mode="observation", proposition=1
    ),
    "the no is another verb's": done("Ines wished Paul not to go", "wish"),
    "before one could": done("before Paul could answer", "answer", "negated", 2),
    "before one noticed": UnawarenessItem(quote="before she noticed it", holder=1, proposition=5),
    "a thought of another": AttitudeItem(quote="He must mean the key", holder=1, proposition=3, attitude="believes"),
}  # fmt: skip
WRONG = {
    "named as the one who thinks": AttitudeItem(
        quote="He thought that there was a key", holder=1, proposition=3, attitude="believes"
    ),
    "another tells of it": SecretItem(quote="She keeps a key in secret", holder=1, proposition=4),
    "she only left": kept_secret("She left the room"),
}
LETTER = (
    EventItem(quote="wrote Mr. Hale", number=4, what="write", realis="actual", is_speech=True, agent=[3]),
    SpeechItem(
        quote="*She keeps a key in secret,* wrote Mr. Hale",
        event=4,
        speaker=3,
        addressees=[],
        claims=[4],
        manner="asserts",
    ),
)


@pytest.mark.parametrize("name", HONEST)
def test_honest_items_are_kept(name: str) -> None:
    assert [one.reason.message for one in grounded(HONEST[name]).refused] == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_ones_are_refused(name: str) -> None:
    refused = grounded(*LETTER, WRONG[name]).refused
    assert [one.item for one in refused] == [WRONG[name]]


def test_whoever_was_told_of_it_knows() -> None:
    quote = "It has come to my notice that the bridge is down"
    heard = (
        EventItem(quote=quote, number=5, what="tell", realis="actual", is_speech=True, agent=[2]),
        SpeechItem(quote=quote, event=5, speaker=2, addressees=[1], claims=[2], manner="asserts"),
        AttitudeItem(quote="It has come to my notice", holder=2, proposition=2, attitude="knows"),
    )
    assert grounded(*heard).refused == []
