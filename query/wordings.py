"""One matter in several wordings is shown once, in the first of them by name. Reads derived relations, decides nothing."""

from __future__ import annotations

from narraworld.query.names import rows
from narraworld.rules.proofs.matching import Answers

__all__ = ["first_wordings"]


def first_wordings(engine: Answers) -> dict[str, str]:
    """Each proposition that says what another says, with the one to show for it; all others are left out."""
    said: dict[tuple[str, str], list[str]] = {}
    for proposition, matter, sign in rows(engine, "content"):
        said.setdefault((str(matter), str(sign)), []).append(str(proposition))
    return {one: min(alike) for alike in said.values() if len(alike) > 1 for one in alike}
