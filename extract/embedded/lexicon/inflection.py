"""The forms of English verbs: our one door to lemminflect, which is loaded when first asked. Knows no frame and no sentence.

lemminflect unpacks the lists of all words each time it is loaded, a third of a second; its verbs are kept in a form that loads at
once. What is no verb of its lists it still has to guess itself.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from narraworld.base.compiled import compiled_bytes, digest

__all__ = ["forms_of", "past_of", "third_of", "verb_of"]

REMEMBERED = 20_000  # forms whose verb is kept
LISTS = ("lemma_lu.csv.gz", "lemma_overrides.csv", "infl_lu.csv.gz", "infl_overrides.csv")

Lemmas = Mapping[str, tuple[str, ...]]  # of a form
Forms = Mapping[str, Mapping[str, tuple[str, ...]]]  # of a verb, by tag
Told = Mapping[str, Mapping[str, str]]  # of a verb, the first form of each of these tags
Said = Mapping[str, tuple[str, ...]]
TOLD = ("VBD", "VBZ")
VERB = "VB"  # how the tags of a verb begin


@cache  # asked only of the verbs of our tables
def forms_of(verb: str) -> frozenset[str]:
    """All forms of the verb but itself: `breaks`, `breaking`, `broke`, `broken`."""
    found = _verbs()[1].get(verb)
    if found is None:
        from lemminflect import getAllInflections, getAllInflectionsOOV

        known = {} if verb.islower() else getAllInflections(verb, upos="VERB")
        found = known or getAllInflectionsOOV(verb, upos="VERB")
    return frozenset(form for forms in found.values() for form in forms) - {verb}


def past_of(verb: str) -> str:
    """The verb as a story tells it: `broke`, `stopped`."""
    return _inflected(verb, "VBD")


def third_of(verb: str) -> str:
    """The verb as somebody does it now: `breaks`, `stops`."""
    return _inflected(verb, "VBZ")


@cache
def _inflected(verb: str, tag: str) -> str:
    if known := _verbs()[2].get(verb):
        return known[tag]
    from lemminflect import getAllInflectionsOOV, getInflection

    found = getAllInflectionsOOV(verb, "VERB")[tag] if verb.islower() else getInflection(verb, tag)
    return str(found[0])


@lru_cache(maxsize=REMEMBERED)
def verb_of(form: str, guess: str) -> str:
    """The verb that this is a form of: `glide` for `glided`; where it may be several (`lay`), the guess if it is one of them."""
    found = _verbs()[0].get(form) or _guessed(form)
    return guess if guess in found or not found else str(found[0])


def _guessed(form: str) -> tuple[str, ...]:
    """The verb of a form that is in no list as it is written."""
    from lemminflect import getAllLemmasOOV, getLemma

    if not form.islower():  # written otherwise it may be in the lists
        return tuple(getLemma(form, "VERB"))
    return tuple(getAllLemmasOOV(form, "VERB").get("VERB", ()))


@cache
def _verbs() -> tuple[Lemmas, Forms, Told]:
    """All verbs of the lists: the verbs of every form, the forms of every verb, and those that stories tell in."""
    package = find_spec("lemminflect")
    assert package is not None and package.origin is not None
    lists = [Path(package.origin).parent / "resources" / name for name in LISTS]
    key = digest((), (Path(__file__), *lists))
    found: tuple[Lemmas, Forms, Told] = marshal.loads(compiled_bytes("verbs", key, _unpacked))
    return found


def _unpacked() -> bytes:
    """From its own dictionaries: asked word by word it copies each answer, which takes two seconds."""
    from lemminflect import Inflections, Lemmatizer, getInflection

    lemmas = {
        word: tuple(said["VERB"])
        for word, said in _with_own(Lemmatizer()._getLemmaDict(), Lemmatizer()._getOverridesDict())
        if "VERB" in said
    }
    forms = {
        verb: found
        for verb, said in _with_own(Inflections()._getInflDict(), Inflections()._getOverridesDict())
        if (found := {tag: tuple(spelt) for tag, spelt in said.items() if tag.startswith(VERB)})
    }
    told = {
        verb: {tag: (said.get(tag) or getInflection(verb, tag))[0] for tag in TOLD}
        for verb, said in forms.items()
    }
    return marshal.dumps((lemmas, forms, told))


def _with_own(words: Mapping[str, Said], own: Mapping[str, Said]) -> Iterator[tuple[str, Said]]:
    """What is said of each word in small letters; what is said of it apart goes before."""
    return (
        (word, {**words.get(word, {}), **own.get(word, {})}) for word in {**words, **own} if word.islower()
    )
