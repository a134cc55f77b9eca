"""The door to the MCP SDK: tools served over stdio. The SDK's low-level server, so that the lists stay as short as we write them.

Importing this module takes a second; only `narraworld mcp` does. The world is used in a thread, so that a busy one does not keep the
host waiting for a sign of life.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server

from narraworld.mcp.tools import AgentTool, call

__all__ = ["serve_stdio"]


def serve_stdio(tools: Sequence[AgentTool], instructions: str, version: str) -> None:
    """Serve until the host closes the line."""
    asyncio.run(_serve(_server(tools, instructions, version)))


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _server(tools: Sequence[AgentTool], instructions: str, version: str) -> Server[Any]:
    async def listed(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_shown(one) for one in tools])

    async def called(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
        reply = await asyncio.to_thread(call, tools, asked.name, asked.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=dict(reply.data),
            is_error=reply.failed,
        )

    return Server(
        "narraworld", version=version, instructions=instructions, on_list_tools=listed, on_call_tool=called
    )


def _shown(tool: AgentTool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=not tool.writes)
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=dict(tool.schema), annotations=hints
    )
