"""The style sheet: what a story says of its people, times, things, names and numbers, in lists. No judgement."""
