"""What old novels say in their own way: who suffers and who does, what only seems, what nearly happened, what moves nobody."""

from __future__ import annotations

import pytest
from reading_aloud import deeds, read, records, states


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Leo, stripped to the waist, darted from the side.", "- strip leo", id="set off by commas"),
        pytest.param("Leo, stripped to the waist, darted from the side.", "leo dart -", id="the main verb behind it"),
        pytest.param("With the letter burned, Mara went home.", "- burn letter", id="a participle with its own subject"),
        pytest.param("Mara took her hat, and was gone in a moment.", "mara go -", id="was gone"),
        pytest.param("Mara had relied on Leo.", "mara rely -", id="had relied"),
        pytest.param("Mara found herself followed by Leo.", "leo follow mara", id="found herself followed"),
        pytest.param("Mara knew not the man.", "mara know man (negated)", id="knew not"),
        pytest.param("Leo opened it not.", "leo open - (negated)", id="opened it not"),
        pytest.param("Leo saw Mara. He could not help laughing.", "leo laugh -", id="could not help"),
        pytest.param("Leo nearly fell.", "leo fall - (hypothetical)", id="nearly"),
        pytest.param("Mara ventured to open the box.", "mara open box", id="ventured"),
        pytest.param("The boat glided past Leo.", "boat glide -", id="glided"),
        pytest.param("Leo paced slowly.", "leo pace -", id="paced"),
        pytest.param("Mara procured a carriage.", "mara procure carriage", id="procured"),
        pytest.param("Leo opened the box with a key. Mara laughed with a ringing note.", "mara laugh -", id="no tool"),
        pytest.param("Mara followed Leo.", "mara follow leo", id="followed him"),
        pytest.param("“Hush,” said Mara, alarmed.", "- alarm mara", id="behind a tag"),
        pytest.param("Leo found Mara seated by the table.", "- seat mara", id="by is no doer"),
        pytest.param("Mara could not but smile.", "mara smile -", id="could not but"),
        pytest.param("Leo continually visited Mara.", "leo visit mara (habitual)", id="continually"),
        pytest.param("Had Leo opened the box, Mara would have laughed.", "leo open box (hypothetical)", id="had he"),
        pytest.param("While thus engaged, Leo saw Mara.", "- engage leo", id="while engaged"),
        pytest.param("Leo might please Mara by opening the box.", "leo open box (hypothetical)", id="by doing what might please"),
        pytest.param("Leo tied the boat.", "leo tie boat", id="tied"),
        pytest.param("No sooner did Leo appear than Mara resolved to go.", "leo appear -", id="who appeared came"),
        pytest.param("Mara came on the ship.", "mara come -", id="a preposition is no particle"),
        pytest.param("Mara lay there.", "mara lie -", id="lay"),
        pytest.param("Leo hardly knew Mara.", "leo know mara (hypothetical)", id="hardly"),
        pytest.param("Mara gave the box a kick.", "mara give kick -", id="a kick is no thing"),
    ],
)  # fmt: skip
def test_what_is_told(text: str, told: str) -> None:
    assert told in deeds(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param("Mara seemed to sleep.", "mara seem -", id="seemed"),
        pytest.param("Leo appeared to listen.", "leo appear -", id="appeared to"),
        pytest.param(
            "Leo saw Mara. He could not help laughing.", "leo help - (negated)", id="could not help"
        ),
    ],
)
def test_how_something_looks_is_no_deed(text: str, kind: str) -> None:
    assert kind not in deeds(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Mara left off.", id="left off"),
        pytest.param("Mara went on, half to herself.", id="went on"),
        pytest.param("Presently Leo came to himself.", id="came to himself"),
        pytest.param("Mara went up to the door.", id="up to the door"),
        pytest.param("Leo followed the street.", id="followed the street"),
        pytest.param("Leo appeared to listen.", id="appeared to"),
    ],
)
def test_nobody_comes_or_goes(text: str) -> None:
    assert not records(read(text), "Presence", "holder")


def test_who_follows_somebody_comes_along() -> None:
    [one] = records(read("Mara followed Leo."), "Presence", "holder", "movement")
    assert (one.holder, one.movement) == ("mara", "enters")


def test_a_sort_of_people_in_the_present_does_nothing_in_a_story_of_the_past() -> None:
    story = "Mara took her scythe. Leo opened the gate. Mara laughed. {} Leo went home."
    generic = deeds(story.format("She walked like reapers who enter meadows."))
    assert not {one for one in generic if "enter" in one and "habitual" not in one}
    assert not {one for one in states(read(story.format("Wolves are dangerous."))) if "dangerous" in one}
    assert "wolf.condition:dangerous" in states(read(story.format("The wolf was dangerous.")))


@pytest.mark.parametrize("said", ["It was curious how Leo slept.", "Rage was upon him."])
def test_nothing_is_said_of_the_box(said: str) -> None:
    assert not {
        one for one in states(read(f"Leo saw the box. {said}")) if "curious" in one or "location.leo" in one
    }


def test_who_says_no_more_says_nothing() -> None:
    assert {one.realis for one in records(read("Leo said no more."), "Speech", "realis")} <= {"negated"}


def test_a_rush_is_not_made_like_a_cake() -> None:
    assert not states(read("Mara made a rush at Leo."))


def test_what_is_tossed_aside_is_not_lost() -> None:
    assert not {one for one in states(read("Leo tossed aside the paper.")) if "available" in one}


def test_only_what_is_done_to_something_is_done_with_a_thing() -> None:
    text = "Leo opened the box with a key. Mara stopped with a whistle."
    assert [one.instrument for one in records(read(text), "Event", "instrument")] == ["key"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("“I could do without the boat,” said Leo to Mara.", id="could"),
        pytest.param("“I have no wish to sell the boat,” said Leo to Mara.", id="no wish"),
        pytest.param("Mara decided that this was the best ship.", id="a judgement"),
        pytest.param("“You could take the boat, if you please,” said Leo to Mara.", id="courtesy"),
        pytest.param("“You could take the boat, if you like,” said Leo to Mara.", id="if you like"),
        pytest.param("“Tom would have drowned, if he had taken the boat,” said Leo to Mara.", id="settled long ago"),
    ],
)  # fmt: skip
def test_no_thread_is_opened(text: str) -> None:
    assert not records(read(text), "Development", "kind")


@pytest.mark.parametrize(
    ("text", "nobody"),
    [
        pytest.param("Leo leaned sideways.", {"sideways"}, id="an adverb is nobody"),
        pytest.param(
            "Leo lifted up his paw. Mara made her choice.", {"paw", "choice"}, id="part of him, or a notion"
        ),
        pytest.param("Mara destroyed his prospects.", {"prospects"}, id="prospects"),
    ],
)
def test_what_no_hand_can_hold_is_no_thing(text: str, nobody: set[str]) -> None:
    assert not nobody & {one.id for one in records(read(text), "Object", "name")}


def test_what_a_semicolon_parts_is_not_what_was_asked() -> None:
    asked = records(read("Leo asked for water; that done, he put on a coat."), "Speech", "claim")
    assert not asked
