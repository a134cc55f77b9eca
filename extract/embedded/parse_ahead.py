"""Another process that parses the units to come while this one writes down the unit at hand.

It changes how long reading takes and nothing else: a sentence's grammar depends on its words alone, and what the other
process did not send, or guessed other names for, is parsed here. Its end is noticed, said, and gone around.
Run as `python -m narraworld.extract.embedded.parse_ahead` with the name of a language it is that process: one JSON line in for each unit, one out.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import IO

from narraworld.base.settings import AheadSettings
from narraworld.extract.embedded.grammar.parser import Grammar, Shown, remembered, take_along
from narraworld.extract.embedded.layout.document import lines_of
from narraworld.extract.embedded.lexicon.language import Language, speaking

__all__ = ["AheadSettings", "Helper", "helped"]

COMMAND = ("-m", "narraworld.extract.embedded.parse_ahead")
log = logging.getLogger(__name__)


class Helper:
    """The other process, as this one sees it; without a process it helps nobody."""

    def __init__(self, language: Language, process: subprocess.Popen[str] | None = None) -> None:
        self._language, self._process = language, process

    def take_next(self) -> None:
        """Take along what was parsed for the next unit, in the order in which they were handed over."""
        line = self._process.stdout.readline() if self._process and self._process.stdout else ""
        if line:
            with speaking(self._language):
                take_along(dict(_unpacked(json.loads(line))))
        elif self._process:
            log.warning("the second parser ended early; going on with one")
            self._process = None


@contextmanager
def helped(
    texts: Sequence[str], names: Iterable[str], language: Language, settings: AheadSettings | None = None
) -> Iterator[Helper]:
    """A helper that parses these texts in order; ``names`` are words of names known before the first."""
    chosen = settings or AheadSettings()
    if sum(map(len, texts)) < chosen.from_characters or (os.cpu_count() or 1) < 2:
        yield Helper(language)
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8") as work:
        for one in (sorted(names), *texts):
            work.write(json.dumps(one) + "\n")
        work.seek(0)
        process = _started(work, language, chosen)
        try:
            yield Helper(language, process)
        finally:
            process.kill()
            process.communicate()


def _started(work: IO[str], language: Language, settings: AheadSettings) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *COMMAND, language.name],
        stdin=work,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        pipesize=settings.pipe_bytes,
    )


# -- the other process


def main() -> None:
    """Parse what comes in; whoever started us also ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    language: Language = import_module(f"{__spec__.parent}.{sys.argv[1]}").LANGUAGE
    with speaking(language):
        _parse_all()


def _parse_all() -> None:
    names = set[str](json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        try:
            print(json.dumps([_packed(*one) for one in _parse(json.loads(line), names)]), flush=True)
        except BrokenPipeError:  # nobody wants it any more
            os._exit(0)


def _parse(text: str, names: set[str]) -> list[tuple[Shown, Grammar]]:
    """What a unit's sentences gave that was not known; its names are added, as the roster will have them."""
    before = set(remembered())
    for line in lines_of(text, names):
        names |= {word.text for word in line.words if word.name}
    return [(words, grammar) for words, grammar in remembered().items() if words not in before]


def _packed(words: Shown, grammar: Grammar) -> list[Sequence[object]]:
    return [words, *zip(*grammar, strict=True)]


def _unpacked(sentences: Iterable[Sequence[Sequence[object]]]) -> Iterator[tuple[Shown, Grammar]]:
    for words, lemmas, *labels, heads in sentences:
        known = [[sys.intern(str(label)) for label in some] for some in (lemmas, *labels)]
        yield tuple(map(str, words)), tuple(zip(*known, map(int, heads), strict=True))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
