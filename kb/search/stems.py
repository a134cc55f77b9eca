"""Irregular English forms and the words they are forms of, so that "went" is found by "go". A table and a look-up."""

from __future__ import annotations

__all__ = ["FORMS", "base_form"]

_TABLE = """
    arise arose arisen|awake awoke awoken|bear bore borne born|beat beaten|become became|begin began begun|bend bent|
    bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|
    burn burnt|buy bought|catch caught|child children|choose chose chosen|cling clung|come came|creep crept|deal dealt|
    dig dug|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|dwell dwelt|eat ate eaten|fall fell fallen|
    feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|foot feet|forbid forbade forbidden|
    forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes|
    goose geese|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|knife knives|
    know knew known|lay laid|lead led|leap leapt|learn learnt|leave left|lend lent|life lives|light lit|lose lost|
    make made|man men|mean meant|meet met|mouse mice|overhear overheard|pay paid|ride rode ridden|ring rang rung|
    rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|
    shine shone|shoot shot|show shown|shrink shrank|sing sang sung|sink sank sunk|sit sat|slay slew slain|sleep slept|
    slide slid|sling slung|smell smelt|speak spoke spoken|spend spent|spin spun|spring sprang sprung|stand stood|
    steal stole stolen|stick stuck|sting stung|stride strode|strike struck stricken|strive strove|swear swore sworn|
    sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|
    think thought|throw threw thrown|tooth teeth|tread trod trodden|understand understood|wake woke woken|
    wear wore worn|weave wove woven|weep wept|wife wives|win won|wind wound|withdraw withdrew withdrawn|wolf wolves|
    woman women|wring wrung|write wrote written
"""

FORMS = {form: base for row in _TABLE.split("|") for base, *forms in [row.split()] for form in forms}


def base_form(word: str) -> str:
    """The word that ``word`` is an irregular form of, or itself.

    >>> base_form("went"), base_form("walked")
    ('go', 'walked')
    """
    return FORMS.get(word, word)
