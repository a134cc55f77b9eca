"""Who is away between two lines of theirs, where no cue of the tables says so and the encoder finds it likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from narraworld.base.settings import DEFAULTS
from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import speaking
from narraworld.extract.embedded.talk import absences
from narraworld.extract.embedded.talk.absences import moves
from narraworld.extract.embedded.talk.participants import Move, Utterance
from narraworld.kb.encoder import likelihoods
from narraworld.kb.encoder.readings import Silence, silences

TALK = [
    Utterance(("Ada",), "Is there any more of the pie?"),
    Utterance(("Bo",), "Half of it."),
    Utterance(("Cy",), "The goats are out."),
    Utterance(("Ada",), "They are always out."),
    Utterance(("Bo",), "It was cold in the middle, too."),
    Utterance(("Ada",), "Nobody warmed it."),
    Utterance(("Cy",), "All nine of them penned."),
    Utterance(("Bo",), "Nine is the lot."),
    Utterance(("Cy",), "And one of the neighbour's."),
    Utterance(("Bo",), "He can fetch it himself."),
]


def found(
    monkeypatch: pytest.MonkeyPatch,
    likely: Mapping[Silence, float] | None = None,
    talk: Sequence[Utterance] = TALK,
) -> list[Move]:
    """The moves of a talk, if the encoder finds it likely that these are away and those who are not named are there."""
    shares = dict.fromkeys(silences([(one.speakers, one.words) for one in talk]), 0.0) | dict(likely or {})
    monkeypatch.setattr(absences, "absent", lambda _, shortest: shares)
    with speaking(LANGUAGE):
        return [one for one in moves(talk) if one.movement != "present"]


def test_whoever_is_likely_away_between_two_lines_has_not_heard_what_was_said_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    away = found(monkeypatch, {Silence("Cy", 2, 6): 0.999})

    assert away == [Move("Cy", "leaves", 3, 2), Move("Cy", "enters", 6, 6)]


def test_whoever_is_likely_there_in_silence_has_stayed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, {Silence("Cy", 2, 6): 0.05}) == []


def test_whoever_is_likely_away_after_their_last_words_hears_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(monkeypatch, {Silence("Ada", 5, None): 0.999}) == [Move("Ada", "leaves", 6, 5)]


def test_whoever_was_likely_away_before_their_first_words_joins_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert found(monkeypatch, {Silence("Cy", None, 2): 0.999}) == [Move("Cy", "enters", 2, 2)]


def test_for_a_line_or_two_of_others_nobody_is_away_and_the_encoder_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    short = [Utterance((who,), "I have to go now, goodbye!") for who in ("Ada", "Bo", "Cy") * 3]
    monkeypatch.setattr(likelihoods, "silence_row", lambda *_: pytest.fail("the encoder was asked"))

    with speaking(LANGUAGE):
        assert {one.movement for one in moves(short)} == {"present"}


def test_in_a_short_talk_cues_alone_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absences, "absent", lambda *_: pytest.fail("the encoder was asked"))
    longer = replace(DEFAULTS.embedded.absences, talk=len(TALK) + 1)

    with speaking(LANGUAGE):
        assert {one.movement for one in moves(TALK, longer)} == {"present"}


def test_how_sure_one_must_be_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absences, "absent", lambda script, shortest: dict.fromkeys(silences(script), 0.999))
    stricter = replace(DEFAULTS.embedded.absences, joins=100.0, away=100.0, gone=100.0)

    with speaking(LANGUAGE):
        assert {one.movement for one in moves(TALK, stricter)} == {"present"}


def test_whoever_plainly_says_so_and_is_long_silent_leaves_whatever_the_encoder_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = [
        Utterance(("Ada",), "Has anybody seen the key?"),
        Utterance(("Bo",), "I have to go now, goodbye!"),
        Utterance(("Cy",), "Bye, Bo."),
        *[Utterance((who,), "It was on the hook.") for who in ("Ada", "Cy") * 8],
    ]

    assert found(monkeypatch, talk=talk) == [Move("Bo", "leaves", 3, 1)]
