"""Sheets for judges: what the embedded reader wrote of fragments of invented prose, each record as one plain line.

    python -m training.verdicts OUT FRAGMENTS.jsonl …

Judges see the fragment, then its records; they say of each whether a careful reader would sign it. `records.jsonl` beside the sheets is the
key: sheet, number, fragment, record id. States make up to half of what is laid out; entities, namings and what somebody is called are left out.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from narraworld.extract.embedded.reader import read_prose
from narraworld.kb.units import Unit
from narraworld.ontology.validate import sift

PER_FRAGMENT = 10
PER_SHEET = 28  # fragments
LEFT_OUT = {
    "SourceUnit",
    "Span",
    "Proposition",
    "Naming",
    "Character",
    "Place",
    "Object",
    "Group",
    "Suspicion",
    "TimeRelation",
    "Identity",
}
HIDDEN = {"type", "evidence", "basis", "uncertainty", "nearest", "requires"}
Nodes = Mapping[str, Mapping[str, list[str]]]


def nodes_of(graph) -> Nodes:  # type: ignore[no-untyped-def]
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in graph:
        found[_short(subject)][_last(predicate)].append(_short(value))
    return found


def _short(term: object) -> str:
    return (
        str(term)
        .removeprefix("urn:nw:")
        .removeprefix("https://w3id.org/narraworld/code/")
        .removeprefix("https://w3id.org/narraworld/")
    )


def _last(term: object) -> str:
    return str(term).rsplit("/", 1)[-1].rsplit("#", 1)[-1]


def records(nodes: Nodes) -> list[str]:
    """The records that are judged."""
    return [
        node
        for node, said in nodes.items()
        if said.get("type")
        and not set(said["type"]) & LEFT_OUT
        and not (said["type"] == ["Detail"] and said.get("respect") == ["called"])
        and said.get("evidence")
    ]


def line(nodes: Nodes, node: str) -> str:
    """A record in words, and the words it quotes."""
    said = nodes[node]
    parts = [
        f"{name}: {', '.join(worded(nodes, one) for one in values)}"
        for name, values in said.items()
        if name not in HIDDEN
    ]
    if said["type"] == ["Detail"] and "nearest" in said and "about" not in said:
        parts.append("about: (somebody here, not said who)")
    quotes = " … ".join(f"“{nodes[one]['quote'][0]}”" for one in said["evidence"] if one in nodes)
    return f"**{said['type'][0]}** {' | '.join(parts)} — quotes {quotes}"


def worded(nodes: Nodes, value: str) -> str:
    """A value: a proposition as subject, predicate and value; a record by what it is; an entity by its name."""
    said = nodes.get(value, {})
    kind = said.get("type", [""])[0]
    if kind == "Proposition":
        held = said.get("object", []) + said.get("value", [])
        deny = "NOT " if said["polarity"] == ["negative"] else ""
        return f"[{deny}{worded(nodes, said['subject'][0])} · {said['predicate'][0].removeprefix('predicate/')} · {', '.join(worded(nodes, one) for one in held)}]"
    if kind in ("Event", "Speech"):
        doers = ", ".join(
            worded(nodes, one) for role in ("agent", "speaker", "patient") for one in said.get(role, [])
        )
        return f"<{said.get('kind', ['?'])[0]}: {doers}>"
    if "name" in said:
        names = ", ".join(dict.fromkeys(said["name"]))
        return f"{names} ({kind.lower()})" if kind in ("Place", "Object", "Group") else names
    return value


def chosen(nodes: Nodes, found: Sequence[str], luck: random.Random) -> list[str]:
    """States and details first in their half, others for the rest, in the order of the text."""
    states = [one for one in found if nodes[one]["type"][0] == "State"]
    others = [one for one in found if nodes[one]["type"][0] != "State"]
    some = luck.sample(states, min(len(states), PER_FRAGMENT // 2))
    some += luck.sample(others, min(len(others), PER_FRAGMENT - len(some)))
    return sorted(
        some,
        key=lambda one: min(int(nodes[span]["start"][0]) for span in nodes[one]["evidence"] if span in nodes),
    )


def fragments(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in paths:
        for number, row in enumerate(path.read_text(encoding="utf-8").splitlines()):
            yield f"{path.parent.name}-{number}", json.loads(row)["text"]


def read(id: str, text: str) -> Nodes:
    found = read_prose(Unit(id, 1, text))
    return nodes_of(sift(found.delta.graph, {})[0])


TASK = """# What a program read from prose: right or wrong?

You see pieces of invented prose. After each piece stand records that a program wrote down from it, each in one line with the words it quotes
(names in a record are people and things of the piece; "speech therapist" may stand for whoever that is). Say of each record, from the piece alone:
is it RIGHT or WRONG? It is wrong if any of its roles (who did it, to whom, whose it is, what, where, when), its realis (actual = told as done;
negated, hypothetical, habitual, dreamed …), its proposition, its speaker or addressee, its value or its kind is wrong for this piece: right only if a careful
reader would sign it as it stands. A role that is left out is not wrong in itself, unless what is left is untrue or says nothing at all
(`make way` for "made a point of" is a wrong kind; `find | patient: letter` without the finder is incomplete, and right). `Detail` lines are notes for a style sheet: value = words of the text, about/name = whose
or which thing, respect = what it tells about; wrong if the respect or the owner is wrong, or the words tell nothing of that. `[A · location · B]` says A is in or at B; `State … at: <event>` = since that event.

Answer file: one JSON line a record, {"n": 17, "right": true, "why": "", "sure": 3}: why (if wrong) one of owner, role, realis, value, kind, speaker, sense (of a verb or noun), time, nothing
(no such thing is said), other; sure 1 to 3. Every number must be answered.
"""


def main(out: Path, paths: Sequence[Path]) -> None:
    luck = random.Random(7)
    pieces = [*fragments(paths)]
    luck.shuffle(pieces)
    key = (out / "records.jsonl").open("w", encoding="utf-8")
    for sheet, start in enumerate(range(0, len(pieces), PER_SHEET), 1):
        told, number = [TASK], 0
        for id, text in pieces[start : start + PER_SHEET]:
            nodes = read(id, text)
            told.append(f"\n---\n\n## Piece {id}\n\n{text}\n")
            for node in chosen(nodes, records(nodes), luck):
                number += 1
                told.append(f"{number}. {line(nodes, node)}")
                key.write(
                    json.dumps(
                        {
                            "sheet": sheet,
                            "n": number,
                            "fragment": id,
                            "record": node,
                            "kind": nodes[node]["type"][0],
                        }
                    )
                    + "\n"
                )
        (out / f"sheet-{sheet:02}.md").write_text("\n".join(told) + "\n", encoding="utf-8")
        print(sheet, number)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
