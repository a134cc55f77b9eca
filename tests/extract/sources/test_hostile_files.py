"""Files made to do harm: each is refused with one clear sentence, before it costs time or memory."""

from __future__ import annotations

import os
import socket
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from narraworld.base.given_files import read_given, toml_of
from narraworld.extract.errors import BadRecordFile, BadSource
from narraworld.extract.records import parse_records, read_records
from narraworld.extract.sources import SourceSettings, read_sources
from narraworld.models.environment import BadModelSettings, ModelSettings
from narraworld.project.file import BadSettings, load_settings

TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
MB = 1024 * 1024


def odt(folder: Path, inner: str | bytes, head: str = "") -> Path:
    path = folder / "novel.odt"
    content = inner if isinstance(inner, bytes) else f"{head}<doc {TEXT}>{inner}</doc>".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", content)
    return path


def refusal(path: Path, settings: SourceSettings | None = None) -> str:
    with pytest.raises(BadSource) as refused:
        read_sources([path], root=path.parent, settings=settings)
    return str(refused.value)


# -- OpenDocument and its XML


@pytest.mark.parametrize(
    ("inner", "says"),
    [
        ('<text:p>a<text:s text:c="1000000000"/>b</text:p>', "says c='1000000000', which is no number up to 1000"),
        ('<text:p>a<text:s text:c="-5"/>b</text:p>', "says c='-5', which is no number up to 1000"),
        (f'<text:p>a<text:s text:c="{"9" * 5000}"/>b</text:p>', f"says c='{'9' * 20}', which is no number up to 1000"),
        ('<text:h text:outline-level="top">One</text:h>', "says outline-level='top', which is no number up to 100"),
        ('<text:h text:outline-level="²">One</text:h>', "says outline-level='²', which is no number up to 100"),
    ],
    ids=["a billion blanks", "fewer than none", "thousands of digits", "a word for a level", "a digit that is none"],
)  # fmt: skip
def test_an_odt_may_not_ask_for_anything(tmp_path: Path, inner: str, says: str) -> None:
    tracemalloc.start()
    try:
        assert refusal(odt(tmp_path, inner)) == f"novel.odt: {says}"
        assert tracemalloc.get_traced_memory()[1] < 20 * MB
    finally:
        tracemalloc.stop()


def test_the_blanks_and_levels_that_documents_have_are_read(tmp_path: Path) -> None:
    inner = '<text:h text:outline-level="2">One</text:h><text:p>a<text:s text:c="3"/>b<text:s/>c</text:p>'
    [piece] = read_sources([odt(tmp_path, inner)])
    assert (piece.unit.title, piece.unit.text) == ("One", "a   b c")


@pytest.mark.parametrize("encoding", ["foo", "utf-32", "cp037", "utf-7", "gb18030"])
def test_xml_in_an_odd_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>"
    assert refusal(odt(tmp_path, "<text:p>Tom left.</text:p>", head)) == (
        f"novel.odt: content.xml: is XML in the encoding '{encoding}'\n  save it as UTF-8"
    )


def test_xml_that_does_not_say_its_odd_encoding_is_not_well_formed(tmp_path: Path) -> None:
    data = f"<doc {TEXT}><text:p>Tom left.</text:p></doc>".encode("utf-32")
    assert refusal(odt(tmp_path, data)).startswith("novel.odt: content.xml: is not well-formed XML: ")


def test_xml_of_more_tags_than_memory_is_refused(tmp_path: Path) -> None:
    settings = SourceSettings(most_marks=100)
    assert refusal(odt(tmp_path, "<a/>" * 101), settings) == (
        "novel.odt: content.xml: has more than 100 XML tags or attributes"
    )


# -- plain text


@pytest.mark.parametrize("suffix", [".md", ".txt", ".fountain", ".nwd"])
@pytest.mark.parametrize("text", ["\ufeff", "\ufeff\n \n"], ids=["a mark alone", "a mark and blanks"])
def test_a_byte_order_mark_alone_is_an_empty_file(tmp_path: Path, suffix: str, text: str) -> None:
    path = tmp_path / f"novel{suffix}"
    path.write_text(text, encoding="utf-8")
    assert refusal(path) == f"novel{suffix}: is empty"


