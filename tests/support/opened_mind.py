"""A mind that was opened already, where one that is opened for each question is wanted."""

from __future__ import annotations

from typing import Any

__all__ = ["Opened"]


class Opened:
    """Gives what it was made with, and closes nothing."""

    def __init__(self, asks: Any) -> None:
        self.asks = asks

    async def __aenter__(self) -> Any:
        return self.asks

    async def __aexit__(self, *_: object) -> None:
        return None
