"""What every match of a pattern must hold, read off the pattern itself: so that of hundreds of long patterns only those are tried whose words are there.

A need is a set of letters, some of which must stand in one word of the text (`^` and `$` are the ends of the word): every match of
`had (?:brown|grey) eyes` needs one of {`had$`}, one of {`^brown$`, `^grey$`} and one of {`^eyes`}. What cannot be read off is not needed, so
that nothing is ever missed; case is not looked at, as patterns may not look at it either. Matches nothing itself.
"""

from __future__ import annotations

import marshal
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from narraworld.base.compiled import compiled_bytes, digest

__all__ = ["Need", "NeededWords", "kept_needs", "needs_of"]

Need = frozenset[str]
Texts = frozenset[str]
Parts = Iterable[tuple[Any, Any]]
MOST = 48  # texts that alternatives one behind another are written out to
KEPT = 1 << 15  # words that are remembered with what they meet
SIGN = "\0"  # whatever is no part of a word, and the end of one
_RUN = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d")
_TAKEN_FOR = str.maketrans("İıſ", "iis")  # letters that are others to a pattern without case
EMPTY: Texts = frozenset({""})


class NeededWords:
    """The needs of many patterns: tells which of them the words of a text meet."""

    def __init__(self, needs: Iterable[Iterable[Need]]) -> None:
        numbers: dict[Need, int] = {}
        each = [[numbers.setdefault(need, len(numbers)) for need in some] for some in needs]
        self.of = tuple(map(frozenset, each))  # the needs of each pattern, by number
        self._by_letters: dict[str, list[int]] = {}
        for need, number in numbers.items():
            for letters in need:
                self._by_letters.setdefault(letters, []).append(number)
        self._longest = max(map(len, self._by_letters), default=0)
        self._known: dict[str, frozenset[int]] = {}

    def met(self, text: str) -> set[int]:
        """The numbers of the needs that the words of a text meet."""
        known = self._known
        words = set(_WORD.findall(text))
        return set[int]().union(*(known[word] if word in known else self._learn(word) for word in words))

    def _learn(self, word: str) -> frozenset[int]:
        """Which needs one word meets."""
        if len(self._known) >= KEPT:
            self._known.clear()
        whole = f"^{_plain(word)}$"
        parts = {
            whole[start:end]
            for start in range(len(whole))
            for end in range(start + 1, min(start + self._longest, len(whole)) + 1)
        }
        found = frozenset(number for part in parts for number in self._by_letters.get(part, ()))
        self._known[word] = found
        return found


