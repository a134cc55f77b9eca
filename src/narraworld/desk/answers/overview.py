"""Where things stand: findings, wrong beliefs, open threads, what was read, what may come, what was not looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from narraworld.query.checks.report.plain_json import finding_json
from narraworld.query.checks.report.report import counted, not_evaluated
from narraworld.query.names import rows
from narraworld.query.shown.phrases import held, way

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SeenStory
    from narraworld.query.checks.findings import Finding
    from narraworld.query.views import Belief, Happening, Thread, Views

__all__ = [
    "CLOSED",
    "belief_json",
    "deed_words",
    "finding_shown",
    "findings",
    "open_threads",
    "overview",
    "thread_json",
    "wrong_beliefs",
]

FIRST = 3
CLOSED = frozenset({"resolved", "abandoned"})


def overview(seen: SeenStory) -> dict[str, Any]:
    """The first screen. Through a character's eyes: what is on that mind, and no judgement."""
    views = seen.world.views(seen.situation)
    threads = open_threads(views)
    if seen.eyes:
        return _through_eyes(seen, views, threads)
    report = seen.desk.report(seen.situation)
    found = report.findings
    wrong = wrong_beliefs(seen, views)
    return {
        "findings": [finding_shown(seen, one) for one in found[:FIRST]],
        "wrong": wrong,
        "threads": [thread_json(seen, one) for one in threads],
        "read": _read(seen),
        "possibilities": [one.words for one in views.possibilities],
        "counts": {
            "findings": len(found), **{str(kind): n for kind, n in counted(found).items()}, "waived": len(report.checked.waived),
            "threads_open": len(threads), "threads": len(views.threads), "wrong": len(wrong),
            "people": len(_people(seen)), "checks": len(report.checked.reports), "words": _words(seen),
        },
        "not_evaluated": len(not_evaluated(report)),
        "lacking": sorted({word for one in not_evaluated(report) for word in one.missing}),
        "troubles": [] if seen.is_narrowed else [f"{name}: {what}" for name, what in seen.desk.troubles.items()],
    }  # fmt: skip


def _through_eyes(seen: SeenStory, views: Views, threads: Sequence[Thread]) -> dict[str, Any]:
    held = [belief for beliefs in views.beliefs.values() for belief in beliefs]
    return {
        "holds": [belief_json(seen, one) for one in held],
        "threads": [thread_json(seen, one) for one in threads],
        "happened": [{"words": words} for words in _each_once(seen, views.events)],
        "possibilities": [one.words for one in views.possibilities],
        "counts": {"holds": len(held), "threads_open": len(threads)},
    }


def _each_once(seen: SeenStory, events: Iterable[Happening]) -> list[str]:
    """What happened, in order; what is told in the same words again is told once."""
    return list(dict.fromkeys(deed_words(seen, one) for one in events))


def deed_words(seen: SeenStory, one: Happening) -> str:
    """What happened; through a character's eyes who did what, because the narrator's own words know more than that mind."""
    if not seen.eyes or not one.words.startswith("“"):
        return one.words
    return seen.scope.names.in_plain_words(one.event)


def _people(seen: SeenStory) -> list[str]:
    return [str(who) for who, kind in rows(seen.scope.engine, "entity") if kind == "character"]


def _words(seen: SeenStory) -> int:
    told = {chapter.unit for chapter in seen.ruler.told}
    snapshot = seen.world.store.snapshot(seen.situation.revision, seen.situation.branch)
    return sum(len(seen.world.store.text(entry).split()) for entry in snapshot.entries if entry.unit in told)


def _read(seen: SeenStory) -> list[dict[str, Any]]:
    """How much of each chapter that is told was understood."""
    told = {chapter.unit for chapter in seen.ruler.told}
    found = list[dict[str, Any]]()
    for one in seen.world.coverage(branch=seen.situation.branch):
        if one.unit in told:
            records = sum(one.records.values())
            found.append({
                "unit": one.unit, "title": one.title or one.unit, "records": records, "sentences": one.sentences,
                "read": one.read, "partly": one.partly, "not": len(one.unread),
            })  # fmt: skip
    return found


# -- findings


def findings(seen: SeenStory, select: Sequence[str] = (), since: str | None = None) -> dict[str, Any]:
    """The document of `check --format json`."""
    from narraworld.query.checks.report.plain_json import report_json

    seen.authors_only("findings")
    if select or since:
        report = seen.world.check(select=tuple(select), since=since, least="note", situation=seen.situation)
    else:
        report = seen.desk.report(seen.situation)
    return report_json(report)


def finding_shown(seen: SeenStory, finding: Finding) -> dict[str, Any]:
    """A finding as in `check --format json`, with the place of each passage as people say it."""
    shown = finding_json(finding)
    for passage, told in zip(finding.passages, shown["passages"], strict=True):
        told["place"] = seen.passage(passage.unit, passage.start, passage.end, passage.quote)["place"]
    return shown


# -- minds and threads


def wrong_beliefs(seen: SeenStory, views: Views) -> list[dict[str, Any]]:
    """Who is wrong about what, one row for each belief."""
    wrong = [one for held in views.beliefs.values() for one in held if one.status == "mistaken"]
    return [belief_json(seen, one) for one in wrong]


def belief_json(seen: SeenStory, belief: Belief) -> dict[str, Any]:
    """A belief in words; through a character's eyes without a verdict and without the record it rests on."""
    names = seen.scope.names
    shown: dict[str, Any] = {
        "who": names(belief.holder),
        "words": belief.words,
        "how": way(belief.mode) if belief.mode else None,
    }
    if seen.eyes:
        return shown
    quotes = seen.quotes(belief.source) if belief.source else []
    truth = names(belief.truth) if belief.truth else None
    return {
        **shown, "holder": belief.holder, "proposition": belief.proposition, "status": belief.status, "says": held(belief.status, belief.words), "truth": truth,
        "quotes": quotes[-1:], "goal": goal_of(belief),
    }  # fmt: skip


def goal_of(belief: Belief) -> str:
    """What to ask for the proof of a belief."""
    relation = {"knows": "knows", "doubts": "doubts", "unaware": "unaware"}.get(belief.status, "believes")
    return f'{relation}("{belief.holder}", "{belief.proposition}")'


def open_threads(views: Views) -> list[Thread]:
    return [thread for thread in views.threads if thread.status not in CLOSED]


def thread_json(seen: SeenStory, thread: Thread) -> dict[str, Any]:
    """A thread with its turns; ids of records stay away from a character's eyes."""
    steps = [{"status": turn.status, **({} if seen.eyes else {"step": turn.step})} for turn in thread.history]
    shown = {"words": thread.words, "kind": thread.kind, "status": thread.status, "history": steps}
    if seen.eyes:
        return shown
    for step, turn in zip(steps, thread.history, strict=True):
        quotes = seen.quotes(turn.step)[-1:]
        step |= {"unit": quotes[0]["unit"] if quotes else None, "quote": quotes[0] if quotes else None}  # type: ignore[dict-item]
    return {"development": thread.development, **shown}
