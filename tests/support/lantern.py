"""A small tale in two units and what a careful model says of it: good answers for tests to commit, count and spoil."""

from __future__ import annotations

from typing import Any

__all__ = ["ONE", "ONE_ANSWERS", "TWO", "TWO_ANSWERS"]

Answers = dict[str, dict[str, list[dict[str, Any]]]]

ONE = """\
Nell hung the copper lantern on the hook by the stable door. Rafe promised her that he would mend the lantern by Sunday.

***

That night Dov took the lantern to the forge, because its handle had split. Rafe did not know that it was gone.
“The lantern is where I left it,” Nell told him, and he believed her.
"""

TWO = """\
On Sunday the smith gave the old lamp back to Nell. It shone. Rafe saw it in her hand.
"""

ONE_ANSWERS: Answers = {
    "entities": {
        "entities": [
            {"quote": "Nell", "sentence": 1, "number": 1, "is_a": "character", "name": "Nell"},
            {"quote": "the copper lantern", "number": 2, "is_a": "object", "name": "copper lantern"},
            {"quote": "the hook by the stable door", "number": 3, "is_a": "place", "name": "hook by the stable door"},
            {"quote": "Rafe", "sentence": 2, "number": 4, "is_a": "character", "name": "Rafe"},
            {"quote": "Dov", "number": 5, "is_a": "character", "name": "Dov"},
            {"quote": "the forge", "number": 6, "is_a": "place", "name": "forge"},
        ],
        "namings": [{"quote": "lantern", "sentence": 2, "entity": 2}],
    },
    "events": {
        "events": [
            {"quote": "Nell hung the copper lantern on the hook", "number": 1, "what": "hang", "realis": "actual",
             "agent": [1], "patient": [2], "destination": [3]},
            {"quote": "Rafe promised her that he would mend the lantern", "number": 2, "what": "promise",
             "realis": "actual", "is_speech": True, "agent": [4], "recipient": [1]},
            {"quote": "he would mend the lantern by Sunday", "number": 3, "what": "mend", "realis": "future",
             "agent": [4], "patient": [2]},
            {"quote": "its handle had split", "number": 4, "what": "split", "realis": "actual", "patient": [2]},
            {"quote": "Dov took the lantern to the forge", "number": 5, "what": "take", "realis": "actual",
             "agent": [5], "patient": [2], "origin": [3], "destination": [6]},
            {"quote": "“The lantern is where I left it,” Nell told him", "number": 6, "what": "tell",
             "realis": "actual", "is_speech": True, "agent": [1], "recipient": [4]},
        ],
        "causes": [{"quote": "because its handle had split", "cause": 4, "effect": 5}],
        "times": [{"quote": "That night", "scene": 2}, {"quote": "by Sunday", "event": 3}],
        "orders": [{"quote": "its handle had split", "event": 4, "relation": "before", "other": 5}],
        "propositions": [
            {"quote": "Nell hung the copper lantern on the hook by the stable door", "number": 1, "subject": 2,
             "predicate": "location", "object": 3, "truth": "asserted", "effect_of": 1, "required_by": [5]},
            {"quote": "Dov took the lantern to the forge", "number": 2, "subject": 2, "predicate": "location",
             "object": 6, "truth": "asserted", "effect_of": 5},
            {"quote": "The lantern is where I left it", "number": 3, "subject": 2, "predicate": "location",
             "object": 3, "truth": "unstated"},
            {"quote": "mend the lantern", "number": 4, "subject": 2, "predicate": "condition", "value": "mended",
             "truth": "unstated"},
        ],
    },
    "perspective": {
        "speeches": [
            {"quote": "Rafe promised her that he would mend the lantern", "event": 2, "speaker": 4, "addressees": [1],
             "claims": [4], "manner": "promises"},
            {"quote": "“The lantern is where I left it,” Nell told him", "event": 6, "speaker": 1, "addressees": [4],
             "claims": [3], "manner": "asserts"},
        ],
        "accesses": [{"quote": "Nell told him", "holder": 4, "proposition": 3, "mode": "communication", "gained_in": 6,
                      "speaker": 1}],
        "attitudes": [{"quote": "he believed her", "holder": 4, "proposition": 3, "attitude": "believes", "since": 6}],
        "unawareness": [{"quote": "Rafe did not know that it was gone", "holder": 4, "event": 5}],
        "presences": [{"quote": "Dov took the lantern to the forge", "holder": 5, "movement": "enters", "place": 6, "at": 5}],
    },
    "changes": {
        "propositions": [{"quote": "Rafe promised her", "number": 5, "subject": 4, "predicate": "obligation",
                          "value": "mend the lantern", "truth": "asserted", "effect_of": 2}],
        "developments": [{"quote": "he would mend the lantern by Sunday", "number": 1, "is_a": "promise",
                          "title": "Rafe will mend the lantern", "holders": [4, 1], "aim": 4, "event": 2}],
        "steps": [{"quote": "Dov took the lantern to the forge", "development": 1, "status": "blocked", "event": 5}],
        "possibilities": [{"quote": "Rafe did not know that it was gone", "development": 1, "premises": [2],
                           "summary": "The smith mends the lantern before Rafe can.", "uncertainty": "high",
                           "events": [{"what": "mend", "agent": [5], "patient": [2]}]}],
        "summaries": [{"quote": "Nell hung the copper lantern", "scene": 1, "events": [1, 2],
                       "summary": "Nell hangs up the lantern, and Rafe promises to mend it."}],
    },
}  # fmt: skip

TWO_ANSWERS: Answers = {
    "entities": {
        "entities": [
            {"quote": "the smith", "number": 1, "is_a": "character", "name": "smith"},
            {"quote": "the old lamp", "number": 2, "known": 3, "is_a": "object", "name": "old lamp"},
            {"quote": "Nell", "number": 3, "is_a": "character", "name": "Nell"},
            {"quote": "Rafe", "number": 4, "is_a": "character", "name": "Rafe"},
        ],
        "namings": [{"quote": "old lamp", "entity": 2}],
    },
    "events": {
        "events": [{"quote": "the smith gave the old lamp back to Nell", "number": 1, "what": "give", "realis": "actual",
                    "agent": [1], "patient": [2], "recipient": [3]},
                   {"quote": "Rafe saw it in her hand", "number": 2, "what": "see", "realis": "actual",
                    "experiencer": [4], "patient": [2]}],
        "times": [{"quote": "On Sunday", "event": 1}],
        "propositions": [
            {"quote": "the smith gave the old lamp back to Nell", "number": 1, "subject": 2, "predicate": "possession",
             "object": 3, "truth": "asserted", "effect_of": 1},
            {"quote": "the smith gave the old lamp back to Nell", "number": 2, "subject": 2, "predicate": "Location",
             "value": "with Nell", "truth": "asserted", "effect_of": 1},
        ],
    },
    "perspective": {
        "accesses": [{"quote": "Rafe saw it in her hand", "holder": 4, "proposition": n, "mode": "observation",
                      "gained_in": 2} for n in (1, 2)],
    },
    "changes": {
        "steps": [{"quote": "It shone", "development": 1, "status": "advanced", "event": 1}],
        "realisations": [{"quote": "It shone", "possibility": 1, "event": 1}],
    },
}  # fmt: skip
