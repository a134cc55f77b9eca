"""Numbered lines of one situation that a mind is shown to answer from or to choose among: what they say, rest on and cost."""
