"""`narraworld mcp`: the story as tools for an agent, over stdio or HTTP. Parses, and hands over."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.commands.options import At, Eyes, Told, Where, echo, needs_extra

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SituationPins
    from narraworld.mcp.tools import AgentTool

__all__ = ["register"]

RELAY = (
    "Read a manuscript into a story world with your own model: call next_question, answer from its text alone, "
    "call give_answer, and go on until next_question says done."
)


def register(app: typer.Typer) -> None:
    app.command("mcp")(serve)


def serve(
    files: Annotated[
        list[str] | None, typer.Argument(help="With --relay: chapters to read; without them, the reading under way.")
    ] = None,
    where: Where = Path(),
    http: Annotated[int | None, typer.Option("--http", min=0, max=65535, help="Streamable HTTP on this port instead of stdio.")] = None,
    eyes: Eyes = None,
    at: At = None,
    told: Told = None,
    propose: Annotated[bool, typer.Option("--propose", help="Let the agent add records to what-ifs.")] = False,
    remember: Annotated[bool, typer.Option("--remember", help="Let the agent put in what was accepted, and take it out.")] = False,
    relay: Annotated[
        bool, typer.Option("--relay", help="Let the agent answer the reading's questions.")
    ] = False,
) -> None:  # fmt: skip
    """Tools for an agent.   narraworld mcp --world novel --as "Ines Corvo" --told 2"""
    from narraworld.desk.answers.seen_story import SituationPins

    pins = SituationPins(at, told, eyes)
    if eyes and (relay or remember or propose):
        raise NarraWorldError("who writes sees everything", fix="leave out --as, or the flag that writes")
    with needs_extra("mcp", "mcp"):
        import narraworld.mcp.server  # noqa: F401
    if relay and not (pins or propose or remember or http is not None):
        _relay_alone(where, files or [])
    else:
        _story(where, pins, http, _flagged(where, files or [], propose, remember, relay))


def _relay_alone(where: Path, files: list[str]) -> None:
    from narraworld.mcp.server import serve_stdio, tool_server

    serve_stdio(tool_server(_relay_tools(where, files), RELAY))


def _relay_tools(where: Path, files: list[str]) -> list[AgentTool]:
    from narraworld.mcp.tools import relay_tools
    from narraworld.relay.errand import Errand, Relay

    found, name = Relay(where), f"mcp-{os.getpid()}"
    if files:
        found.begin(Errand(tuple(str(Path(file).resolve()) for file in files)))
    return relay_tools(found, name)


def _flagged(where: Path, files: list[str], propose: bool, remember: bool, relay: bool) -> Any:
    """The tools that flags add, once there is a desk."""
    from narraworld.mcp.memory_tools import propose_tool, remember_tools

    return lambda desk: [
        *([propose_tool(desk)] if propose else []),
        *(remember_tools(desk) if remember else []),
        *(_relay_tools(where, files) if relay else []),
    ]


def _story(where: Path, pins: SituationPins, http: int | None, more: Any) -> None:
    from narraworld.desk.answers.seen_story import seen_in
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.mcp.server import http_app, serve_stdio, story_server
    from narraworld.world import World

    with StoryDesk(World.open(where)) as desk:
        if pins:
            seen_in(desk, {}, pins)  # a pin that means nothing is said now, not to the model
        server = story_server(desk, pins, more(desk))
        desk.start()
        if http is None:
            serve_stdio(server)
            return
        from narraworld.web.serving import LOOPBACK, PageServer, bound

        listening = bound(LOOPBACK, http)
        port = listening.getsockname()[1]
        echo(f"tools for agents at http://{LOOPBACK}:{port}/mcp", err=True)
        app = http_app(server, [f"{LOOPBACK}:{port}", f"localhost:{port}"])
        PageServer(app, desk.ring_out).run(sockets=[listening])