@pytest.mark.parametrize("suffix", [".md", ".txt", ".fountain", ".nwd"])
def test_blanks_of_other_scripts_alone_are_no_prose(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"novel{suffix}"
    path.write_text("\u3000\n\n\u00a0\u2003", encoding="utf-8")
    assert refusal(path) == f"{path}: there is no prose to read"


def test_a_text_longer_than_any_novel_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "novel.txt"
    path.write_bytes(b"Tom left. " * 2 * MB)
    assert refusal(path) == "novel.txt: is bigger than 10 MiB\n  split it"


# -- TOML


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = " + "[" * 100_000, "it is nested too deeply"),
        ("a = " + "{a = " * 3_000 + "1" + "}" * 3_000, "it is nested too deeply"),
        (".".join("a" * 20_000) + " = 1", "a key has more than 200 parts"),
        ("[" + " . ".join(['"a"'] * 20_000) + "]", "a key has more than 200 parts"),
        ("a = 0x" + "f" * 100_000, "it has a number of more than a hundred digits"),
    ],
    ids=["lists", "tables", "20,000 dotted keys", "20,000 quoted ones", "a number"],
)
def test_toml_made_to_do_harm(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadRecordFile) as refused:
        parse_records(text, where="ch01.toml")
    assert str(refused.value) == f"ch01.toml: is not TOML: {says}"

    page = tmp_path / "ch01.md"
    page.write_text(f"+++\n{text}\n+++\nTom left.")
    assert refusal(page) == f"ch01.md: the front matter is not TOML: {says}"

    (tmp_path / "narraworld.toml").write_text(text)
    with pytest.raises(BadSettings) as unset:
        load_settings(tmp_path)
    assert str(unset.value) == f"{tmp_path / 'narraworld.toml'}: is not TOML: {says}"


def test_prose_with_many_stops_in_a_toml_file_is_prose() -> None:
    assert toml_of(f'text = """{"No. Yes. " * 90}"""')


# -- addresses


@pytest.mark.parametrize(
    ("url", "shown"),  # what may be a password in place of a port is not shown
    [
        ("http://localhost:abc/v1", "http://localhost:…/v1"),
        ("http://localhost:99999/v1", "http://localhost:99999/v1"),
        ("http://[::1/v1", "http://[:…/v1"),
        ("http://localhost:0/v1", "http://localhost:0/v1"),
    ],
)
def test_an_address_without_a_real_port_is_refused(url: str, shown: str) -> None:
    with pytest.raises(BadModelSettings) as refused:
        ModelSettings.from_environment(
            {"OPENAI_BASE_URL": url, "NARRAWORLD_MODEL": "m", "OPENAI_API_KEY": "k"}
        )
    assert str(refused.value) == (
        f"OPENAI_BASE_URL: '{shown}' is not a web address\n  for Ollama: http://localhost:11434/v1"
    )


# -- what only looks like a file


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def a_circle(path: Path) -> None:
    path.symlink_to(path.name)


def a_dead_end(path: Path) -> None:
    path.symlink_to("nowhere")


NO_FILES = [
    pytest.param(a_pipe, "it is a pipe, not a file", id="a pipe"),
    pytest.param(a_device, "it is a device, not a file", id="a link to a device"),
    pytest.param(a_socket, "No such device or address", id="a socket"),
    pytest.param(a_circle, "Too many levels of symbolic links", id="a link to itself"),
    pytest.param(a_dead_end, "No such file or directory", id="a link to nothing"),
]


@pytest.mark.parametrize(("make", "says"), NO_FILES)
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, make: Callable[[Path], None], says: str) -> None:
    make(tmp_path / "ch01.md")
    assert refusal(tmp_path / "ch01.md").endswith(
        ": there is no such file" if make is a_dead_end else f"ch01.md: cannot be read: {says}"
    )

    make(tmp_path / "ch01.toml")
    with pytest.raises(BadRecordFile) as refused:
        read_records(tmp_path / "ch01.toml")
    assert str(refused.value) == f"{tmp_path / 'ch01.toml'}: cannot be read: {says}"


def test_a_pipe_for_settings_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "narraworld.toml")
    with pytest.raises(BadSettings, match=r"narraworld\.toml: cannot be read: it is a pipe, not a file"):
        load_settings(tmp_path)


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("Tom left.")
    (tmp_path / "ch01.md").symlink_to("real.md")
    assert read_given(tmp_path / "ch01.md") == b"Tom left."


def test_a_folder_that_holds_itself_is_walked_once(tmp_path: Path) -> None:
    (tmp_path / "ch01.md").write_text("Tom left.")
    (tmp_path / "again").symlink_to(".")
    os.mkfifo(tmp_path / "ch02.md")
    assert [piece.unit.id for piece in read_sources([tmp_path])] == ["ch01"]


# -- archives whose bytes were changed


@pytest.mark.parametrize("cut", range(-60, 0, 3))
def test_an_archive_with_changed_bytes_is_damaged_or_read(tmp_path: Path, cut: int) -> None:
    path = odt(tmp_path, "<text:p>Tom left.</text:p>")
    data = bytearray(path.read_bytes())
    data[cut] ^= 0xFF
    del data[cut + 1 : cut + 2]
    path.write_bytes(data)
    try:
        read_sources([path], root=tmp_path)
    except BadSource as refused:
        assert str(refused).startswith("novel.odt: ")
