"""The promises the tree makes about itself: who imports whom, and how files read."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from places import ROOT

ROOMS = ("kb", "rules", "ontology", "extract", "query", "src/narraworld")
MODULES = sorted(p.relative_to(ROOT).as_posix() for room in ROOMS for p in (ROOT / room).rglob("*.py"))
BENCHES = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "bench").rglob("*.py"))
RULE_FILES = sorted(
    p.relative_to(ROOT).as_posix() for room in (*ROOMS, "bench") for p in (ROOT / room).rglob("*.dl")
)

MOST_LINES = 450
MOST_RULE_LINES = 150

# Each library has one door, so that replacing it is a change to one file.
DOORS = {
    "pyDatalog": {"rules/engines/pydatalog/engine.py"},
    "duckdb": {"rules/engines/duckdb.py", "rules/engines/parquet.py"},
    "lark": {"rules/language/surface/syntax.py"},
    "pyspark": {"rules/engines/spark_sql.py", "src/narraworld/corpus/spark.py"},
    "pyarrow": {"src/narraworld/corpus/spark.py"},
    "pyshacl": {"ontology/validate.py"},
    "oxrdflib": {"kb/quads.py", "kb/rdf/sparql.py"},
    "pyoxigraph": {"kb/quads.py", "kb/rdf/sparql.py"},
    "whoosh": {"kb/search/search_words.py"},
    "tiktoken": {"query/memory/tokens.py"},
    "wordllama": {"query/memory/index/vectors.py"},
    "tokenizers": {"kb/encoder/pieces.py", "query/memory/index/vectors.py"},
    "openai": {"src/narraworld/models/openai.py"},
    "instructor": {"src/narraworld/models/openai.py"},
    "spacy": {
        f"extract/embedded/{door}.py" for door in ("grammar/parser", "english/__init__", "english/marks")
    },
    "lemminflect": {"extract/embedded/lexicon/inflection.py"},
    "jinja2": {"query/shown/page_templates.py", "src/narraworld/web/templating.py"},
    "starlette": {module for module in MODULES if module.startswith("src/narraworld/web/")},
    "uvicorn": {"src/narraworld/web/serving.py"},
    "mcp": {"src/narraworld/mcp/server.py"},
    "pygls": {"src/narraworld/lsp/language_server.py"},
    "pandas": {"query/figures/result_tables.py", "query/theories/frame.py"},
    "rich": {"src/narraworld/commands/progress.py"},
    "typer": {module for module in MODULES if module.startswith("src/narraworld/commands/")},
}

# A folder of the machine someone happened to work on; the pattern does not match itself.
FOREIGN_PATH = re.compile(r"(?<![\w.~}])/(?:work|home|tmp)/")
TEXT = {".py", ".dl", ".ttl", ".lark", ".sql", ".toml", ".md", ".cff", ""}
SOURCES = (*ROOMS, "bench", "tests", "docs", ".ci")


def tree(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text("utf-8"), filename=module)


def imported(module: ast.Module) -> Iterator[str]:
    """Names of the libraries that are imported, at the top or inside functions; for types alone does not count."""
    for node in executed(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@cache
def libraries(module: str) -> frozenset[str]:
    return frozenset(imported(tree(module)))


def executed(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    only_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for child in ast.iter_child_nodes(node) if not only_types else ():
        yield from executed(child)


def public_names(body: list[ast.stmt]) -> Iterator[str]:
    """What the module itself defines for others."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def source_texts() -> Iterator[Path]:
    for folder in SOURCES:
        yield from (
            p
            for p in (ROOT / folder).rglob("*")
            if p.is_file()
            and p.suffix in TEXT
            and not {"__pycache__", "weights"} & set(p.parts)  # weights are no text
        )
    yield from (p for p in ROOT.iterdir() if p.is_file() and p.suffix in TEXT and not p.name.startswith("."))


def outside_view(*command: str) -> subprocess.CompletedProcess[str]:
    """Run where `.typing` shows the rooms as one package: import-linter walks folders and knows no editable install."""
    env = os.environ | {"PYTHONPATH": str(ROOT / ".typing")}
    return subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True)


