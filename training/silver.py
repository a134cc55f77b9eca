"""Novels with the grammar of a larger parser (`teacher`): what the small one learns beside the treebank.

    python -m training.silver ask DATA OUT     # OUT/train.spacy in; OUT/asked.jsonl: the treebank and sentences of novels
    python -m training.silver tell DATA OUT    # OUT/told.jsonl, the teacher's answer, in; OUT/silver.spacy

A sentence is asked as the embedded reader will show it to the parser: speech apart from narration, names lent. The teacher
answers in older terms, which `restyle` renews. One sentence in ten is kept back, so that a comparison has unseen ones.
"""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from training.restyle import Counts, Parse, commonest, counted, moved, relabelled
from training.vectors import novels

__all__ = ["Choice", "ask", "kept_back", "main", "shown", "tell"]


@dataclass(frozen=True)
class Choice:
    words_of_a_novel: int = 60_000
    shortest: int = 4
    longest: int = 60
    characters_at_once: int = 15_000  # names are known within a piece
    kept_back: int = 10  # one sentence in so many
    enough: int = 3  # words of a kind before the treebank's tag for them is trusted
    seed: int = 1


CHOICE = Choice()


def kept_back(words: Sequence[str]) -> bool:
    return zlib.crc32(" ".join(words).encode()) % CHOICE.kept_back == 0


# -- asking


def ask(data: Path, out: Path) -> None:
    chance = random.Random(CHOICE.seed)
    with (out / "asked.jsonl").open("w", encoding="utf-8") as file:
        for sentence in _treebank(out):
            file.write(json.dumps({"from": "treebank", "words": [token.text for token in sentence]}) + "\n")
        for novel in novels(data):
            for words in _chosen(shown(novel.read_text(encoding="utf-8")), chance):
                file.write(json.dumps({"from": "novels", "words": words}) + "\n")


def _treebank(out: Path) -> Iterator[Any]:
    import spacy
    from spacy.tokens import DocBin

    for doc in DocBin().from_disk(out / "train.spacy").get_docs(spacy.blank("en").vocab):
        yield from doc.sents


def shown(text: str) -> list[tuple[str, ...]]:
    """The sentences of a text as the parser would see them; nothing is parsed."""
    from narraworld.extract import lines, parsing

    seen = list[tuple[str, ...]]()

    def note(sentences: Iterable[Sequence[parsing.Token]]) -> list[list[parsing.Word]]:
        wanted = [parsing._shown(tokens) for tokens in sentences]
        seen.extend(wanted)
        return [[] for _ in wanted]

    with mock.patch.object(lines, "parse", note), mock.patch.object(lines, "_claims", lambda _: True):
        for piece in _pieces(text.replace("_", "")):
            lines.lines_of(piece)
    return [words for words in dict.fromkeys(seen) if CHOICE.shortest <= len(words) <= CHOICE.longest]


def _pieces(text: str) -> Iterator[str]:
    piece = ""
    for paragraph in text.split("\n\n"):
        piece += paragraph + "\n\n"
        if len(piece) > CHOICE.characters_at_once:
            yield piece
            piece = ""
    yield piece


def _chosen(sentences: list[tuple[str, ...]], chance: random.Random) -> Iterator[tuple[str, ...]]:
    chance.shuffle(sentences)
    left = CHOICE.words_of_a_novel
    for words in sentences:
        if left > 0:
            yield words
            left -= len(words)


# -- telling


def tell(out: Path) -> None:
    from spacy.tokens import DocBin

    with (out / "told.jsonl").open(encoding="utf-8") as file:
        told = [json.loads(line) for line in file]
    known = [(_parse(one), gold) for one, gold in zip(told, _treebank(out), strict=False)]
    docs = list(_docs([_parse(one) for one in told if one["from"] == "novels"], known))
    DocBin(attrs=["ORTH", "SPACY", "TAG", "HEAD", "DEP", "POS", "MORPH"], docs=docs).to_disk(
        out / "silver.spacy"
    )
    print(f"{len(docs)} sentences, {sum(map(len, docs))} words")


def _parse(one: dict[str, Any]) -> Parse:
    return moved(Parse(one["words"], one["tags"], one["heads"], one["labels"]))


def _docs(novels: Iterable[Parse], known: Sequence[tuple[Parse, Any]]) -> Iterator[Any]:
    import spacy
    from spacy.tokens import Doc

    vocab = spacy.blank("en").vocab
    arcs = counted(
        (parse, [t.head.i - gold.start for t in gold], [t.dep_ for t in gold]) for parse, gold in known
    )
    tags, forms = _word_forms(known)
    for parse in novels:
        new = relabelled(parse, arcs)
        if kept_back(new.words) or list(new.labels).count("ROOT") != 1 or "dep" in new.labels:
            continue
        tagged = _looked_up(tags, new.words, new.tags, new.labels)
        formed = [one.partition(" ") for one in _looked_up(forms, new.words, tagged, new.labels)]
        yield Doc(
            vocab,
            words=list(new.words),
            heads=list(new.heads),
            deps=list(new.labels),
            tags=tagged,
            pos=[pos for pos, _, _ in formed],
            morphs=[morph for _, _, morph in formed],
        )


def _word_forms(known: Iterable[tuple[Parse, Any]]) -> tuple[Counts, Counts]:
    """The treebank's tag for a word of the teacher's tag, and its part of speech and features for a word of its own tag."""
    tags, forms = defaultdict[Any, Counter[str]](Counter), defaultdict[Any, Counter[str]](Counter)
    for parse, gold in known:
        for told, token in zip(parse.tags, gold, strict=True):
            for one in _kinds(token.lower_, told, token.dep_):
                tags[one][token.tag_] += 1
            for one in _kinds(token.lower_, token.tag_, token.dep_):
                forms[one][f"{token.pos_} {token.morph}"] += 1
    return tags, forms


def _kinds(word: str, tag: str, label: str) -> tuple[tuple[str, ...], ...]:
    return (word, tag, label), (word, tag), (tag, label), (tag,)


def _looked_up(counts: Counts, words: Sequence[str], tags: Sequence[str], labels: Sequence[str]) -> list[str]:
    return [
        commonest(counts, _kinds(word.lower(), tag, label), tag, CHOICE.enough)
        for word, tag, label in zip(words, tags, labels, strict=True)
    ]


def main(verb: str, data: Path, out: Path) -> None:
    if verb == "ask":
        ask(data, out)
    else:
        tell(out)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
