"""Speech tags and actions beside a quotation: `said Mara`, `he asked her`, `Mara looked up.`

Reads words, not grammar: a tag is short and follows a few shapes. Says who is meant only by the words used; finding the
person is for `attribution`. The verbs stand in `speech.toml`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from narraworld.base.quick_dataclass import dataclass
from narraworld.extract.embedded.grammar.name_spans import NameUse, name_uses
from narraworld.extract.embedded.grammar.parser import Token
from narraworld.extract.embedded.lexicon.function_words import wordmap, wordset
from narraworld.extract.embedded.lexicon.nouns import nouns
from narraworld.extract.embedded.lexicon.speech_words import speech_words
from narraworld.extract.embedded.lexicon.verb_frames import frame_table

__all__ = ["ENDS", "ONESELF", "PAUSES", "Tag", "Who", "acting", "tag_after", "tag_before"]

ENDS = frozenset({".", "!", "?", ";", "…", "..."})
PAUSES = frozenset({",", ":", "--", "—", "–", "-", "(", ")"})
ONESELF = "oneself"  # the gender, as it were, of `to herself`
NEAR = 6  # words behind the verb among which `to herself` stands


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody as the words have it: a name, a noun (`his wife`), or a pronoun."""

    sort: str  # name, noun, pronoun
    text: str
    start: int
    end: int
    head: str
    gender: str | None = None
    owner: str | None = None  # gender of the possessive, or the owner's name
    new: bool = False  # `a man`: nobody met before


@dataclass(frozen=True, slots=True)
class Tag:
    """Who says it, by which verb, and to whom."""

    who: Who
    verb: str
    verb_at: int
    to: Who | None = None


# -- phrases


def _who(tokens: Sequence[Token], at: int, subject: bool = True) -> tuple[Who, int] | None:
    """The phrase for somebody that begins at a word, and where it ends."""
    if at >= len(tokens):
        return None
    token, word = tokens[at], tokens[at].text.lower()
    pronouns = wordmap("talk.subjects" if subject else "talk.objects")
    if word in pronouns and (subject or not _owning(tokens, at)):
        return Who("pronoun", token.text, token.start, token.end, word, pronouns[word]), at + 1
    use = next((one for one in name_uses(tokens[at : at + 8]) if one.first == 0), None)
    if use is not None:
        return _named(tokens, at, use)
    return _noun(tokens, at) if word in wordset("talk.determiners") else None


