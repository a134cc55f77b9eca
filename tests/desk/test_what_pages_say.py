"""What the screens say, in words a writer would use: names and no ids, nothing twice, nothing that would give a secret away."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from narraworld.desk.answers.mind_strips import mind_strips
from narraworld.desk.answers.proof_pages import finding_page
from narraworld.desk.answers.seen_story import SituationPins, seen_in
from narraworld.desk.story_desk import StoryDesk
from narraworld.kb.delta import Delta
from narraworld.kb.units import Unit
from narraworld.mcp.story_tools import FOR_MINDS, story_tools
from narraworld.mcp.tools import call
from narraworld.query.errors import AmbiguousName
from narraworld.query.scope import Scope
from narraworld.web.guard import PageGuard
from narraworld.web.site import Site, made_site
from narraworld.world import World

HOST = "127.0.0.1:8420"
TEXT = (
    'Tom came in, and Ida was there. "Rex took the box," Tom lied. And so he lied to her.\n\n'
    "The whole village was told that the box was in the well."
)


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoryDesk]:
    """A lie that the narration calls so, and what a whole village believes."""
    made = Delta(Unit("ch01", 1, TEXT, title="The box"))
    made.add("Character", "tom", name="Tom", quote="Tom came in")
    made.add("Character", "ida", name="Ida", quote="Ida was there")
    made.add("Character", "rex", name="Rex", quote="Rex took the box")
    made.add("Group", "whole-village", name="The village of Halm", quote="The whole village")
    made.add("Object", "box", name="the box", quote="took the box")
    made.add("Place", "well", name="the well", quote="the well")
    made.add(
        "Speech", "e11-lie", kind="lie", speaker="tom", addressee="ida", claim="box.possession.rex", manner="lies",
        quote="And so he lied to her.",
    )  # fmt: skip
    made.add(
        "Speech", "e12-lie", kind="lie", speaker="tom", addressee="ida", manner="lies",
        quote='"Rex took the box," Tom lied.',
    )  # fmt: skip
    made.add(
        "Attitude", holder="whole-village", proposition="box.location.well", attitude="believes",
        quote="was told that the box was in the well",
    )  # fmt: skip
    with StoryDesk(World.open(tmp_path_factory.mktemp("village"), create=True)) as desk:
        assert desk.world.commit(made).refusals == ()
        desk.remember()
        yield desk


def client(desk: StoryDesk, pins: SituationPins | None = None) -> TestClient:
    site = made_site(Site(desk, pins or SituationPins()))
    return TestClient(PageGuard(site, {HOST}), base_url=f"http://{HOST}", follow_redirects=False)


# -- names


def test_a_group_is_called_by_its_name_wherever_minds_are_shown(village: StoryDesk) -> None:
    strips = mind_strips(seen_in(village, {}), whole=True)
    minds = {mind["who"] for matter in strips["matters"] for mind in matter["minds"]}
    told = call(story_tools(village, SituationPins()), "knows", {})

    assert "The village of Halm" in minds and "whole-village" not in minds
    assert "The village of Halm believes: the box is in the well" in told.text


# -- secrets

LIE = ("-lie", " lie", "lied")
THROUGH_HER = (
    "/", "/threads", "/who", "/who/Ida", "/who/Tom", "/ask?q=Who+has+the+box%3F", "/search?q=box", "/context?task=the+box",
    *(f"/api{path}" for path in ("/overview", "/threads", "/who", "/who/Ida", "/who/Tom", "/ask?q=Who+has+the+box%3F", "/search?q=box", "/context?task=the+box")),
)  # fmt: skip


@pytest.mark.parametrize("address", THROUGH_HER)
def test_no_page_tells_whoever_is_lied_to_that_it_was_a_lie(address: str, village: StoryDesk) -> None:
    said = client(village, SituationPins(as_="Ida")).get(address).text.casefold()
    assert [word for word in LIE if word in said] == []


@pytest.mark.parametrize("tool", sorted(FOR_MINDS))
def test_nor_does_a_tool(tool: str, village: StoryDesk) -> None:
    given = {
        "ask": {"question": "Who has the box?"},
        "character": {"name": "Tom"},
        "search": {"words": "box"},
        "context": {"task": "the box"},
    }
    reply = call(story_tools(village, SituationPins(as_="Ida")), tool, given.get(tool, {}))
    said = (reply.text + json.dumps(reply.data)).casefold()
    assert [word for word in LIE if word in said] == []


# -- the manuscript, and who there is

WRAPPED = (
    "# The Inn\n\nMara had green eyes, and\nMara's eyes were brown.\n\n***\n\n"
    "Mara sang. Mara went to the mill.\nMara slept.\n"
)


@pytest.fixture(scope="module")
def wrapped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoryDesk]:
    """A file with hard line ends; what does not fit stands within one paragraph."""
    folder = tmp_path_factory.mktemp("wrapped")
    (folder / "01-the-inn.md").write_text(WRAPPED, encoding="utf-8")
    (folder / "02-fog.md").write_text(
        "# Chapter 2\n\nLeo went to the mill. Mara found the lantern.\n", encoding="utf-8"
    )
    with StoryDesk(World.open(folder, create=True)) as desk:
        desk.world.check()
        desk.remember()
        yield desk


def test_a_finding_stands_once_beside_a_line_and_no_name_twice_on_the_page(wrapped: StoryDesk) -> None:
    from narraworld.desk.answers.page_text import page_text

    told = page_text(seen_in(wrapped, {}), "01-the-inn")
    beside = [(one["line"], one["rule"]) for one in told["findings"]]
    page = client(wrapped).get("/text/01-the-inn").text
    names = re.findall(r'\sid="([^"]+)"', page)

    assert beside and len(beside) == len(set(beside))
    assert sorted(names) == sorted(set(names))
    assert set(re.findall(r'href="#(f-[^"]+)"', page)) <= set(names)


def test_the_words_of_one_line_are_noted_together(wrapped: StoryDesk) -> None:
    """Both passages of a finding in one line: one note, with nothing left to tell from elsewhere."""
    from narraworld.desk.answers.page_text import TextLine, _notes

    seen = seen_in(wrapped, {})
    finding = next(iter(seen.desk.report(seen.situation).findings))
    unit, start = finding.passages[0].unit, finding.passages[0].start
    whole = [TextLine(3, start, "x" * 1000)]

    assert [
        (note["line"], note["anchor"], note["elsewhere"]) for note, _ in _notes(seen, finding, unit, whole)
    ] == [(3, finding.key, [])]


def test_lines_of_one_paragraph_run_on_and_stars_are_no_sentence(wrapped: StoryDesk) -> None:
    from narraworld.desk.answers.page_text import page_text

    told = page_text(seen_in(wrapped, {}), "01-the-inn")
    assert [(one["n"], one["runs_on"]) for one in told["lines"]] == [
        (3, True),
        (4, False),
        (6, False),
        (8, True),
        (9, False),
    ]
    assert [one for one in told["marks"] if one["kind"] == "unread" and one["line"] == 6] == []


def test_one_turns_from_chapter_to_chapter(wrapped: StoryDesk) -> None:
    first, second = (client(wrapped).get(f"/text/{unit}").text for unit in ("01-the-inn", "02-fog"))
    assert 'rel="next" href="/text/02-fog">Chapter 2 ›' in first
    assert 'rel="prev" href="/text/01-the-inn">‹ 1 The Inn' in second


def test_who_is_in_most_scenes_comes_first_though_no_scene_is_marked(wrapped: StoryDesk) -> None:
    from narraworld.desk.answers.people import people

    found = {one["name"]: one["scenes"] for one in people(seen_in(wrapped, {}))}
    assert (found["Mara"], found["Leo"]) == (2, 1)
    assert next(iter(found)) == "Mara"


def test_a_proof_names_the_file_of_a_rule_and_not_where_this_machine_keeps_it(wrapped: StoryDesk) -> None:
    page = client(wrapped)
    key = page.get("/api/findings").json()["data"]["findings"][0]["key"]
    rules = re.findall(r'class="rule">([^<]+)<', page.get(f"/finding/{key}").text)
    assert rules and [one for one in rules if "/" in one] == []


def test_what_a_reading_changed_is_said_by_the_titles_of_chapters(wrapped: StoryDesk) -> None:
    assert "What r1 changed: The Inn" in client(wrapped).get("/history?from=r0&to=r1").text


def test_a_finding_has_its_sentence_as_the_heading_and_not_again_below(wrapped: StoryDesk) -> None:
    page = client(wrapped)
    found = page.get("/api/findings").json()["data"]["findings"][0]
    told = page.get(f"/finding/{found['key']}").text.partition('<div class="proof">')[0]
    assert told.count(html.escape(found["message"], quote=False)) == 1


def test_what_is_on_a_mind_is_said_without_saying_twice_that_it_is_known(wrapped: StoryDesk) -> None:
    said = re.sub(r"<[^>]+>", "", client(wrapped).get("/who/Mara").text)
    assert "knows Mara" in said
    assert "Knows that" not in said


def test_an_agent_compares_a_what_if_where_it_left_the_story(village: StoryDesk) -> None:
    """What the story tells after that is no loss of the what-if."""
    village.world.branch("early", revision=1)
    later = Delta(Unit("ch02", 2, "Ida found the box."))
    later.add("Event", kind="find", agent="ida", patient="box", quote="Ida found the box")
    assert village.world.commit(later).refusals == ()
    told = call(story_tools(village, SituationPins()), "compare", {"after": "early"})
    village.world.delete_branch("early")
    assert told.text == "the views are the same"


def test_an_agent_counts_one_as_one_and_hears_what_is_so_before_what_happened(wrapped: StoryDesk) -> None:
    tools = story_tools(wrapped, SituationPins(told="1"))
    assert call(tools, "overview", {}).text.startswith("1 chapter: The Inn")
    states = ["“" in row["what"] for row in call(tools, "knows", {}).data["results"]]
    assert states == sorted(states) and True in states


def test_an_editor_shows_whom_a_name_means_and_what_is_on_that_mind_as_one_list(wrapped: StoryDesk) -> None:
    from narraworld.lsp.hovering import hover_text

    shown = hover_text(wrapped, wrapped.world.path / "02-fog.md", 2, 1, "Leo")
    assert shown == "**Leo**\n\nLeo is at the mill\n\n- knows that Leo is at the mill"


def test_what_is_so_stands_above_what_happened(wrapped: StoryDesk) -> None:
    happened = [
        one["words"].startswith("“") for one in mind_strips(seen_in(wrapped, {}), whole=True)["matters"]
    ]
    assert happened == sorted(happened) and set(happened) == {False, True}


def test_a_finding_about_a_word_that_names_two_people_has_its_page(tmp_path: Path) -> None:
    """What a finding says is said in symbols: `lady` there is a word, neither Lady Lucas nor the sick lady."""
    made = Delta(
        Unit("ch01", 1, "Lady Lucas sang. The sick lady slept. The three ladies left. The two ladies stayed.")
    )
    made.add("Character", "lady-lucas", name="Lady Lucas", quote="Lady Lucas sang")
    made.add("Character", "sick-lady", name="the sick lady", quote="The sick lady slept")
    with World.open(tmp_path, create=True) as world:
        assert world.commit(made).refusals == ()
        scope = world.scope()
        with pytest.raises(AmbiguousName):
            scope.why('entity("lady", K)')
        assert scope.why('entity("lady", K)', as_written=True).missing is not None


def test_a_page_of_a_finding_asks_for_it_as_it_is_written(
    wrapped: StoryDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in it is looked up among the names of the story."""
    monkeypatch.setattr(Scope, "_named", lambda *given: pytest.fail("a name was looked up"))
    seen = seen_in(wrapped, {})
    key = seen.desk.report(seen.situation).findings[0].key
    assert finding_page(seen, key)["why"]["holds"]


