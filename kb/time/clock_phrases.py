"""Readers of clock time: "12:40", "half past three", "nine-thirty", "0600 hours", "from nine to five", "twenty past". Used by `expressions.py`.

Each takes what it knows from the front of a phrase and says whether it did.
"""

from __future__ import annotations

from narraworld.kb.english import wordmap
from narraworld.kb.time.cursor import TimePhrase, number
from narraworld.kb.time.time_words import TimeWord

__all__ = ["clock", "clock_range"]

_LAST_SPOKEN = 12  # an hour that is said without more: nobody says "at seventeen" of a clock
_NO_HOUR = (
    "month",
    "unit",
    "era",
    "number",
    "scale",
    "ordinal",
)  # what follows says that the number was none


def clock(reading: TimePhrase) -> bool:
    """Such as "12:40", "half past three", "ten to four p.m.", "nine-thirty", "at six", "twenty past"."""
    lead = _lead(reading)
    start = reading.at
    minutes = _spoken_time(reading, lead)
    if minutes is None:
        reading.at = start
        return _of_the_running_hour(reading)
    if half := reading.take("half of day"):
        noon = reading.calendar.minutes_per_day // 2
        minutes = minutes % noon + (noon if half.value == "pm" else 0)
    reading.put("start", minutes % reading.calendar.minutes_per_day)
    if lead is not None and lead.text != "at":
        reading.put("approximate", True)
    return True


def clock_range(reading: TimePhrase) -> bool:
    """Such as "from nine to five", "between two and three": the second time is the next one of that name."""
    joint = wordmap("time.ranges").get(reading.peek().text)
    if joint is None:
        return False
    reading.at += 1
    first = _plain_hour(reading)
    if first is None or not any(reading.take_texts(word) for word in joint.split()):
        return False
    last = _plain_hour(reading)
    if last is None or reading.peek().kind in _NO_HOUR:
        return False
    half = reading.calendar.minutes_per_day // 2
    reading.put("start", first)
    reading.put("end", last if last > first else (last + half) % reading.calendar.minutes_per_day)
    return True


def _lead(reading: TimePhrase) -> TimeWord | None:
    """What may stand before a bare hour: "at six", "by nine", "after eight", "about four"."""
    lead = reading.take("filler", "at", "by", "until", "from", "stroke of")
    lead = lead or reading.take("direction", "after", "before") or reading.take("about")
    return lead and (reading.take("about") or lead)


def _plain_hour(reading: TimePhrase) -> int | None:
    if exact := reading.take("clock"):
        return _minutes(reading, *exact.value)
    hours = number(reading)
    if hours is None or hours > reading.calendar.hours_per_day:
        return None
    return hours * reading.calendar.minutes_per_hour + (_said_minutes(reading, hours) or 0)


def _minutes(reading: TimePhrase, hours: int, minutes: int) -> int | None:
    hour, day = reading.calendar.minutes_per_hour, reading.calendar.hours_per_day
    return hours * hour + minutes if hours < day and minutes < hour else None


def _spoken_time(reading: TimePhrase, lead: TimeWord | None) -> int | None:
    hour, day = reading.calendar.minutes_per_hour, reading.calendar.hours_per_day
    if exact := reading.take("clock"):
        if reading.peek().plural:
            reading.take("unit", "hour")  # "0600 hours"
        return _minutes(reading, *exact.value)
    offset = _offset(reading, hour)
    spoken = number(reading)
    if spoken is None or spoken > day:
        return None
    minutes = _said_minutes(reading, spoken) if offset is None else offset
    if not _marks_hour(reading, minutes) and not _bare_hour(reading, lead, spoken):
        return None
    return spoken * hour + (minutes or 0)


def _marks_hour(reading: TimePhrase, minutes: int | None) -> bool:
    """ "six o'clock", "six in the morning", "half past six"."""
    marked = reading.take("o'clock") is not None
    return marked or reading.peek().kind == "half of day" or minutes is not None


def _bare_hour(reading: TimePhrase, lead: TimeWord | None, spoken: int) -> bool:
    """A number alone is an hour behind "at", or behind another lead if a clock could show it."""
    if lead is None or reading.peek().kind in _NO_HOUR:
        return False
    return lead.text == "at" or spoken <= _LAST_SPOKEN


def _said_minutes(reading: TimePhrase, hours: int) -> int | None:
    """The "thirty" of "nine-thirty", the "oh five" of "six oh five"; no year, no count."""
    start = reading.at
    zero = reading.take("zero") is not None
    minutes = None if reading.peek().text in ("a", "an") else number(reading)
    least, most = (1, 9) if zero else (10, reading.calendar.minutes_per_hour - 1)
    if (
        minutes is None
        or hours > _LAST_SPOKEN
        or not least <= minutes <= most
        or reading.peek().kind in _NO_HOUR
    ):
        reading.at = start
        return None
    return minutes


def _offset(reading: TimePhrase, hour: int) -> int | None:
    """The "half past" and "ten minutes to" before an hour, as minutes to add to it; "half nine" is half past nine."""
    start = reading.at
    share = _share_of_hour(reading, hour)
    way = reading.take("past")
    if share is not None and way is not None:
        return share if way.value == "past" else -share
    half = reading.words[start].kind == "half" if start < len(reading.words) else False
    if half and reading.peek().kind == "number" and reading.peek().text not in ("a", "an"):
        return hour // 2
    reading.at = start
    return None


def _share_of_hour(reading: TimePhrase, hour: int) -> int | None:
    if reading.take("half"):
        return hour // 2
    if reading.take("quarter") or reading.take_texts("a", "quarter"):
        return hour // 4
    minutes = number(reading)
    reading.take("unit", "minute")
    return minutes


def _of_the_running_hour(reading: TimePhrase) -> bool:
    """Such as "at twenty past", "five to": the hour is the one that runs."""
    hour = reading.calendar.minutes_per_hour
    share = _share_of_hour(reading, hour)
    way = reading.take("past")
    if share is None or way is None or way.text == "till" or reading.peek().kind != "end" or share >= hour:
        return False
    reading.put("minute", share if way.value == "past" else hour - share)
    return True
