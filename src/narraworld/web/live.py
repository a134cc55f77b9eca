"""News on a stream (SSE): a page that listens looks again when a chapter is saved. Twenty lines instead of a library.

Narrowed situations hear the revision alone: which chapter was saved, and what was found in it, may be more than they know.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

if TYPE_CHECKING:
    from narraworld.desk.bell import DeskNews
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["live_stream"]


def live_stream(desk: StoryDesk, *, narrowed: bool, last: str | None) -> StreamingResponse:
    """The stream for one page; one that comes back is told once if it missed anything."""
    return StreamingResponse(
        _told(desk, narrowed, last), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def _told(desk: StoryDesk, narrowed: bool, last: str | None) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[DeskNews | None] = asyncio.Queue(maxsize=desk.settings.waiting)

    def heard(news: DeskNews | None) -> bool:
        if queue.full() or loop.is_closed():
            return False
        loop.call_soon_threadsafe(queue.put_nowait, news)
        return True

    with desk.bell.heard_by(heard):
        yield "retry: 2000\n\n"
        if last is not None and last != str(desk.revision):
            yield f"id: {desk.revision}\nevent: changed\ndata: {json.dumps({'revision': desk.revision})}\n\n"
        while True:
            try:
                news = await asyncio.wait_for(queue.get(), desk.settings.beat_seconds)
            except TimeoutError:
                yield ": still here\n\n"  # finds the listeners who are gone
                continue
            if news is None:
                return
            yield _event(news, narrowed)


def _event(news: DeskNews, narrowed: bool) -> str:
    data: dict[str, Any] = {"revision": news.revision}
    if not narrowed:
        counts = {name: len(news.data[name]) for name in ("gained", "lost") if name in news.data}
        data |= {**news.data, **counts}
    return f"id: {news.revision}\nevent: {news.kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
