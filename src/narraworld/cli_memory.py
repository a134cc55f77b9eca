"""The commands of memory: what the next scene needs, and questions in plain English.

Each parses, calls one verb of `World`, prints, and has a documented exit code.
"""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add these commands to ``app``; there are none yet."""