def _owning(tokens: Sequence[Token], at: int) -> bool:
    """`her brother`: what follows is hers."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return (
        tokens[at].text.lower() == "her" and after is not None and after.text.isalpha() and not _stops(after)
    )


def _named(tokens: Sequence[Token], at: int, use: NameUse) -> tuple[Who, int] | None:
    end = at + use.last
    if end < len(tokens) and tokens[end].text.lower() in wordset("clitics.possessive"):  # Lucy's brother
        found = _noun(tokens, end, use.text)
        return found
    return Who("name", use.text, use.start, use.end, use.form.words[-1], use.form.gender), end


def _noun(tokens: Sequence[Token], at: int, owner: str | None = None) -> tuple[Who, int] | None:
    """A determiner (or possessive) and the words up to the end of its phrase; a name inside takes over."""
    end = _phrase_end(tokens, at)
    inner = tokens[at + 1 : end]
    if not inner:
        alone = tokens[at].text.lower() in wordset("talk.alone")
        return (_plain_who(tokens[at : at + 1]), end) if alone else None
    use = next(iter(name_uses(inner)), None)
    if use is None:
        return _nameless(tokens[at].text.lower(), inner, owner, end)
    if use.last == len(inner) and _owns(tokens, end):
        return _noun(tokens, end, use.text)
    return Who("name", use.text, use.start, use.end, use.form.words[-1], use.form.gender), at + 1 + use.last


def _phrase_end(tokens: Sequence[Token], at: int) -> int:
    end = at + 1
    while end < len(tokens) and not _stops(tokens[end]) and not (end > at + 1 and _verb(tokens[end])):
        end += 1
    return end


def _owns(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text.lower() in wordset("clitics.possessive")


def _nameless(determiner: str, inner: Sequence[Token], owner: str | None, end: int) -> tuple[Who, int] | None:
    """Somebody known by a noun; `after a pause` is nobody."""
    who = _plain_who(inner, owner or wordmap("talk.owners").get(determiner))
    if who.sort == "noun" and nouns().nothing(who.head) and who.head not in wordset("talk.pronominal"):
        return None
    return replace(who, new=determiner in wordset("talk.of_a_newcomer")), end


def _plain_who(inner: Sequence[Token], owner: str | None = None) -> Who:
    head = inner[-1].text.lower().rstrip("-—–")
    if head in wordset("talk.voices") and owner:  # `his voice said`
        return Who("pronoun", inner[-1].text, inner[0].start, inner[-1].end, head, owner)
    gender = "male" if head in nouns().male else "female" if head in nouns().female else None
    text = " ".join(token.text for token in inner)
    return Who("noun", text, inner[0].start, inner[-1].end, head, gender, owner)


def _stops(token: Token) -> bool:
    """Whether a word ends a phrase: marks, function words, adverbs, verbs of saying."""
    word = token.text.lower()
    return (
        not word[:1].isalnum()
        or (word in wordset("small.function_words") and word not in wordset("talk.inside_a_phrase"))
        or (word.endswith("ly") and len(word) > 4)
        or (word in speech_words().verbs and not token.name)
    )


def _verb(token: Token) -> bool:
    """Whether a word behind a noun is its verb."""
    word = token.text.lower()
    if token.name or word in nouns().people:
        return False
    return word in frame_table().lemmas or (word.endswith("ed") and "-" not in word)


def _speaks(tokens: Sequence[Token], at: int) -> int:
    """The word after a verb of saying (and its particle) that stands here; 0 when none does."""
    if at >= len(tokens) or tokens[at].name or (word := tokens[at].text.lower()) not in speech_words().verbs:
        return 0
    wanted = speech_words().with_particle.get(word)
    if wanted is None:
        return at + 1
    return at + 2 if at + 1 < len(tokens) and tokens[at + 1].text.lower() in wanted else 0


# -- tags


def tag_after(tokens: Sequence[Token]) -> Tag | None:
    """The tag with which the words after a quotation begin."""
    tokens = _first_sentence(tokens)
    at = 0
    while at < len(tokens) and tokens[at].text in PAUSES:
        at += 1
    if after := _speaks(tokens, at):
        found = _who(tokens, after)
        while found is None and after < len(tokens) and tokens[after].text.lower().endswith("ly"):
            after += 1
            found = _who(tokens, after)
        return (
            None
            if found is None
            else Tag(found[0], tokens[at].text.lower(), tokens[at].start, _to(tokens, found[1]))
        )
    return _owned_reply(tokens, at) or _subject_first(tokens, at)


def _first_sentence(tokens: Sequence[Token]) -> Sequence[Token]:
    end = next((nth + 1 for nth, token in enumerate(tokens) if token.text in ENDS), len(tokens))
    return tokens[:end]


def _subject_first(tokens: Sequence[Token], at: int) -> Tag | None:
    """`he said`, `the Hatter at last remarked`, `Alice, who was listening, replied`."""
    found = _who(tokens, at)
    if found is None:
        return None
    who, after = found
    for nth in range(after, min(len(tokens), after + 8)):
        if end := _speaks(tokens, nth):
            if end < len(tokens) and tokens[end].text.lower() == "that":  # told, not quoted
                return None
            return Tag(who, tokens[nth].text.lower(), tokens[nth].start, _to(tokens, end))
    return None


def _owned_reply(tokens: Sequence[Token], at: int) -> Tag | None:
    """`was her reply`, `came the answer`: the possessive is the speaker."""
    near = [token.text.lower() for token in tokens[at : at + 5]]
    if not near or near[0] not in wordset("verbs.replying") or not set(near) & speech_words().replies:
        return None
    for token in tokens[at + 1 : at + 3]:
        if owner := wordmap("talk.owners").get(token.text.lower()):
            who = Who("pronoun", token.text, token.start, token.end, token.text.lower(), owner)
            return Tag(who, "said", tokens[at].start)
        if token.name:
            use = next(name_uses(tokens[at + 1 : at + 5]), None)
            return _by_name(use, tokens[at]) if use else None
    return None


def _by_name(use: NameUse, verb: Token) -> Tag:
    who = Who("name", use.text, use.start, use.end, use.form.words[-1], use.form.gender)
    return Tag(who, "said", verb.start)


def _to(tokens: Sequence[Token], at: int) -> Who | None:
    """`said she to Jane`, `asked her`, `he said suddenly to Jane`, `said he, half to himself`."""
    if (alone := _to_oneself(tokens, at)) is not None:
        return alone
    while at < len(tokens) and tokens[at].text.lower().endswith("ly"):
        at += 1
    if at < len(tokens) and tokens[at].text.lower() == "to":
        at += 1
    elif at >= len(tokens) or tokens[at].text.lower() not in wordmap("talk.objects"):
        return None
    found = _who(tokens, at, subject=False)
    return found[0] if found else None


def _to_oneself(tokens: Sequence[Token], at: int) -> Who | None:
    for to, token in pairwise(tokens[at : at + NEAR]):
        if to.text.lower() == "to" and (word := token.text.lower()) in wordset("talk.selves"):
            return Who("pronoun", token.text, token.start, token.end, word, ONESELF)
    return None


def tag_before(tokens: Sequence[Token]) -> Tag | None:
    """The tag at the end of the words before a quotation: `She turned to him and said,`; also `Leo rose; then cried:`."""
    return _tag_of(_last_sentence(tokens, ENDS)) or _tag_of(_last_sentence(tokens, ENDS - {";"}))


def _tag_of(tokens: Sequence[Token]) -> Tag | None:
    if not tokens or tokens[-1].text in ENDS:
        return None
    verbs = [nth for nth in range(len(tokens) - 1, -1, -1) if _speaks(tokens, nth)]
    if not verbs:
        return _tag_by_colon(tokens)
    found = _speakers(tokens, verbs)
    if verbs[0] not in found:
        return None
    verb = next((nth for nth, who in found.items() if not _beside(tokens, who)), verbs[0])
    return Tag(found[verb], tokens[verb].text.lower(), tokens[verb].start, _to(tokens, verb + 1))


def _speakers(tokens: Sequence[Token], verbs: Sequence[int]) -> dict[int, Who]:
    """Who stands at each verb of speaking, where somebody does."""
    return {verb: who for verb in verbs if (who := _doer(tokens[:verb]) or _inverted(tokens, verb))}


def _tag_by_colon(tokens: Sequence[Token]) -> Tag | None:
    """`Mara looked up:`, and no verb of saying."""
    who = acting(tokens) if tokens[-1].text == ":" else None
    return Tag(who, "said", tokens[-1].start) if who else None


def _beside(tokens: Sequence[Token], who: Who) -> bool:
    """`cried Mara, while her daughter read,`: what goes on beside the speaking is not the speaking."""
    before = [token.text.lower() for token in tokens if token.start < who.start]
    if before and before[-1] in wordset("talk.determiners"):
        before.pop()
    return bool(before) and before[-1] in wordset("conjunctions.aside")


def _last_sentence(tokens: Sequence[Token], ends: frozenset[str]) -> Sequence[Token]:
    last = len(tokens) - 1
    while last > 0 and tokens[last - 1].text not in ends:
        last -= 1
    return tokens[max(last, 0) :]


def _inverted(tokens: Sequence[Token], verb: int) -> Who | None:
    found = _who(tokens, verb + 1)
    return found[0] if found else None


def _doer(tokens: Sequence[Token]) -> Who | None:
    """The subject nearest before a verb: a phrase at the beginning of a clause, a name before `who` or before the verb."""
    found, upto = None, 0
    for nth, token in enumerate(tokens):
        leads = _begins(tokens, nth) or token.text.lower() in wordset("talk.nominative")
        named = nth >= upto and _is_named(token)
        if (leads or named) and (met := _living(tokens, nth)):
            who, upto = met
            if leads or upto == len(tokens) or _relative(tokens, upto):
                found = who
    return found


def _living(tokens: Sequence[Token], nth: int) -> tuple[Who, int] | None:
    met = _who(tokens, nth)
    return met if met and not _lifeless(met[0]) else None


def _is_named(token: Token) -> bool:
    return bool(token.name) or token.text.lower().rstrip(".") in nouns().titles


def _begins(tokens: Sequence[Token], nth: int) -> bool:
    """Whether a clause may begin with this word."""
    if nth == 0:
        return True
    before = tokens[nth - 1].text
    return before in PAUSES or before.lower() in wordset("conjunctions.links")


def _lifeless(who: Who) -> bool:
    """`… and the book, and said`: no doer, whatever stands before it."""
    return who.sort == "noun" and nouns().kind(who.head) in {"object", "place"}


def _relative(tokens: Sequence[Token], at: int) -> bool:
    """`…, who`: what follows is told of the one before."""
    at += at < len(tokens) and tokens[at].text == ","
    return at < len(tokens) and tokens[at].text.lower() == "who"


def acting(tokens: Sequence[Token]) -> Who | None:
    """Who does something in a sentence: the phrase it begins with, or the first subject pronoun."""
    sentence = _first_sentence(tokens)
    for nth, token in enumerate(sentence):
        leads = _begins(sentence, nth) or token.text.lower() in wordset("talk.acting")
        if leads and (found := _who(sentence, nth)):
            return found[0]
    return None
