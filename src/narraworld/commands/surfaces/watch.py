"""`narraworld watch`: what each save brought and took away, in the linter's own lines. Parses, listens to the desk, prints.

0 ended by Ctrl-C, or after one look with --once · 2 a folder or a file that means nothing here
"""

from __future__ import annotations

import json
import queue
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.commands.options import AsJson, Where, echo, one_of

if TYPE_CHECKING:
    from narraworld.desk.bell import DeskNews
    from narraworld.query.checks.findings import Finding
    from narraworld.query.checks.report import Report

__all__ = ["register"]

SHOWN = ("error", "warning", "note")


def register(app: typer.Typer) -> None:
    app.command()(watch)


def watch(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files or folders; without them, those the story was read from."),
    ] = None,
    where: Where = Path(),
    least: Annotated[str, typer.Option("--min-severity", help="error, warning or note.")] = "warning",
    once: Annotated[bool, typer.Option("--once", help="Look once, tell, and end.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check again after every save: findings gained and lost.   narraworld watch chapters/"""
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.reading.changed import sources_of
    from narraworld.world import World

    one_of("--min-severity", least, SHOWN)
    sources_of(
        where, [str(path) for path in files or ()]
    )  # what cannot be read at all is refused before a world is made
    heard: queue.SimpleQueue[DeskNews | None] = queue.SimpleQueue()
    tell = _Teller(SHOWN[: SHOWN.index(least) + 1], as_json)
    with StoryDesk(World.open(where, create=True), tuple(files or ())) as desk, desk.bell.heard_by(heard.put):
        tell.state(desk.remember(), desk.revision)
        if once:
            desk.look_again()
            desk.bell.close()
        else:
            desk.start()
        _listen(heard, tell)


def _listen(heard: queue.SimpleQueue[DeskNews | None], tell: _Teller) -> None:
    try:
        while (news := heard.get()) is not None:
            tell.news(news)
    except KeyboardInterrupt:
        return


class _Teller:
    """News as lines, for people or for programs."""

    def __init__(self, shown: Iterable[str], as_json: bool) -> None:
        self._shown, self._as_json = frozenset(shown), as_json

    def state(self, report: Report, revision: int) -> None:
        from narraworld.query.checks.report.report import counted, plural

        found = self._told(report.findings)
        if self._as_json:
            self._line({"type": "state", "revision": revision, "findings": len(found)})
            return
        counts = ", ".join(plural(n, kind) for kind, n in counted(found).items() if kind in self._shown)
        echo(
            f"r{revision}  {plural(len(report.chapters), 'chapter')}, {plural(report.checked.words, 'word')}: {counts}"
        )

    def news(self, news: DeskNews) -> None:
        if news.kind == "failed":
            self._failed(news)
        elif news.kind == "changed":
            self._changed(news)

    def _failed(self, news: DeskNews) -> None:
        if self._as_json:
            self._line({"type": "failed", "revision": news.revision, **news.data})
        else:
            echo(f"{news.data['unit']}: {news.data['what']}; its last good reading stays")

    def _changed(self, news: DeskNews) -> None:
        from narraworld.query.checks.report.plain_json import finding_json

        gained, lost = self._told(news.data["gained"]), self._told(news.data["lost"])
        if self._as_json:
            both = {
                "gained": [finding_json(one) for one in gained],
                "lost": [finding_json(one) for one in lost],
            }
            self._line({"type": "changed", "revision": news.revision, "units": news.data["units"], **both})
        elif gained or lost or news.data["units"]:
            for line in self._changed_lines(news, gained, lost):
                echo(line)

    def _changed_lines(self, news: DeskNews, gained: list[Finding], lost: list[Finding]) -> Iterator[str]:
        from narraworld.query.checks.report.text import headline

        units = ", ".join(news.data["units"]) or "nothing read anew"
        yield f"r{news.revision}  {units}: {len(gained)} gained, {len(lost)} lost"
        yield from map(headline, gained)
        yield from (f"gone: {headline(one)}" for one in lost)

    def _told(self, findings: Iterable[Finding]) -> list[Finding]:
        return [one for one in findings if one.rule.severity in self._shown]

    def _line(self, row: dict[str, Any]) -> None:
        echo(json.dumps(row, ensure_ascii=False))
