"""A real client speaks to `narraworld lsp` over stdio: diagnostics with the other passage, hover, places, symbols, quick fixes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

COMMAND = [sys.executable, "-m", "narraworld", "lsp", "--stdio"]


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def client(
    lsp_client: LanguageClient, novel: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    root = Path(shutil.copytree(novel, tmp_path_factory.mktemp("edited") / "ferry"))
    folder = lsp.WorkspaceFolder(root.as_uri(), "ferry")
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("neovim"), root_uri=root.as_uri(), workspace_folders=[folder],
            initialization_options={"minSeverity": "warning"},
        )
    )  # fmt: skip
    lsp_client.story = root  # type: ignore[attr-defined]
    yield
    await lsp_client.shutdown_session()


async def test_an_editor_is_shown_what_does_not_fit(client: LanguageClient) -> None:
    root: Path = client.story  # type: ignore[attr-defined]
    file = root / "01-the-inn.md"
    uri, document = file.as_uri(), lsp.TextDocumentIdentifier(file.as_uri())
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "markdown", 1, file.read_text()))
    )
    while not client.diagnostics.get(uri):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    eyes = next(one for one in client.diagnostics[uri] if one.code == "NW111")
    assert eyes.range == lsp.Range(lsp.Position(2, 0), lsp.Position(2, 19))
    assert eyes.related_information
    assert eyes.related_information[0].location.uri.endswith("02-the-mill.md")

    at_mara = lsp.Position(2, 1)
    hover = await client.text_document_hover_async(lsp.HoverParams(document, at_mara))
    assert hover and "Mara" in hover.contents.value  # type: ignore[union-attr]
    assert "brown" not in hover.contents.value  # type: ignore[union-attr]
    first = await client.text_document_definition_async(lsp.DefinitionParams(document, at_mara))
    assert first[0].uri == uri  # type: ignore[index,union-attr]
    where = await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document, at_mara)
    )
    assert where and {one.uri for one in where} >= {uri, (root / "02-the-mill.md").as_uri()}
    symbols = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("Tobin"))
    assert symbols and symbols[0].name == "Tobin"
    chapters = await client.text_document_document_symbol_async(
        lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier((root / "02-the-mill.md").as_uri()))
    )
    assert chapters and [one.name for one in chapters] == ["The Mill"]

    context = lsp.CodeActionContext(diagnostics=[eyes])
    offered = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, eyes.range, context)
    )
    assert offered and next(one.title for one in offered) == "Waive NW111 as intended"
    assert "Explain NW111" in {one.title for one in offered}
    action = await client.code_action_resolve_async(offered[0])  # type: ignore[arg-type]
    assert action.command
    done = await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(action.command.command, action.command.arguments)
    )
    assert str(done).startswith("waived ")
    assert "NW111" in (root / ".narraworld" / "decisions.toml").read_text()
    while any(one.code == "NW111" for one in client.diagnostics[uri]):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    text = file.read_text()
    file.write_text(text + "\nMara could read.\n\nMara could not read.\n", encoding="utf-8")
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(document))
    while not any(str(one.code).startswith("NW7") for one in client.diagnostics[uri]):
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