def test_imports_point_inwards() -> None:
    done = outside_view(
        "-c", "from importlinter.cli import lint_imports_command as run; run(['--no-logo', '--no-cache'])"
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_import_linter_sees_every_module() -> None:
    done = outside_view("-c", "import grimp; print(*grimp.build_graph('narraworld', cache_dir=None).modules)")
    expected = {m.removeprefix("src/narraworld/") for m in MODULES if "/stories/" not in m}
    dotted = {
        "narraworld." + m.removesuffix(".py").removesuffix("__init__").strip("/").replace("/", ".")
        for m in expected
    }
    assert {name.rstrip(".") for name in dotted} == set(done.stdout.split()), done.stderr


@pytest.mark.parametrize("library", DOORS)
def test_each_library_has_one_door(library: str) -> None:
    users = {module for module in MODULES if library in libraries(module)}
    assert users <= DOORS[library]


def test_a_door_is_found_wherever_it_opens() -> None:
    text = "import a.b\nfrom c import d\nfrom . import e\ndef f():\n    import g\nif TYPE_CHECKING:\n    import h\n"
    assert list(imported(ast.parse(text))) == ["a", "c", "g"]


@pytest.mark.parametrize("module", [*MODULES, *BENCHES])
def test_a_module_says_what_it_is(module: str) -> None:
    assert ast.get_docstring(tree(module)), "a module docstring: what it is and what it never touches"


@pytest.mark.parametrize("module", [*MODULES, *BENCHES])
def test_a_module_names_what_it_offers(module: str) -> None:
    names = set(public_names(tree(module).body))
    offers_something = any(not name.startswith("_") for name in names)
    assert "__all__" in names or not offers_something or module.endswith("__main__.py")


@pytest.mark.parametrize("module", [*MODULES, *BENCHES])
def test_a_module_fits_in_the_head(module: str) -> None:
    assert len((ROOT / module).read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("rules", RULE_FILES)
def test_a_rule_file_fits_on_three_screens(rules: str) -> None:
    """A catalogue of declarations may be longer: nobody reads it from top to bottom."""
    text = (ROOT / rules).read_text("utf-8")
    assert ":-" not in text or len(text.splitlines()) <= MOST_RULE_LINES


@pytest.mark.parametrize("rules", RULE_FILES)
def test_every_relation_has_its_sentence(rules: str) -> None:
    assert list(silent_relations((ROOT / rules).read_text("utf-8"))) == [], (
        "a `///` sentence above each .decl"
    )


def silent_relations(text: str) -> Iterator[str]:
    comment: list[str] = []
    for line in text.splitlines():
        if line.startswith(".decl") and not any(said.startswith("/// ") for said in comment):
            yield line
        comment = [*comment, line] if line.startswith("//") else []


def test_a_silent_relation_is_noticed() -> None:
    text = "/// Said.\n//@ from nw:Event: id\n.decl said(e:symbol)\n.decl silent(e:symbol)\n"
    assert list(silent_relations(text)) == [".decl silent(e:symbol)"]


def test_no_folder_of_one_machine_is_named_in_the_sources() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in source_texts()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if FOREIGN_PATH.search(line)
    ]
    assert found == []


# Two modules may share a name only where their packages tell them apart.
TOLD_APART = {
    "__init__", "errors", "reader", "engine", "coverage", "clauses", "decisions",
    "read", "world", "branches",  # a command bears the name of the verb it calls
}  # fmt: skip
MOST_MODULES = 15  # in a folder


def doubles(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names that several modules bear, and which do."""
    bearers: dict[str, list[str]] = {}
    for name, module in named:
        bearers.setdefault(name, []).append(module)
    return {name: modules for name, modules in bearers.items() if len(modules) > 1}


def test_one_word_is_one_thing() -> None:
    classes = (
        (name, module)
        for module in MODULES
        for node in tree(module).body
        if (name := defined_type(node)) and not name.startswith("_")
    )
    assert doubles(classes) == {}


def defined_type(node: ast.stmt) -> str | None:
    """The class or the alias of a type that a statement defines."""
    if isinstance(node, ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        return ast.unparse(node.target)
    return None


def test_a_class_and_an_alias_are_both_types() -> None:
    found = map(defined_type, ast.parse("class A: ...\nB: TypeAlias = int\nC: int = 1\nD = 2\n").body)
    assert list(found) == ["A", "B", None, None]


def test_a_module_bears_a_name_of_its_own() -> None:
    assert doubles((Path(module).stem, module) for module in MODULES).keys() <= TOLD_APART


def test_a_folder_can_be_taken_in_at_a_glance() -> None:
    crowd = Counter(str(Path(module).parent) for module in MODULES)
    assert {folder: count for folder, count in crowd.items() if count > MOST_MODULES} == {}


def test_every_package_is_listed() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    folders = {
        str(Path(m).parent).removeprefix("src/narraworld").strip("/") for m in MODULES if "__init__" in m
    }
    assert set(listed) == {".".join(("narraworld", *Path(folder).parts)) for folder in folders}


PATHS_SAID = re.compile(
    r"(?<![\w/.])(?:src/narraworld|extract|kb|rules|query|ontology|tests|bench)/[\w/.*-]+\.\w+"
)


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
)
def test_a_page_names_files_that_are_there(page: str) -> None:
    said = PATHS_SAID.findall((ROOT / page).read_text("utf-8"))
    assert [path for path in said if "*" not in path and not (ROOT / path).exists()] == []
