"""A question with an exact answer: its author, two solvers and the panel at desks of their own."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.models import ScreeningPolicy, Solve
from curation.tasks.task.models import Task
from rubrics.versions.models import Criterion
from tests.tasks.exact_answers.conftest import EXACT_TESTS, QUESTION, STEPS, WRITTEN

pytestmark = pytest.mark.django_db(transaction=True)
TITLE = QUESTION["title"]


@pytest.fixture(autouse=True)
def nobody_is_drawn(finance: Domain) -> None:
    """Places are taken by the people of the walk."""
    ScreeningPolicy.objects.create(domain=finance, draw=False, quorum=1)


def writes_and_submits(desk: Any, author: User) -> None:
    """Choose the form, write question, answer and steps, and submit."""
    ana = desk(author.email)
    ana.open("/tasks/new/")
    page = ana.page
    page.get_by_text("Another language, or an answer that is no text").click()
    page.get_by_label("A few words or one number").check()
    ana.click("Start the draft")
    for name in ("title", "requirements", "minutes"):
        with page.expect_response(lambda reply: reply.url.endswith("/save/")):
            box = page.locator(f"#task-form [name={name}]")
            box.fill(str(({"title": TITLE} | QUESTION)[name]))
            box.blur()
    page.get_by_label("What an hour costs").select_option(QUESTION["rate_band"])
    page.get_by_label("The right answer stays the same").check()
    page.wait_for_load_state("networkidle")
    ana.click("Write the answer and its steps")
    page.get_by_role("textbox", name="Answer", exact=True).fill(WRITTEN["answer"])
    page.locator("[name=kind][value=number]").check()
    page.get_by_label("Unit").fill(WRITTEN["unit"])
    page.get_by_label("Level", exact=True).select_option(str(WRITTEN["level"]))
    page.get_by_label("Cut-off date").fill(WRITTEN["cutoff"].isoformat())
    page.get_by_label("Why there is no other right answer").fill(WRITTEN["why_unique"])
    page.get_by_label("Why the answer stays the same").fill(WRITTEN["why_stable"])
    for n, step in enumerate(STEPS, start=1):
        page.get_by_role("textbox", name=f"Step {n}", exact=True).fill(step.text)
        page.locator(f"[name=step-{n}-source]").fill(step.source)
        page.locator(f"[name=step-{n}-date]").fill(step.source_date.isoformat())
    ana.click("Save")
    ana.reads("The answer, its steps and sources are there.")
    ana.click("The question")
    ana.click("Submit for screening")
    ana.reads("Submitted")


def takes_it(desk: Any, solver: User) -> Any:
    """Take a solve from the pool and open the question; the answer is in no byte of the page."""
    hand = desk(solver.email, width=390, height=844)
    hand.open("/screening/")
    hand.click(f"Solve: {TITLE}")
    hand.page.wait_for_load_state()
    hand.open(f"/screening/{Task.objects.get().pk}/solve/")
    hand.reads("Answer and steps hidden until yours is in; author not named", "Fifteen-minute mark")
    whole = hand.page.content()
    for told in (*(step.text for step in STEPS), STEPS[0].source, WRITTEN["why_unique"]):
        assert told not in whole
    assert hand.page.get_by_role("button", name="Look at the steps").count() == 0
    assert hand.page.evaluate("document.documentElement.scrollWidth") == 390
    return hand


def decides(hand: Any, remarks: str) -> None:
    hand.page.get_by_label("Right, and the only answer").check()
    hand.page.get_by_label("Reason").fill(remarks)
    hand.click("Send your verdict")
    hand.reads("Your verdict is in. Thank you.")


def solves(desk: Any, solver: User) -> None:
    """Hand an own answer in, then compare."""
    hand = takes_it(desk, solver)
    hand.page.get_by_label("Your answer").fill("１２ prefectures")
    hand.click("Hand in your answer")
    hand.reads("they say the same", "Compared by rule", STEPS[0].text)
    decides(hand, "Counted province by province; the treaties agree.")


def verifies_after_the_mark(desk: Any, solver: User) -> None:
    """Stay until the mark passes under the eyes of the solver, then look at the steps."""
    hand = takes_it(desk, solver)
    hand.page.get_by_label("Your answer").fill("not sure yet")
    mine = Solve.objects.filter(solver=solver)
    mine.update(started_at=timezone.now() - timedelta(minutes=15) + timedelta(seconds=2))
    hand.page.reload()
    hand.page.get_by_label("Your answer").fill("not sure yet")
    hand.reads("Fifteen minutes have passed.")  # without another load of the page
    assert hand.page.get_by_label("Your answer").input_value() == "not sure yet"
    hand.click("Look at the steps")
    hand.reads("none: you verify with the steps", STEPS[1].source)
    decides(hand, "Each step holds; I followed both pages.")


def votes(desk: Any, member: User, author: User) -> None:
    mia = desk(member.email)
    mia.open("/screening/")
    mia.click(f"Take a place on the panel: {TITLE}")
    mia.open(f"/screening/{Task.objects.get().pk}/")
    assert author.email not in mia.page.content()
    for name in ("difficult", "representative", "gradable", *EXACT_TESTS):
        mia.page.locator(f"[name={name}][value=yes]").check()
    mia.page.locator("[name=decision][value=keep]").check()
    mia.page.get_by_label("Reasons").fill("A question that one has to work for.")
    mia.press("Control+Enter")
    mia.reads("Your vote is in.")


def test_a_question_is_written_solved_twice_and_kept_with_one_line(
    desk: Any, author: User, person: Any, finance: Domain, staff: User
) -> None:
    writes_and_submits(desk, author)
    call_command("work", verbosity=0)
    assert Task.objects.get().stage == Stage.SCREENING
    solves(desk, person("ina", finance))
    verifies_after_the_mark(desk, person("ole", finance))
    votes(desk, person("mia", finance), author)
    task = Task.objects.get()
    assert task.stage == Stage.APPROVED
    (line,) = Criterion.objects.filter(version__task=task)
    assert (line.weight, "12 prefectures" in line.text) == (10, True)
    assert sorted(one.unaided for one in Solve.objects.all()) == [False, True]
    room = desk(staff.email)
    room.open(f"/staff/tasks/{task.pk}/")
    room.reads("Approved")
    ana = desk(author.email)
    ana.open("/notices/")
    ana.reads(TITLE)
