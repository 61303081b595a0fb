"""What comes out on paper: charts as wide as the page, and a rubric without its task."""

from typing import Any

import pytest

from tests.results.alignment.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)

A4 = {"width": 703, "height": 1020}  # within the margins, in pixels of CSS
CANDIDATES = {"Cedar": (1, 1, 1, 1), "Birch": (1, 1, 0, 0), "Alder": (0, 0, 1, 1)}


@pytest.fixture
def bench(finance: Any) -> Bench:
    """Two tasks of four lines, scored by an expert and by a judge."""
    made = Bench(finance)
    for key in ("one", "two"):
        made.task(key, weights=(4, 3, 2, 1))
        for name, met in CANDIDATES.items():
            made.response(key, name)
            made.sheet(key, name, "expert-1", met)
    return made


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    """The places of what can be seen."""
    found = [one.bounding_box() for one in page.locator(selector).filter(visible=True).all()]
    return [box for box in found if box]


def test_a_printed_alignment_report_uses_the_page_and_begins_with_its_title(
    desk: Any, bench: Bench, staff: Any
) -> None:
    run = bench.run(
        {(key, name): met for key in ("one", "two") for name, met in CANDIDATES.items()}
    )
    window = desk(staff.email)
    window.open(f"/staff/alignment/?judge={run.pk}")
    page = window.page
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    assert not boxes(page, ".workbar .path")
    assert not boxes(page, "button, .topbar")
    figures = boxes(page, "figure.is-beside")
    assert len(figures) >= 2
    width = boxes(page, ".page")[0]["width"]
    for figure in figures:
        assert figure["width"] > 0.95 * width
        assert figure["height"] < 0.45 * A4["height"]
    for chart, caption in zip(
        boxes(page, "figure.is-beside > .chart, figure.is-beside > .desk-only > .chart"),
        boxes(page, "figure.is-beside > figcaption"),
        strict=True,
    ):
        assert chart["x"] + chart["width"] <= caption["x"]
        assert chart["width"] > 0.45 * width


def test_a_printed_rubric_is_its_title_and_its_lines(desk: Any, bench: Bench, staff: Any) -> None:
    task = bench.versions["one"].task
    window = desk(staff.email)
    window.open(f"/tasks/{task.pk}/rubric/")
    page = window.page
    assert boxes(page, "#task")
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    assert not boxes(page, "#task")
    title, first = boxes(page, "h1")[0], boxes(page, ".lines .line")[0]
    assert first["y"] - title["y"] < 120
    assert len(boxes(page, ".lines .line")) == 4
    assert "version 1" in page.locator("footer.foot").inner_text()