def kept_needs(name: str, patterns: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> list[tuple[Need, ...]]:
    """The needs of each pattern, kept beside Python's own compiled modules: reading them off takes a millisecond a pattern."""
    texts = list(patterns)
    kept = compiled_bytes(
        f"{name}.needs", digest([*texts, str(int(flags))], [Path(__file__)]), lambda: _packed(texts, flags)
    )
    return marshal.loads(kept)  # type: ignore[no-any-return]


def _packed(texts: Iterable[str], flags: re.RegexFlag) -> bytes:
    """In the form of the library, each need once."""
    one: dict[Need, Need] = {}
    return marshal.dumps(
        [tuple(one.setdefault(need, need) for need in needs_of(text, int(flags))) for text in texts]
    )


def needs_of(pattern: str, flags: int = 0) -> tuple[Need, ...]:
    """What every match of a pattern needs; nothing, where this Python takes patterns apart in another way."""
    try:
        parts = import_module("re._parser").parse(pattern, flags)
    except (ImportError, AttributeError):
        return ()
    return tuple(dict.fromkeys(_walked(parts).all_needs()))


def _plain(text: str) -> str:
    return _NUMBER.sub("0", text.translate(_TAKEN_FOR).lower())


class _Walk:
    """A way through a pattern: the texts that its last stretch can be, and what it needed before; ``whole`` while that is all of it."""

    def __init__(self) -> None:
        self.texts, self.whole = EMPTY, True
        self.needs: list[Need] = []

    def follow(self, texts: Texts) -> None:
        """One of these comes next."""
        if min(len(self.texts), len(texts)) > 1 and len(self.texts) * len(texts) > MOST:
            ended = all(text.endswith(SIGN) for text in self.texts)
            self.lose()
            self.texts = frozenset({SIGN}) if ended else EMPTY
        self.texts = frozenset(one + other for one in self.texts for other in texts)

    def lose(self, needs: Iterable[Need] = ()) -> None:
        """Something comes next that can be too much; it has these needs."""
        self.needs = [*self.all_needs(), *needs]
        self.texts, self.whole = EMPTY, False

    def all_needs(self) -> list[Need]:
        return [*self.needs, *_need(self.texts)]


def _walked(parts: Parts) -> _Walk:
    walk = _Walk()
    for kind, said in parts:
        _STEPS.get(str(kind), _something)(walk, said)
    return walk


def _something(walk: _Walk, _: Any) -> None:
    walk.lose()


def _nothing(_walk: _Walk, _: Any) -> None:
    """What is not consumed, and need not be there."""


def _letter(walk: _Walk, code: int) -> None:
    walk.follow(frozenset({_sign(chr(code))}))


def _place(walk: _Walk, where: Any) -> None:
    if str(where) == "AT_BOUNDARY":
        walk.follow(frozenset({SIGN}))


def _letters(walk: _Walk, members: Parts) -> None:
    """`[ab]`."""
    found = {_member(*one) for one in members}
    if None in found:
        walk.lose()
    else:
        walk.follow(frozenset(one for one in found if one is not None))


def _member(kind: Any, said: Any) -> str | None:
    if str(kind) == "LITERAL":
        return _sign(chr(said))
    return "0" if str(said) == "CATEGORY_DIGIT" else None


def _sign(letter: str) -> str:
    return _plain(letter) if _WORD.match(letter) else SIGN


def _group(walk: _Walk, said: Any) -> None:
    _join(walk, _walked(said[-1] if isinstance(said, tuple) else said))


def _join(walk: _Walk, inside: _Walk) -> None:
    if inside.whole:
        walk.follow(inside.texts)
    else:
        walk.lose(inside.all_needs())


def _branches(walk: _Walk, said: Any) -> None:
    """`one|other`: where not all can be written out, one need of each."""
    ways = [_walked(parts) for parts in said[1]]
    if all(way.whole for way in ways):
        walk.follow(frozenset().union(*(way.texts for way in ways)))
        return
    needs = [max(way.all_needs(), key=_worth, default=None) for way in ways]
    told = [need for need in needs if need is not None]
    walk.lose([_fewest(frozenset().union(*told))] if len(told) == len(ways) else ())


def _worth(need: Need) -> tuple[int, int]:
    """How much a need tells: long letters, and few of them."""
    return min(map(len, need)), -len(need)


def _repeated(walk: _Walk, said: Any) -> None:
    """`a?`, `a*`, `a+`, `a{1,2}`."""
    least, most, parts = said
    inside = _walked(parts)
    if most == 1 and inside.whole:
        walk.follow(inside.texts | EMPTY if least == 0 else inside.texts)
        return
    if least > 0:
        _join(walk, inside)
    walk.lose()


def _seen(walk: _Walk, said: Any) -> None:
    """`(?=a)`: not consumed, and there."""
    walk.needs += _walked(said[1]).all_needs()


_STEPS: dict[str, Callable[[_Walk, Any], None]] = {
    "LITERAL": _letter,
    "IN": _letters,
    "AT": _place,
    "SUBPATTERN": _group,
    "ATOMIC_GROUP": _group,
    "BRANCH": _branches,
    "MAX_REPEAT": _repeated,
    "MIN_REPEAT": _repeated,
    "POSSESSIVE_REPEAT": _repeated,
    "ASSERT": _seen,
    "ASSERT_NOT": _nothing,
}


@lru_cache(maxsize=256)
def _need(texts: Texts) -> tuple[Need, ...]:
    """What whoever is one of these texts needs: the words that all have, and of each its longest other one."""
    each = [_words(text) for text in _fewest(texts)]
    shared = frozenset.intersection(*each)
    others = [words - shared for words in each]
    needs = [frozenset({word}) for word in sorted(shared)]
    if all(others):
        heard = Counter(chain.from_iterable(others))
        needs.append(_fewest(frozenset(max(words, key=lambda word: _tells(word, heard)) for words in others)))
    return tuple(needs)


def _tells(word: str, heard: Mapping[str, int]) -> tuple[int, int, str]:
    """How much a word tells: a long one more than a short one, one of a single text more than one of many."""
    return len(word.strip("^$")), -heard[word], word


def _words(text: str) -> frozenset[str]:
    """The words of a text, with their ends where they have them."""
    return frozenset(
        "^" * text[: run.start()].endswith(SIGN) + run[0] + "$" * text.startswith(SIGN, run.end())
        for run in _RUN.finditer(text)
    )


def _fewest(texts: Texts) -> Texts:
    """Without those that hold another: who has them has the other."""
    found = list[str]()
    for text in sorted(texts, key=len):
        if not any(other in text for other in found):
            found.append(text)
    return frozenset(found)
