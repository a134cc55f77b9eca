"""A theory of narrative as a folder: `pack.dl` and further rule files, a page in plain words, a story, what must come out.

    rules/formalisms/genette/pack.dl        head (see `head`), relations, rules that cite the theory
                            /page.md        what it claims, needs, shows and cannot see
                            /story/*.toml   a story of our own as records
                            /expected.toml  exactly what its results are on that story

Reads such folders, shipped or a user's own; runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from narraworld.base.errors import NarraWorldError
from narraworld.kb.errors import did_you_mean
from narraworld.rules.errors import RuleError
from narraworld.rules.language.ir import Atom, Relation, SourcePlace
from narraworld.rules.language.program import load_pack
from narraworld.rules.packs.head import Feature, PackHead, PackNeed, read_head

if TYPE_CHECKING:
    from narraworld.rules.language.program import RuleBook

__all__ = ["FORMALISMS", "Pack", "load_pack_named", "pack_names"]

FORMALISMS = Path(__file__).parents[1] / "formalisms"
FIRST = "pack.dl"


@dataclass(frozen=True, slots=True)
class Pack:
    """One theory: its head, its folder, its program over the relations of the world, and which relations are its results."""

    name: str
    folder: Path
    head: PackHead
    program: RuleBook
    own: frozenset[str]

    @property
    def page(self) -> str:
        file = self.folder / "page.md"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @property
    def files(self) -> tuple[Path, ...]:
        return _files(self.folder)

    @property
    def results(self) -> tuple[Relation, ...]:
        """The relations that the pack shows: declared here, derived, with a sentence, and no mere bookkeeping."""
        own = [self.program.relations[name] for name in self.program.relations if name in self.own]
        return tuple(one for one in own if one.doc and not (one.quiet or one.base or one.auxiliary))

    @property
    def bound(self) -> tuple[Relation, ...]:
        """Base relations of its own, bound to properties of the ontology."""
        return tuple(one for one in self.program.relations.values() if one.name in self.own and one.bindings)

    def waits(self, result: str, missing: frozenset[str]) -> tuple[PackNeed, ...]:
        """What a result lacks where the relations ``missing`` have no row; by itself, or in what it is made of."""
        lacking = [need for need in self.head.needs if need.relation in missing]
        return tuple(
            need for need in lacking if need.concerns(result) or self._waits_for(result, need, set())
        )

    def _waits_for(self, result: str, need: PackNeed, seen: set[str]) -> bool:
        """Whether each rule for a result reads one that the need concerns."""
        if need.results and result in need.results:
            return True
        rules = self.program.rules_for(result) if result in self.own else ()
        if result in seen or not rules:
            return False
        read = [[part.relation for part in rule.body if isinstance(part, Atom)] for rule in rules]
        return all(any(self._waits_for(one, need, seen | {result}) for one in body) for body in read)


def pack_names() -> tuple[str, ...]:
    """The shipped packs, by name."""
    return tuple(sorted(path.parent.name for path in FORMALISMS.glob(f"*/{FIRST}")))


def load_pack_named(name: str | Path, book: RuleBook) -> Pack:
    """A shipped pack by its name, or one's own by its folder; checked against the relations of ``book``."""
    folder = _folder(name)
    program = load_pack(_files(folder), book)
    head = next(source.head for source in program.sources if source.file == str(folder / FIRST))
    own = frozenset(program.relations.keys() - book.relations.keys())
    pack = Pack(folder.name, folder, read_head(head, str(folder / FIRST)), program, own)
    _check_names(pack)
    return pack


def _folder(name: str | Path) -> Path:
    for folder in (FORMALISMS / name, Path(name)):
        if (folder / FIRST).is_file():
            return folder
    known = pack_names()
    fix = did_you_mean(str(name), known) or f"known are: {', '.join(known)}; or a folder with a {FIRST}"
    raise NarraWorldError(f"there is no formalism {str(name)!r}", fix=fix)


def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*.dl"), key=lambda path: (path.name != FIRST, path.name)))


def _check_names(pack: Pack) -> None:
    """Each relation and column that the head names is there."""
    place = SourcePlace(str(pack.folder / FIRST), 1, 1)
    relations = pack.program.relations
    for relation, column in _named(pack.head):
        if relation not in relations:
            fix = did_you_mean(relation, relations)
            raise RuleError(f"the head names {relation}, which nobody declares", place, fix=fix)
        columns = [one.name for one in relations[relation].columns]
        if column and column not in columns:
            raise RuleError(
                f"{relation} has no column {column}", place, fix=f"known are: {', '.join(columns)}"
            )


def _named(head: PackHead) -> Iterator[tuple[str, str | None]]:
    """Each relation that a head names, with each column of it."""
    yield from ((one, None) for need in head.needs for one in need.relations)
    yield from ((result, None) for need in head.needs for result in need.results)
    for feature in head.features:
        yield from ((feature.relation, column) for column in _columns(feature) or [None])


def _columns(feature: Feature) -> list[str | None]:
    return [*([feature.column] if feature.column else []), *([feature.where[0]] if feature.where else [])]
