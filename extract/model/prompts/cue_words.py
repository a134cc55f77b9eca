"""Words that give a reading away (a plan told as a deed, sequence as a cause, silence as unawareness): the door to `cues.toml`.

Prompts show some of them and guards look for all of them, from one table: what a prompt asks to be quoted no guard refuses.
Reads only its own file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

__all__ = ["ENGLISH", "Cue", "GuardWords", "cues"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A row of the table: ``shown`` in prompts, ``words`` looked for by guards."""

    about: str
    shown: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def pattern(self) -> str:
        """All words as one pattern in `re.VERBOSE` spelling."""
        spaced = (word.replace(" ", r"\s+") for word in self.words)
        return rf"(?:{'|'.join(spaced)})(?!\w)"


@cache
def cues() -> Mapping[str, Cue]:
    """The table of cues, by name."""
    tables = tomllib.loads(files(__package__).joinpath("cues.toml").read_text(encoding="utf-8"))
    return {
        name: Cue(said["about"], tuple(said["shown"]), tuple(said["words"])) for name, said in tables.items()
    }


@dataclass(frozen=True, slots=True)
class GuardWords:
    """Patterns by the name of their cue, in `re.VERBOSE` spelling, letter case aside; a language without a row lets everything pass.

    ``dialogue``: what stands between quotation marks is nobody's word but the speaker's.
    """

    patterns: Mapping[str, str] = field(default_factory=dict)
    dialogue: bool = True

    def tells(self, cue: str, words: str) -> bool:
        """Whether the words hold this cue."""
        pattern = self.patterns.get(cue)
        return not pattern or _compiled(pattern).search(words) is not None

    def found(self, cue: str, words: str, tail: str = "") -> bool:
        """Whether the words hold this cue with ``tail`` behind it; no where the language has no such row."""
        pattern = self.patterns.get(cue)
        return bool(pattern) and _compiled(f"{pattern}{tail}").search(words) is not None

    def place(self, cue: str, words: str) -> int | None:
        """Where in the words this cue stands first."""
        pattern = self.patterns.get(cue)
        hit = _compiled(pattern).search(words) if pattern else None
        return hit.start() if hit else None

    def plans(self, words: str, verb: str = "") -> bool:
        """Whether the words tell something as planned; with ``verb``, whether they do so of that verb."""
        tail = rf"\s+(?:\w+\s+){{0,2}}?{re.escape(verb.split()[0])}\b" if verb.split() else ""
        return self.found("planned", words, tail)

    def tells_of_not_knowing(self, words: str) -> bool:
        if "ignorant" not in self.patterns:
            return True
        return self.found("ignorant", words) or (
            self.found("denying", words) and self.found("knowing", words)
        )

    def is_pronoun(self, words: str) -> bool:
        pattern = self.patterns.get("pronouns")
        return bool(pattern) and _compiled(f"{pattern}").fullmatch(words.strip()) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE | re.VERBOSE)


ENGLISH = GuardWords({name: cue.pattern for name, cue in cues().items()})
