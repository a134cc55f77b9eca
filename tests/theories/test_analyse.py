"""`narraworld formalisms`, `analyse` and `relations`: one world or many, every format, and "not evaluated" where records are missing."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from rdflib import PROV, Graph, URIRef
from world_fixtures import Said

from narraworld.base.errors import NarraWorldError
from narraworld.rules.packs.pack import FORMALISMS, pack_names
from narraworld.world import World

PACK = """//! Who meets whom.
//! cite: nobody, "A trial", 2026
//! needs: event
//! needs: realisation for try_came_true
//! features: meetings = count try_meets in events
//! features: came true = count try_came_true in possibilities
//! features: last place = max try_place.start in characters

/// try_meets(Event, One, Other): in Event, One has to do with Other.
.decl try_meets(event:symbol, one:symbol, other:symbol)
try_meets(E, A, B) :- role(E, A, "agent"), role(E, B, "addressee").

/// try_came_true(Possibility): Possibility came true.
.decl try_came_true(possibility:symbol)
try_came_true(P) :- realisation(_, P, _).

/// try_place(Event, Start): Event is told from Start on.
.decl try_place(event:symbol, start:number)
try_place(E, S) :- happened(E), evidence(E, Q), span(Q, _, S, _).
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The boat on the disk, a second story of one sentence, and a pack of one's own."""
    room = tmp_path_factory.mktemp("tales")
    with World.open(room / "boat", create=True) as world:
        world.read(*sorted((FORMALISMS / "stories" / "boat").glob("*.toml")))
    with World.open(room / "short", create=True) as world:
        (room / "one.toml").write_text('[unit]\nid = "ch01"\norder = 1\ntext = "Rain fell."\n', "utf-8")
        world.read(room / "one.toml")
    (room / "meets").mkdir()
    (room / "meets" / "pack.dl").write_text(PACK, "utf-8")
    return {"boat": room / "boat", "short": room / "short", "pack": room / "meets"}


Run = Callable[..., Said]


def test_every_shipped_pack_is_listed_with_its_theory(narraworld: Run) -> None:
    said = narraworld("formalisms")

    assert said.code == 0
    assert all(name in said.out for name in pack_names())
    assert "Elson" in json.loads(narraworld("formalisms", "sig", "--json").out)[0]["cite"][0]
    assert "**Cannot see.**" in narraworld("formalisms", "sig").out


def test_an_unknown_pack_is_refused_with_the_nearest_name(narraworld: Run, folders: dict[str, Path]) -> None:
    said = narraworld("analyse", "sgi", folders["boat"])

    assert (said.code, "did you mean sig?" in said.err) == (2, True)


def test_a_table_says_features_results_and_what_could_not_be_evaluated(
    narraworld: Run, folders: dict[str, Path]
) -> None:
    said = narraworld("analyse", folders["pack"], "-w", folders["boat"])

    assert said.code == 0
    assert "meetings    2" in said.out
    assert "came true   –" in said.out
    assert "Not evaluated: no record of kind realisation" in said.out
    assert "“Oskar asked her for the boat”   Oskar  Nell" in said.out


def test_many_worlds_make_one_table_where_zero_is_not_empty(
    narraworld: Run, folders: dict[str, Path]
) -> None:
    said = narraworld("analyse", folders["pack"], folders["boat"], folders["short"], "--format", "csv")

    assert list(csv.reader(io.StringIO(said.out))) == [
        ["story", "meetings", "came true", "last place"],
        ["boat", "2", "", "166"],
        ["short", "", "", ""],
    ]
    assert (said.code, said.err.splitlines()) == (
        0,
        [
            "Not evaluated: no record of kind realisation (2 of 2 stories)",
            "Not evaluated: no record of kind event (1 of 2 stories)",
        ],
    )


def test_a_world_without_any_needed_record_is_not_evaluated(
    narraworld: Run, folders: dict[str, Path]
) -> None:
    said = narraworld("analyse", folders["pack"], folders["short"])

    assert (said.code, "Not evaluated: no record of kind event" in said.out) == (1, True)


def test_features_by_unit_fold_the_rows_told_there(narraworld: Run, folders: dict[str, Path]) -> None:
    said = narraworld("analyse", folders["pack"], folders["boat"], "--by", "unit", "--format", "json")

    told = json.loads(said.out)
    assert [(unit["unit"], unit["meetings"], unit["last place"]) for unit in told["units"]] == [
        ("ch01", 1, 117), ("ch02", 0, 101), ("ch03", 1, 166),
    ]  # fmt: skip
    assert told["results"]["try_meets"]["rows"] == [
        ["ch01/request", "oskar", "nell"],
        ["ch03/report", "pim", "nell"],
    ]


def test_by_scene_needs_scenes(narraworld: Run, folders: dict[str, Path]) -> None:
    said = narraworld("analyse", folders["pack"], folders["boat"], "--by", "scene")

    assert (said.code, "no record of kind scene" in said.err, "--by unit" in said.err) == (2, True, True)


