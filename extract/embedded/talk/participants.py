"""Participants of a scripted conversation: who joins and leaves, as the talkers themselves say it.

A script has no narration, so words like `I have to take this call` are the only sign that somebody goes. Whoever goes still
hears the goodbyes; whoever comes has heard nothing before. Cues stand in `leaving.toml`. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from narraworld.base.quick_dataclass import dataclass
from narraworld.base.settings import ParticipantSettings
from narraworld.extract.embedded.lexicon.function_words import pattern
from narraworld.extract.embedded.lexicon.tables import leaving_words

__all__ = ["Move", "Utterance", "gone_from", "moves_by_cues"]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Who says what, by line of the script."""

    speakers: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Move:
    """From line ``at`` on somebody is there (`present`, `enters`) or not (`leaves`); line ``said`` says so."""

    who: str
    movement: str
    at: int
    said: int


SETTINGS = ParticipantSettings()


def moves_by_cues(script: Sequence[Utterance]) -> list[Move]:
    """Every coming and going of a script that its cues tell, in order."""
    talk = _Talk(script)
    for nth in range(len(script)):
        talk.hear(nth)
    return sorted(talk.moves, key=lambda move: (move.at, move.who))


class _Talk:
    """The talk as far as it has been heard: who is there, and who is about to go."""

    def __init__(self, script: Sequence[Utterance]) -> None:
        self.script = script
        self.first = {who: nth for nth, one in reversed(list(enumerate(script))) for who in one.speakers}
        self.there = {who for who, nth in self.first.items() if not self._joins(who, nth)}
        self.moves = [Move(who, "present", 0, self.first[who]) for who in sorted(self.there)]
        self.going: dict[str, int] = {}  # who → the line in which they said so

    def _joins(self, who: str, nth: int) -> bool:
        """Whether somebody's first words are those of a newcomer, and nobody was talking to them already."""
        if nth < SETTINGS.opening and not leaving_words().coming.search(self.script[nth].words):
            return False
        named = [one.words for one in self.script[:nth] if _names(one.words, who)]
        if self._awaited(who, named) or (nth >= SETTINGS.late and not named):
            return True
        return self._arrives(who, nth) and not any(
            _calls(one.words, who) for one in self.script[max(0, nth - 1) : nth]
        )

    def _arrives(self, who: str, nth: int) -> bool:
        """Whether somebody speaks, or is spoken to, as one does on arriving."""
        cues, words = leaving_words(), self.script[nth].words
        says = cues.coming.search(words) or cues.newcomer.search(words) or cues.greeting.match(words)
        seen = nth > 0 and cues.announced.search(self.script[nth - 1].words)
        return bool(says or seen) or self._received(who, nth)

    def _awaited(self, who: str, named: Sequence[str]) -> bool:
        """Whether others spoke of them by name, as of somebody who is not there, and then never to them."""
        missed = [_missed(words, who) for words in named]
        return any(missed) and (missed[-1] or not _calls(named[-1], who))

    def _received(self, who: str, nth: int) -> bool:
        """Whether the next to speak receives them: by how one does, or by calling out their name."""
        after = next((one.words for one in self.script[nth + 1 :] if who not in one.speakers), "")
        hailed = re.match(rf"\W*{re.escape(who)}!", after) is not None
        return hailed or leaving_words().welcome.search(after) is not None

    def hear(self, nth: int) -> None:
        one = self.script[nth]
        for who in list(self.going):
            if who not in one.speakers and not _is_parting(self.script, nth, who):
                self._leave(who, nth)
        for who in one.speakers:
            if who not in self.there:
                self.there.add(who)
                self.moves.append(Move(who, "enters", nth, nth))
        if len(one.speakers) == 1:
            self._going(one.speakers[0], one.words, nth)

    def _going(self, who: str, words: str, nth: int) -> None:
        if (
            who in self.going
            and not leaving_words().farewell.search(words)
            and not leaving_words().thanks.search(words)
        ):
            del self.going[who]  # still talking
        if self._says_so(who, words, nth) or (self._falls_silent(who, nth) and self._parts(who, words, nth)):
            self.going.setdefault(who, nth)

    def _says_so(self, who: str, words: str, nth: int) -> bool:
        """Whether somebody says that they go, or has to go now and is not heard to stay."""
        cues = leaving_words()
        if cues.staying.search(words):
            return False
        due = any(cues.plans.search(one) and not cues.another_time.search(one) for one in _clauses(words))
        return bool(cues.leaving.search(words)) or (due and not self._goes_on(who, nth))

    def _goes_on(self, who: str, nth: int) -> bool:
        """Whether they speak later on as if they had been there, and nobody said goodbye."""
        after = [n for n in range(nth + 1, len(self.script)) if who in self.script[n].speakers]
        near = [
            one.words for one in self.script[nth + 1 : nth + 1 + SETTINGS.parting] if who not in one.speakers
        ]
        return (
            bool(after)
            and not self._arrives(who, after[0])
            and not any(map(leaving_words().farewell.search, near))
        )

    def _falls_silent(self, who: str, nth: int) -> bool:
        """Whether others go on without a word from them: for a while, or to the end."""
        after = self.script[nth + 1 :]
        quiet = next((n for n, one in enumerate(after) if who in one.speakers), len(after))
        return quiet >= SETTINGS.silence or (quiet == len(after) and quiet >= SETTINGS.ending)

    def _parts(self, who: str, words: str, nth: int) -> bool:
        """Whether the last words before a silence sound like a parting, or others then speak of them and not to them."""
        cues = leaving_words()
        after = [one.words for one in self.script[nth + 1 : nth + 1 + SETTINGS.ending]]
        another = cues.another.search(words)  # he or she was somebody else already
        told = not another and any(
            cues.spoken_of.search(_first_sentence(one)) for one in after[: SETTINGS.spoken_of]
        )
        # of another's coat one may speak and stay
        parts = cues.parting.search(_last_words(words)) and not cues.spoken_of.match(words)
        goodbyes = [one for one in after if _calls(one, who) and cues.farewell.search(one)]
        return (
            bool(parts)
            or len(goodbyes) >= SETTINGS.farewells
            or (told and not any(_calls(one, who) for one in after))
        )

    def _leave(self, who: str, nth: int) -> None:
        self.there.discard(who)
        self.moves.append(Move(who, "leaves", nth, self.going.pop(who)))


