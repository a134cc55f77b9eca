"""A check made by hand: two findings, one of them awkward to write down, one waived, and a rule that saw nothing."""

from __future__ import annotations

from narraworld.query.checks.findings import Checked, Finding, Passage, RuleCard, RuleReport, Waiver
from narraworld.query.checks.report import Report
from narraworld.query.knows import Matrix

LEAK = RuleCard(
    "NW204", "error", "acting on what one never learned", "Knowledge leak", "decides",
    about="Looks for someone who acts on a fact before anything could have told them of it.",
    fires="Mara hides the key while Leo sleeps. Leo walks straight to the new place.",
    silent="Leo searches three other places first.",
)  # fmt: skip
EYES = RuleCard("NW103", "warning", "eyes that change colour", "Appearance", "decides")
THREAD = RuleCard("NW401", "note", "a promise nobody keeps", "Abandoned thread", "nominates")
DAYS = RuleCard("NW301", "warning", "a weekday the date denies", "Time", "decides")
PLACES = RuleCard("NW501", "error", "two places at once", "Presence", "decides")

SEEN = Passage(
    "ch02/move", "ch02", 0, 55, "Mara moved the key into the hollow book\nwhile Leo slept", "ch02.md", 3, 1
)
DONE = Passage("ch03/take", "ch03", 40, 80, "Leo went straight to the hollow book", "ch03.md", 12, 5)
AWKWARD = Passage(
    "ch01/eyes", "ch01", 7, 30, "100% *green* <eyes>, she said: “yes” & ]]> \x0b", "my chapters/ch 1.md", 2, 8
)
UNPLACED = Passage("ch04/eyes", "ch04", 5, 25, "her blue eyes | narrowed")
KNOWN_LEAK = Finding("3f2a9c1b7d10", LEAK, "Leo goes for the key where he cannot know it lies", (DONE, SEEN),
                     ("ch03/take", "ch02/move"), 'finding("NW204", "ch03/take", "ch02/move", "key")', 100.0)  # fmt: skip
TWO_COLOURS = Finding("77aa00bb11cc", EYES, "Mara's eyes are green, then blue, all in one <scene>: 100%", (AWKWARD, UNPLACED),
                      ("ch01/eyes", "ch04/eyes"), 'finding("NW103", "ch01/eyes", "ch04/eyes", "mara")', 50.0, 3)  # fmt: skip
DEFIED = Finding("0123456789ab", PLACES, "Leo is in the mill and in the boat", (DONE, SEEN), (), "", 90.0,
                 waived=Waiver("0123456789ab", "the boat is a dream", ".narraworld/decisions.toml"))  # fmt: skip

CHECKED = Checked(
    findings=(KNOWN_LEAK, TWO_COLOURS),
    waived=(DEFIED,),
    reports=(
        RuleReport(EYES, "violated", 4), RuleReport(LEAK, "violated", 9),
        RuleReport(DAYS, "not evaluated", 0, ("the text places Event in time by Expression",)),
        RuleReport(THREAD, "held", 2), RuleReport(PLACES, "held", 11),
    ),
    unused=(Waiver("ffffffffffff", "long mended", ".narraworld/decisions.toml"),),
    words=12_345,
    revision=7,
)  # fmt: skip
NOTHING = Checked((), (), CHECKED.reports[2:], (), 800, 3)

REPORT = Report(
    CHECKED,
    title="The Key & the <Drawer>",
    chapters={"ch01": "The Garden", "ch02": "Night", "ch03": "Morning", "ch04": "Rain"},
    proofs={KNOWN_LEAK.key: "Leo acts on key in hollow book\n  and nothing told Leo of it"},
    errors=("ch09: the journal is damaged",),
    quiet=2,
    knows=Matrix(("leo", "mara"), ("p",), {("p", "mara"): "knows"}, {"leo": "Leo", "mara": "Mara", "p": "key in hollow book"}),
)  # fmt: skip