def test_rows_leave_as_rdf_with_rule_pack_revision_and_base_records(
    narraworld: Run, folders: dict[str, Path]
) -> None:
    graph = Graph().parse(data=narraworld("analyse", folders["pack"], folders["boat"], "--format", "ttl").out)

    kind = URIRef("https://w3id.org/narraworld/pack/meets/try_meets")
    rows = sorted(graph.subjects(None, kind))
    assert len(rows) == 2
    derived = {str(one) for row in rows for one in graph.objects(row, PROV.wasDerivedFrom)}
    assert derived == {"urn:nw:ch01/request", "urn:nw:ch03/report"}
    [run] = set(graph.objects(rows[0], PROV.wasGeneratedBy))
    assert graph.value(run, PROV.used) == URIRef("https://w3id.org/narraworld/pack/meets")
    assert str(graph.value(run, URIRef("https://w3id.org/narraworld/revision"))) == "3"
    assert str(graph.value(rows[0], URIRef("https://w3id.org/narraworld/rule"))) == "pack.dl:11"


@pytest.mark.parametrize(
    ("format_", "begins"), [("dot", "digraph"), ("svg", "<svg"), ("html", "<!doctype html>")]
)
def test_graphs_figures_and_pages(
    format_: str, begins: str, narraworld: Run, folders: dict[str, Path]
) -> None:
    said = narraworld("analyse", folders["pack"], folders["boat"], "--format", format_)

    assert (said.code, said.out.startswith(begins), "Oskar" in said.out) == (0, True, True)


def test_a_table_of_facts_stands_for_a_world(narraworld: Run, tmp_path: Path) -> None:
    table = tmp_path / "wish" / "facts.tsv"
    table.parent.mkdir()
    arcs = [
        "type p timelineProposition",
        "type g goal",
        "type b goalBox",
        "interpNodeIn g b",
        "actualizes p b",
    ]
    table.write_text("\n".join(line.replace(" ", "\t") for line in arcs), "utf-8")

    told = json.loads(narraworld("analyse", "sig", table, "--format", "json").out)

    assert (told["story"], told["features"]["frames"]) == ("wish", 1)
    assert told["results"]["sig_goal_declared"]["rows"] == [["p", "g", "b"]]


def test_a_broken_table_is_refused_with_its_line(narraworld: Run, tmp_path: Path) -> None:
    (tmp_path / "facts.tsv").write_text("type\tp\n", "utf-8")

    said = narraworld("analyse", "sig", tmp_path / "facts.tsv")

    assert (said.code, "facts.tsv:1" in said.err) == (2, True)


def test_a_pack_may_bind_any_property_of_the_ontology(folders: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "pack.dl").write_text(
        "//! Titles.\n//! cite: nobody, 2026\n//@ from nw:SourceUnit: id, title\n"
        "/// tit_unit(Unit, Title): Unit is called Title.\n//@ quiet\n.decl tit_unit(unit:symbol, title:symbol)\n.input tit_unit\n"
        "/// tit_of(Title): something is called Title.\n.decl tit_of(title:symbol)\ntit_of(T) :- tit_unit(_, T).\n",
        "utf-8",
    )

    with World.open(folders["boat"]) as world:
        assert world.analyse(tmp_path)["tit_of"].rows == (
            ("The empty post",),
            ("The mooring",),
            ("What Pim saw",),
        )


def test_a_theory_is_cut_to_a_moment_like_everything_else(folders: dict[str, Path]) -> None:
    with World.open(folders["boat"]) as world:
        assert len(world.analyse(folders["pack"], at="ch02")["try_meets"].rows) == 1


def test_a_row_is_explained_down_to_the_page(folders: dict[str, Path]) -> None:
    with World.open(folders["boat"]) as world:
        found = world.analyse("sig")

        assert "took the boat from Oskar" in str(
            found.why('sig_success("ch02/find-empty", "ch03/take", G, D)')
        )


def test_a_frame_has_columns_rows_and_html(folders: dict[str, Path]) -> None:
    with World.open(folders["boat"]) as world:
        found = world.analyse(folders["pack"])

        assert list(found.frame) == [{"story": "boat", "meetings": 2, "came true": None, "last place": 166}]
        assert found["try_meets"].frame.column("one") == ["oskar", "pim"]
        assert "<td>boat</td>" in found.frame._repr_html_()
        with pytest.raises(NarraWorldError, match="has no result"):
            found["try_nothing"]


def test_a_head_that_names_what_is_not_there_is_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copy(folders["pack"] / "pack.dl", tmp_path)
    text = PACK.replace("count try_meets", "count try_met")
    (tmp_path / "pack.dl").write_text(text, "utf-8")

    with (
        World.open(folders["boat"]) as world,
        pytest.raises(NarraWorldError, match="try_met, which nobody declares"),
    ):
        world.analyse(tmp_path)


def test_a_pack_does_not_add_to_the_rules_of_the_world(folders: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "pack.dl").write_text(PACK + '\nhappened(E) :- event(E, _, "hypothetical").\n', "utf-8")

    with World.open(folders["boat"]) as world, pytest.raises(NarraWorldError, match="happened"):
        world.analyse(tmp_path)


def test_the_catalogue_says_columns_origin_and_who_produces_a_relation(narraworld: Run) -> None:
    base = json.loads(narraworld("relations", "cause", "--json").out)[0]
    derived = narraworld("relations", "mistaken").out

    assert (base["origin"], base["columns"]) == ("base", ["event:symbol", "because:symbol"])
    assert base["read_from"] == ["nw:Event|nw:Speech: id, cause"]
    assert "derived" in derived
    assert "produced  truth.dl:" in derived
    assert len(narraworld("relations").out.splitlines()) > 200
    assert narraworld("relations", "causse").code == 2