# -- a street of two houses: looks, dates, what is said

STREET = {
    "01-the-quiet-side.md": "# The Quiet Side\n\nMara had green eyes. Leo told Mara that the key was in the clock.\n\n"
    "Leo went to the mill. Mara wrote to Ida on Monday 3 October 2022. Mara wrote to Tom.\n",
    "02-the-first-train.md": "# The First Train\n\nMara's eyes were brown. Tom died in the garden. Ida wrote to Mara on Thursday 14 October.\n\n"
    "Tom opened the gate.\n",
}


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoryDesk]:
    folder = tmp_path_factory.mktemp("street")
    for name, text in STREET.items():
        (folder / name).write_text(text, encoding="utf-8")
    with StoryDesk(World.open(folder, create=True)) as desk:
        desk.world.check()
        desk.remember()
        yield desk


def proof_of(desk: StoryDesk, rule: str) -> str:
    page = client(desk)
    found = page.get("/api/findings").json()["data"]["findings"]
    key = next(one["key"] for one in found if one["rule"] == rule)
    return html.unescape(page.get(f"/finding/{key}").text)


def test_a_proof_speaks_of_the_matter_and_not_of_this_eyes(street: StoryDesk) -> None:
    told = proof_of(street, "NW111")
    assert "In the matter of eyes, what is green is not brown." in told
    assert "this eyes" not in told


