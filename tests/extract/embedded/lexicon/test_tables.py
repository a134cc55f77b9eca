"""The tables of English, each as a value: nouns, verbs, kin, speech, daylight, details, goodbyes, doubtful names."""

from __future__ import annotations

from narraworld.extract.embedded.lexicon.kinship import relatives, turned
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.lexicon.tables import (
    daylight,
    details,
    leaving_words,
    stranger_table,
    two_names_table,
)
from narraworld.extract.embedded.lexicon.verb_frames import frame_table


def test_nouns_say_what_they_stand_for() -> None:
    table = nouns()
    assert [table.kind(noun) for noun in ("girl", "crowd", "kitchen", "lamp", "oarsman", "human")] == [
        "character", "group", "place", "object", "character", None,
    ]  # fmt: skip
    assert (table.nothing("kindness"), table.nothing("key")) == (True, False)
    assert (table.can_be_he("lamplighter"), table.can_be_he("key")) == (True, False)
    assert (table.gender("uncle"), table.gender("aunt"), table.gender("cousin")) == ("male", "female", None)


def test_frames_are_found_by_verb_and_particle() -> None:
    table = frame_table()
    assert table.of("put", "on")[0].verbs != table.of("put", None)[0].verbs
    assert (table.lemma("broke", "broke"), table.lemma("glided", "glided")) == ("break", "glide")
    assert (table.perceives("see"), table.perceives("open")) == (True, False)
    assert (table.speaks("Said"), table.speaks("lamp")) == (True, False)
    assert table.third["breaks"] == "break"


def test_kin_are_turned_round() -> None:
    assert (turned("daughter", "male"), turned("daughter", "female"), turned("daughter", None)) == (
        "father",
        "mother",
        "",
    )
    assert (turned("cousin", None), relatives()["uncle"]) == ("cousin", ("nephew", "niece"))


def test_verbs_of_saying_may_need_a_particle() -> None:
    words = speech_words()
    assert (words.with_particle["went"], "said" in words.verbs, "said" in words.with_particle) == (
        {"on"},
        True,
        False,
    )


def test_patterns_of_the_small_tables() -> None:
    assert [time for time, way in daylight().ways if way.search("The sun rose over the hills.")] == [
        "morning"
    ]
    said = ("I have to go now.", "I'm leaving now.")
    assert [leaving_words().plans.search(one) is not None for one in said] == [True, False]
    assert [leaving_words().leaving.search(one) is not None for one in said] == [False, True]
    assert stranger_table().act.match("Jeremy looked")
    assert two_names_table().sort_of["mart"] == two_names_table().sort_of["mall"]
    assert {detail.says for detail in details().details} >= {"eyes", "hair", "age"}
