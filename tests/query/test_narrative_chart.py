"""The story map: what stands beside it and what separates its chapters."""

from __future__ import annotations

import pytest

from narraworld.query.figures.narrative_chart import narrative_chart


def drawn(chapters: int) -> dict[str, object]:
    scenes = [
        {"id": f"s{n}", "chapter": n, "n": n, "label": f"{n}", "day": "", "told": n, "happened": n, "back": False}
        for n in range(1, chapters + 1)
    ]  # fmt: skip
    return {
        "order": "told", "scenes": scenes, "chapters": [{"n": n, "title": ""} for n in range(1, chapters + 1)],
        "people": [{"id": "ida", "name": "Ida", "scenes": [one["id"] for one in scenes], "followed": False}], "everybody": [],
        "groups": [[{"people": ["ida"], "place": ""}] for _ in scenes],
    }  # fmt: skip


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("chapters", [1, 3])
def test_a_rule_stands_between_chapters_and_not_among_the_names(chapters: int, tall: bool) -> None:
    assert narrative_chart(drawn(chapters), tall=tall).inline.count('class="rule"') == chapters - 1
