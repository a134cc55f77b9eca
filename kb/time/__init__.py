"""Story time: calendars, time expressions, the clock and the timeline."""
