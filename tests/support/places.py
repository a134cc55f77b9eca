"""Where things lie, for tests in any folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STORIES = ROOT / "src" / "narraworld" / "stories"
SUPPORT = ROOT / "tests" / "support"
