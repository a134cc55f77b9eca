"""The door to the MCP SDK: tools, resources and prompts over stdio and streamable HTTP. The SDK's low-level server, so that the lists stay
as short as we write them.

Importing this module takes a second; only `narraworld mcp` and `serve` do. The world is used in a thread, so that a busy one does not keep the
host waiting for a sign of life.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from narraworld.base.errors import NarraWorldError
from narraworld.base.version import __version__
from narraworld.mcp.story_resources import PROMPTS, completions, prompt_text, resource_text, resources_for
from narraworld.mcp.story_tools import INSTRUCTIONS, story_tools
from narraworld.mcp.tools import AgentTool, call

if TYPE_CHECKING:
    from narraworld.desk.answers.seen_story import SituationPins
    from narraworld.desk.bell import DeskNews
    from narraworld.desk.story_desk import StoryDesk

__all__ = ["http_app", "mounted", "serve_stdio", "story_server", "tool_server"]


def serve_stdio(server: Server[Any]) -> None:
    """Serve until the host closes the line."""

    async def serving() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    asyncio.run(serving())


def http_app(server: Server[Any], hosts: Sequence[str], path: str = "/mcp") -> Any:
    """The server as an ASGI application; Host and Origin must be ours."""
    origins = [f"http://{host}" for host in hosts]
    security = TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=origins)
    return server.streamable_http_app(streamable_http_path=path, transport_security=security)


def mounted(desk: StoryDesk, pins: SituationPins, hosts: Sequence[str]) -> tuple[Any, Callable[[], Any]]:
    """For the page's server: the application, and what must run as long as it does; a mounted one's own lifespan is not run."""
    server = story_server(desk, pins)
    app = http_app(server, hosts, "/")

    @contextlib.asynccontextmanager
    async def running() -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield

    return app, running


def tool_server(tools: Sequence[AgentTool], instructions: str) -> Server[Any]:
    """A server of tools alone."""
    return Server("narraworld", version=__version__, instructions=instructions, **_tool_handlers(tools))


def story_server(desk: StoryDesk, pins: SituationPins, more: Sequence[AgentTool] = ()) -> Server[Any]:
    """The story's own tools and ``more``, its resources and its prompts."""
    tools = [*story_tools(desk, pins), *more]
    return Server(
        "narraworld", version=__version__, instructions=INSTRUCTIONS, **_tool_handlers(tools), **_resource_handlers(desk, pins),
        **_prompt_handlers(desk, pins),
    )  # fmt: skip


def _tool_handlers(tools: Sequence[AgentTool]) -> dict[str, Any]:
    async def listed(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_shown(one) for one in tools])

    async def called(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        reply = await asyncio.to_thread(call, tools, asked.name, asked.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=dict(reply.data),
            is_error=reply.failed,
        )

    return {"on_list_tools": listed, "on_call_tool": called}


def _shown(tool: AgentTool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=False) if tool.writes else None
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=dict(tool.schema), annotations=hints
    )


# -- resources


def _resource_handlers(desk: StoryDesk, pins: SituationPins) -> dict[str, Any]:
    fixed, templates = resources_for(pins)
    subscribers = _Subscribers(desk)

    async def listed(*_: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[types.Resource(uri=uri, name=name) for uri, name in fixed.items()]
        )

    async def templated(*_: object) -> types.ListResourceTemplatesResult:
        made = [types.ResourceTemplate(uri_template=uri, name=name) for uri, name in templates.items()]
        return types.ListResourceTemplatesResult(resource_templates=made)

    async def read(_: object, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text = await asyncio.to_thread(_said, resource_text, desk, pins, str(asked.uri))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=asked.uri, mime_type="text/plain", text=text)]
        )

    async def subscribed(context: Any, asked: types.SubscribeRequestParams) -> types.EmptyResult:
        subscribers.add(str(asked.uri), context.session)
        return types.EmptyResult()

    return {
        "on_list_resources": listed, "on_list_resource_templates": templated, "on_read_resource": read,
        "on_subscribe_resource": subscribed,
    }  # fmt: skip


class _Subscribers:
    """Sessions that want to know when what they read has changed; the desk's bell rings for them."""

    def __init__(self, desk: StoryDesk) -> None:
        self._desk = desk
        self._wanted: list[tuple[str, Any]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def add(self, uri: str, session: Any) -> None:
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._desk.bell.join(self._heard)
        self._wanted.append((uri, session))

    def _heard(self, news: DeskNews | None) -> bool:
        if news is None or self._loop is None or self._loop.is_closed():
            return False
        if news.kind == "changed":
            asyncio.run_coroutine_threadsafe(self._tell(), self._loop)
        return True

    async def _tell(self) -> None:
        for uri, session in tuple(self._wanted):
            try:
                await session.send_resource_updated(uri)
            except Exception:  # the session is gone, however it went
                self._wanted.remove((uri, session))


# -- prompts


def _prompt_handlers(desk: StoryDesk, pins: SituationPins) -> dict[str, Any]:
    async def listed(*_: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[
            types.Prompt(name=name, description=said, arguments=[types.PromptArgument(name=one) for one in arguments])
            for name, (said, arguments) in PROMPTS.items()
        ])  # fmt: skip

    async def got(_: object, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = await asyncio.to_thread(_said, prompt_text, desk, pins, asked.name, asked.arguments or {})
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def completed(_: object, asked: types.CompleteRequestParams) -> types.CompleteResult:
        values = await asyncio.to_thread(completions, desk, pins, asked.argument.name, asked.argument.value)
        return types.CompleteResult(
            completion=types.Completion(values=values, total=len(values), has_more=False)
        )

    return {"on_list_prompts": listed, "on_get_prompt": got, "on_completion": completed}


def _said(make: Callable[..., str], *given: Any) -> str:
    """A text; where there is none, why not, in words that a model can act on."""
    try:
        return make(*given)
    except NarraWorldError as error:
        return str(error)
