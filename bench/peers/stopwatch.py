"""What every run reports: processor milliseconds of an episode around each size and of a question, and peak memory. One JSON line.

Runs in the environment of any system: imports nothing but the standard library and `bench.frame`, which is no more.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench.frame import peak_mb

__all__ = ["QUESTIONS", "Stopwatch"]

QUESTIONS = 40
LAST = 50  # episodes before a size, whose median is what one costs there


class Stopwatch:
    """Times episodes and questions of one system, size by size."""

    def __init__(self, system: str) -> None:
        self._said: dict[str, object] = {"system": system}
        self._episodes: list[float] = []
        self._questions: dict[str, list[float]] = {}

    @contextmanager
    def episode(self) -> Iterator[None]:
        began = time.process_time()
        yield
        self._episodes.append(time.process_time() - began)

    @contextmanager
    def question(self, kind: str = "search") -> Iterator[None]:
        began = time.process_time()
        yield
        self._questions.setdefault(kind, []).append(time.process_time() - began)

    def reached(self, size: int, **more: object) -> None:
        """Note what was measured since the last size."""
        asked, self._questions = self._questions, {}
        figures: dict[str, object] = {
            "ingest_ms": _ms(statistics.median(self._episodes[-LAST:])),
            "peak_mb": peak_mb(),
        }
        for kind, spent in asked.items():
            figures |= {f"{kind}_p50_ms": _ms(statistics.median(spent)), f"{kind}_p95_ms": _ms(_p95(spent))}
        self._said[str(size)] = figures | more

    def tell(self) -> None:
        print(json.dumps(self._said), flush=True)


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]
