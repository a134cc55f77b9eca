"""Prose in: sources and readers turn text into deltas. Never sees what was derived."""

__all__: list[str] = []
