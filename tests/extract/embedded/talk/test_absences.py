"""Who is away between two lines of theirs, where no cue of the tables says so and the encoder finds it likely."""

from __future__ import annotations

from dataclasses import replace

import pytest

from narraworld.base.settings import DEFAULTS
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.talk import absences
from narraworld.extract.embedded.talk.absences import moves
from narraworld.extract.embedded.talk.participants import Move, Utterance
from narraworld.kb.encoder.likelihoods import MoveLikelihood

STAYS = MoveLikelihood(0.0, 0.0)
TALK = [
    Utterance(("Ada",), "Is there any more of the pie?"),
    Utterance(("Bo",), "Half of it."),
    Utterance(("Cy",), "The goats are out."),
    Utterance(("Ada",), "They are always out."),
    Utterance(("Bo",), "It was cold in the middle, too."),
    Utterance(("Cy",), "All nine of them penned."),
    Utterance(("Bo",), "Nine is the lot."),
]


def found(monkeypatch: pytest.MonkeyPatch, **likely: MoveLikelihood) -> list[Move]:
    """The moves of the talk, if the encoder finds this of its lines, counted from one."""
    by_line = tuple(likely.get(f"line_{nth}", STAYS) for nth in range(1, len(TALK) + 1))
    monkeypatch.setattr(absences, "moving", lambda _: by_line)
    with speaking(LANGUAGE):
        return [one for one in moves(TALK) if one.movement != "present"]


def test_whoever_likely_leaves_and_likely_comes_back_has_not_heard_what_was_said_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away = found(monkeypatch, line_3=MoveLikelihood(0.9, 0.0), line_6=MoveLikelihood(0.0, 0.8))

    assert away == [Move("Cy", "leaves", 3, 2), Move("Cy", "enters", 5, 5)]


def test_whoever_likely_leaves_and_speaks_on_as_if_there_has_stayed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, line_3=MoveLikelihood(0.9, 0.0)) == []


def test_whoever_likely_leaves_with_their_last_words_hears_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, line_4=MoveLikelihood(0.9, 0.0)) == [Move("Ada", "leaves", 4, 3)]


def test_in_a_long_talk_cues_alone_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absences, "moving", lambda _: pytest.fail("the encoder was asked"))
    short = replace(DEFAULTS.embedded.absences, longest=len(TALK) - 1)

    with speaking(LANGUAGE):
        assert [one for one in moves(TALK, short) if one.movement != "present"] == []


def test_whoever_plainly_says_so_leaves_whatever_the_encoder_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = [
        Utterance(("Ada",), "Has anybody seen the key?"),
        Utterance(("Bo",), "I have to go now, goodbye!"),
        Utterance(("Cy",), "Bye, Bo."),
        *[Utterance((who,), "It was on the hook.") for who in ("Ada", "Cy", "Ada", "Cy")],
    ]
    monkeypatch.setattr(absences, "moving", lambda script: tuple(STAYS for _ in script))

    with speaking(LANGUAGE):
        assert [one for one in moves(talk) if one.movement == "leaves"] == [Move("Bo", "leaves", 3, 1)]
