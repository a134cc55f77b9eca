"""Somebody who answers the relay's questions by a script: reads tales of parcels, and looks at nothing but the question.

`python answerer.py WORLD NAME` answers until nothing is left; killed or not, it is only somebody at the desk.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

from narraworld.relay.desk import Shown
from narraworld.relay.errand import Relay

__all__ = ["answer_all", "answer_to", "tale"]

FILLER = "The wind went round the yard and nobody spoke. "


def tale(folder: Path, units: int = 2, filler: int = 0) -> Path:
    """Chapters in which Ann carries parcels; filler sentences make them long."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, units + 1):
        text = f"Ann carried parcel {number} to house {number}. Bob saw her.\n\n{FILLER * filler}\n"
        (folder / f"ch{number:02}.md").write_text(text, encoding="utf-8")
    return folder


def answer_to(name: str, user: str) -> dict[str, Any]:
    """A short answer to a question about a part of such a tale, with one item that will be refused."""
    passage = user.partition("The passage:")[2]
    carried = re.search(r"Ann carried parcel (\d+) to house \d+", passage)
    if carried is None:
        return {"entities": [thing(1, "the yard", "place", "yard")]} if name == "entities" else {}
    number = carried[1]
    return {
        "entities": {
            "entities": [
                thing(1, "Ann", "character", "Ann"),
                thing(2, "Bob", "character", "Bob"),
                thing(3, f"parcel {number}", "object", f"parcel {number}"),
                thing(4, f"house {number}", "place", f"house {number}"),
            ]
        },
        "events": {
            "events": [
                {"quote": carried[0], "number": 1, "what": "carry", "realis": "actual", "agent": [1],
                 "patient": [3], "destination": [4]},
                {"quote": "nobody said so", "number": 2, "what": "vanish", "realis": "actual", "patient": [3]},
            ],
            "propositions": [
                {"quote": carried[0], "number": 1, "subject": 3, "predicate": "location", "object": 4,
                 "truth": "asserted", "effect_of": 1}
            ],
        },
        "perspective": {
            "accesses": [{"quote": "Bob saw her", "holder": 2, "event": 1, "mode": "observation"}]
        },
    }.get(name, {})  # fmt: skip


def thing(number: int, quote: str, is_a: str, name: str) -> dict[str, Any]:
    return {"quote": quote, "number": number, "is_a": is_a, "name": name}


def answer_one(relay: Relay, shown: Shown, name: str) -> None:
    relay.answer(shown.question.id, json.dumps(answer_to(shown.question.name, shown.question.user)), name)


def answer_all(where: Path, name: str = "ada") -> list[str]:
    """Answer until the reading is done; the questions, in order."""
    relay, answered = Relay(where), list[str]()
    while relay.errand() is not None:
        shown = relay.next(name)
        if shown is None:  # others have what is open
            time.sleep(0.05)
            continue
        answer_one(relay, shown, name)
        answered.append(shown.question.digest)
    return answered


if __name__ == "__main__":
    print(json.dumps(answer_all(Path(sys.argv[1]), sys.argv[2])))
