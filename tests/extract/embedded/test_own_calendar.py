"""A story with months and weeks of its own: the embedded reader finds its words of time."""

from __future__ import annotations

from reading_aloud import records

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.time.calendar_file import calendar_from
from narraworld.kb.units import Unit

THAW = calendar_from({"months": [{"name": "Frostmoon", "days": 30}], "weekdays": ["Firstday", "Restday"]})


def test_the_days_of_the_story_date_its_deeds() -> None:
    told = Unit("ch01", 1, "On Restday, the 3rd of Frostmoon, Ida went to the mill.")
    assert [
        one.expression for one in records(read_prose(told, calendar=THAW), "TimeAnchor", "expression")
    ] == ["On Restday, the 3rd of Frostmoon"]
    assert records(read_prose(told), "TimeAnchor", "expression") == []
