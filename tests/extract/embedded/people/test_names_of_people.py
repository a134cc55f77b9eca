"""Names taken apart and compared, and the people of a text found by them."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from narraworld.extract.embedded.grammar.parser import tokens_of
from narraworld.extract.embedded.layout.sentences import mark_names
from narraworld.extract.embedded.lexicon.person_names import compare, form_of
from narraworld.extract.embedded.people.cast import UnitCast, gather
from narraworld.kb.roster import Known

NAMES = [
    "Mr. Vane",
    "Mrs. Vane",
    "Miss Vane",
    "Vane",
    "Eliza Vane",
    "Lizzy",
    "Captain Vane",
    "Sir Tom Vane",
    "Tom",
    "T. Vane",
]


def people(*sentences: str, known: tuple[Known, ...] = ()) -> UnitCast:
    return gather(
        mark_names([tokens_of(one) for one in sentences], [word for one in known for word in one.names]),
        known,
    )


def together(*names: str) -> bool:
    """Whether a text that uses these names has one person for all of them."""
    found = people(*(f"Then {name} laughed." for name in names))
    return len({id(found.called(name)) for name in names}) == 1


@pytest.mark.parametrize(
    ("name", "titles", "words", "gender"),
    [
        pytest.param("Mr. Vane", ("mr",), ("vane",), "male", id="title and family name"),
        pytest.param("Miss Eliza Vane", ("miss",), ("eliza", "vane"), "female", id="whole name"),
        pytest.param("the Queen of Hearts", (), ("queen", "of", "hearts"), "female", id="rank"),
        pytest.param("Captain Vane", ("captain",), ("vane",), None, id="a title of either"),
        pytest.param("Lizzy", (), ("lizzy",), "female", id="short name"),
    ],
)
def test_a_name_has_titles_words_and_sometimes_a_gender(
    name: str, titles: tuple[str, ...], words: tuple[str, ...], gender: str | None
) -> None:
    form = form_of(name)
    assert (form.titles, form.words, form.gender) == (titles, words, gender)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        pytest.param("Mr. Vane", "Mrs. Vane", "different", id="man and woman"),
        pytest.param("Mrs. Vane", "Miss Vane", "different", id="married or not"),
        pytest.param("Captain Vane", "Colonel Vane", "different", id="two ranks"),
        pytest.param("Captain Vane", "Mr. Vane", "same", id="rank and mister"),
        pytest.param("the Count", "Count Vane", "maybe", id="a title alone"),
        pytest.param("Miss", "Miss Vane", "different", id="a title that never stands alone"),
        pytest.param("Eliza Vane", "Elizabeth Vane", "same", id="short for it"),
        pytest.param("T. Vane", "Tom Vane", "same", id="initial"),
        pytest.param("Vane", "Tom Vane", "maybe", id="family name"),
        pytest.param("Robot 7", "Robot 9", "different", id="numbers"),
        pytest.param("Mr. Tom", "Tom Vane", "different", id="a mister has no first name"),
    ],
)
def test_two_names_are_weighed(one: str, other: str, verdict: str) -> None:
    assert compare(form_of(one), form_of(other)).verdict == verdict


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["Elizabeth Vane", "Lizzy"], True, id="nickname"),
        pytest.param(["Mr. Vane", "Vane"], True, id="bare family name"),
        pytest.param(["Mr. Vane", "Miss Vane"], False, id="brother and sister"),
        pytest.param(["Tom Vane", "Ned Vane", "Vane"], False, id="two of the family"),
        pytest.param(["Sir Tom Vane", "Sir Tom"], True, id="knight"),
    ],
)
def test_names_of_one_person_come_together(names: list[str], expected: bool) -> None:
    assert together(*names) is expected


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        pytest.param("Then Captain Vane saw Eliza Vane.", True, id="both in one sentence"),
        pytest.param("Only Eliza Vane, his daughter, knew of it.", True, id="of his family"),
        pytest.param("Only Eliza Vane, a sailor, knew of it.", False, id="said of herself"),
        pytest.param("Only Eliza Vane knew of it.", False, id="nothing tells them apart"),
    ],
)
def test_a_captain_is_not_his_daughter(text: str, apart: bool) -> None:
    found = people("Captain Vane laughed.", text)
    assert (found.called("Captain Vane") is not found.called("Eliza Vane")) == apart


def test_a_family_is_a_group_and_a_town_a_place() -> None:
    found = people("Mr. Vane laughed.", "The Vanes lived in Lowmere.", "They came from Lowmere.")
    assert [(found.called(name) or found.persons[0]).kind for name in ("the Vanes", "Lowmere")] == [
        "group",
        "place",
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("They boarded the Halcyon. Nobody saw the Halcyon again.", "object", id="a ship"),
        pytest.param("“No,” said the Gryphon. Nobody saw the Gryphon again.", "unknown", id="who speaks"),
        pytest.param("They watched the Owl. Nobody saw the Owl again.", "unknown", id="a creature"),
    ],
)
def test_a_name_behind_the_is_a_thing_unless_it_may_act(text: str, kind: str) -> None:
    assert {one.kind for one in people(*text.split(". ")).persons} == {kind}


@pytest.mark.parametrize("name", ["Lily", "Emily", "Billy"])
def test_a_name_in_ly_is_no_adverb(name: str) -> None:
    found = people(f"{name}, Ida and Tom entered the hall.").called(name)
    assert found is not None and found.names == [name]


@pytest.mark.parametrize("text", ["Suddenly, Ida and Tom entered.", "Gently picking it up, Ida left."])
def test_an_adverb_in_ly_is_no_name(text: str) -> None:
    assert people(text).called(text.split()[0].strip(",")) is None


def test_pronouns_tell_the_gender() -> None:
    found = people("Quill shut the door.", "She was tired.")
    assert [one.gender for one in found.persons] == ["female"]


def test_the_roster_is_known_by_every_name() -> None:
    known = (Known("eliza", "character", ("Eliza Vane",)),)
    found = people("Then Lizzy laughed.", known=known).called("Lizzy")
    assert found is not None and found.id == "eliza"


@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
def test_nobody_is_made_of_clashing_names_in_any_order(names: list[str]) -> None:
    every = []
    for order in list(permutations(names))[:6]:
        found = people(*(f"Then {name} laughed." for name in order))
        every.append({frozenset(person.forms) for person in found.persons})
        for person in found.persons:
            genders = {form_of(name).gender for name in person.forms.values()} - {None}
            assert len(genders) <= 1
            titles = {title for name in person.forms.values() for title in form_of(name).titles}
            assert not {"mrs", "miss"} <= titles
    assert all(one == every[0] for one in every)


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        pytest.param("Desmond could not swim.", True, id="a given name before a helping verb"),
        pytest.param("Gwil, the ferryman, slept.", True, id="a word that no dictionary has"),
        pytest.param("Ines's wrist was hurt.", True, id="an owner"),
        pytest.param("Plaster could fall.", False, id="a noun"),
        pytest.param("Dragons could not bear it.", False, id="nouns"),
        pytest.param("Silently, they left.", False, id="an adverb"),
    ],
)
def test_a_capital_at_the_beginning_is_a_name_where_it_can_be_nothing_else(
    sentence: str, marked: bool
) -> None:
    assert mark_names([tokens_of(sentence)])[0][0].name is marked
