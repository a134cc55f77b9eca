"""What the shipped tables are made from: gold coreference as running text, and a dictionary's senses as kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.coreference import GoldMention, coref_books
from training.noun_kinds import WordNet, kinds_of

ROWS = [("Mara", "(1)"), ("took", "_"), ("her", "(2|(1)"), ("sister", "2)"), ("in", "_"), (".", "_")]


@pytest.fixture
def litbank(tmp_path: Path) -> Path:
    folder = tmp_path / "coref" / "conll"
    folder.mkdir(parents=True)
    rows = "\n".join(f"tale\t0\t{n}\t{word}\t_\t{mark}" for n, (word, mark) in enumerate(ROWS))
    (folder / "tale_brat.conll").write_text(f"#begin document\n{rows}\n\n#end document\n")
    return tmp_path


def test_gold_mentions_are_kept_by_place(litbank: Path) -> None:
    [book] = coref_books(litbank)
    assert (book.name, book.text) == ("tale", "Mara took her sister in.")
    assert set(book.mentions) == {GoldMention(0, 4, "1"), GoldMention(10, 13, "1"), GoldMention(10, 20, "2")}
    assert book.pronouns == {10: "1"}


def test_an_entity_is_the_cluster_most_of_its_phrases_lie_in(litbank: Path) -> None:
    [book] = coref_books(litbank)
    assert book.cluster([(0, 4), (10, 20), (1, 4)]) == "1"
    assert book.cluster([(21, 23)]) is None
    assert book.around(14, 20) == "2"


def test_gold_knows_people_called_by_a_noun(litbank: Path) -> None:
    tables = litbank / "coref" / "tsv"
    tables.mkdir()
    rows = ["MENTION\tT0\t0\t2\t0\t3\ther sister\tPER\tNOM", "MENTION\tT1\t0\t0\t0\t0\tMara\tPER\tPROP"]
    (tables / "tale_brat.ann").write_text("\n".join(rows))
    [book] = coref_books(litbank)
    assert [one.cluster for one in book.mentions if one.described] == ["2"]


# -- the dictionary

LEXNAMES = "03\tnoun.Tops\t1\n06\tnoun.artifact\t1\n18\tnoun.person\t1\n07\tnoun.attribute\t1\n"
SENSES = [
    "00000001 06 n 01 structure 0 000 | built",
    "00000002 06 n 01 barn 0 001 @ 00000001 n 0000 | for hay",
    "00000003 06 n 01 fan 0 000 | moves air",
    "00000004 18 n 01 fan 0 000 | admires",
    "00000005 03 n 01 person 0 000 | somebody",
    "00000006 07 n 01 great 0 000 | what is great",
]
INDEX = [
    "structure n 1 0 1 0 00000001",
    "barn n 1 1 @ 1 0 00000002",
    "fan n 2 0 2 1 00000003 00000004",
    "person n 1 0 1 0 00000005",
    "great n 1 0 1 0 00000006",
]


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    others = {
        "index.adj": "great a 1 0 1 1 00000009",
        "index.verb": "shine v 1 0 1 0 00000008",
        "index.adv": "slowly r 1 0 1 0 00000007",
    }
    files = {"lexnames": LEXNAMES, "data.noun": "\n".join(SENSES), "index.noun": "\n".join(INDEX), **others}
    files["cntlist.rev"] = "fan%1:06:00:: 1 3\ngreat%3:00:00:: 1 40"
    for name, text in files.items():
        (tmp_path / name).write_text(f"  1 a licence\n{text}\n" if name != "lexnames" else text)
    return WordNet.read(tmp_path)


def test_a_word_is_the_kind_of_most_of_its_senses(wordnet: WordNet) -> None:
    found = kinds_of(wordnet)
    assert {word: kind for word, (kind, _) in found.items()} == {
        "structure": "place",
        "barn": "place",  # by what lies above it
        "fan": "thing",
        "person": "person",  # by its own word
        "great": "abstract",
    }
    assert found["fan"][1] == pytest.approx(4 / 4.3)
    assert found["great"][1] == pytest.approx(1 / 41)  # mostly no noun
    assert wordnet.others == {"great", "shine", "slowly"}