def gone_from(script: Sequence[Utterance], said: int, who: str) -> int:
    """The first line that whoever says goodbye in one does not hear: the goodbyes of the others they still do."""
    behind = range(said + 1, len(script))
    return next(
        (nth for nth in behind if who not in script[nth].speakers and not _is_goodbye(script, nth, who)),
        len(script),
    )


def _is_parting(script: Sequence[Utterance], nth: int, who: str) -> bool:
    """Whether the line still belongs to the goodbyes, or whoever says goodbye soon says another word."""
    soon = nth - _spoke(script, nth, who) <= 2 and _speaks_again(script, nth, who)
    return soon or _is_goodbye(script, nth, who)


def _is_goodbye(script: Sequence[Utterance], nth: int, who: str) -> bool:
    """Whether a line is near enough to somebody's last and calls them or says farewell."""
    near = nth - _spoke(script, nth, who) <= SETTINGS.parting
    return near and (
        _calls(script[nth].words, who) or bool(leaving_words().farewell.search(script[nth].words))
    )


def _spoke(script: Sequence[Utterance], nth: int, who: str) -> int:
    """The last line of theirs before this one."""
    return max(n for n in range(nth) if who in script[n].speakers)


def _speaks_again(script: Sequence[Utterance], nth: int, who: str) -> bool:
    """Whether they say something soon after, other than that they come back."""
    return any(
        who in one.speakers and not leaving_words().coming.search(one.words)
        for one in script[nth + 1 : nth + 3]
    )


def _clauses(words: str) -> list[str]:
    return re.split(r"[,.;:!?—–]+", words)


def _first_sentence(words: str) -> str:
    return re.split(r"(?<=[.!?])\s", words, maxsplit=1)[0]


def _last_words(words: str) -> str:
    return " ".join(words.split()[-SETTINGS.last_words :])


def _calls(words: str, who: str) -> bool:
    """Whether the name stands as it is called out: before a pause, not before a verb."""
    return re.search(rf"\b{re.escape(who)}\b(?={pattern('talk.called').pattern})", words) is not None


def _missed(words: str, who: str) -> bool:
    """Whether somebody is said to be missing: `Where is Ruth?`, `all but Ruth`, `Ruth is on her way`."""
    return (
        re.search(leaving_words().missing.pattern.replace("NAME", re.escape(who)), words, re.IGNORECASE)
        is not None
    )


def _names(words: str, who: str) -> bool:
    return re.search(rf"\b{re.escape(who)}\b", words) is not None
