"""From a number on the leaderboard to a verdict, and from a disagreement to the next sample."""

from typing import Any

import pytest

from judge.results.flags.flags import VerdictFlag
from tests.conftest import new_domain
from tests.results.alignment.conftest import Bench, fill_three

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(transactional_db: Any) -> Any:
    """A judge's run over two tasks with three candidates, all scored by an expert."""
    bench = Bench(new_domain("finance"))
    fill_three(bench)
    return bench.run(
        {
            (task, candidate): met
            for task in ("one", "two")
            for candidate, met in (
                ("Cedar", (0, 1, 0, 1)),
                ("Birch", (1, 0, 0, 0)),
                ("Alder", (0, 0, 1, 1)),
            )
        }
    )


def test_two_clicks_lead_from_a_cell_to_the_judges_reason(desk: Any, staff: Any, run: Any) -> None:
    window = desk(staff.email)
    page = window.page
    window.open(f"/leaderboard/?run={run.pk}&by=importance")
    row = page.get_by_role("row", name="Cedar")
    row.get_by_role("link", name="0", exact=True).click()  # nothing essential is met
    window.reads("2 responses for")
    page.get_by_role("link", name="One", exact=True).click()
    window.reads("The judge on c0", "because", "expert-1 · 100")
    assert page.locator("ol.lines > li").count() == 1  # the essential line, as in the cell
    window.press("j")
    page.wait_for_function("() => document.title.startsWith('Two')")
    window.press("k")
    page.wait_for_function("() => document.title.startsWith('One')")


def test_four_clicks_lead_from_a_disagreement_to_a_flagged_verdict(
    desk: Any, staff: Any, run: Any
) -> None:
    window = desk(staff.email)
    page = window.page
    window.open(f"/staff/alignment/?judge={run.pk}")
    page.locator(".worst summary").first.click()
    page.get_by_role("link", name="Both side by side").first.click()
    window.reads("2 of 4 lines are shown")
    page.get_by_text("Flag this verdict as wrong").first.click()
    page.get_by_label("Why is it wrong?").first.fill("The second table gives the figure.")
    page.get_by_role("button", name="Flag", exact=True).first.click()
    window.reads("No score changes", "The second table gives the figure.")
    flag = VerdictFlag.objects.get()
    assert page.url.endswith(f"#verdict-{flag.verdict_id}")
    window.open("/staff/flags/")
    window.reads("The second table gives the figure.", "1 with the flag, 0 with the judge")
