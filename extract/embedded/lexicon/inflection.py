"""The forms of English verbs: our one door to lemminflect, which is loaded when first asked. Knows no frame and no sentence."""

from __future__ import annotations

from functools import cache, lru_cache

__all__ = ["forms_of", "past_of", "third_of", "verb_of"]

REMEMBERED = 20_000  # forms whose verb is kept


@cache  # asked only of the verbs of our tables
def forms_of(verb: str) -> frozenset[str]:
    """All forms of the verb but itself: `breaks`, `breaking`, `broke`, `broken`."""
    from lemminflect import getAllInflections, getAllInflectionsOOV

    found = getAllInflections(verb, upos="VERB") or getAllInflectionsOOV(verb, upos="VERB")
    return frozenset(form for forms in found.values() for form in forms) - {verb}


def past_of(verb: str) -> str:
    """The verb as a story tells it: `broke`, `stopped`."""
    return _inflected(verb, "VBD")


def third_of(verb: str) -> str:
    """The verb as somebody does it now: `breaks`, `stops`."""
    return _inflected(verb, "VBZ")


@cache
def _inflected(verb: str, tag: str) -> str:
    from lemminflect import getInflection

    return str(getInflection(verb, tag)[0])


@lru_cache(maxsize=REMEMBERED)
def verb_of(form: str, guess: str) -> str:
    """The verb that this is a form of: `glide` for `glided`; where it may be several (`lay`), the guess if it is one of them."""
    from lemminflect import getLemma

    found = getLemma(form, "VERB")
    return guess if guess in found or not found else str(found[0])
