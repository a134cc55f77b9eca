"""In a letter `I` is who signs it and `you` who is greeted; behind it whoever tells the story."""

from __future__ import annotations

from hand_made import unit_state

from narraworld.extract.embedded.layout.letters import Letter
from narraworld.extract.embedded.talk.correspondents import Correspondence
from narraworld.kb.spans import TextRange


def test_who_i_and_you_are() -> None:
    company = unit_state("Leo met Mara.", leo="character", mara="character").company
    company.teller = "teller"
    letter = Letter(TextRange(10, 50), TextRange(10, 15), "Leo", ("Mara",))
    reading = Correspondence(company, [letter])
    found = []
    for place in (0, 20, 60):
        reading.at(place)
        found.append((company.teller, company.you))
    assert found == [("teller", ()), ("leo", ("mara",)), ("teller", ())]
