"""A file of records becomes a delta, word for word; what is wrong with it is said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import STORIES
from rdflib import RDF, URIRef

from narraworld.extract.errors import BadRecordFile
from narraworld.extract.records import parse_records, read_records
from narraworld.kb.units import Unit
from narraworld.ontology.validate import validate
from narraworld.ontology.vocabulary import DATA, NW, compact

UNIT = '[unit]\nid = "ch01"\norder = 1\ntext = """\nLeo left the key.\n"""\n'


def test_the_unit() -> None:
    text = UNIT + 'title = "The key"\ntime_anchor = "in May"\nparticipants = ["leo"]\nteller = "mara"\n'

    assert parse_records(text, where="here", source="key.toml", branch="draft").unit == Unit(
        "ch01", 1, "Leo left the key.", title="The key", source="key.toml", branch="draft",
        time_anchor="in May", participants=("leo",), teller="mara",
    )  # fmt: skip


def test_one_participant_needs_no_list() -> None:
    assert parse_records(UNIT + 'participants = "leo"\n', where="here").unit.participants == ("leo",)


def test_records_refer_to_each_other_in_any_order() -> None:
    delta = parse_records(
        UNIT
        + '[[state]]\nproposition = "key.location.floor"\nat = "leave"\nquote = "the key"\n'
        + '[[event]]\nid = "leave"\nkind = "leave"\nquote = "Leo left"\n',
        where="here",
    )
    [at] = delta.graph.objects(URIRef(DATA + "ch01/state-1"), URIRef(NW + "at"))

    assert compact(str(at)) == "ch01/leave"


def test_a_lost_quote_is_a_refusal_and_not_an_error() -> None:
    delta = parse_records(UNIT + '[[character]]\nname = "Theo"\nquote = "Theo"\n', where="here")

    assert [(one.record, one.value) for one in delta.refusals] == [("theo", "Theo")]


@pytest.mark.parametrize("story", ["key", "lamp", "gate", "fox"])
def test_the_bundled_files_are_sound(story: str) -> None:
    """In the order of the telling: a file may speak of what those before it described."""
    known: dict[str, str] = {}
    for file in sorted((STORIES / story).glob("*.toml")):
        delta = read_records(file)

        assert delta.refusals == []
        assert validate(delta.graph, known) == []
        assert delta.unit.source == file.name
        known |= {
            compact(str(node)): compact(str(kind)) for node, kind in delta.graph.subject_objects(RDF.type)
        }


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        pytest.param("[unit\n", "here", "is not TOML: Expected ']' at the end of a table declaration (at line 1, column 6)", id="not TOML"),
        pytest.param("", "here", "has no [unit] table", id="empty"),
        pytest.param("unit = 3", "here", "has no [unit] table", id="a number for a unit"),
        pytest.param('[unit]\nid = "a"\norder = true\ntext = "a"', "here", "[unit] has order = True", id="true is no number"),
        pytest.param(UNIT + "[[charcter]]", "here", "there is no class 'Charcter'", id="class"),
        pytest.param(UNIT + "[[event]]\n[[event]]\ncolour = 1", "here: [[event]] number 2", "there is no property of Event 'colour'", id="property"),
        pytest.param(UNIT + "event = 3", "here", "[unit] has unknown key event", id="a key too late"),
        pytest.param("event = 3\n" + UNIT, "here", "[event] should be written [[event]], once per record", id="not a list of tables"),
    ],
)  # fmt: skip
def test_what_is_wrong_and_where(text: str, where: str, what: str) -> None:
    with pytest.raises(BadRecordFile) as error:
        parse_records(text, where="here")

    assert (error.value.where, error.value.what) == (where, what)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadRecordFile, match="cannot be read: No such file"):
        read_records(tmp_path / "none.toml")


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"[unit]\nid = '\xff'")

    with pytest.raises(BadRecordFile) as error:
        read_records(file)

    assert error.value.where == f"{file}: byte 13"
