"""The door to pygls: diagnostics on save with the other passage, hover, definition, references, symbols, quick fixes, commands.

One desk for the workspace that has a store or a `narraworld.toml`. Writes `.narraworld/decisions.toml`, never the text: no rename, no
formatting, no inlay hints are offered. stdout belongs to the protocol.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from narraworld.base.errors import NarraWorldError
from narraworld.base.quotation_marks import in_marks
from narraworld.base.version import __version__
from narraworld.desk.bell import DeskNews
from narraworld.desk.story_desk import StoryDesk
from narraworld.kb.journal.store import FOLDER
from narraworld.lsp.hovering import hover_text, mentions, named_at, outline, people_and_things
from narraworld.lsp.places_in_files import FileRange, ranges_of
from narraworld.project.file import FILE as SETTINGS
from narraworld.query.checks.findings import Finding
from narraworld.world import World

__all__ = ["StoryLanguageServer", "made_server", "serve"]

SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning, "note": lsp.DiagnosticSeverity.Information,
}  # fmt: skip
ORDER = ("error", "warning", "note")
SYMBOLS = {
    "character": lsp.SymbolKind.Class,
    "group": lsp.SymbolKind.Class,
    "place": lsp.SymbolKind.Namespace,
    "object": lsp.SymbolKind.Object,
}
OURS = "narraworld"
Made = TypeVar("Made")


class StoryLanguageServer(LanguageServer):
    """The server and its desk. Without a store it stays silent until `narraworld.read` is run."""

    def __init__(self) -> None:
        super().__init__(OURS, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.desk: StoryDesk | None = None
        self.options: dict[str, Any] = {}
        self.published: set[str] = set()

    # -- the desk

    def open_desk(self, folder: Path, *, create: bool = False) -> StoryDesk | None:
        """The desk of a folder that has a store, or is a project."""
        if self.desk is None and (create or (folder / FOLDER).is_dir() or (folder / SETTINGS).is_file()):
            self.desk = StoryDesk(World.open(folder, create=True))
        return self.desk

    async def look(self) -> None:
        """Read what was saved, check, and show it in every file."""
        desk = self.desk
        if desk is None or self.options.get("checkOn") == "never":
            return
        with desk.bell.heard_by(self._told):
            await self.apart(desk.look_again)
        await self.publish()

    def _told(self, news: DeskNews | None) -> None:
        if news is not None and news.kind == "failed":
            LOG.warning("%s: %s", news.data.get("unit"), news.data.get("what"))

    async def publish(self) -> None:
        """Findings of every file, open or not, and nothing for those that are clean now."""
        found = await self.apart(self.diagnostics)
        for uri in {*found, *self.published}:
            shown = found.get(uri, [])
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown))
        self.published = set(found)

    async def apart(self, make: Callable[..., Made], *given: Any) -> Made:
        """The world is used in a thread; what is wrong is said in the editor's log."""
        return await asyncio.to_thread(make, *given)

    # -- findings

    def diagnostics(self) -> dict[str, list[lsp.Diagnostic]]:
        desk = self.desk
        if desk is None:
            return {}
        found: dict[str, list[lsp.Diagnostic]] = {}
        with desk.world.story.turn:
            scope = desk.world.scope()
            for finding in self.wanted(desk):
                places = [
                    (one, ranges_of(desk.world, scope, one.unit, one.start, one.end))
                    for one in finding.passages
                ]
                here = [(passage, place) for passage, place in places if place is not None]
                for _, place in here:
                    others = [self._related(other, one.quote) for one, other in here if other != place]
                    found.setdefault(place.path.as_uri(), []).append(self._diagnostic(finding, place, others))
        return found

    def wanted(self, desk: StoryDesk) -> list[Finding]:
        """Findings as grave as the editor asks for, and of the checks it selects."""
        from narraworld.query.checks.gather import wanted

        least = self.options.get("minSeverity", "note")
        kinds = ORDER[: ORDER.index(least) + 1] if least in ORDER else ORDER
        select, ignore = (tuple(self.options.get(name) or ()) for name in ("select", "ignore"))
        each = (one for finding in desk.report().findings for one in finding.each())
        return [one for one in each if one.rule.severity in kinds and wanted(one.rule.id, select, ignore)]

    def _diagnostic(
        self, finding: Finding, place: FileRange, others: list[lsp.DiagnosticRelatedInformation]
    ) -> lsp.Diagnostic:
        return lsp.Diagnostic(
            range=self.shown(place), message=finding.message, severity=SEVERITY[finding.rule.severity], code=finding.rule.id,
            source=OURS, related_information=others, data={"key": finding.key, "units": [one.unit for one in finding.passages]},
        )  # fmt: skip

    def _related(self, place: FileRange, quote: str) -> lsp.DiagnosticRelatedInformation:
        return lsp.DiagnosticRelatedInformation(
            location=self.location(place), message=" ".join(quote.split())
        )

    # -- places

    def shown(self, place: FileRange) -> lsp.Range:
        """A range in the units that the client counts in."""
        first = lsp.Position(place.line, place.column)
        both = lsp.Range(first, lsp.Position(place.last_line, place.last_column))
        try:
            lines = place.path.read_text(encoding="utf-8").splitlines(keepends=True)
        except (OSError, UnicodeDecodeError):
            return both
        return self.workspace.position_codec.range_to_client_units(lines, both)

    def location(self, place: FileRange) -> lsp.Location:
        return lsp.Location(uri=place.path.as_uri(), range=self.shown(place))


