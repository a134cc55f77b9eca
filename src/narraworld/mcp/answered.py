"""What each tool answers, from the same values as the pages: a text, data, and the call that makes sense next. Asks, writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from narraworld.base.errors import NarraWorldError
from narraworld.base.quotation_marks import in_marks
from narraworld.base.settings import DEFAULTS
from narraworld.desk.answers import asking, page_text, people, proof_pages, thread_board
from narraworld.desk.answers import overview as whole
from narraworld.desk.answers.seen_story import NotInThisSituation
from narraworld.desk.answers.what_if import parted
from narraworld.mcp.host_mind import host_mind, lines_laid_out
from narraworld.mcp.tools import ToolArguments
from narraworld.query.checks.report.report import plural
from narraworld.query.moments import revision_of
from narraworld.query.shown.phrases import in_passing

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.query.figures.ruler import RulerChapter
    from narraworld.query.views import Happening

__all__ = [
    "ask", "character", "check", "compare", "context", "knows", "overview", "passage", "query", "search", "threads", "timeline", "views",
    "why",
]  # fmt: skip

LIMITS = DEFAULTS.surfaces.agents
ToolAnswer: TypeAlias = tuple[str, dict[str, Any], str]
One = TypeVar("One")
HOW = {"moments": "ch02, 'chapter 2', '02 scene 1', tick:6", "names": "any name the text uses, or an id"}


def overview(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    told = [{"id": one.moment, **({"title": one.title} if one.title else {})} for one in seen.ruler.told]
    found = whole.overview(seen)
    who = [one["name"] for one in people.people(seen)]
    data = {
        "chapters": told, "characters": who, "threads": found["counts"]["threads_open"],
        "findings": found["counts"].get("findings", 0), "how": HOW,
    }  # fmt: skip
    chapters = ", ".join(one.get("title", one["id"]) for one in told)
    open_ = [f"- {in_passing(one['words'])} ({one['status']})" for one in found["threads"]]
    lines = [
        f"{plural(len(told), 'chapter')}: {chapters}",
        f"Characters: {', '.join(who)}",
        "Still open:",
        *(open_ or ["- nothing"]),
    ]
    if "wrong" in found:
        lines += [f"{one['who']} wrongly holds: {one['words']}" for one in found["wrong"]]
        lines.append(
            f"{plural(data['findings'], 'finding')}; {plural(found['not_evaluated'], 'check')} had nothing to look at"
        )
    return "\n".join(lines), data, "ask(question) or context(task)"


def ask(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    found = asking.ask(seen, str(given["question"]))
    evidence = [
        {"quote": one["quote"], "where": one["place"], "unit": one["unit"]}
        for one in found["evidence"][: LIMITS.quotes]
    ]
    lines = [found["answer"], *(f"{in_marks(one['quote'])} ({one['where']})" for one in evidence)]
    if found["status"] == "not understood":
        lines.append("Ask in another form, search for words, or query in rules.")
    data = {
        "answer": found["answer"],
        "status": found["status"],
        "evidence": evidence,
        "query": found["query"],
    }
    return "\n".join(lines), data, "search(words)" if found["status"] != "derived" else "context(task)"


def knows(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    """One row for each mind and matter; a pinned mind has its own column alone."""
    views = seen.world.views(seen.situation)
    names = seen.scope.names
    held: list[dict[str, Any]]
    if seen.eyes:
        held = [
            {"who": names(one.holder), "what": one.words, "state": "holds"}
            for each in views.beliefs.values()
            for one in each
        ]
    else:
        matrix = seen.world.knows(seen.situation)
        events = set(matrix.events)  # after what is so: they are many, and mostly known to whoever was there
        beliefs = {(one.proposition, one.holder): one for each in views.beliefs.values() for one in each}
        held = [
            {
                "who": matrix.names[c],
                "what": matrix.names[p],
                "state": state,
                "where": _since(seen, beliefs.get((p, c))),
            }
            for (p, c), state in sorted(matrix.cells.items(), key=lambda one: (one[0][0] in events, one[0]))
        ]
    wanted = [
        one for one in held if _in(given, "who", str(one["who"])) and _in(given, "about", str(one["what"]))
    ]
    return _listed(
        given,
        wanted,
        lambda one: f"{one['who']} {one['state']}: {one['what']}{_at(one.get('where'))}",
        "why(goal)",
    )


def _since(seen: SeenStory, belief: Any) -> str | None:
    quotes = seen.quotes(belief.source) if belief is not None and belief.source else []
    return str(quotes[-1]["place"]) if quotes else None


def views(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    most = _limit(given)
    asked = {part: lines for part, lines in _view_lines(seen).items() if given.get("part") in (None, part)}
    titles = {"W": "Facts", "B": "On whose mind", "D": "Threads", "H": "Possible, never facts"}
    text = "\n".join(
        f"{titles[part]}\n" + "\n".join(f"- {line}" for line in lines[:most] or ["nothing"])
        for part, lines in asked.items()
    )
    data = {part: lines[:most] for part, lines in asked.items()}
    return text, {**data, "total": {part: len(lines) for part, lines in asked.items()}}, "knows(who)"


def _view_lines(seen: SeenStory) -> dict[str, list[str]]:
    found, names = seen.world.views(seen.situation), seen.scope.names
    beliefs = (one for held in found.beliefs.values() for one in held)
    return {
        "W": [one.words for one in found.facts],
        "B": [f"{names(one.holder)} {one.status}: {one.words}" for one in beliefs],
        "D": [f"{in_passing(one.words)} ({one.status})" for one in found.threads],
        "H": [one.words for one in found.possibilities],
    }


def character(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    found = people.one_person(seen, str(given["name"]))
    lines = [found["name"] + (f", also {', '.join(found['names'][1:])}" if len(found["names"]) > 1 else "")]
    lines += [f"- {one['words']}" for one in found.get("facts", ())]
    lines += [f"- {one.get('status', 'holds')}: {one['words']}" for one in found["beliefs"]]
    lines += [f"- thread, {one['status']}: {one['words']}" for one in found.get("threads", ())]
    return "\n".join(lines), found, f"knows(who={found['name']!r})"


def threads(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    rows = [
        {"id": one.get("development"), "words": one["words"], "kind": one["kind"], "status": one["status"],
         "last": one["history"][-1].get("unit") if one["history"] else None, "column": one["column"]}
        for one in thread_board.thread_board(seen)
    ]  # fmt: skip
    wanted = [one for one in rows if given.get("status") in (None, one["column"], one["status"])]
    return _listed(
        given,
        wanted,
        lambda one: f"{in_passing(one['words'])} ({one['kind']}, {one['status']})",
        "context(task)",
    )


def timeline(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    """What happened, in either order; of one character where one is named."""
    from narraworld.query.names import rows

    told = {str(record): int(position) for record, position in rows(seen.scope.engine, "told")}
    wanted = _events(seen, given.get("who"))
    first, last = (_bound(seen, given.get(name)) for name in ("from", "to"))
    wanted = [one for one in wanted if _within(seen, told.get(one.event), first, last)]
    if given.get("order") == "told":
        wanted.sort(key=lambda one: told.get(one.event, 0))
    listed = [_happening(seen, one, told.get(one.event)) for one in wanted]
    return _listed(given, listed, lambda one: f"{one['words']}{_at(one.get('where'))}", "passage(of)")


def _events(seen: SeenStory, name: Any) -> list[Happening]:
    """What happened; where somebody is named, what they met of it."""
    from narraworld.query.names import rows

    found = list(seen.world.views(seen.situation).events)
    if not name:
        return found
    who = seen.scope.resolver.symbol(str(name))
    theirs = {str(event) for person, event, _ in rows(seen.scope.engine, "perceives") if person == who}
    return [one for one in found if one.event in theirs]


def _happening(seen: SeenStory, one: Any, told: int | None) -> dict[str, Any]:
    if seen.eyes:
        return {"words": whole.deed_words(seen, one)}
    quotes = seen.quotes(one.event)
    where = quotes[0]["place"] if quotes else None
    return {"event": one.event, "words": one.words, "when": one.when, "told": told, "where": where}


def _bound(seen: SeenStory, text: Any) -> int | None:
    """The place in the telling of the chapter that a text means."""
    if text is None:
        return None
    moment = seen.world.moment(str(text), branch=seen.situation.branch)
    number = seen.ruler.number(moment.unit or "")
    if number is None:
        raise NotInThisSituation(f"no moment {text!r} here")
    return [one.n for one in seen.ruler.told].index(number)


def _within(seen: SeenStory, told: int | None, first: int | None, last: int | None) -> bool:
    if first is None and last is None:
        return True
    place = (told or 0) // seen.world.story.frame.clock.unit_length
    orders = [
        seen.world.store.snapshot(branch=seen.situation.branch)[one.unit].order
        for one in seen.ruler.told
        if one.unit
    ]
    low = orders[first] if first is not None else min(orders)
    high = orders[last] if last is not None else max(orders)
    return low <= place <= high


def search(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    found = asking.search(seen, str(given["words"]), _limit(given))
    rows = [
        {"where": one.get("place"), "quote": one["quote"], "records": one.get("records", [])} for one in found
    ]
    return _listed(given, rows, lambda one: f"{in_marks(one['quote'])}{_at(one['where'])}", "passage(of)")


def passage(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    """A chapter, or the lines around a record or some words."""
    of, around = str(given["of"]), int(given.get("lines") or LIMITS.lines)
    seen.authors_only("`passage`")
    chapter = _chapter_called(seen, of)
    if chapter is not None and chapter.unit:
        lines = page_text.text_lines(seen, chapter.unit)
        return _lines(chapter.unit, lines if not given.get("lines") else lines[:around])
    quotes = seen.quotes(of) or list(asking.search(seen, f'"{of}"', 1))
    if not quotes:
        raise NotInThisSituation(
            f"no chapter, record or words {of!r} here", fix="search(words) finds passages"
        )
    lines = page_text.text_lines(seen, quotes[0]["unit"])
    middle = next((n for n, line in enumerate(lines) if line.start <= quotes[0]["start"] <= line.end), 0)
    return _lines(quotes[0]["unit"], lines[max(0, middle - around // 2) : middle + around // 2 + 1])


def _chapter_called(seen: SeenStory, name: str) -> RulerChapter | None:
    return next((one for one in seen.ruler.told if name in (one.unit, str(one.n), one.title)), None)


def _lines(unit: str, lines: Sequence[Any]) -> ToolAnswer:
    text = "\n\n".join(line.text for line in lines)
    data = {"unit": unit, "from": lines[0].n if lines else 0, "to": lines[-1].n if lines else 0, "text": text}
    return text, data, "check(select)"


def why(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    goal = str(given["goal"])
    found = proof_pages.why_page(seen, goal) if "(" in goal else proof_pages.finding_page(seen, goal)["why"]
    quotes = [{"n": one["n"], "quote": one["quote"], "where": one["place"]} for one in found["quotes"]]
    lines = [line for tree in found["steps"][:1] for line in _told(tree, 0)] or found["missing"]
    cited = [f"[{one['n']}] {in_marks(one['quote'])} ({one['where']})" for one in quotes]
    data = {"holds": found["holds"], "lines": lines, "quotes": quotes, "missing": found["missing"]}
    return "\n".join([*lines, *cited]), data, "passage(of)"


def _told(step: Mapping[str, Any], depth: int) -> Iterable[str]:
    numbers = "".join(f" [{n}]" for n in step["quotes"])
    yield f"{'  ' * depth}{step['sentence']}{numbers}"
    for below in step["below"]:
        yield from _told(below, depth + 1)


def check(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    select = [one.strip() for one in str(given.get("select") or "").split(",") if one.strip()]
    document = whole.findings(seen, select, str(given["since"]) if given.get("since") else None)
    rows = document["findings"]
    text, data, following = _listed(given, rows, _finding_text, "why(goal=key)")
    return text, {**data, "not_evaluated": len(document["not_evaluated"])}, following


def _finding_text(one: Mapping[str, Any]) -> str:
    passages = "".join(f"\n    {in_marks(p['quote'])} ({p['place']})" for p in one["passages"])
    return f"{one['severity']} {one['rule']} [{one['key']}] {one['message']}{passages}"


def context(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    """Memory for the next passage; for an agent that wants to choose, first the lines, then what it chose."""
    task, budget = str(given["task"]), int(given["budget"]) if given.get("budget") else None
    if given.get("choose") and "chosen" not in given:
        return lines_laid_out(seen, task, budget)
    found = asking.context(seen, task, budget, host_mind(given))
    records = [record for item in found.get("items", ()) for record in item["records"]]
    data = {
        "text": found["text"],
        "tokens": found["tokens"],
        "counted_by": found["counted_with"],
        "records": records,
        **({"notes": found["notes"]} if "notes" in found else {}),
    }
    return found["text"], data, "check() after writing"


def query(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    found = asking.query(seen, str(given["text"]), 0, _limit(given))
    lines = (
        [" | ".join(found["columns"]), *(" | ".join(row) for row in found["rows"])]
        if found["columns"]
        else []
    )
    data = {"columns": found["columns"], "rows": found["rows"], "total": found["total"]}
    none = "yes" if found["total"] and not found["columns"] else "no answer"
    return "\n".join(lines) if found["rows"] and lines else none, data, "why(goal)"


def compare(seen: SeenStory, given: ToolArguments) -> ToolAnswer:
    """A what-if against the story where they part, or against another; a revision against an earlier one."""
    after, before = str(given["after"]), given.get("before")
    if after.removeprefix("r").isdecimal():
        last = revision_of(after) or 0
        found = seen.world.diff(revision_of(str(before)) if before else last - 1, last)  # type: ignore[arg-type]
    else:
        branch = next((one for one in seen.world.branches() if one.name == after), None)
        found = (
            parted(seen, branch)[0]
            if branch and not before
            else seen.world.compare(str(before or "main"), after)
        )
    return "\n".join(found.lines()), {"only_before": found.lost, "only_after": found.gained}, "why(goal)"


# -- lists


def _listed(
    given: ToolArguments, rows: Sequence[One], told: Callable[[One], str], following: str
) -> ToolAnswer:
    """As many rows as were asked for, and how many there are."""
    most = _limit(given)
    text = "\n".join(map(told, rows[:most])) or "nothing"
    more = f"\n… and {len(rows) - most} more; raise limit, or narrow the question" if len(rows) > most else ""
    return text + more, {"results": list(rows[:most]), "total": len(rows)}, following


def _limit(given: ToolArguments) -> int:
    asked = given.get("limit") or LIMITS.rows
    if not isinstance(asked, int) or asked < 1:
        raise NarraWorldError(f"limit {asked!r} is no number of rows", fix="give a whole number from 1 on")
    return asked


def _in(given: ToolArguments, name: str, words: str) -> bool:
    return str(given.get(name) or "").casefold() in words.casefold()


def _at(where: Any) -> str:
    return f" ({where})" if where else ""