def test_a_proof_from_dates_alone_still_shows_where_they_stand(street: StoryDesk) -> None:
    told = proof_of(street, "NW303")
    assert told.count('<section class="excerpt">') == 2
    assert ">on Thursday 14 October</mark>" in told


def test_no_comma_is_left_at_the_end_of_what_was_said(street: StoryDesk) -> None:
    """The comma is the sentence's around it: `“I know,” said Leo.`"""
    made = Delta(Unit("03", 3, "“I know,” said Leo.", title="The Fuse"))
    made.add("Speech", "e-known", kind="say", speaker="leo", quote="“I know,”")
    assert street.world.commit(made).refusals == ()
    page = client(street).get("/history?from=r2&to=r3").text
    assert "“I know”" in page and "“I know,”" not in page


def test_the_style_sheet_says_in_words_that_somebody_is_dead(street: StoryDesk) -> None:
    page = client(street).get("/sheet?about=Tom").text
    assert "<td>alive or dead</td>" in page
    assert page.count("Tom opened the gate") == 1, "as a quotation, and not as a value besides"


def test_a_person_is_first_named_by_each_name_once(street: StoryDesk) -> None:
    named = client(street).get("/api/who/Mara").json()["data"]["mentions"]
    assert [one["quote"] for one in named] == ["Mara"]


def test_what_a_mind_met_twice_is_told_once(street: StoryDesk) -> None:
    met = [one["words"] for one in client(street).get("/api/overview?as=Mara").json()["data"]["happened"]]
    assert "Mara: write" in met
    assert len(met) == len(set(met))


def test_a_question_with_an_apostrophe_is_a_command_one_can_type(street: StoryDesk) -> None:
    page = html.unescape(client(street).get("/ask?q=What+colour+are+Mara%27s+eyes%3F").text)
    [command] = re.findall(r"narraworld ask (.*?)</pre>", page)
    assert shlex.split(command) == ["What colour are Mara's eyes?"]


def test_what_does_not_hold_has_the_page_to_itself(street: StoryDesk) -> None:
    assert '<div class="proof alone">' in client(street).get("/why?goal=mistaken(Mara,P,T)").text
