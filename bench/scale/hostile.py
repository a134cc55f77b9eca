"""Inputs made to do harm, without end and the same for the same seed: files of every format, and words for every command.

Mutates our own bundled stories and writes archives by hand; never reads outside data. Pure but for the files it is told to write.
"""

from __future__ import annotations

import io
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import narraworld
from narraworld.extract.records import read_records
from narraworld.kb.quads import canonical

__all__ = ["Hostile", "hostile_inputs"]

STORIES = Path(narraworld.__file__).parent / "stories"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
NUMBERS = (
    "-1",
    "0",
    "1e400",
    "nan",
    "²",
    "٣",
    "99999999999999999999",
    "9" * 5000,
    "0x" + "f" * 5000,
    "1_0",
    "",
    "1.5",
)
SIGNS = (
    '"', "“", "”", "'", "‘", "’", "(", "[", "]]", "—", "- ", ",", ".", "!?", ":", "*", "#", "<", "<!--", "%%", "&#", "`",
    "\n", "\n\n", "\r", "\t", " ", "\0", "\x1b]0;x\x07", "\x9b", "\u202e", "\ufeff", "\u3000", "\ud7ff", "字", "😀", "a\u0301",
    "word ", "Ann ", "Mr. ", "Ann's ", "I", "a-", "and ", "that ", "Ann: hi\n", 'he said, "', "twenty ", "ANN\n",
    "INT. HALL\n\n", "Chapter 1\n\n", "@pov: Ann\n", "% x: y\n", "+++\n", "---\n", "999999999999 years later ",
    "Ann took the key. ", "Ann is not Ann. ", "Strider, whose real name was Ann, left. ", "../", "%s{0}{{x}}", "$(id)",
)  # fmt: skip
NAMES = (
    "ch01",
    "main",
    "",
    "-",
    "..",
    "a/b",
    "x" * 300,
    "Ann",
    "ann",
    "nobody",
    "\x1b[2J",
    "ch99",
    "r1",
    "r99999999999",
    "*",
    "NW204",
)
GOALS = (
    "happened(E)", "happened(E", "believes(W, P, M), not happened(W)", "X", "at(E, T), T > 99999999999999999999", "nothing(X)",
    'called(X, "' + "a" * 5000 + '")', "(" * 2000, "happened(E), " * 300 + "happened(E)", "at(E, T), at(F, U), T < U", "count(X)",
)  # fmt: skip
SPARQL = ("select * where { graph ?g { ?s ?p ?o } }", "ask {", "drop all", "select * where { ?s (!<x>)* ?o }", "load <file:///etc/passwd>",
          "select (count(*) as ?n) where { graph ?a {?s ?p ?o} graph ?b {?x ?y ?z} }", "construct { ?s ?p ?o } where { graph ?g { ?s ?p ?o } }")  # fmt: skip
SUFFIXES = (".md", ".txt", ".fountain", ".nwd", ".markdown", ".text")


@dataclass(frozen=True, slots=True)
class Hostile:
    """Files to lie in the folder, how else to prepare it, what to type, and what stands on standard input."""

    kind: str
    command: tuple[str, ...]
    files: dict[str, bytes] = field(default_factory=dict)
    prepare: Callable[[Path], None] | None = None
    stdin: bytes = b""


def hostile_inputs(seed: int, count: int) -> Iterator[Hostile]:
    """So many inputs; the kinds take turns, the rest is chance."""
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")  # each by itself, so that one can be made again
        yield KINDS[number % len(KINDS)](chance)


def gibberish(chance: random.Random, most: int = 6_000) -> str:
    """A few fragments, each up to a thousand times."""
    parts = [chance.choice(SIGNS) * chance.choice((1, 2, 3, 50, 1000)) for _ in range(chance.randint(1, 8))]
    return "".join(parts)[:most]


def mutated(data: bytes, chance: random.Random, times: int = 12) -> bytes:
    """Bytes flipped, cut out, doubled and replaced."""
    made = bytearray(data)
    for _ in range(chance.randint(1, times)):
        at, length = chance.randrange(len(made) + 1), chance.choice((1, 2, 8, 64))
        new = chance.choice(
            (b"", bytes([chance.randrange(256)]), made[at : at + length] * 2, chance.choice(SIGNS).encode())
        )
        made[at : at + length] = new
    return bytes(made)


