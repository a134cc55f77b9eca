"""Our own sentences hold the forms of details: what the reader makes of them may become more, never less.

249 sentences of 43 respects (`bench/data/details/own.toml`), written before a look at the tables; `python -m bench details --misses` names the rest.
"""

from __future__ import annotations

import tomllib

from bench.reading.details import OWN, ReadDetail, counted, details_of

LEAST = 161  # of 249


def test_so_many_of_our_own_sentences_give_their_detail() -> None:
    said = tomllib.loads(OWN.read_text(encoding="utf-8"))
    right = [
        counted(respect, some, said["also"].get(respect, ()))[1] for respect, some in said["said"].items()
    ]
    assert sum(right) >= LEAST


def test_a_sentence_gives_whose_and_what_and_whether_it_is_compared() -> None:
    assert ReadDetail("ida", "eyes", ("grey", "grey"), True) in list(
        details_of("Ida's grey eyes were tired.")
    )
