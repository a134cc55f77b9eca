"""Screenplays: a name in capitals above its words is the speaker, and what is told between is told."""

from __future__ import annotations

from reading_aloud import read, records

from narraworld.extract.embedded.layout.screenplay import cues

LOBBY = """MARCUS (50s, grey suit) enters and sits down beside NINA.

MARCUS
You are early.

NINA (CONT'D)
Is it all there?

Marcus puts a briefcase on the floor.

MARCUS
(to Kim)
Who told you about Lisbon?

KIM
Nobody.
"""


def test_each_speech_has_the_one_named_above_it() -> None:
    said = records(read(LOBBY), "Speech", "speaker", "addressee", "manner")
    assert [(one.speaker, one.addressee, one.manner) for one in said] == [
        ("marcus", "nina", "asserts"),
        ("nina", "marcus", "asks"),
        ("marcus", "kim", "asks"),
        ("kim", "marcus", "asserts"),
    ]


def test_what_is_told_between_is_done_by_the_same_people() -> None:
    done = records(read(LOBBY), "Event", "kind", "agent")
    assert [(one.kind, one.agent) for one in done] == [
        ("enter", "marcus"),
        ("sit", "marcus"),
        ("put", "marcus"),
    ]


def test_a_heading_in_capitals_is_no_cue() -> None:
    assert cues("CHAPTER ONE\nThe storm came.\n\nMara left.") == []
    assert cues('THE KEY\nMara left.\n\n"The key," she said. "Where is it?"') == []
