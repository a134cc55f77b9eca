"""Grammar: sentences in, words with lemma, part of speech and head out. The only door to spaCy.

The parser never sees the story's own names: each is lent a common one, because a small model knows `John` better than
`Isla`; and what it parsed once it does not parse again. A sentence's grammar depends on its words alone, never on what
is parsed beside it, so that another process may parse ahead (`parse_ahead`). Knows nothing of stories.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from narraworld.base.one_thread import one_thread
from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.parser_input import Shown, made_finite, restored, retold, shown_words
from narraworld.extract.embedded.lexicon.function_words import pattern, wordmap
from narraworld.extract.embedded.lexicon.language import Language, of_spoken

if TYPE_CHECKING:
    from spacy.language import Language as Pipeline

__all__ = [
    "Grammar",
    "Shown",
    "Token",
    "Word",
    "forget",
    "parse",
    "pipeline",
    "remembered",
    "take_along",
    "tokens_of",
]

CACHE = 20_000  # sentences that are remembered; the oldest is forgotten first
BELOW = (1 << 64) - 1  # the longest number of the parser
BATCH = 64  # sentences of about one length; more at once are slower


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands in the text."""

    text: str
    start: int
    end: int
    name: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its grammar; ``head`` is the position in the sentence of the word it depends on (its own: the root)."""

    position: int
    text: str
    start: int
    end: int
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    name: bool

    @property
    def relation(self) -> str:
        """The grammatical relation without its subtype: `obl:tmod` is an `obl`."""
        return self.dep.partition(":")[0]


_CLOSE_MARKS = re.compile(r"(\w[\w'’]*)([:;,])(--+|[—–]+)|(I)(\.)")
Grammar = tuple[tuple[str, str, str, str, int], ...]  # lemma, pos, tag, dep, head


def pipeline() -> Pipeline:
    """What parses the language that is read; heavy, so loaded when first needed."""
    return of_spoken(_pipeline)


def _pipeline(language: Language) -> Pipeline:
    with _without_its_commands():
        import spacy
    from thinc.api import use_ops

    with use_ops("numpy", use_blis=False):  # on one thread numpy multiplies three times as fast as blis
        return spacy.load(language.weights)


@contextmanager
def _without_its_commands() -> Iterator[None]:
    """In here spaCy is imported without its command line, a fifth of a second that no reader needs; who asks for it later gets it."""
    stand_ins = {name: ModuleType(name) for name in ("spacy.cli", "spacy.cli.info")}
    if "spacy" in sys.modules:
        stand_ins = {}
    for module in stand_ins.values():
        module.info = None  # type: ignore[attr-defined]
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


def tokens_of(text: str, start: int = 0) -> list[Token]:
    """The words of a text that begins at ``start`` of its unit; white space is nobody's word."""
    found = list[Token]()
    for one in pipeline().tokenizer(text):
        word = one.text
        if not word.isspace():
            begin = start + one.idx
            token = Token(word, begin, begin + len(word))
            found += (token,) if word.isalpha() else _parted(token)
    return _rejoined(found)


def _parted(token: Token) -> list[Token]:
    """The marks that old books set close: `said:--` is a word and two marks, `said I.` ends with a stop."""
    marks = _CLOSE_MARKS.fullmatch(token.text)
    if marks is None:
        return [token]
    cuts = [token.start + marks.start(group) for group in range(1, 6) if marks[group]]
    ends = [*cuts[1:], token.end]
    text = token.text
    return [Token(text[a - token.start : b - token.start], a, b) for a, b in zip(cuts, ends, strict=True)]


def _rejoined(tokens: list[Token]) -> list[Token]:
    """Hyphenated words made whole again: the tokenizer takes `drawing-room` for three."""
    found, simpler = list[Token](), wordmap("parser.simpler")
    for token in tokens:
        gap = _gap(found[-1], token, simpler) if found else None
        if gap is None:
            found.append(token)
        else:
            found[-1] = Token(found[-1].text + gap + token.text, found[-1].start, token.end)
    return found


def _gap(last: Token, token: Token, simpler: Mapping[str, str]) -> str | None:
    """What stands between two halves of one word: nothing, or a space; None where they are two words."""
    beside = last.end == token.start
    if beside and _hyphenated(last.text, token.text):
        return ""
    if f"{last.text} {token.text}".lower() in simpler:
        return "" if beside else " "
    return None


