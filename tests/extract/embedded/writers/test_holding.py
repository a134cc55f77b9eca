"""What cannot be so is not said to be so: places that are none, what is over or not yet, a pronoun that may mean another."""

from __future__ import annotations

import pytest
from reading_aloud import read, states

from narraworld.extract.embedded.lexicon.nouns import holding_words
from narraworld.extract.embedded.writers.plausible import holding

CASES = [
    pytest.param("Mara was in her coat.", set(), id="clothes are no place for anybody"),
    pytest.param("Mara was in the cellar.", {"mara.location.cellar"}, id="a cellar is one"),
    pytest.param("The pin was in the coat.", {"pin.location.coat"}, id="and a coat for a pin"),
    pytest.param("Mara was due at four o’clock.", set(), id="a time is no place, and due no condition"),
    pytest.param("The shelf was longer than the bench.", set(), id="beside another thing"),
    pytest.param("Mara locked the gate until the lamp was broken.", {"gate.open:locked"}, id="not yet"),
    pytest.param("A tin stood there that had once held arrowroot.", set(), id="no more"),
    pytest.param("Mara was burning the letter.", set(), id="not yet burnt"),
    pytest.param(
        "Mara was wearing a coat.", {"coat.possession.mara", "mara.appearance.coat"}, id="worn meanwhile"
    ),
    pytest.param("Mara ate plums.", set(), id="others may be left"),
    pytest.param(
        "Mara ate the plum.", {"not.plum.condition:available", "not.plum.possession.mara"}, id="none is left"
    ),
    pytest.param("In her mind Mara was in the kitchen.", set(), id="only in her mind"),
    pytest.param("Mara carried the box to the cellar.", {"box.location.cellar"}, id="she may still have it"),
    pytest.param("Mara's was full.", set(), id="what is hers is not she"),
    pytest.param("Mara did not want to go in and be angry.", set(), id="what she did not want"),
    pytest.param("Mara came down in her slippers.", set(), id="who goes in slippers goes into none"),
    pytest.param("The pin was in her slippers.", {"pin.location.slippers"}, id="and a pin lies in them"),
    pytest.param("Mara put the van in reverse.", set(), id="a gear is no place"),
    pytest.param("The drum was on loan.", set(), id="nor is a loan"),
    pytest.param("The drum was in box 9.", {"drum.location.box-9"}, id="a box with a number is one"),
    pytest.param("The mast came down in the gale.", set(), id="weather goes on around what moves"),
    pytest.param("Mara went to bed.", {"mara.location.bed"}, id="a bed needs no article"),
    pytest.param("Mara put her fork on the tray.", {"fork.location.tray"}, id="her own fork stays hers"),
    pytest.param(
        "Mara put the fork on the tray.", {"fork.location.tray", "not.fork.possession.mara"}, id="put away"
    ),
    pytest.param("Mara kept the larder cold.", set(), id="to keep something cold is not to have it"),
]


@pytest.mark.parametrize(("text", "said"), CASES)
def test_only_what_can_be_so_is_a_state(text: str, said: set[str]) -> None:
    assert states(read(text)) == said


def test_nothing_is_held_back_where_everything_can_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "_elsewhen", lambda *_: False)
    told = "Mara locked the gate until the lamp was broken."
    assert states(read(told)) == {"gate.open:locked", "not.lamp.condition:working"}


def test_every_list_has_words() -> None:
    table = holding_words()
    assert all(getattr(table, name) for name in table.__slots__)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "Mara opened the fridge and stood there with the pencil. There was milk in it.",
            {"fridge.open:open"},
            id="the fridge or the pencil",
        ),
        pytest.param("Mara opened the fridge. There was milk in it.", {"fridge.open:open", "milk.location.fridge"}, id="only the fridge"),
        pytest.param("The hens were in the bath. It was white.", {"hens.location.bath"}, id="hens are no it"),
        pytest.param("Mara looked at the lamp. It was dark.", set(), id="what was hardly spoken of"),
    ],
)  # fmt: skip
def test_what_it_means(text: str, said: set[str]) -> None:
    assert states(read(text)) == said
