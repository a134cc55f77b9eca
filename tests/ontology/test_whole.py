"""A file is written whole or not at all, and nothing unfinished stays behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from narraworld.base.atomic_files import write_whole


@pytest.mark.parametrize("content", ["Zoë left.\n", b"Zo\xc3\xab left.\n"], ids=["text", "bytes"])
def test_what_was_there_is_replaced(tmp_path: Path, content: str | bytes) -> None:
    file = tmp_path / "story.txt"
    file.write_text("something longer than what comes after it")

    write_whole(file, content)

    assert file.read_bytes() == b"Zo\xc3\xab left.\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("where", "why"),
    [
        pytest.param("nowhere/story.txt", "No such file or directory", id="no folder"),
        pytest.param("folder", "Is a directory", id="a folder"),
        pytest.param(".", "Is a directory", id="this folder"),
    ],
)
def test_what_cannot_be_written_is_named_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()

    with pytest.raises(OSError) as caught:
        write_whole(Path(where), "x")

    assert (caught.value.filename, caught.value.strerror) == (where, why)
    assert [one.name for one in tmp_path.rglob("*")] == ["folder"]


def test_stopped_in_the_middle_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "story.txt"
    file.write_text("old")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(file, "new")

    assert (file.read_text(), list(tmp_path.iterdir())) == ("old", [file])