def misspelt(text: str, chance: random.Random, times: int = 12) -> bytes:
    """The same with signs for bytes: it stays text, so that it comes further."""
    made = list(text)
    for _ in range(chance.randint(1, times)):
        at, length = chance.randrange(len(made) + 1), chance.choice((1, 2, 8, 64))
        made[at : at + length] = chance.choice(
            ([], made[at : at + length] * 2, list(chance.choice(SIGNS)), list(chance.choice(NUMBERS)[:40]))
        )
    return "".join(made).replace("\0", "").encode("utf-8", "replace")


# -- files


def _text(chance: random.Random) -> Hostile:
    suffix = chance.choice(SUFFIXES)
    front = (
        f"---\norder: {chance.choice(NUMBERS)}\ntitle: {gibberish(chance, 80)}\n---\n"
        if chance.random() < 0.3
        else ""
    )
    name = chance.choice(("odd", f"scene-{chance.choice(NUMBERS[:4])}-{'9' * chance.choice((2, 20, 200))}"))
    body = (front + gibberish(chance)).encode("utf-8", "surrogatepass")
    return Hostile("text", ("read", name + suffix), {name + suffix: body})


def _mutated_text(chance: random.Random) -> Hostile:
    page = chance.choice(sorted((STORIES / "broken").glob("*.md"))).read_text(encoding="utf-8")
    suffix = chance.choice(SUFFIXES)
    made = mutated(page.encode(), chance) if chance.random() < 0.2 else misspelt(page, chance)
    return Hostile("mutated text", ("read", f"odd{suffix}"), {f"odd{suffix}": made})


def _stdin(chance: random.Random) -> Hostile:
    return Hostile("stdin", ("read", "-"), stdin=gibberish(chance).encode("utf-8", "surrogatepass"))


def _archive(chance: random.Random) -> Hostile:
    name, members = chance.choice((_docx, _odt, _epub))(chance)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    data = buffer.getvalue()
    return Hostile(
        "archive", ("read", name), {name: mutated(data, chance) if chance.random() < 0.4 else data}
    )


def _docx(chance: random.Random) -> tuple[str, dict[str, str]]:
    styles = f'<w:styles {W}><w:style w:styleId="H"><w:name w:val="heading {chance.choice(NUMBERS)}"/></w:style></w:styles>'
    body = f'<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p><w:p><w:r><w:t>{_inner(chance)}</w:t></w:r></w:p>'
    deep = chance.choice((1, 5, 3000))
    document = f"{_head(chance)}<w:document {W}>{'<w:tbl>' * deep}{body}{'</w:tbl>' * deep}</w:document>"
    return "odd.docx", {"word/document.xml": document, "word/styles.xml": styles}


def _odt(chance: random.Random) -> tuple[str, dict[str, str]]:
    blanks, level = chance.choice(NUMBERS), chance.choice(NUMBERS)
    inner = f'<text:h text:outline-level="{level}">One</text:h><text:p>{_inner(chance)}<text:s text:c="{blanks}"/>x</text:p>'
    return "odd.odt", {"content.xml": f"{_head(chance)}<doc {TEXT}>{inner}</doc>"}


def _epub(chance: random.Random) -> tuple[str, dict[str, str]]:
    container = ('<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
                 f'<rootfile full-path="{chance.choice(("b.opf", "../b.opf", "", "x.opf"))}"/></rootfiles></container>')  # fmt: skip
    href = chance.choice(("p.xhtml", "../p.xhtml", "http://x/p", "none.xhtml", "p.xhtml%00"))
    opf = (f'<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="p" href="{href}" media-type="application/xhtml+xml"/>'
           '</manifest><spine><itemref idref="p"/></spine></package>')  # fmt: skip
    page = f"<html><body><h1>One</h1>{'<div>' * chance.choice((1, 5000))}<p>{gibberish(chance, 3000)}</p></body></html>"
    return "odd.epub", {"META-INF/container.xml": container, "b.opf": opf, "p.xhtml": page}


