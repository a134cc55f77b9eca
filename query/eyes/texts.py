"""Which words a mind has met: of the page, where all that they tell reached it; of readers, where they give nothing away.

A quotation is kept where no event, state or thought that the mind could not tell of rests on its words. A title or a summary is kept
where it holds no name the mind does not know, and no word that stands only in what it has not met. Pure: rows in, answers out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from narraworld.kb.search.search_words import analyse
from narraworld.rules.language.ir import Row

__all__ = ["MetTexts"]

TELLING = frozenset({
    "Event", "Speech", "State", "Attitude", "Unawareness", "Emotion", "Secret", "Norm", "Cause",
})  # what words give away  # fmt: skip
READERS = frozenset({"Development", "Possibility", "Step"})  # what a reader sees in the words
PEOPLE = frozenset({"Character", "Group"})
MENTIONS = frozenset({"Character", "Group", "Place", "Object", "Naming"})  # a name in passing tells nothing
TextPlace = tuple[str, int, int]
_SPOKEN = re.compile(r"[“«\"][^”»\"]*(?:[”»\"]|$)")


class MetTexts:
    """The words of one situation, as one mind has met them."""

    def __init__(
        self,
        facts: Mapping[str, list[Row]],
        nodes: Mapping[str, str],
        told: Collection[str],
        met: Collection[str],
        names: Collection[tuple[str, str]],
        own: Collection[str],
        lies: Mapping[str, str],
    ) -> None:
        self._facts, self._nodes, self._told, self._met, self._names = facts, nodes, told, met, names
        self._own = own  # threads that began before this mind, and their steps
        self._lies = lies  # speeches that it takes for what they seem, and what the reader calls them

    @cached_property
    def spans(self) -> frozenset[str]:
        """The stretches of text that may be quoted."""
        return frozenset(
            str(span)
            for record, span in self._facts["evidence"]
            if record in self._told and self._may_be_quoted(str(record), str(span))
        )

    def may_be_said(self, text: str) -> bool:
        """Whether a reader's words give nothing away."""
        return not self._names_a_stranger(text) and not (set(analyse(text)) & self._unmet_words)

    # -- the page

    def _may_be_quoted(self, record: str, span: str) -> bool:
        kind = self._nodes[record]
        if kind in READERS and record not in self._own and (kind != "Step" or not self._is_witnessed(span)):
            return False
        return self._is_open(record, span)

    def _is_witnessed(self, span: str) -> bool:
        """Whether something that the mind could tell of rests on some of the same words."""
        unit, start, end = self._places[span]
        return any(first < end and start < last for first, last in self._witnessed.get(unit, ()))

    def _is_open(self, record: str, span: str) -> bool:
        unit, start, end = self._places[span]
        inside = (
            first < end
            and start < last
            and not (first <= start and end <= last and last - first > end - start)
            for first, last in self._closed.get(unit, ())
        )
        if any(inside):
            return False
        return self._nodes[record] == "Speech" or not self._names_a_stranger(self._quotes.get(span, ""))

    @cached_property
    def _places(self) -> dict[str, TextPlace]:
        return {
            str(span): (str(unit), int(start), int(end)) for span, unit, start, end in self._facts["span"]
        }

    @cached_property
    def _quotes(self) -> dict[str, str]:
        return {str(span): str(text) for span, text in self._facts["quote"]}

    @cached_property
    def _closed(self) -> dict[str, list[tuple[int, int]]]:
        """By unit, the words on which something rests that the mind could not tell of."""
        return self._telling(told=False)

    @cached_property
    def _witnessed(self) -> dict[str, list[tuple[int, int]]]:
        """By unit, the words on which something rests that the mind could tell of."""
        return self._telling(told=True)

    def _telling(self, *, told: bool) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, set[tuple[int, int]]] = {}
        for record, span in self._facts["evidence"]:
            open_to_it = record in self._told and not self._says_that_it_lies(str(record), str(span))
            outlook = not told and record in self._outlooks
            if self._nodes.get(str(record)) in TELLING and open_to_it is told and not outlook:
                unit, start, end = self._places[str(span)]
                found.setdefault(unit, set()).add((start, end))
        return {unit: sorted(several) for unit, several in found.items()}

    @cached_property
    def _outlooks(self) -> frozenset[str]:
        """Events that a reader thinks may come of it, and that rest on no words but those that made the reader think so."""
        rests: dict[str, set[str]] = {}
        for record, span in self._facts["evidence"]:
            rests.setdefault(str(record), set()).add(str(span))
        pairs = ((str(outlook), str(event)) for outlook, event in self._facts["possible_event"])
        return frozenset(
            event for outlook, event in pairs if rests.get(event, set()) <= rests.get(outlook, set())
        )

    def _says_that_it_lies(self, record: str, span: str) -> bool:
        """Whether the page, outside of what is spoken, calls a lie so, as "And he lied." does."""
        kind = self._lies.get(record)
        if kind is None:
            return False
        stem = kind.removesuffix("e")
        forms = (stem, f"{stem[:-1]}y") if kind.endswith("ie") else (stem,)  # lies, lying
        told = _SPOKEN.sub(" ", self._quotes.get(span, ""))
        return any(word.startswith(forms) for word in re.findall(r"\w+", told.lower()))

    # -- names

    def _names_a_stranger(self, text: str) -> bool:
        """Whether a text names somebody by a name that this mind does not have."""
        return self._strange is not None and self._strange.search(text) is not None

    @cached_property
    def _strange(self) -> re.Pattern[str] | None:
        known = {name for _, name in self._names}
        strange = sorted(
            {
                str(name)
                for _, entity, name in self._facts["named"]
                if self._nodes.get(str(entity)) in PEOPLE and str(name)[:1].isupper() and name not in known
            },
            key=lambda name: (-len(name), name),
        )
        told_apart = [name for name in strange if not any(_is_part(name, other) for other in known)]
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, told_apart))})\b") if told_apart else None

    # -- words

    @cached_property
    def _unmet_words(self) -> frozenset[str]:
        """Words, by their stems, that stand only in what the mind has not met."""
        said, unsaid = set[str](), set[str]()
        for met, text in self._texts():
            (said if met else unsaid).update(analyse(text))
        return frozenset(unsaid - said)

    def _texts(self) -> Iterator[tuple[bool, str]]:
        """Every text, and whether the mind has met it."""
        for record, span in self._facts["evidence"]:
            if self._nodes.get(str(record)) not in MENTIONS:
                yield span in self.spans, self._quotes.get(str(span), "")
        for row in self._facts["proposition"]:
            yield row[0] in self._met, _spelled(str(row[3]))
        yield from ((True, name) for _, name in self._names)


def _is_part(name: str, other: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", other) is not None


def _spelled(value: str) -> str:
    return re.sub(r"[-._:]", " ", value)
