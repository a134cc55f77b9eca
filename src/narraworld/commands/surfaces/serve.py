"""`narraworld serve`: the page in the browser. Parses, opens the desk, says where, and serves until it is told to end."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from narraworld.commands.options import At, Eyes, Told, Where, echo, needs_extra

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SituationPins
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    where: Where = Path(),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The next free one is taken when this is not; 0 is any.")] = 8420,
    host: Annotated[str, typer.Option("--host", help="Anything but this machine needs a token.")] = "127.0.0.1",
    token: Annotated[str | None, typer.Option("--token", help="Who knows it may look; made and told once where one is needed.")] = None,
    eyes: Eyes = None,
    at: At = None,
    told: Told = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="No waivers, no what-ifs, and nothing is read anew.")] = False,
    agents: Annotated[bool, typer.Option("--mcp/--no-mcp", help="With tools for agents at /mcp/.")] = True,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:  # fmt: skip
    """The story in the browser: findings, minds, proofs, map, threads.   narraworld serve --world novel"""
    with needs_extra("serve", "web"):
        from narraworld.web.serving import PageServer, bound, is_loopback
    from narraworld.desk.answers.seen_story import SituationPins, seen_in
    from narraworld.desk.story_desk import StoryDesk
    from narraworld.world import World

    pins = SituationPins(at, told, eyes)
    word = token or (None if is_loopback(host) else secrets.token_urlsafe(18))
    with bound(host, port) as listening, StoryDesk(World.open(where, create=not read_only)) as desk:
        if pins:
            seen_in(desk, {}, pins)  # a pin that means nothing is said now, not to a visitor
        server = PageServer(_guarded(desk, pins, read_only, agents, listening, host, word), desk.ring_out)
        address = _said(listening, host, port, word, made=token is None)
        if not read_only:
            desk.start()
        if open_:
            typer.launch(address)
        server.run(sockets=[listening])


def _guarded(
    desk: StoryDesk, pins: SituationPins, read_only: bool, agents: bool, listening: socket.socket, host: str, token: str | None
) -> Any:  # fmt: skip
    from narraworld.web.guard import PageGuard
    from narraworld.web.site import Site, made_site

    port = listening.getsockname()[1]
    names = ("127.0.0.1", "localhost", "[::1]", host, socket.gethostname())
    hosts = {f"{name}:{port}" for name in names} | ({*names} if port == 80 else set())
    mounted = _agents(desk, pins, sorted(hosts)) if agents else None
    return PageGuard(made_site(Site(desk, pins, read_only), mounted), hosts, token)


def _agents(desk: StoryDesk, pins: SituationPins, hosts: list[str]) -> Any:
    """The tools for agents, where the SDK is installed."""
    try:
        from narraworld.mcp.server import mounted
    except ModuleNotFoundError:
        return None
    return mounted(desk, pins, hosts)


def _said(listening: socket.socket, host: str, wanted: int, token: str | None, *, made: bool) -> str:
    port = listening.getsockname()[1]
    if wanted and port != wanted:
        echo(f"port {wanted} is taken; this is {port}", err=True)
    address = f"http://{host}:{port}/"
    echo(f"the desk is at {address}   (Ctrl-C ends)")
    if token and made:
        echo(f"enter with {address}enter?token={token}")
    return f"{address}enter?token={token}" if token else address
