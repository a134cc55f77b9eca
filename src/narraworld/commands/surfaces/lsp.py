"""`narraworld lsp`: the language server for editors, over stdio. Parses nothing, and hands over."""

from __future__ import annotations

from typing import Annotated

import typer

from narraworld.commands.options import needs_extra

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("lsp")(lsp)


def lsp(
    stdio: Annotated[bool, typer.Option("--stdio", help="Taken and ignored: there is no other way.")] = False,
) -> None:
    """Findings in the editor as one saves. See docs/editors.md for Neovim, Helix, Emacs, VS Code and Zed."""
    with needs_extra("lsp", "lsp"):
        from narraworld.lsp.language_server import serve
    serve()
