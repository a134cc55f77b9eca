"""The tiny novel of the surfaces, read once in a process that tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_desk import made_novel


@pytest.fixture(scope="session")
def novel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three chapters, read. Nobody may write in it: take a copy."""
    return made_novel(tmp_path_factory.mktemp("novel") / "ferry")


@pytest.fixture
def novel_copy(novel: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(novel, tmp_path / "ferry"))