def _head(chance: random.Random) -> str:
    encoding = chance.choice(("utf-8",) * 12 + ("utf-16", "foo", "cp037", "utf-7"))
    entity = "" if chance.random() < 0.9 else '<!DOCTYPE d [<!ENTITY a "aaaa">]>'
    return f'<?xml version="1.0" encoding="{encoding}"?>{entity}'


def _inner(chance: random.Random) -> str:
    return chance.choice(
        ("Ann took the key.", "&amp;" * 2000, "<a>" * 500 + "</a>" * 500, gibberish(chance, 2000))
    )


def _project(chance: random.Random) -> Hostile:
    handle = chance.choice(("0123456789abc",) * 4 + ("../../../etc", "0123456789ABC", ""))
    item = f'<item handle="{handle}" parent="r" order="{chance.choice(NUMBERS)}" type="FILE" class="NOVEL" layout="DOCUMENT"><name>x</name></item>'
    loop = chance.choice(("", "", '<item handle="r" parent="r" type="ROOT" class="NOVEL"/>'))
    xml = f'{_head(chance)}<novelWriterXML><content><item handle="r" type="ROOT" class="NOVEL"/>{loop}{item}</content></novelWriterXML>'
    files = {
        "nwProject.nwx": xml.encode(),
        "content/0123456789abc.nwd": gibberish(chance).encode("utf-8", "surrogatepass"),
    }
    return Hostile("project", ("read", "nwProject.nwx"), files)


def _records(chance: random.Random) -> Hostile:
    page = _page_of_records(chance).read_text(encoding="utf-8")
    one, other = chance.choice(NUMBERS), chance.choice(NUMBERS)
    made = chance.choice((
        mutated(page.encode(), chance), misspelt(page, chance, 3), misspelt(page, chance, 1),
        page.replace("order = ", f"order = {one} # ").encode(),
        f'{page}\n[[scene]]\nid = "s"\nstart = {one}\nend = {other}\n'.encode(),
        f'[unit]\nid = "{chance.choice(NAMES)}"\norder = 3\ntext = "Ann left."\n{gibberish(chance, 500)}'.encode("utf-8", "replace"),
    ))  # fmt: skip
    return Hostile("records", ("read", "odd.toml"), {"odd.toml": made})


def _page_of_records(chance: random.Random) -> Path:
    return chance.choice(sorted((STORIES / "key").glob("*.toml")))


def _circles(chance: random.Random) -> Hostile:
    """Things that are each other, lie in each other and come before each other."""
    many, kind = chance.choice((2, 3, 40, 1_000)), chance.choice(("object", "place"))
    names = [f"t{n}" for n in range(many)]
    rows = ['[unit]\nid = "odd"\norder = 5\ntext = "It was so."\n']
    rows += [f'[[{kind}]]\nid = "{name}"\nname = "{name}"\nquote = "It"\n' for name in names]
    for one, other in zip(names, names[1:] + names[:1], strict=True):
        rows.append(f'[[identity]]\none = "{one}"\nother = "{other}"\nverdict = "same"\nquote = "was"\n')
        rows.append(f'[[state]]\nproposition = "{one}.location:{other}"\ntruth = "asserted"\nquote = "so"\n')
    return Hostile("circles", ("read", "odd.toml"), {"odd.toml": "".join(rows).encode()})


def _imported(chance: random.Random) -> Hostile:
    delta = read_records(_page_of_records(chance))
    statements = canonical(delta.graph, delta.unit.id)
    made = chance.choice((
        mutated(statements.encode(), chance, 3), misspelt(statements, chance, 2),
        statements.replace('order> "', f'order> "{chance.choice(NUMBERS)}').encode(),
        statements.replace('start> "', f'start> "{chance.choice(NUMBERS)}').encode(),
        statements.replace("urn:nw:ch0", chance.choice(("urn:nw:../x", "http://x/", "urn:nw:plotlines"))).encode(),
        b"<urn:a> <urn:b> <urn:c> <urn:d> .",
    ))  # fmt: skip
    name = chance.choice(("odd.nq", "odd.nq", "odd.trig", "odd.ttl"))
    return Hostile("import", ("import", name), {name: made})


