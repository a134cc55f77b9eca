"""The tests of the embedded reader read English, as `read_prose` does where nobody says another language."""

from __future__ import annotations

from narraworld.extract.embedded.english import LANGUAGE
from narraworld.extract.embedded.lexicon.language import adopt

adopt(LANGUAGE)
