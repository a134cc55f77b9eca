"""Words that give a reading away: a plan told as a deed, mere sequence told as a cause, silence told as unawareness.

A model proposes; where the very words it quotes speak against what it says of them, it is asked again. The tables are
English and a project may give its own; an empty pattern switches its check off. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

__all__ = ["ENGLISH", "GuardWords"]


@dataclass(frozen=True, slots=True)
class GuardWords:
    """Patterns in `re.VERBOSE` spelling, letter case aside. ``dialogue``: what stands between quotation marks is nobody's word but the speaker's."""

    planned: str = ""
    causal: str = ""
    knowing: str = ""
    denying: str = ""
    ignorant: str = ""
    pronouns: str = ""
    dialogue: bool = True

    def plans(self, words: str, verb: str = "") -> bool:
        """Whether the words tell something as planned; with ``verb``, whether they do so of that verb."""
        tail = rf"\s+(?:\w+\s+){{0,2}}?{re.escape(verb.split()[0])}\b" if verb.split() else ""
        return _found(self.planned, words, tail)

    def causes(self, words: str) -> bool:
        return not self.causal or _found(self.causal, words)

    def tells_of_not_knowing(self, words: str) -> bool:
        if not self.ignorant:
            return True
        return _found(self.ignorant, words) or (_found(self.denying, words) and _found(self.knowing, words))

    def is_pronoun(self, words: str) -> bool:
        return (
            bool(self.pronouns)
            and re.fullmatch(self.pronouns, words.strip(), re.IGNORECASE | re.VERBOSE) is not None
        )


def _found(pattern: str, words: str, tail: str = "") -> bool:
    return bool(pattern) and _compiled(pattern, tail).search(words) is not None


@cache
def _compiled(pattern: str, tail: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern}){tail}", re.IGNORECASE | re.VERBOSE)


ENGLISH = GuardWords(
    planned=r"""(?:will|would|shall|should|won['’]t|wouldn['’]t|(?:\w+)['’]ll|going\s+to|about\s+to|yet\s+to|ought\s+to
        |(?:plan|plans|planned|planning|mean|means|meant|meaning|intend|intends|intended|intending|hope|hopes|hoped|hoping
        |want|wants|wanted|wanting|wish|wishes|wished|promise|promises|promised|vow|vows|vowed|swear|swears|swore
        |threaten|threatens|threatened|decide|decides|decided|agree|agrees|agreed|try|tries|tried|trying|offer|offers
        |offered|refuse|refuses|refused|fail|fails|failed|forget|forgets|forgot|dream|dreams|dreamed|dreamt)
        \s+(?:to|of))\b""",
    causal=r"""(?:because|since|so|so\s+that|thus|therefore|hence|as\s+a\s+result|consequently|due\s+to|owing\s+to
        |thanks\s+to|on\s+account\s+of|caus(?:e|es|ed|ing)|ma(?:ke|kes|de|king)|forc(?:e|es|ed|ing)|dr(?:ive|ives|ove)
        |lead(?:s|ing)?\s+to|led|brought|br(?:ing|ings)|provok\w+|prompt\w+|wok(?:e|en)|startl\w+|trigger\w+|result\w*
        |which\s+meant|(?:is|was)\s+why|the\s+reason|for\s+fear|out\s+of|in\s+return|in\s+answer|in\s+revenge|enough\s+to
        |too\s+\w+\s+to|sen(?:d|t)|set\s+off|let|enabl\w+|by\s+\w+ing)\b""",
    knowing=r"""(?:know\w*|knew|aware|notic\w+|see|saw|seen|sees|hear\w*|learn\w*|suspect\w*|reali[sz]\w+|tell\w*|told
        |guess\w*|find\w*|found|idea|inkling|remember\w*|recogni[sz]\w+|inform\w*|discover\w*|underst\w+|dream\w*|imagin\w+
        |wise|word|clue|perceiv\w+|observ\w+|look\w*|watch\w*|wind)\b""",
    denying=r"""(?:not|\w+n['’]t|cannot|never|no|none|nobody|no\s+one|nothing|neither|nor|without|little|hardly
        |scarcely)\b""",
    ignorant=r"""(?:un(?:aware|known|noticed|seen|suspecting|suspected|witting\w*|beknownst|knowing\w*|informed|heard)
        |ignoran\w+|oblivious\w*|forg[eo]t\w*|in\s+the\s+dark|behind\s+\w+\s+back|secret\w*)\b""",
    pronouns=r"""(?:i|me|my|mine|we|us|our|you|your|he|him|his|she|her|hers|it|its|they|them|their|this|that|these|those
        |who|someone|somebody|everyone|everybody|nobody|no\s+one|himself|herself|itself|themselves)""",
)