def _rules(chance: random.Random) -> Hostile:
    own = chance.choice((
        "p(X) :- p(X).", ".decl p(x: symbol)\np(X) :- not p(X).", ".decl n(x: number)\nn(0).\nn(X + 1) :- n(X).",
        ".decl p(x: symbol)\np(X) :- " + ", ".join(["happened(X)"] * 200) + ".", gibberish(chance, 800), "(" * 3000,
    ))  # fmt: skip
    toml = "[limits]\nseconds = 5\nfacts = 100000\n"
    return Hostile(
        "rules",
        ("query", "happened(E)", "--rules", "odd.dl"),
        {"odd.dl": own.encode("utf-8", "replace"), "narraworld.toml": toml.encode()},
    )


def _settings(chance: random.Random) -> Hostile:
    toml = chance.choice((
        f"[limits]\nfacts = {chance.choice(NUMBERS)}\n", "[" * 3000, ".".join("a" * 3000) + " = 1", gibberish(chance, 500),
        '[calendar]\nmonths = [{name = "x", days = 0}]\n', f"[calendar]\nhours = {chance.choice(NUMBERS)}\n", '[rules]\nfiles = ["/dev/zero"]\n',
    ))  # fmt: skip
    return Hostile("settings", ("views",), {"narraworld.toml": toml.encode("utf-8", "replace")})


def _decided(chance: random.Random) -> Hostile:
    name = chance.choice(("decisions.toml", "baseline.json"))
    text = chance.choice(
        (
            gibberish(chance, 500),
            "[" * 3000,
            "{" * 3000,
            "[[waive]]\nkey = 5\n",
            '{"keys": [1, null]}',
            "null",
        )
    )
    return Hostile("decisions", ("check", "--format", chance.choice(("json", "text", "sarif", "junit", "html"))),
                   {f".narraworld/{name}": text.encode("utf-8", "replace")})  # fmt: skip


def _no_file(chance: random.Random) -> Hostile:
    suffix = chance.choice((".md", ".toml", ".docx", ".nq", ".dl"))
    name = f"no{suffix}"
    command = {".nq": ("import", name), ".dl": ("query", "happened(E)", "--rules", name)}.get(
        suffix, ("read", name)
    )
    makers: tuple[Callable[[Path], None], ...] = (
        lambda folder: os.mkfifo(folder / name), lambda folder: (folder / name).symlink_to("/dev/zero"),
        lambda folder: (folder / name).symlink_to(name), lambda folder: (folder / name).mkdir(),
        lambda folder: (folder / name).symlink_to("/proc/self/mem"),
    )  # fmt: skip
    return Hostile("no file", command, prepare=chance.choice(makers))


# -- words


def _question(chance: random.Random) -> Hostile:
    asked = chance.choice((*GOALS, gibberish(chance, 400))).replace("\0", "")
    command = chance.choice(
        (
            ("query",),
            ("why",),
            ("ask",),
            ("context", "--for", chance.choice(("writing", "question", "role-play", "x"))),
        )
    )
    return Hostile("question", (*command, asked))


def _situation(chance: random.Random) -> Hostile:
    option = chance.choice(("--at", "--told", "--as", "--revision", "--branch"))
    value = chance.choice((*NAMES, *NUMBERS, "ch01 scene 1", "ch01 scene 99999999999999999999")).replace(
        "\0", ""
    )
    return Hostile("situation", ("views", option, value))


def _words(chance: random.Random) -> Hostile:
    one, other = (chance.choice((*NAMES, *NUMBERS)) for _ in "ab")
    command = chance.choice((
        ("branch", "new", one), ("branch", "new", one, "--from", other), ("branch", "delete", one), ("branch", "compare", one), ("diff", one, other),
        ("retract", f"no-{one}"), ("rule", one), ("waive", one, "--reason", other), ("export", f"{one}.nq"), ("sparql", chance.choice(SPARQL), "--seconds", "5"),
        ("context", "what?", "--budget", other), ("coverage", "-w", one), ("knows", "--at", one), ("preview",), ("refusals",), ("doctor",), ("log",),
        ("check", "--select", one), ("check", "--since", other), ("decisions",), ("reindex",), (one, other),
    ))  # fmt: skip
    return Hostile("words", tuple(word.replace("\0", "") for word in command))


KINDS = (_text, _mutated_text, _stdin, _archive, _project, _records, _circles, _imported, _rules, _settings, _decided, _no_file,
         _question, _situation, _words, _text, _records, _archive)  # fmt: skip