LOG = logging.getLogger(__name__)


def made_server() -> StoryLanguageServer:
    """The server with all it offers."""
    server = StoryLanguageServer()
    _lifecycle(server)
    _reading(server)
    _acting(server)
    return server


def serve() -> None:
    """Speak over stdio until the editor closes the line."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    made_server().start_io()


# -- when files are opened and saved


def _lifecycle(server: StoryLanguageServer) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(ls: StoryLanguageServer, params: lsp.InitializedParams) -> None:
        if ls.workspace.root_path:
            ls.open_desk(Path(ls.workspace.root_path))
        await _safely(ls, ls.look())

    @server.feature(lsp.INITIALIZE)
    def initialize(ls: StoryLanguageServer, params: lsp.InitializeParams) -> None:
        given = params.initialization_options
        ls.options = dict(given) if isinstance(given, dict) else {}

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: StoryLanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
        await _safely(ls, ls.publish())

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: StoryLanguageServer, params: lsp.DidSaveTextDocumentParams) -> None:
        await _safely(ls, ls.look())

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed(ls: StoryLanguageServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        await _safely(ls, ls.look())

    @server.feature(lsp.SHUTDOWN)
    def shutdown(ls: StoryLanguageServer, params: Any) -> None:
        if ls.desk is not None:
            ls.desk.close()
            ls.desk = None


async def _safely(ls: StoryLanguageServer, work: Any) -> None:
    """What cannot be read is said; the server lives on."""
    try:
        await work
    except NarraWorldError as error:
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(error)))


# -- looking


def _reading(server: StoryLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(ls: StoryLanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
        desk, word, spot = _at(ls, params)
        if desk is None:
            return None
        text = await ls.apart(hover_text, desk, *spot, word)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(ls: StoryLanguageServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
        return (await _mentioned(ls, params))[:1]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(ls: StoryLanguageServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        return await _mentioned(ls, params)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(ls: StoryLanguageServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        if ls.desk is None:
            return []
        path = Path(uris.to_fs_path(params.text_document.uri) or "")
        return [_chapter(ls, title, scenes) for title, scenes in await ls.apart(outline, ls.desk, path)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def all_symbols(
        ls: StoryLanguageServer, params: lsp.WorkspaceSymbolParams
    ) -> list[lsp.SymbolInformation]:
        found = await ls.apart(people_and_things, ls.desk, params.query) if ls.desk else []
        return [
            lsp.SymbolInformation(
                location=ls.location(place), name=name, kind=SYMBOLS.get(kind, lsp.SymbolKind.Event)
            )
            for name, kind, place in found
        ]


def _at(ls: StoryLanguageServer, params: Any) -> tuple[StoryDesk | None, str, tuple[Path, int, int]]:
    """The word under the cursor, and where that is in our own counting."""
    document = ls.workspace.get_text_document(params.text_document.uri)
    own = ls.workspace.position_codec.position_from_client_units(document.lines, params.position)
    return ls.desk, document.word_at_position(params.position), (Path(document.path), own.line, own.character)


async def _mentioned(ls: StoryLanguageServer, params: Any) -> list[lsp.Location]:
    desk, word, _ = _at(ls, params)
    symbol = await ls.apart(named_at, desk, word) if desk and word else None
    places = await ls.apart(mentions, desk, symbol) if desk and symbol else []
    return [ls.location(place) for place in places]


def _chapter(
    ls: StoryLanguageServer, title: str, scenes: Sequence[tuple[str, FileRange]]
) -> lsp.DocumentSymbol:
    first, last = scenes[0][1], scenes[-1][1]
    whole = FileRange(first.path, first.line, first.column, last.last_line, last.last_column)
    inside = [
        lsp.DocumentSymbol(
            name=name, kind=lsp.SymbolKind.Event, range=ls.shown(one), selection_range=ls.shown(one)
        )
        for name, one in scenes
    ]
    span = ls.shown(whole)
    return lsp.DocumentSymbol(
        name=title, kind=lsp.SymbolKind.Module, range=span, selection_range=span, children=inside
    )


# -- acting: the command is added on resolve, because a client of lsprotocol takes an action with one for a bare command


def _acting(server: StoryLanguageServer) -> None:
    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix], resolve_provider=True),
    )
    def actions(ls: StoryLanguageServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        mine = [
            one for one in params.context.diagnostics if one.source == OURS and isinstance(one.data, dict)
        ]
        return [action for one in mine for action in _offered(one)]

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    def resolve(ls: StoryLanguageServer, action: lsp.CodeAction) -> lsp.CodeAction:
        data = action.data if isinstance(action.data, dict) else {}
        action.command = lsp.Command(
            title=action.title, command=str(data.get("command")), arguments=list(data.get("given", ()))
        )
        return action

    @server.command("narraworld.waive")
    async def waive(ls: StoryLanguageServer, key: str, reason: str = "intended") -> str:
        return await _decided(ls, lambda world: world.waive(key, reason), f"waived {key}")

    @server.command("narraworld.keep")
    async def keep(ls: StoryLanguageServer, key: str, unit: str) -> str:
        return await _decided(ls, lambda world: world.waive(key, keep=unit), f"{unit} holds")

    @server.command("narraworld.explain")
    async def explain(ls: StoryLanguageServer, key: str) -> str:
        text = await ls.apart(_explained, ls.desk, key)
        ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, text))
        return text

    @server.command("narraworld.read")
    async def read(ls: StoryLanguageServer, *paths: str) -> str:
        ls.open_desk(Path(ls.workspace.root_path or "."), create=True)
        await _safely(ls, ls.look())
        return "read"


def _offered(one: lsp.Diagnostic) -> Iterable[lsp.CodeAction]:
    key, units = one.data["key"], one.data.get("units", ())  # type: ignore[index,union-attr]
    yield _action(f"Waive {one.code} as intended", one, "narraworld.waive", [key, "intended"])
    for unit in dict.fromkeys(units):
        yield _action(f"The passage in {unit} holds", one, "narraworld.keep", [key, unit])
    yield _action(f"Explain {one.code}", one, "narraworld.explain", [key])


def _action(title: str, one: lsp.Diagnostic, command: str, given: list[Any]) -> lsp.CodeAction:
    data = {"command": command, "given": given}
    return lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[one], data=data)


async def _decided(ls: StoryLanguageServer, decide: Callable[[World], object], said: str) -> str:
    if ls.desk is None:
        return "there is no story here"
    try:
        await ls.apart(decide, ls.desk.world)
    except NarraWorldError as error:
        return str(error)
    await _safely(ls, ls.look())
    return said


def _explained(desk: StoryDesk | None, key: str) -> str:
    """A finding in words, down to its quotes."""
    from narraworld.desk.answers.proof_pages import finding_page
    from narraworld.desk.answers.seen_story import seen_in

    if desk is None:
        return "there is no story here"
    try:
        found = finding_page(seen_in(desk, {}), key)
    except NarraWorldError as error:
        return str(error)
    quotes = [f"{in_marks(one['quote'])} ({one['place']})" for one in found["why"]["quotes"]]
    return "\n".join([f"{found['rule']} {found['message']}", *quotes])
