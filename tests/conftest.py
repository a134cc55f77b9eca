"""What all tests share: property tests have no stopwatch (machines differ), and in CI they try the same examples each time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

pytest_plugins = [
    "world_fixtures",
    "surface_fixtures",
]  # the bundled stories, read once, and the command inside this process

settings.register_profile(
    "narraworld",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("narraworld")
