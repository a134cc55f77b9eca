"""Times of day: which sentences say what time it is now, and which only speak of another."""

from __future__ import annotations

import pytest
from reading_aloud import read, records

from narraworld.extract.embedded.writers.marked.time_of_day import lights

TOLD = [
    pytest.param("The stars shone over the roofs.", [("night", "The stars shone over the roofs")], id="stars"),
    pytest.param("The moon hung over the roofs.", [("evening", "The moon hung over the roofs")], id="moon, seen at dusk, too"),
    pytest.param("As the night deepened, Ida yawned.", [("night", "As the night deepened")], id="night goes on"),
    pytest.param("Ida ran, and the sun dipped below the hills.", [("sunset", "and the sun dipped below the hills")], id="gone"),
    pytest.param("The sun began its slow descent.", [("sunset", "The sun began its slow descent")], id="not yet"),
    pytest.param("Dusk approached.", [("sunset", "Dusk approached")], id="on its way"),
    pytest.param("Dusk fell.", [("sunset", "Dusk fell")], id="dusk"),
    pytest.param("They stood in the cool evening air.", [("evening", "They stood in the cool evening air")], id="evening"),
    pytest.param("The afternoon heat lay on the yard.", [("afternoon", "The afternoon heat lay on the yard")], id="afternoon"),
    pytest.param("Tom woke.", [("later", "Tom woke")], id="slept between"),
    pytest.param("Stars twinkled in the evening light.", [("night", "Stars twinkled in the evening light")], id="evening goes along"),
    pytest.param("Stars twinkled in the approaching twilight.", [], id="one gives way to the other"),
    pytest.param("Her hair shone like moonlight.", [], id="simile"),
    pytest.param("Every night the moon rose.", [], id="habit"),
    pytest.param("She worked through starlit nights.", [], id="many nights"),
    pytest.param("She remembered the moonlight on the lake.", [], id="memory"),
    pytest.param("Would they swim in the moonlight?", [], id="question"),
    pytest.param("“The moon rose early,” said Tom.", [], id="speech"),
    pytest.param("It dawned. The idea dawned on her.", [("morning", "It dawned")], id="dawn of the day alone"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_a_sentence_tells_one_time_of_now_or_none(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.time, one.where.cut(text)) for one in lights(text)] == expected


def told_of_the_sky(text: str) -> list[str]:
    found = records(read(text), "State", "proposition")
    return [one.proposition for one in found if one.proposition.startswith("sky.light")]


def test_a_time_is_written_where_it_begins_and_where_it_was_last_said() -> None:
    night = "The stars shone over the roofs. Moonlight lay on the well. It was midnight."

    assert told_of_the_sky(f"{night} Ida sang. The sun sank behind the barn.") == [
        "sky.light:night",
        "sky.light:night",
        "sky.light:sunset",
    ]


def test_a_unit_of_one_time_says_nothing_of_the_sky() -> None:
    assert told_of_the_sky("The stars shone over the roofs. Ida woke.") == []
