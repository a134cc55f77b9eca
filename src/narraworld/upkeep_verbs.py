"""Whether everything is in order, and what to do where it is not. The part of `World` that looks after the store.

Each verb calls one function; decides nothing by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narraworld.kb.errors import JournalDamaged
    from narraworld.kb.journal.leaf import Damage
    from narraworld.project.doctor import Ailment
    from narraworld.project.opened import OpenStory

__all__ = ["UpkeepVerbs"]


class UpkeepVerbs:
    """The journals, the installation and the caches looked over."""

    story: OpenStory

    def verify(self) -> list[Damage]:
        """Everything wrong with the journals."""
        return self.story.store.verify()

    @property
    def damage(self) -> list[JournalDamaged]:
        """Units that could not be read while answering, and were left out of the answer."""
        return self.story.damage

    def doctor(self) -> list[Ailment]:
        """The installation, the rules and the store looked over."""
        from narraworld.project.doctor import examine

        return examine(self.story.path)

    def reindex(self, branch: str = "main") -> None:
        """Throw the caches of a branch away and derive everything again."""
        self.story.reindex(branch)
