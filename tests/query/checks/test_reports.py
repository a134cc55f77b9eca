"""One check in every format: valid by the format's own rules, complete, and the same every time."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SUPPORT
from sample_check import AWKWARD, CHECKED, DAYS, DEFIED, KNOWN_LEAK, NOTHING, REPORT, TWO_COLOURS

from narraworld.query.checks.report import FORMATS, Report, UnknownReportFormat, render

SCHEMA = json.loads((SUPPORT / "sarif/sarif-schema-2.1.0.json").read_text("utf-8"))
SARIF = jsonschema.Draft7Validator(SCHEMA)
EMPTY = Report(NOTHING)
LOST = replace(REPORT, since=5, lost=(KNOWN_LEAK,), checked=replace(CHECKED, findings=(TWO_COLOURS,)))


def loaded(report: Report, form: str) -> Any:
    return json.loads(render(report, form))


# -- in common


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_both_findings_and_what_nobody_looked_at(form: str) -> None:
    told = render(REPORT, form)

    for rule in ("NW204", "NW103", "NW301"):
        assert rule in told
    assert "the text places Event in time by Expression" in render(REPORT, "full" if form == "text" else form)
    assert told.endswith("\n")
    assert told == render(REPORT, form)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_found_is_not_nothing_said(form: str) -> None:
    assert DAYS.id in render(EMPTY, form)


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"text", "full", "gitlab", "rdjson"}))
def test_troubles_are_told(form: str) -> None:
    assert "the journal is damaged" in render(REPORT, form)


@given(words=st.text(), form=st.sampled_from(sorted(FORMATS)))
def test_whatever_the_author_writes_leaves_the_format_whole(words: str, form: str) -> None:
    words = words.encode("utf-8", "replace").decode()
    finding = replace(
        KNOWN_LEAK, message=words, passages=(replace(AWKWARD, quote=words, file=f"{words}.md"),)
    )
    told = render(
        Report(replace(CHECKED, findings=(finding,)), title=words, proofs={finding.key: words}), form
    )

    if form in ("json", "gitlab", "rdjson"):
        json.loads(told)
    elif form == "sarif":
        SARIF.validate(json.loads(told))
    elif form == "junit":
        ET.fromstring(told)
    elif form == "jsonl":
        assert [json.loads(line)["type"] for line in told.split("\n")[:-1]][-1] == "summary"
    elif form == "github":
        assert all(line.startswith("::") for line in told.split("\n")[:-1])


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UnknownReportFormat, match="no format 'yaml'") as refused:
        render(REPORT, "yaml")
    assert refused.value.fix == "there are: " + ", ".join(FORMATS)


# -- for people


def test_text() -> None:
    assert render(replace(REPORT, understood=(51, 134)), "text").splitlines() == [
        "51 of 134 sentences understood; 4 of 5 checks had something to look at",
        "ch03.md:12:5: error NW204 Leo goes for the key where he cannot know it lies",
        "    ch03.md:12:5  “Leo went straight to the hollow book”",
        "    ch02.md:3:1   “Mara moved the key into the hollow book while Leo slept”",
        "    because:",
        "      Leo acts on key in hollow book",
        "        and nothing told Leo of it",
        "my chapters/ch 1.md:2:8: warning NW103 Mara's eyes are green, then blue, all in one <scene>: 100%"
        " (and 2 more of the same cause)",
        "    my chapters/ch 1.md:2:8  “100% *green* <eyes>, she said: ‘yes’ & ]]>”",
        "    ch04 5–25                “her blue eyes | narrowed”",
        "",
        "2 findings in 12,345 words at r7: 1 error, 1 warning",
        "  1 finding the author means so",
        "  2 findings of lower severity (--min-severity note shows them)",
        "  not needed any more: ffffffffffff (.narraworld/decisions.toml)",
        "  trouble: ch09: the journal is damaged",
        "  2 checks found nothing in what was read; what was not read is not clean",
        "  1 not evaluated, for want of anything to look at (--format full says what): NW301",
    ]


def test_text_when_nothing_is_found() -> None:
    assert render(EMPTY, "text").splitlines() == [
        "2 of 3 checks had something to look at",
        "no findings in 800 words at r3",
        "  2 checks found nothing in what was read; what was not read is not clean",
        "  1 not evaluated, for want of anything to look at (--format full says what): NW301",
    ]


def test_text_since_a_revision_names_what_is_gone() -> None:
    lines = render(LOST, "text").splitlines()

    assert "1 finding since r5 in 12,345 words at r7: 1 warning" in lines
    assert "  gone since r5: NW204 Leo goes for the key where he cannot know it lies" in lines


def test_colour_is_beside_the_word_never_instead_of_it() -> None:
    assert "\x1b[31;1merror\x1b[0m NW204" in render(replace(REPORT, colour=True), "text")
    assert "\x1b" not in render(REPORT, "text")


def test_full_says_how_to_answer_and_why_one_was_answered() -> None:
    told = render(REPORT, "full")

    assert '    intended? narraworld waive 3f2a9c1b7d10 --reason "…"\n' in told
    assert "    the boat is a dream (.narraworld/decisions.toml)\n" in told
    assert (
        "  not evaluated: NW301 a weekday the date denies (missing: the text places Event in time by Expression)\n"
        in told
    )


def test_markdown_takes_the_authors_words_literally() -> None:
    told = render(REPORT, "markdown")

    assert "> “100% \\*green\\* \\<eyes\\>, she said: “yes” & \\]\\]\\>”\n" in told
    assert "### ch03: Morning\n" in told
    assert (
        "| NW301 | a weekday the date denies | not evaluated | the text places Event in time by Expression |\n"
        in told
    )


# -- for programs


def test_json_has_the_keys_it_promises() -> None:
    found = loaded(REPORT, "json")

    assert found["schema"] == 1
    assert list(found) == [
        "schema", "summary", "findings", "waived", "lost", "nominated", "unused_waivers", "held", "not_evaluated", "errors",
    ]  # fmt: skip
    assert found["summary"] == {
        "findings": 2, "error": 1, "warning": 1, "note": 0, "waived": 1, "unused_waivers": 1, "below_severity": 2,
        "in_baseline": 0, "lost": 0, "since": None, "sentences": None, "understood": None, "rules": 5, "held": 2, "violated": 2, "not_evaluated": 1,
        "words": 12345, "revision": 7, "nominated": 0, "judged_contradictions": 0,
    }  # fmt: skip
    assert found["not_evaluated"][0]["missing"] == ["the text places Event in time by Expression"]
    assert [one["key"] for one in found["findings"]] == [KNOWN_LEAK.key, TWO_COLOURS.key]
    assert found["findings"][0]["passages"][1]["place"] == "ch02.md:3:1"
    assert found["findings"][0]["proof"] == REPORT.proofs[KNOWN_LEAK.key]
    assert found["waived"][0]["waived"]["reason"] == "the boat is a dream"


def test_jsonl_ends_with_the_summary() -> None:
    rows = [json.loads(line) for line in render(REPORT, "jsonl").splitlines()]

    assert [row["type"] for row in rows] == [
        "finding", "finding", "waived", "unused_waiver", "not_evaluated", "error", "summary",
    ]  # fmt: skip


@pytest.mark.parametrize("report", [REPORT, EMPTY, LOST], ids=["findings", "nothing", "since"])
def test_sarif_is_valid_by_the_official_schema(report: Report) -> None:
    assert SCHEMA["$id"].endswith("oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json")
    SARIF.validate(loaded(report, "sarif"))


def test_the_schema_would_notice() -> None:
    broken = loaded(REPORT, "sarif")
    broken["runs"][0]["results"][0]["level"] = "grave"

    with pytest.raises(jsonschema.ValidationError):
        SARIF.validate(broken)


def test_sarif_says_where_what_else_and_who_allowed_it() -> None:
    [run] = loaded(REPORT, "sarif")["runs"]
    leak, eyes, defied = run["results"]

    assert leak["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "ch03.md"},
        "region": {
            "startLine": 12,
            "startColumn": 5,
            "snippet": {"text": "Leo went straight to the hollow book"},
        },
    }
    assert leak["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "ch02.md"
    assert leak["partialFingerprints"] == {"narraworldKey/v1": KNOWN_LEAK.key}
    assert eyes["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "my%20chapters/ch%201.md"
    assert eyes["relatedLocations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "ch04"
    assert defied["suppressions"] == [{"kind": "external", "justification": "the boat is a dream"}]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == ["NW204", "NW103", "NW501"]
    assert run["invocations"][0]["toolExecutionNotifications"][0]["associatedRule"]["id"] == "NW301"


def test_junit_counts_what_it_tells() -> None:
    root = ET.fromstring(render(REPORT, "junit"))

    assert root.attrib == {"name": "narraworld", "tests": "7", "failures": "2", "errors": "1", "skipped": "2"}
    failures = root.findall(".//failure")
    assert [one.get("message") for one in failures] == [KNOWN_LEAK.message, TWO_COLOURS.message]
    assert [one.get("message") for one in root.findall(".//skipped")] == [
        "intentional: the boat is a dream",
        "not evaluated; missing: the text places Event in time by Expression",
    ]
    assert len(root.findall(".//testcase")) == 7


# -- for code hosts


def test_github_escapes_what_would_end_a_command() -> None:
    leak, eyes, *_ = render(REPORT, "github").splitlines()

    assert leak.startswith(
        "::error file=ch03.md,line=12,col=5,title=NW204 acting on what one never learned::Leo goes"
    )
    assert "%0Ach02.md:3:1: “Mara moved" in leak
    assert "100%25%0A" in eyes
    comma = replace(TWO_COLOURS, passages=(replace(AWKWARD, file="a,b:c%.md"),))
    assert "file=a%2Cb%3Ac%25.md," in render(Report(replace(CHECKED, findings=(comma,))), "github")


def test_gitlab_has_the_keys_code_quality_wants() -> None:
    rows = loaded(REPORT, "gitlab")

    for row in rows:
        assert set(row) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert row["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert isinstance(row["location"]["lines"]["begin"], int)
    assert [row["location"]["path"] for row in rows] == ["ch03.md", "my chapters/ch 1.md", "."]
    assert len({row["fingerprint"] for row in rows}) == 3


def test_rdjson_names_lines_and_the_other_passage() -> None:
    found = loaded(REPORT, "rdjson")
    leak, eyes, unseen = found["diagnostics"]

    assert set(found) == {"source", "diagnostics"}  # reviewdog refuses keys it does not know
    assert leak["location"] == {"path": "ch03.md", "range": {"start": {"line": 12}}}
    assert leak["relatedLocations"][0]["location"]["path"] == "ch02.md"
    assert (leak["severity"], eyes["severity"], unseen["severity"]) == ("ERROR", "WARNING", "INFO")


def test_waived_findings_annotate_nothing() -> None:
    for form in ("github", "gitlab", "rdjson"):
        assert DEFIED.message not in render(REPORT, form)
