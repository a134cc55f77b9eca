"""Report cards: a scorer that is fair to good readers, sees what is false, and cannot be talked into anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, read

from narraworld.base.errors import NarraWorldError
from narraworld.extract.model.passage import NumberedText, tie
from narraworld.extract.sources import read_sources
from narraworld.kb.spans import NotLocated
from narraworld.report_cards.gold_pages import PAGES, GoldPage, gold_pages
from narraworld.report_cards.inventor import Inventor
from narraworld.report_cards.page_scores import PageScore, score_page
from narraworld.report_cards.report_card import ReportCard, card_lines, cards_in, keep_card, try_reader
from narraworld.world import World


def test_every_word_of_gold_stands_on_its_page() -> None:
    for page in gold_pages():
        [piece] = read_sources([str(page.file)])
        passage = NumberedText(piece.unit.text)
        assert 400 <= passage.words <= 900
        quotes = [one["quote"] for kind in ("state", "event", "speech", "mind") for one in page.of(kind)]
        quotes += [one["words"] for one in page.of("time")]
        lost = [one for one in quotes if isinstance(tie(passage, one.replace("*", "")), NotLocated)]
        assert lost == []


def test_all_pages_are_there() -> None:
    assert tuple(page.name for page in gold_pages()) == PAGES


# -- a page of our own, read well and read badly

TEXT = (
    'On Monday Mara locked the brass key in the desk. "It is in the drawer," she told Leo, which was a lie. '
    "Leo believed her."
)
GOLD = GoldPage(
    "mini",
    Path("mini.md"),
    {
        "entity": (
            {"name": "Mara", "also": []},
            {"name": "Leo", "also": []},
            {"name": "the key", "also": ["the brass key"]},
            {"name": "the dog", "also": []},
        ),
        "state": (
            {"of": "the key", "respect": "place", "value": "desk", "holds": True, "quote": "in the desk"},
            {"of": "the key", "respect": "place", "value": "drawer", "holds": False, "quote": "in the drawer"},
        ),
        "event": (
            {"kind": "lock", "agent": "Mara", "patient": "the key", "place": "", "quote": "locked the brass key"},
        ),
        "speech": ({"by": "Mara", "to": ["Leo"], "manner": "lie", "quote": "It is in the drawer"},),
        "mind": (
            {"who": "Leo", "about": "the brass key is in the drawer", "state": "believes falsely", "after": "end"},
        ),
        "time": ({"words": "On Monday", "of": "the locking"},),
    },
)  # fmt: skip
CAST = [
    {"quote": "Mara", "number": 1, "is_a": "character", "name": "Mara"},
    {"quote": "Leo", "number": 2, "is_a": "character", "name": "Leo"},
    {"quote": "the brass key", "number": 3, "is_a": "object", "name": "brass key"},
    {"quote": "the desk", "number": 4, "is_a": "place", "name": "desk"},
    {"quote": "the drawer", "number": 5, "is_a": "place", "name": "drawer"},
]
TOLD = '"It is in the drawer," she told Leo'


def scored(tmp_path: Path, locks: int, tells: int, **truths: str) -> PageScore:
    """The score of a reader who has ``locks`` lock and ``tells`` tell."""
    events = [
        {"quote": "locked the brass key in the desk", "number": 1, "what": "lock", "realis": "actual", "agent": [locks], "patient": [3]},
        {"quote": TOLD, "number": 2, "what": "tell", "realis": "actual", "is_speech": True, "agent": [tells]},
    ]  # fmt: skip
    matters = [
        {"quote": "locked the brass key in the desk", "number": 1, "subject": 3, "predicate": "location", "object": 4, "truth": "asserted", "effect_of": 1},
        {"quote": "which was a lie", "number": 2, "subject": 3, "predicate": "location", "object": 5, "truth": "false"} | truths,
    ]  # fmt: skip
    speech = {"quote": TOLD, "event": 2, "speaker": tells, "claims": [2], "manner": "lies"}
    belief = {"quote": "Leo believed her", "holder": 2, "proposition": 2, "attitude": "believes", "since": 2}
    asks = Scripted(
        entities={"entities": CAST},
        events={"events": events, "propositions": matters, "times": [{"quote": "On Monday", "event": 1}]},
        perspective={"speeches": [speech], "attitudes": [belief]},
    )
    done = read(TEXT, asks)
    assert done.delta is not None, done.why
    with World.open(tmp_path, create=True) as world:
        world.commit(done.delta)
        return score_page(GOLD, TEXT, world.scope().engine)


def test_a_good_reading_is_found_under_other_names_and_respects(tmp_path: Path) -> None:
    score = scored(tmp_path, locks=1, tells=1)
    assert score.found == {"entity": 3, "event": 1, "state": 2, "speech": 1, "time": 1}
    assert score.wanted == {"entity": 4, "event": 1, "state": 2, "speech": 1, "time": 1}
    assert (score.minds_right, score.minds_wrong, score.minds, score.lies_seen) == (1, 0, 1, 1)
    assert (score.misattributed, score.invented) == (0, 0)


def test_what_is_given_to_the_wrong_one_is_seen(tmp_path: Path) -> None:
    """That Leo locks, the guards refuse: the words name Mara. That he tells, a pronoun lets pass, and the score sees it."""
    score = scored(tmp_path, locks=2, tells=2)
    assert score.found["event"] == score.found["speech"] == 0 and score.misattributed == 1


def test_what_the_page_denies_is_an_invention(tmp_path: Path) -> None:
    score = scored(tmp_path, locks=1, tells=1, truth="asserted", quote="Leo believed her")
    assert score.invented == 1 and score.found["state"] == 1


# -- readers


def test_an_inventor_finds_nothing_and_what_it_made_up_is_refused() -> None:
    card = try_reader(Inventor(), "scripted")
    assert card.failed == []
    assert card.score.found["event"] == card.score.found["speech"] == card.score.minds_right == 0
    assert card.made_up > 30 and card.refused > card.made_up
    assert card.score.foreign > 0.9 * card.score.kept, "what got in shares no word with its sentences"


def test_cards_are_kept_by_reader_and_compared(tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    keep_card(ReportCard("one", "x", refused=1), file)
    keep_card(ReportCard("two", "y"), file)
    cards = keep_card(ReportCard("one", "x", refused=7), file)
    assert [(one.reader, one.refused) for one in cards] == [("two", 0), ("one", 7)]
    assert cards_in(file) == cards
    assert next(line for line in card_lines(cards) if line.startswith("refused")).split() == [
        "refused",
        "0",
        "7",
    ]
    file.write_text("[1]")
    with pytest.raises(NarraWorldError, match="no file of report cards"):
        cards_in(file)


def test_the_command_prints_a_card(narraworld: Callable[..., Any]) -> None:
    said = narraworld("models", "try", "--reader", "inventor", "--json")
    assert said.code == 0
    [card] = json.loads(said.out)
    assert card["reader"] == "scripted-inventor" and 12 <= card["calls"] <= 15
