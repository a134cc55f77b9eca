"""Word, OpenDocument and EPUB, made here in a few lines; and archives that mean harm."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from narraworld.extract.errors import BadSource
from narraworld.extract.sources import AuthorNote, Piece, Place, SourceSettings, read_sources

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STYLES = f"""<w:styles {W}>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Szene"><w:name w:val="heading 2"/></w:style>
<w:style w:styleId="Mine"><w:name w:val="My Chapter"/><w:basedOn w:val="berschrift1"/></w:style></w:styles>"""


def packed(folder: Path, name: str, members: dict[str, str]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return path


def read(path: Path, **options: object) -> list[Piece]:
    return read_sources([path], root=path.parent, **options)  # type: ignore[arg-type]


def docx(folder: Path, *paragraphs: tuple[str, str], body: str = "") -> Path:
    """Paragraphs as (style, inner XML)."""
    made = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{inner}</w:p>' for style, inner in paragraphs
    )
    document = f"<w:document {W}><w:body>{made}{body}</w:body></w:document>"
    return packed(folder, "novel.docx", {"word/document.xml": document, "word/styles.xml": STYLES})


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_word_headings_paragraphs_and_tracked_changes(tmp_path: Path) -> None:
    path = docx(
        tmp_path,
        ("Titel", run("My Novel")),
        ("berschrift1", run("Chapter ") + run("1")),
        ("", run("Mara ") + f"<w:ins>{run('quietly ')}</w:ins><w:del><w:r><w:delText>loudly </w:delText></w:r></w:del>" + run("left.")),
        ("", ""),
        ("", run("* * *")),
        ("Szene", run("Later")),
        ("", run("Leo") + "<w:r><w:br/></w:r>" + run("came.")),
        ("Mine", run("Chapter 2")),
        ("", run("  It rained. ")),
    )  # fmt: skip
    first, second = read(path)
    assert [(piece.unit.id, piece.unit.title) for piece in (first, second)] == [
        ("ch01", "Chapter 1"),
        ("ch02", "Chapter 2"),
    ]
    assert first.unit.text == "Mara quietly left.\n\n* * *\n\nLeo\ncame."
    assert second.unit.text == "It rained."
    assert [scene.title for scene in first.scenes] == [None, "Later"]
    assert first.places.at(first.unit.text.index("quietly")) == Place("novel.docx", paragraph=3)
    assert str(second.places.at(0)) == "novel.docx: paragraph 9"
    assert first.notes == (AuthorNote("part", "My Novel", 0),)


def test_word_tables_are_read_and_second_versions_of_boxes_are_not(tmp_path: Path) -> None:
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    box = f"<w:p><w:r><mc:AlternateContent {mc}><mc:Choice><w:p>{run('Box.')}</w:p></mc:Choice><mc:Fallback><w:p>{run('Box.')}</w:p></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    table = f"<w:tbl><w:tr><w:tc><w:p>{run('Cell.')}</w:p></w:tc></w:tr></w:tbl>"
    assert read(docx(tmp_path, body=table + box))[0].unit.text == "Cell.\n\nBox."


def odt(folder: Path, body: str, manifest: str = "") -> Path:
    spaces = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    content = f"<office:document-content {spaces}><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    members = {"content.xml": content} | ({"META-INF/manifest.xml": manifest} if manifest else {})
    return packed(folder, "novel.odt", members)


def test_opendocument_headings_spaces_and_what_is_not_read(tmp_path: Path) -> None:
    path = odt(
        tmp_path,
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:h text:outline-level="1">Chapter 1</text:h>'
        '<text:p>Mara<text:s text:c="2"/><text:span>came\n  in</text:span>.<text:note><text:p>foot</text:p></text:note></text:p>'
        "<text:section><text:p>One<text:line-break/>two</text:p></text:section>"
        '<text:h text:outline-level="2">Later</text:h><text:p>***</text:p><text:p>End.</text:p>',
    )
    piece = read(path)[0]
    assert (piece.unit.id, piece.unit.text) == ("ch01", "Mara  came in.\n\nOne\ntwo\n\n***\n\nEnd.")
    assert [scene.title for scene in piece.scenes] == [None, "Later"]
    assert piece.places.at(len(piece.unit.text)) == Place("novel.odt", paragraph=6)


CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
PAGE = '<?xml version="1.0"?><!DOCTYPE html><html xmlns:epub="http://www.idpf.org/2007/ops"><head><title>no</title></head><body>{}</body></html>'


def epub(folder: Path, pages: dict[str, str], nav: str = "", ncx: str = "", **more: str) -> Path:
    items = "".join(
        f'<item id="{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages)
    )
    items += (
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' if nav else ""
    )
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if ncx else ""
    spine = "".join(f'<itemref idref="{n}"/>' for n, _ in reversed(list(enumerate(pages))))
    opf = f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    members = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": opf,
        "OEBPS/nav.xhtml": nav,
        "OEBPS/toc.ncx": ncx,
    }
    written = {f"OEBPS/{name}": PAGE.format(body) for name, body in pages.items()}
    return packed(folder, "novel.epub", {**members, **written, **more})


def test_epub_in_the_order_of_its_spine(tmp_path: Path) -> None:
    pages = {
        "c2.xhtml": "<h2>CHAPTER II<br/>Sun</h2><div><p>It&nbsp;shone&mdash;<i>at last</i>.</p><hr/><p>Night<br/>fell.</p></div>",
        "c1.xhtml": "<h2>CHAPTER I</h2>\n<p>It\n  rained<a epub:type='noteref' href='#n'>1</a>.</p><aside epub:type='footnote'><p>note</p></aside>",
        "cover.xhtml": "<section epub:type='titlepage'><h1>Rain</h1><p>By Nobody</p></section>",
    }
    first, second = read(epub(tmp_path, pages))
    assert (first.unit.id, first.unit.title, first.unit.text) == ("ch01", "CHAPTER I", "It rained.")
    assert (second.unit.id, second.unit.title) == ("ch02", "CHAPTER II Sun")
    assert second.unit.text == "It\u00a0shone—at last.\n\nNight\nfell."
    assert len(second.scenes) == 2
    assert second.places.at(len(second.unit.text)) == Place("novel.epub", paragraph=5)


NAV = "<html><body><nav epub:type='toc'><ol><li><a href='a.xhtml'>Rain</a></li><li><a href='b.xhtml#x'>Sun</a></li></ol><a href='https://x.org'>x</a></nav></body></html>"
NCX = '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{}</navMap></ncx>'.format(
    "".join(
        f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{page}"/></navPoint>'
        for title, page in [("Rain", "a.xhtml"), ("Sun", "b.xhtml")]
    )
)


@pytest.mark.parametrize("contents", [{"nav": NAV}, {"ncx": NCX}], ids=["epub 3", "epub 2"])
def test_epub_pages_without_headings_are_named_by_the_contents(
    tmp_path: Path, contents: dict[str, str]
) -> None:
    pieces = read(
        epub(tmp_path, {"b.xhtml": "<p>It shone.</p>", "a.xhtml": "<p>Rain</p><p>It rained.</p>"}, **contents)
    )
    assert [(piece.unit.id, piece.unit.title, piece.unit.text) for piece in pieces] == [
        ("rain", "Rain", "It rained."), ("sun", "Sun", "It shone."),
    ]  # fmt: skip


def locked(path: Path) -> Path:
    """The same archive with every member marked as encrypted."""
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            struct.pack_into("<H", data, at + offset, 1)
            at = data.find(signature, at + 1)
    path.write_bytes(data)
    return path


def deep(folder: Path) -> Path:
    return docx(folder, body=f"{'<w:sdt>' * 5000}<w:p/>{'</w:sdt>' * 5000}")


CIPHER = '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:CipherReference URI="OEBPS/a.xhtml"/></encryption>'
ENCRYPTED_ODT = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:encryption-data/></m:manifest>'
LAUGHS = f'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w:document {W}>&b;</w:document>'

HARM = {
    "zip bomb": (lambda f: docx(f, ("", run("a" * 3_000_000))), "zip bomb"),
    "leads out": (lambda f: packed(f, "x.docx", {"../../etc/passwd": "x"}), "leads out of it"),
    "absolute": (lambda f: packed(f, "x.epub", {"/etc/passwd": "x"}), "leads out of it"),
    "drive": (lambda f: packed(f, "x.odt", {"C:\\x": "x"}), "leads out of it"),
    "book leads out": (lambda f: packed(f, "x.epub", {"META-INF/container.xml": CONTAINER.replace("OEBPS", "..")}), "outside of it"),
    "encrypted": (lambda f: locked(docx(f, ("", run("x")))), "is encrypted"),
    "encrypted odt": (lambda f: odt(f, "<text:p>x</text:p>", ENCRYPTED_ODT), "is encrypted"),
    "drm": (lambda f: epub(f, {"a.xhtml": "<p>x</p>"}, **{"META-INF/encryption.xml": CIPHER}), "DRM"),
    "entities": (lambda f: packed(f, "x.docx", {"word/document.xml": LAUGHS}), "XML entities"),
    "not xml": (lambda f: packed(f, "x.odt", {"content.xml": "<a>"}), "not well-formed XML"),
    "another zip": (lambda f: packed(f, "x.docx", {"a.txt": "x"}), "has no word/document.xml"),
    "nested": (deep, "nested deeper"),
    "no prose": (lambda f: docx(f, ("berschrift1", run("Chapter 1"))), "no prose to read"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "said"), HARM.values(), ids=HARM.keys())
def test_harmful_or_broken_archives_are_refused(tmp_path: Path, make: object, said: str) -> None:
    path = make(tmp_path)  # type: ignore[operator]
    with pytest.raises(BadSource, match=said):
        read(path)


def test_what_an_archive_unpacks_to_is_limited_as_a_whole(tmp_path: Path) -> None:
    path = epub(tmp_path, {"a.xhtml": f"<p>{'rain ' * 99}</p>", "b.xhtml": f"<p>{'sun ' * 99}</p>"})
    with pytest.raises(BadSource, match="far more than a book holds"):
        read(path, settings=SourceSettings(largest_unpacked=800))


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="holds 3 files, more than 2"):
        read(packed(tmp_path, "x.docx", {"a": "", "b": "", "c": ""}), settings=SourceSettings(most_members=2))


FILES = {
    "missing": ("ch1.md", None, "there is no such file"),
    "empty": ("ch1.md", b"", "is empty"),
    "blank": ("ch1.txt", b" \n\t", "is empty"),
    "cp1252": ("ch1.md", "One.\nShe didn’t.".encode("cp1252"), r"ch1.md:2: is not UTF-8 text: byte 0x92 at offset 13\n  perhaps Windows-1252, where it is '’'"),
    "latin-1 control": ("ch1.txt", b"a\x81b", "byte 0x81 at offset 1\n  save it as UTF-8"),
    "utf-16": ("ch1.txt", "Mara.".encode("utf-16"), "is UTF-16 text"),
    "nul": ("ch1.md", b"One.\nTwo\0.", "ch1.md:2: has a NUL character"),
    "nul and more": ("ch1.md", b"\x7fELF\0\0\xff", "has NUL bytes"),
    "picture": ("ch1.md", b"\x89PNG\r\n", "is a PNG picture, not text"),
    "zip called text": ("ch1.txt", b"PK\x03\x04..", "is a zip archive, not text"),
    "text called docx": ("ch1.docx", b"Mara came.", "no zip archive"),
    "old or locked word": ("ch1.docx", b"\xd0\xcf\x11\xe0....", "is encrypted, or an old .doc"),
    "suffix by mistake": ("ch1.mdd", b"One.", "did you mean .md?"),
    "rtf": ("ch1.rtf", b"{\\rtf1}", "save it as .docx or .odt"),
    "pdf": ("ch1.pdf", b"%PDF", "use the .epub"),
    "no suffix": ("README", b"One.", "has no suffix"),
    "strange suffix": ("a.xyzzy", b"One.", "readable are .md"),
    "only comments": ("ch1.md", b"<!-- to do -->", "no prose to read"),
    "no project": ("x.nwx", b"<a/>", "is not a novelWriter project"),
    "project without its documents": (
        "x.nwx",
        b'<novelWriterXML><item handle="a000000000000" type="ROOT" class="NOVEL"/><item handle="b000000000000" parent="a000000000000" type="FILE"/></novelWriterXML>',
        "content/b000000000000.nwd: there is no such file",
    ),
    "project that leads out": (
        "x.nwx",
        b'<novelWriterXML><item handle="a000000000000" type="ROOT" class="NOVEL"/><item handle="../../x" parent="a000000000000" type="FILE"/></novelWriterXML>',
        "is no handle",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "data", "said"), FILES.values(), ids=FILES.keys())
def test_what_cannot_be_read_is_said_in_words(
    tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(BadSource, match=said):
        read(path)


def test_huge_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    (tmp_path / "ch1.md").write_text("word " * 100)
    with pytest.raises(BadSource, match="is bigger than"):
        read(tmp_path / "ch1.md", settings=SourceSettings(largest_file=99))


def test_a_folder_without_readable_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cover.png").write_bytes(b"x")
    with pytest.raises(BadSource, match=r"has no readable files in it\n  readable are \.md"):
        read_sources([tmp_path])


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.md").write_text("x")
    with pytest.raises(BadSource, match="3 readable files in it, more than 2"):
        read_sources([tmp_path], settings=SourceSettings(most_files=2))


STREAMS = {
    "nothing": (None, "ch1.md", "nothing was given"),
    "archive": (io.StringIO("x"), "ch1.docx", "cannot come from standard input"),
    "unknown": (io.StringIO("x"), "ch1.xyz", "not read"),
    "wrong bytes": (io.TextIOWrapper(io.BytesIO(b"\x92"), "utf-8"), "ch1.md", "is not utf-8 text"),
    "escaped bytes": (io.TextIOWrapper(io.BytesIO(b"a\x92"), "utf-8", "surrogateescape"), "ch1.md", "is not UTF-8 text"),
    "blank": (io.StringIO(" "), "ch1.md", "is empty"),
}  # fmt: skip


@pytest.mark.parametrize(("stream", "name", "said"), STREAMS.values(), ids=STREAMS.keys())
def test_standard_input_is_checked_as_files_are(stream: io.TextIOBase | None, name: str, said: str) -> None:
    with pytest.raises(BadSource, match=said):
        read_sources(["-"], stdin=stream, stdin_name=name)  # type: ignore[arg-type]