def _hyphenated(one: str, other: str) -> bool:
    return (one[-1].isalnum() and other == "-") or (
        len(one) > 1 and one[-1] == "-" and one[-2].isalnum() and other[0].isalnum()
    )


def parse(sentences: Iterable[Sequence[Token]]) -> list[list[Word]]:
    """The grammar of each sentence, in order."""
    wanted = list(sentences)
    shown = [shown_words(tokens) for tokens in wanted]
    before = remembered()
    known = {words: before[words] for words in shown if words in before}
    known |= _parsed({words for words in shown if words and words not in known})
    take_along(known)
    return [
        _words(tokens, known[words] if words else ()) for tokens, words in zip(wanted, shown, strict=True)
    ]


def _known(_: Language) -> dict[Shown, Grammar]:
    return {}


def remembered() -> Mapping[Shown, Grammar]:
    """The grammar of the sentences that were parsed last."""
    return of_spoken(_known)


def forget() -> None:
    """Parse every sentence anew from here on."""
    of_spoken(_known).clear()


def take_along(parsed: Mapping[Shown, Grammar]) -> None:
    """Remember the grammar of sentences, whoever parsed them."""
    known = of_spoken(_known)
    known.update(parsed)
    for oldest in list(known)[: max(0, len(known) - CACHE)]:
        del known[oldest]


def _parsed(sentences: set[Shown]) -> dict[Shown, Grammar]:
    """The grammar of sentences; those in the present are told to the parser in the past where it loses a verb."""
    found = _read(sentences)
    again = {words: told for words, grammar in found.items() if (told := retold(words, grammar))}
    past = _read({told.words for told in again.values()})
    found |= {words: restored(told, past[told.words]) for words, told in again.items()}
    return {words: made_finite(words, grammar) for words, grammar in found.items()}


def _read(sentences: set[Shown]) -> dict[Shown, Grammar]:
    from spacy.tokens import Doc

    ordered = sorted(sentences, key=lambda words: (len(words), words))
    parser = pipeline()
    docs = (Doc(parser.vocab, words=list(words)) for words in ordered)
    with one_thread():
        parsed = parser.pipe(docs, batch_size=BATCH)
        return {words: _grammar(doc) for words, doc in zip(ordered, parsed, strict=True)}


def _grammar(doc: Any) -> Grammar:
    """What the parser says; where it sees two sentences in one, the second hangs on the first."""
    rows: list[list[int]] = doc.to_array(["LEMMA", "POS", "TAG", "DEP", "HEAD"]).tolist()
    heads = [
        (i + row[4]) & BELOW for i, row in enumerate(rows)
    ]  # as said: how far off, round the end of a long number
    root = next(i for i, head in enumerate(heads) if head == i)
    text = doc.vocab.strings.__getitem__
    same = sys.intern
    return tuple(
        (
            same(text(lemma).lower()),
            same(text(pos)),
            same(text(tag)),
            "parataxis" if head == i != root else same(text(dep)),
            root if head == i else head,
        )
        for i, ((lemma, pos, tag, dep, _), head) in enumerate(zip(rows, heads, strict=True))
    )


def _words(tokens: Sequence[Token], grammar: Grammar) -> list[Word]:
    found = [
        Word(position, token.text, token.start, token.end, _lemma(token, lemma),
             "PROPN" if token.name else pos, tag, dep, head, token.name)
        for position, (token, (lemma, pos, tag, dep, head)) in enumerate(zip(tokens, grammar, strict=True))
    ]  # fmt: skip
    for first, second, sign in zip(found, found[1:], found[2:], strict=False):
        if first.name and second.name and sign.tag == "POS" and first.head != second.position:
            _join_owner(found, first, second)
    return found


def _join_owner(words: list[Word], first: Word, second: Word) -> None:
    """`Miss Grey's eyes fell`: where `Miss` was taken to fall, the eyes do."""
    thing = words[second.head]
    if second.dep != "nmod:poss" or thing.head != first.position:
        return
    head = thing.position if first.head == first.position else first.head
    words[thing.position] = replace(thing, dep=first.dep, head=head)
    words[first.position] = replace(first, dep="compound", head=second.position)
    for word in words:
        if word.head == first.position and word.position != first.position:
            words[word.position] = replace(word, head=thing.position)


def _lemma(token: Token, parsed: str) -> str:
    """A word that was lent another for the parser is its own lemma."""
    if token.name or token.text in wordmap("parser.unknown"):
        return token.text
    return token.text.lower() if pattern("word.quality").fullmatch(token.text) else parsed
