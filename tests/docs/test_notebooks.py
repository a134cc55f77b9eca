"""The notebooks of the documentation are executed, and say what they say on the page."""

from __future__ import annotations

import warnings
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from places import ROOT

OURS = ("first-steps", "minds", "manuscript")


def said(book: Any) -> list[list[str]]:
    """What each cell shows as plain text."""
    return [
        [str(one.get("text") or one["data"]["text/plain"]) for one in cell.outputs]
        for cell in book.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("name", OURS)
def test_a_notebook_says_what_the_page_shows(name: str) -> None:
    book = nbformat.read(ROOT / "docs" / "notebooks" / f"{name}.ipynb", as_version=4)
    shown = said(book)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own libraries
        NotebookClient(book, timeout=600, kernel_name="python3").execute()
    assert said(book) == shown
