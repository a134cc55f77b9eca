"""The tests of what was touched, for `make quick`: each changed file's own test, else those of its folder, nearest first.

Prints paths for pytest. Looks at git and at names of files, never into them.
"""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]


def changed() -> list[str]:
    """Files that differ from the last commit, and files git does not know yet."""
    asked = (["git", "diff", "--name-only", "HEAD"], ["git", "ls-files", "--others", "--exclude-standard"])
    return [name for words in asked for name in subprocess.check_output(words, cwd=ROOT, text=True).split()]


def nearest_tests(name: str, exists: frozenset[str]) -> str | None:
    """`kb/time/clock.py` → `tests/kb/time/test_clock.py` if there is one, else the nearest folder of tests above it."""
    path = PurePosixPath(name.removeprefix("src/narraworld/"))
    if name.startswith("tests/"):
        return name if path.name.startswith("test_") else None
    for wanted in (PurePosixPath("tests", path.parent, f"test_{path.stem}.py"), *_folders(path)):
        if wanted.as_posix() in exists:
            return wanted.as_posix()
    return None


def _folders(path: PurePosixPath) -> list[PurePosixPath]:
    return [PurePosixPath("tests", folder) for folder in path.parents if folder.name]


def everything() -> frozenset[str]:
    """Every file and folder of tests, by its path from the root."""
    return frozenset(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*"))


if __name__ == "__main__":
    there = everything()
    print(*sorted({found for name in changed() if (found := nearest_tests(name, there))}))
