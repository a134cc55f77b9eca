"""Who has which question, and until when. A loan that has run out is offered again; one process at a time changes them.

Files in one folder, one for each loan; the clock is handed in.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from narraworld.base.atomic_files import write_whole

__all__ = ["Loan", "Loans"]


@dataclass(frozen=True, slots=True)
class Loan:
    """``until`` is seconds of the clock."""

    question: str
    to: str
    until: float


@dataclass(frozen=True, slots=True)
class Loans:
    """The loans of a folder; whoever changes them holds the desk's lock."""

    folder: Path
    clock: Callable[[], float]

    def of(self, question: str) -> Loan | None:
        """The loan of a question that has not run out."""
        with suppress(OSError, ValueError, TypeError):
            loan = Loan(**json.loads((self.folder / f"{question}.json").read_text(encoding="utf-8")))
            return loan if loan.until > self.clock() else None
        return None

    def lend(self, question: str, to: str, seconds: float) -> Loan:
        loan = Loan(question, to, self.clock() + seconds)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"{question}.json", json.dumps(asdict(loan)))
        return loan

    def end(self, question: str) -> None:
        (self.folder / f"{question}.json").unlink(missing_ok=True)
