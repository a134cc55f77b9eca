"""The screens: for each its address, its JSON twin, its template, and the one function that answers both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from narraworld.desk.answers import (
    asking,
    mind_strips,
    overview,
    page_text,
    people,
    proof_pages,
    sheet_page,
    story_map,
    thread_board,
    versions,
    what_if,
)

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory

__all__ = ["SCREENS", "TWINS_ONLY", "Asked", "Screen", "map_figures", "rail"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address says besides the situation."""

    words: Mapping[str, str]
    path: Mapping[str, str]

    def get(self, name: str, default: str = "") -> str:
        return self.words.get(name, default).strip()

    def number(self, name: str, default: int) -> int:
        said = self.get(name)
        return int(said) if said.isdecimal() and len(said) < 10 else default

    def has(self, name: str) -> bool:
        return bool(self.get(name))


Answer = Callable[["SeenStory", Asked], Any]
Dressed = Callable[[Any, Asked], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Screen:
    """A page and its twin under `/api`; ``minds`` whether it can be shown through a character's eyes.

    ``dressed`` makes what only the page needs of the answer: drawings, tables.
    """

    name: str
    title: str
    path: str
    answer: Answer
    template: str = ""
    minds: bool = False
    heavy: bool = False
    dressed: Dressed = lambda data, asked: {}

    @property
    def twin(self) -> str:
        return "/api/overview" if self.path == "/" else f"/api{self.path}"


def _text(seen: SeenStory, asked: Asked) -> Any:
    return page_text.page_text(seen, asked.path["unit"])


def _chapters(seen: SeenStory, asked: Asked) -> Any:
    seen.authors_only("the manuscript")
    return [
        {"n": one.n, "unit": one.unit, "title": one.title, "headed": one.headed, "scenes": len(one.scenes)}
        for one in seen.ruler.told
    ]


def _minds(seen: SeenStory, asked: Asked) -> Any:
    everything = asked.has("all")
    return mind_strips.mind_strips(
        seen, asked.get("about"), asked.get("who"), everything=everything, whole=asked.has("whole")
    )


def _why(seen: SeenStory, asked: Asked) -> Any:
    return proof_pages.why_page(seen, asked.get("goal")) if asked.has("goal") else None


def _findings(seen: SeenStory, asked: Asked) -> Any:
    select = tuple(one.strip() for one in asked.get("select").split(",") if one.strip())
    return overview.findings(seen, select, asked.get("since") or None)


def _map(seen: SeenStory, asked: Asked) -> Any:
    return story_map.story_map(seen, asked.get("order", "told"), asked.get("follow"))


def map_figures(data: Mapping[str, Any]) -> dict[str, Any]:
    """The drawings of a story map."""
    from narraworld.query.figures.narrative_chart import narrative_chart, told_against_happened

    jumps = any(one["back"] for one in data["scenes"])
    return {
        "charts": (narrative_chart(data), narrative_chart(data, tall=True)),
        "slopes": (told_against_happened(data), told_against_happened(data, tall=True)) if jumps else None,
    }


def _ask(seen: SeenStory, asked: Asked) -> Any:
    if not asked.has("q"):
        return None
    if asked.get("in") == "datalog":
        return {"table": asking.query(seen, asked.get("q"), asked.number("after", 0))}
    if asked.get("in") == "sparql":
        return {"table": sparql_table(asking.sparql(seen, asked.get("q")))}
    return asking.ask(seen, asked.get("q"))


def sparql_table(found: Any) -> dict[str, Any]:
    if found.truth is not None:
        return {"columns": [], "rows": [], "total": 0, "truth": found.truth, "truncated": False}
    cells = [["" if cell is None else str(cell) for cell in row] for row in found.rows]
    return {
        "columns": list(found.variables),
        "rows": cells[:200],
        "total": len(cells),
        "truncated": len(cells) > 200,
    }


def _query(seen: SeenStory, asked: Asked) -> Any:
    return asking.query(seen, asked.get("q"), asked.number("after", 0))


def _search(seen: SeenStory, asked: Asked) -> Any:
    return asking.search(seen, asked.get("q")) if asked.has("q") else []


def _context(seen: SeenStory, asked: Asked) -> Any:
    if not asked.has("task"):
        return None
    return asking.context(seen, asked.get("task"), asked.number("budget", 0) or None)


def _history(seen: SeenStory, asked: Asked) -> Any:
    return versions.history(seen, asked.get("from") or None, asked.get("to") or None)


def _branch(seen: SeenStory, asked: Asked) -> Any:
    return what_if.what_if(seen, asked.path["name"], asked.get("against", "fork"))


def _sheet(seen: SeenStory, asked: Asked) -> Any:
    return sheet_page.sheet_page(seen, asked.get("about"), differs=asked.has("differs"))


def _sections(data: Any, asked: Asked) -> dict[str, Any]:
    after = asked.number("after", 0) if asked.has("section") else 0
    return {"sections": sheet_page.laid_out(data["rows"], asked.get("section"), after)}


SCREENS = (
    Screen("overview", "Overview", "/", lambda seen, _: overview.overview(seen), "overview.html", minds=True),
    Screen("manuscript", "Manuscript", "/text", _chapters, "chapters.html"),
    Screen("manuscript", "Manuscript", "/text/{unit}", _text, "manuscript.html"),
    Screen("minds", "Minds", "/minds", _minds, "minds.html"),
    Screen("map", "Story map", "/map", _map, "map.html", dressed=lambda data, _: map_figures(data)),
    Screen("threads", "Threads", "/threads", lambda seen, _: thread_board.thread_board(seen), "threads.html", minds=True),
    Screen("who", "Characters", "/who", lambda seen, _: people.people(seen), "people.html", minds=True),
    Screen("who", "Character", "/who/{id}", lambda seen, asked: people.one_person(seen, asked.path["id"]), "person.html", minds=True),
    Screen("branch", "What-if", "/branch", lambda seen, _: what_if.branches(seen), "branches.html"),
    Screen("branch", "What-if", "/branch/{name}", _branch, "whatif.html"),
    Screen("ask", "Ask", "/ask", _ask, "ask.html", minds=True, heavy=True),
    Screen("search", "Search", "/search", _search, "search.html", minds=True, heavy=True),
    Screen("context", "Memory", "/context", _context, "context.html", minds=True, heavy=True),
    Screen("history", "History", "/history", _history, "history.html"),
    Screen("sheet", "Style sheet", "/sheet", _sheet, "sheet.html", dressed=_sections),
    Screen("overview", "Findings", "/findings", _findings, "findings.html"),
    Screen("overview", "Finding", "/finding/{key}", lambda seen, asked: proof_pages.finding_page(seen, asked.path["key"]), "finding.html"),
    Screen("minds", "Proof", "/why", _why, "proof.html", heavy=True),
)  # fmt: skip
TWINS_ONLY = (Screen("query", "Rules", "/query", _query, heavy=True),)
IN_RAIL = (
    "overview",
    "manuscript",
    "minds",
    "map",
    "threads",
    "who",
    "branch",
    "ask",
    "search",
    "history",
    "sheet",
)


def rail(seen: SeenStory | None) -> list[Screen]:
    """The screens that this situation can be shown, in the order of the rail."""
    first = {screen.name: screen for screen in reversed(SCREENS)}
    shown = [first[name] for name in IN_RAIL]
    return [screen for screen in shown if screen.minds or not (seen and seen.eyes)]
