"""Tools that write, each behind its flag: a what-if from records, and a writing agent's own memory. Never the manuscript, never canon unasked."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from narraworld.base.errors import NarraWorldError
from narraworld.mcp.tools import AgentTool, ToolReply

if TYPE_CHECKING:
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.extract.sources import Piece

__all__ = ["propose_tool", "remember_tools"]

STRING = {"type": "string"}


def propose_tool(desk: StoryDesk) -> AgentTool:
    """Records for a what-if."""
    return AgentTool(
        "propose", "Add records (TOML) to a what-if. Never touches the story or the manuscript.",
        {"type": "object", "properties": {"branch": STRING, "records": STRING}, "required": ["branch", "records"], "additionalProperties": False},
        lambda given: _proposed(desk, given), writes=True,
    )  # fmt: skip


def _proposed(desk: StoryDesk, given: Mapping[str, Any]) -> ToolReply:
    from narraworld.extract.records import read_records

    branch = str(given["branch"])
    if branch == "main":
        raise NarraWorldError("proposals never become the story", fix="name a what-if, such as draft-1")
    if branch not in {one.name for one in desk.world.branches()}:
        desk.world.branch(branch)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proposed.toml"
        file.write_text(str(given["records"]), encoding="utf-8")
        committed = desk.world.commit(read_records(file, branch=branch), branch=branch)
    refused = [{"record": one.record, "why": one.message} for one in committed.refusals]
    accepted = sum(committed.records.values())
    lines = [
        f"{accepted} records are in {branch}.",
        *(f"Refused {one['record']}: {one['why']}" for one in refused),
    ]
    return ToolReply(
        "\n".join(lines), {"accepted": accepted, "refused": refused, "next": f"check(branch={branch!r})"}
    )


def remember_tools(desk: StoryDesk) -> list[AgentTool]:
    """A passage that was accepted goes in; one that was not goes out."""
    own = dict.fromkeys(("text", "title", "branch", "replace"), STRING)
    return [
        AgentTool(
            "remember", "Read an accepted passage as the next unit and keep it. Idempotent; replace names a unit that was edited.",
            {"type": "object", "properties": own, "required": ["text"], "additionalProperties": False},
            lambda given: _remembered(desk, given), writes=True,
        ),
        AgentTool(
            "forget", "Take a unit out; earlier revisions keep it.",
            {"type": "object", "properties": {"unit": STRING, "branch": STRING}, "required": ["unit"], "additionalProperties": False},
            lambda given: _forgotten(desk, given), writes=True,
        ),
    ]  # fmt: skip


def _remembered(desk: StoryDesk, given: Mapping[str, Any]) -> ToolReply:
    from narraworld.query.situation import Situation
    from narraworld.reading.outcome import unchanged
    from narraworld.reading.read import OpenedFiles

    branch = str(given.get("branch") or "main")
    title = str(given.get("title") or "")
    name = str(given.get("replace") or _unit_name(desk, title, str(given["text"]), branch))
    pieces = _pieces(name, title, str(given["text"]))
    known = all(unchanged(desk.world.story, piece, branch) for piece in pieces)
    there = Situation(branch=branch)
    before = _findings(desk, there)
    units = [] if known else desk.world.read(OpenedFiles(pieces=tuple(pieces)), branch=branch)
    after = _findings(desk, there)
    refused = [{"item": one.record, "why": one.message} for unit in units for one in unit.refusals]
    gained, lost = _only_in(after, before), _only_in(before, after)
    unit = pieces[0].unit.id if pieces else name
    read = _read(desk, unit, branch)
    revision = desk.world.store.snapshot(branch=branch).revision
    lines = [
        f"{unit} is {'known already' if known else f'kept as r{revision}'}.",
        *_changes(gained, lost),
    ]
    return ToolReply("\n".join(lines), {
        "unit": unit, "revision": revision, "read": read, "refused": refused, "gained": gained, "lost": lost,
        "next": "context(task)",
    })  # fmt: skip


def _pieces(name: str, title: str, text: str) -> list[Piece]:
    """The passage as it would be read from a file of that name, under its title."""
    from narraworld.extract.sources import read_sources

    heading = f"# {title}\n\n" if title else ""
    return read_sources(["-"], stdin=StringIO(f"{heading}{text}\n"), stdin_name=f"{name}.md")


def _only_in(these: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """The findings of which the others have not the key."""
    return [words for key, words in these.items() if key not in others]


def _changes(gained: Sequence[str], lost: Sequence[str]) -> list[str]:
    return [*(f"Does not fit: {one}" for one in gained), *(f"Mended: {one}" for one in lost)]


def _unit_name(desk: StoryDesk, title: str, text: str, branch: str) -> str:
    """A name that the same words get again: the unit that has them, else one for the next place."""
    snapshot = desk.world.store.snapshot(branch=branch)
    same = (entry.unit for entry in snapshot.entries if text.strip() in desk.world.store.text(entry))
    number = max((entry.order for entry in snapshot.entries), default=0) + 1
    slug = re.sub(r"[^a-z0-9]+", "-", (title or "passage").lower()).strip("-")
    return next(same, f"{number:02}-{slug}")


def _findings(desk: StoryDesk, there: Any) -> dict[str, str]:
    from narraworld.checking.checkup import CheckRequest, examine

    with desk.world.story.turn:
        found = examine(desk.world.story, CheckRequest(situation=there)).findings
    return {one.key: f"{one.rule.id} {one.message}" for folded in found for one in folded.each()}


def _read(desk: StoryDesk, unit: str, branch: str) -> dict[str, int]:
    one = next((one for one in desk.world.coverage(branch=branch) if one.unit == unit), None)
    return {"read": one.read, "partly": one.partly, "not": len(one.unread)} if one else {}


def _forgotten(desk: StoryDesk, given: Mapping[str, Any]) -> ToolReply:
    entry = desk.world.retract(str(given["unit"]), branch=str(given.get("branch") or "main"))
    return ToolReply(
        f"{given['unit']} is taken out as of r{entry.revision}.",
        {"revision": entry.revision, "next": "overview()"},
    )
