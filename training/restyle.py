"""From the teacher's Universal Dependencies 1 to the treebank's Universal Dependencies 2.

Heads move by rule: a conjunction and the comma before it hang on the conjunct that follows, a person's names on the first.
Labels are renamed by what the treebank calls the same arc: the treebank's own sentences are parsed by the teacher too, and
each arc both agree on is counted under ever plainer descriptions (`descriptions`). What the two manners build differently
is built anew (`rebuilt`): `let me see`, `told him that`, `Captain Hale`, `was gone`. Touches no file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from narraworld.extract.parsing import LENT

__all__ = ["Counts", "Parse", "commonest", "counted", "descriptions", "moved", "rebuilt", "relabelled"]

Description = tuple[Hashable, ...]
Counts = Mapping[Description, Counter[str]]
ENOUGH = 5  # arcs before a description is trusted
STATIVE = {"aux:pass": "cop", "nsubj:pass": "nsubj"}
COMMAS = frozenset({",", ";"})


@dataclass(frozen=True)
class Parse:
    words: Sequence[str]
    tags: Sequence[str]
    heads: Sequence[int]  # the root is its own
    labels: Sequence[str]

    def below(self, head: int, *labels: str) -> list[int]:
        return [n for n, up in enumerate(self.heads) if up == head and n != head and self.labels[n] in labels]

    def under(self, word: int, top: int) -> bool:
        while word != top and self.heads[word] != word:
            word = self.heads[word]
        return word == top


def moved(parse: Parse) -> Parse:
    return _coordinated(_first_names(parse))


def _runs(words: Sequence[str]) -> Iterator[range]:
    """Where two or more lent names stand in a row."""
    start = 0
    for end in range(len(words) + 1):
        if end == len(words) or words[end] not in LENT:
            if end - start > 1:
                yield range(start, end)
            start = end + 1


def _first_names(parse: Parse) -> Parse:
    """`John <- Mary` becomes `John -> Mary`: the first of a person's names is the head of the others."""
    heads, labels = list(parse.heads), list(parse.labels)
    for run in _runs(parse.words):
        tops = [n for n in run if heads[n] not in run or heads[n] == n]
        if len(tops) != 1:
            continue
        top, first = tops[0], run[0]
        above, label = (first if heads[top] == top else heads[top]), labels[top]
        heads = [first if n in run or up in run else up for n, up in enumerate(heads)]
        heads[first], labels[first] = above, label
        labels[run[1] : run[-1] + 1] = ["name"] * (len(run) - 1)
    return Parse(parse.words, parse.tags, heads, labels)


def _coordinated(parse: Parse) -> Parse:
    heads = list(parse.heads)
    for n, head in enumerate(parse.heads):
        following = [one for one in parse.below(head, "conj") if one > n]
        if following and n > head and _belongs(parse, n, min(following)):
            heads[n] = min(following)
    return Parse(parse.words, parse.tags, heads, parse.labels)


def _belongs(parse: Parse, mark: int, conjunct: int) -> bool:
    """Whether a conjunction or comma opens the conjunct: nothing else stands between them."""
    between = range(mark + 1, conjunct)
    return parse.labels[mark] == "cc" or (
        parse.words[mark] in COMMAS
        and all(parse.under(n, conjunct) or parse.labels[n] in {"cc", "punct"} for n in between)
    )


def descriptions(parse: Parse, n: int) -> Iterator[Description]:
    """An arc in ever plainer words: the more is said, the surer the label, if the treebank has enough of the kind."""
    head, label, word = parse.heads[n], parse.labels[n], parse.words[n].lower()
    tag, above, left = parse.tags[n], parse.tags[head], n < head
    case = next((parse.words[k].lower() for k in parse.below(n, "case", "mark") if k < n), "")
    passive, copula = bool(parse.below(head, "auxpass")), bool(parse.below(head, "cop"))
    yield label, word, tag, above, case, passive, copula, left
    yield label, word, tag, above[:2], bool(case), left
    yield label, tag, above, case, passive, copula, left
    yield label, tag, above, bool(case), copula, left
    yield label, tag, above[:2], left
    yield label, tag[:2], above[:2]
    yield (label,)


