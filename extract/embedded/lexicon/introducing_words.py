"""How a text says what somebody it describes is called (`introduced.toml`), as one value. Holds no word itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from narraworld.base.kept_patterns import KeptPatterns
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

__all__ = ["IntroducingForm", "IntroducingWords", "introducing_words"]

_SLOT = re.compile(r"(?<!\?P)<(\w+)>")


@dataclass(frozen=True, slots=True)
class IntroducingForm:
    """Some ways of saying it, how sure they make it, and where they hold."""

    shapes: tuple[str, ...]
    certainty: float
    told: bool = False
    said: bool = False
    titled: bool = False

    @property
    def patterns(self) -> Iterator[re.Pattern[str]]:
        """Compiled when a text first needs them."""
        return map(of_spoken(_kept).__getitem__, self.shapes)


@dataclass(frozen=True, slots=True)
class IntroducingWords:
    """The whole table."""

    forms: tuple[IntroducingForm, ...]
    met: float  # what it takes away that the name was told before
    doubtful: float  # and that those described so lie about their names
    doubtful_nouns: frozenset[str]


def introducing_words() -> IntroducingWords:
    """Those of the language that is read."""
    return of_spoken(_introducing_words)


def _introducing_words(language: Language) -> IntroducingWords:
    said = language.table("introduced")
    against, words = said["against"], said["words"]
    forms = tuple(
        IntroducingForm(tuple(_filled(shape, words) for shape in one.pop("forms")), **one)
        for one in map(dict, said["form"])
    )
    return IntroducingWords(
        forms, against["met"], against["doubtful"], frozenset(against["doubtful_nouns"].split())
    )


def _kept(language: Language) -> KeptPatterns:
    shapes = (shape for form in introducing_words().forms for shape in form.shapes)
    return KeptPatterns(f"introduced-{language.name}", shapes, re.IGNORECASE)


def _filled(shape: str, words: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: f"(?:{_filled(words[slot[1]], words)})", shape)
