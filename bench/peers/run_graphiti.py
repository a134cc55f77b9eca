"""Graphiti with Kuzu in memory: `python -m bench.peers.run_graphiti URL FOLDER kuzu SIZES…`, in an environment of its own.

Three things 0.31.1 leaves out for Kuzu are made up for here, each where it says so.
"""

from __future__ import annotations

import asyncio
import importlib.metadata as versions
import os
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.peers.episodes import episode, question
from bench.peers.stopwatch import QUESTIONS, Stopwatch
from bench.peers.stub_model import SIZE

__all__ = ["main"]

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


async def main(url: str, sizes: list[int]) -> None:
    os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
    graph = await _graph(url)
    from graphiti_core.nodes import EpisodeType

    watch = Stopwatch(f"Graphiti {versions.version('graphiti-core')}, Kuzu {versions.version('kuzu')}")
    done = 0
    for size in sizes:
        for number in range(done, size):
            with watch.episode():
                await graph.add_episode(
                    f"e{number}", episode(number).marked, "story", BEGAN + timedelta(minutes=number),
                    source=EpisodeType.text, group_id="story",
                )  # fmt: skip
        done, found = size, 0
        for number in range(QUESTIONS):
            with watch.question():
                found += len(await graph.search(question(number, size), group_ids=["story"]))
        watch.reached(size, found=found)
    watch.tell()


async def _graph(url: str) -> Any:
    from graphiti_core import Graphiti
    from graphiti_core.cross_encoder.openai_reranker_client import OpenAIRerankerClient
    from graphiti_core.driver.kuzu_driver import KuzuDriver
    from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
    from graphiti_core.llm_client.config import LLMConfig
    from graphiti_core.llm_client.openai_generic_client import OpenAIGenericClient

    config = LLMConfig(api_key="none", model="stub", small_model="stub", base_url=url)
    driver = KuzuDriver(":memory:")
    driver._database = "story"  # it is asked for an attribute that it does not have
    vectors = OpenAIEmbedderConfig(api_key="none", base_url=url, embedding_model="stub", embedding_dim=SIZE)
    graph = Graphiti(
        graph_driver=driver, llm_client=OpenAIGenericClient(config), embedder=OpenAIEmbedder(vectors),
        cross_encoder=OpenAIRerankerClient(config),
    )  # fmt: skip
    await graph.build_indices_and_constraints()
    await _full_text(driver)
    return graph


async def _full_text(driver: Any) -> None:
    """It makes no full-text indexes for Kuzu by itself, and every search asks for them."""
    from graphiti_core.driver.driver import GraphProvider
    from graphiti_core.graph_queries import get_fulltext_indices

    await driver.execute_query("LOAD EXTENSION fts")
    for statement in get_fulltext_indices(GraphProvider.KUZU):
        await driver.execute_query(statement)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], [int(one) for one in sys.argv[4:]]))