def counted(pairs: Iterable[tuple[Parse, Sequence[int], Sequence[str]]]) -> Counts:
    """What the treebank calls the arcs of moved parses; beside each parse the treebank's heads and labels."""
    found = defaultdict[Description, Counter[str]](Counter)
    for parse, heads, labels in pairs:
        for n in (n for n, up in enumerate(parse.heads) if up == heads[n] != n):
            for one in descriptions(parse, n):
                found[one][labels[n]] += 1
    return found


def commonest(counts: Counts, wanted: Iterable[Description], otherwise: str, enough: int = ENOUGH) -> str:
    """The commonest value under the first description that is common enough."""
    for one in wanted:
        known = counts.get(one)
        if known and (len(one) == 1 or known.total() >= enough):
            return known.most_common(1)[0][0]
    return otherwise


def relabelled(parse: Parse, counts: Counts) -> Parse:
    labels = [
        "ROOT" if up == n else commonest(counts, descriptions(parse, n), parse.labels[n])
        for n, up in enumerate(parse.heads)
    ]
    return rebuilt(Parse(parse.words, parse.tags, parse.heads, labels))


# -- built differently; labels are the treebank's from here on


def rebuilt(parse: Parse) -> Parse:
    for build in (_let_me_see, _told_him, _names, _was_gone):
        parse = build(parse)
    return parse


def _relabelled(parse: Parse, labels: Mapping[int, str]) -> Parse:
    new = [labels.get(n, label) for n, label in enumerate(parse.labels)]
    return Parse(parse.words, parse.tags, parse.heads, new)


def _let_me_see(parse: Parse) -> Parse:
    """Who sees is the object of `let`, not the subject of a clause of its own."""
    heads, labels = list(parse.heads), list(parse.labels)
    for verb, up in enumerate(parse.heads):
        bare = parse.tags[verb] == "VB" and not parse.below(verb, "mark", "aux", "aux:pass", "cop")
        who = [n for n in parse.below(verb, "nsubj") if up < n < verb]
        if parse.labels[verb] == "ccomp" and bare and len(who) == 1 and not parse.below(up, "obj"):
            heads[who[0]], labels[who[0]], labels[verb] = up, "obj", "xcomp"
    return Parse(parse.words, parse.tags, heads, labels)


def _told_him(parse: Parse) -> Parse:
    """Beside a clause, whoever is told it is the indirect object."""
    told = {}
    for n, up in enumerate(parse.heads):
        clause = any(one > n for one in parse.below(up, "ccomp"))
        if parse.labels[n] == "obj" and up < n and clause and not parse.below(up, "iobj"):
            told[n] = "iobj"
    return _relabelled(parse, told)


def _names(parse: Parse) -> Parse:
    """Names after the first are flat; what stands before a name and is none describes it."""
    found = {n: "flat" for run in _runs(parse.words) for n in run[1:]}
    for n, up in enumerate(parse.heads):
        before = n < up and all(word in LENT for word in parse.words[n + 1 : up + 1])
        title = parse.words[n][0].isupper() and parse.words[n] not in LENT
        if parse.labels[n] == "compound" and before and title:
            found[n] = "nmod:desc"
    return _relabelled(parse, found)


def _was_gone(parse: Parse) -> Parse:
    """Nobody went the key: `gone` is how it is."""
    tags, labels = list(parse.tags), list(parse.labels)
    for gone in (n for n, word in enumerate(parse.words) if word == "gone" and parse.below(n, "aux:pass")):
        tags[gone] = "JJ"
        for n in parse.below(gone, "aux:pass", "nsubj:pass"):
            labels[n] = STATIVE[labels[n]]
    return Parse(parse.words, tags, parse.heads, labels)
