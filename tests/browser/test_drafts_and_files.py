"""A draft that is asked for, watched and taken over, and a file that is taken and undone."""

import csv
import io
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.jobs import jobs
from judge.suggesting.drafts.models import DraftRequest
from rubrics.files.format import FIELDS, as_values
from tests.rubrics.walk import lines_of, to_refining

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def refining(author: User, person: Any, finance: Domain, monkeypatch: Any) -> Task:
    # The worker is this test: it does the job when it is time.
    monkeypatch.setattr("judge.suggesting.drafts.actions.send", lambda *args, **options: True)
    return to_refining(author, person("screener", finance), finance)


def test_a_draft_arrives_without_a_reload_and_its_lines_are_taken_over_and_undone(
    desk: Any, author: User, refining: Task
) -> None:
    ana = desk(author.email)
    ana.open(f"/tasks/{refining.pk}/rubric/drafts/")
    ana.page.get_by_label("What should it do differently?").fill("More on the recommendation.")
    ana.click("Ask for a draft")
    ana.reads("Another draft is being written.", "waiting for a worker")

    bench = ana.tab()
    bench.goto(f"{ana.url}/tasks/{refining.pk}/rubric/", wait_until="load")
    bench.get_by_text("Another draft is being written.").wait_for()
    box = bench.locator(".line.is-current textarea[name=text]")
    box.fill("Half a sentence that must not be lost")

    assert jobs.further_draft(DraftRequest.objects.get().pk)
    ana.reads("2 drafts of at most 4")  # the page of the drafts shows it by itself
    bench.get_by_text("The draft you asked for is ready.").wait_for()
    assert box.input_value() == "Half a sentence that must not be lost"

    bench.get_by_role("link", name="Read it beside your lines").click()
    bench.get_by_role("link", name="Draft 2").click()
    bench.get_by_label("Take over line 1").check()
    bench.get_by_role("button", name="Take over the ticked lines").click()
    bench.get_by_text("1 line taken over").first.wait_for()
    assert len(lines_of(refining)) == 16
    bench.locator("[data-toast]").get_by_role("button", name="Undo").click()
    bench.get_by_text("Undone: Lines taken from a draft.").first.wait_for()
    assert len(lines_of(refining)) == 15
    assert lines_of(refining)[0].text == "Half a sentence that must not be lost"
    assert ana.problems == []


def test_a_file_is_looked_at_on_a_phone_then_taken_and_undone(
    desk: Any, author: User, refining: Task
) -> None:
    before = [(line.key, line.text, line.weight) for line in lines_of(refining)]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, FIELDS)
    writer.writeheader()
    rows = [as_values(line) for line in lines_of(refining)[1:]]
    rows[0]["weight"] = 1
    writer.writerows([rows[-1], *rows[:-1]])

    ana = desk(author.email, width=390)
    ana.open(f"/tasks/{refining.pk}/rubric/import/")
    ana.page.locator("#file").set_input_files(
        {"name": "rubric.csv", "mimeType": "text/csv", "buffer": out.getvalue().encode()}
    )
    ana.page.get_by_label("are removed").check()
    ana.click("Show what would change")
    ana.reads("1 changed, 0 added, 1 removed, 13 as they are.", "Nothing is changed yet.")
    width = ana.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    assert [(line.key, line.text, line.weight) for line in lines_of(refining)] == before

    ana.click("Take all of it, in one step")
    ana.reads("File imported: 1 line changed, 1 line removed.")
    now = lines_of(refining)
    assert [line.key for line in now] == [str(row["id"]) for row in [rows[-1], *rows[:-1]]]
    ana.page.locator("[data-toast]").get_by_role("button", name="Undo").click()
    ana.reads("Undone: File imported.")
    assert [(line.key, line.text, line.weight) for line in lines_of(refining)] == before
    assert ana.problems == []
