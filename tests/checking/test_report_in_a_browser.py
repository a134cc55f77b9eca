"""The HTML report in headless Chromium: no request but for itself, and nothing that axe-core has against it.

Needs node and a folder where `npm install puppeteer-core axe-core @sparticuz/chromium` was run, named by NARRAWORLD_BROWSER;
a Chromium of one's own is named by CHROMIUM. What can be checked without a browser is in tests/query/checks/test_html_report.py.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from places import SUPPORT
from sample_check import NOTHING, REPORT

from narraworld.query.checks.report import Report, render

LOOK = SUPPORT / "browser" / "look.mjs"
FOLDER = os.environ.get("NARRAWORLD_BROWSER")


@pytest.mark.skipif(
    FOLDER is None, reason="NARRAWORLD_BROWSER names no folder with puppeteer-core and axe-core"
)
@pytest.mark.parametrize("report", [REPORT, Report(NOTHING)], ids=["findings", "nothing"])
@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1100), ("dark", 1100), ("light", 380), ("print", 800)], ids=str
)
def test_the_report_opens_by_itself_and_is_accessible(
    report: Report, scheme: str, width: int, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    page.write_text(render(report, "html"), encoding="utf-8")

    done = subprocess.run(
        ["node", LOOK, str(FOLDER), page, scheme, str(width)], capture_output=True, text=True, timeout=600
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["requests"] == [page.as_uri()]
    assert (found["troubles"], found["violations"], found["incomplete"]) == ([], [], [])
    assert found["passes"] > 20
    assert not found["wide"]
