"""The commands of checking: findings, the rules behind them, and the author's word on them.

Each parses, calls one verb of `World`, prints, and has a documented exit code.
"""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add these commands to ``app``; there are none yet."""
