"""The wheel is one import package, whole, and runs where this repository is not."""

from __future__ import annotations

import contextlib
import importlib.metadata as installed
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

ROOMS = ("kb", "rules", "ontology", "extract", "query")
OUTSIDE = "src/narraworld"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

BEHIND_EXTRAS = (  # the doors to what only `narraworld[…]` brings
    "narraworld/mcp/server.py",
    "narraworld/lsp/language_server.py",
    *(f"narraworld/web/{name}.py" for name in ("guard", "live", "serving", "site", "sparql_endpoint")),
)

IMPORT_EVERYTHING = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))  # importing one of these now fails
import narraworld
for module in pkgutil.walk_packages(narraworld.__path__, "narraworld."):
    behind = ("__main__", "mcp.server", "lsp.language_server", "web.guard", "web.live", "web.serving", "web.site", "web.sparql_endpoint")
    if not module.name.endswith(behind):
        print(importlib.import_module(module.name).__file__)
"""


def shipped() -> Iterator[tuple[Path, str]]:
    """Every file that belongs in the wheel, with its name there."""
    for folder, prefix in [(OUTSIDE, "narraworld"), *((room, f"narraworld/{room}") for room in ROOMS)]:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path, f"{prefix}/{path.relative_to(ROOT / folder).as_posix()}"


def runtime_distributions() -> set[str]:
    """What `pip install narraworld` brings, directly or through others."""
    found, waiting = set[str](), list(PYPROJECT["project"]["dependencies"])
    while waiting:
        name = re.match(r"[\w.-]+", waiting.pop())[0].lower().replace("_", "-")  # type: ignore[index]
        if name in found:
            continue
        found.add(name)
        with contextlib.suppress(installed.PackageNotFoundError):  # wanted on other systems only
            waiting += [need for need in installed.requires(name) or () if "extra ==" not in need]
    return found


def development_modules() -> list[str]:
    """Modules that are here only because we develop here."""
    runtime = runtime_distributions()
    owners = {
        top: {name.lower().replace("_", "-") for name in names}
        for top, names in installed.packages_distributions().items()
    }
    return sorted(top for top, names in owners.items() if not names & (runtime | {"narraworld"}))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, without network: setuptools is among the development tools."""
    copy, out = tmp_path_factory.mktemp("source") / "narraworld", tmp_path_factory.mktemp("wheel")
    leave_out = shutil.ignore_patterns(
        ".*", "build", "dist", "*.egg-info", "__pycache__", "tests", "bench", "docs"
    )
    shutil.copytree(ROOT, copy, ignore=leave_out)
    build = f"import setuptools.build_meta as backend; backend.build_wheel({str(out)!r})"
    done = subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for _, name in shipped()} <= names, "forgotten in [tool.setuptools] of pyproject.toml"


def test_the_wheel_brings_one_top_level_name(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"narraworld"}


def test_the_wheel_carries_the_licence(wheel: Path) -> None:
    assert any(name.endswith("licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_every_module_imports_far_from_the_repository_without_development_tools(
    wheel: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", IMPORT_EVERYTHING, *development_modules()],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(site)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded = {Path(line) for line in done.stdout.splitlines()}
    modules = {site / name for _, name in shipped() if name.endswith(".py") and "/stories/" not in name}
    unloaded = ("narraworld/__init__.py", "narraworld/__main__.py", *BEHIND_EXTRAS)
    assert loaded == modules - {site / name for name in unloaded}


def test_pyproject_names_every_package() -> None:
    folders = {
        name.rpartition("/")[0] for _, name in shipped() if name.endswith(".py") and "/stories/" not in name
    }
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == {
        folder.replace("/", ".") for folder in folders
    }


def test_type_checkers_see_what_python_imports() -> None:
    """`.typing/narraworld` shows the rooms and the outside as one folder; a file without a link is not checked."""
    view = ROOT / ".typing" / "narraworld"
    outside = {
        ROOT / OUTSIDE / path.relative_to(ROOT / OUTSIDE).parts[0] for path in (ROOT / OUTSIDE).rglob("*.py*")
    }
    real = [ROOT / room for room in ROOMS] + sorted(path for path in outside if path.name != "__pycache__")
    unseen = [
        path.name for path in real if not (view / path.name).exists() or not (view / path.name).samefile(path)
    ]
    assert unseen == [], "ln -s ../../src/narraworld/NAME .typing/narraworld/NAME"


def test_one_version_everywhere() -> None:
    import narraworld

    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert cited is not None
    assert PYPROJECT["project"]["version"] == narraworld.__version__ == cited[1]
