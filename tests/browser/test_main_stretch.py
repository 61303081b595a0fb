"""From a new draft to an approved task, with real clicks and keys."""

import re
from typing import Any

import pytest
from django.core.management import call_command

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import ScreeningPolicy
from curation.screening.panels.voting_actions import vote
from curation.tasks.task.models import Task
from tests.walk import texts

pytestmark = pytest.mark.django_db(transaction=True)


def typed_and_saved(desk: Any, field: str, words: str) -> None:
    """Fill a field of the editor, leave it, and wait for the word that it is saved."""
    with desk.page.expect_response(lambda r: r.url.endswith("/save/")) as answer:
        box = desk.page.locator(f"#task-form [name={field}]")
        box.fill(words)
        box.blur()
    assert answer.value.status == 200


def counted(desk: Any, n: int) -> None:
    """Wait until the bar counts this many approvals."""
    desk.page.locator("#dock", has_text=re.compile(rf"(?<!\d){n} approved,")).wait_for()


def keep(task: Task, member: User) -> None:
    """What the machine and the panel do, between the author's two visits."""
    ScreeningPolicy.objects.update_or_create(domain=None, defaults={"draw": False})  # this member
    call_command("work", verbosity=0)
    task.refresh_from_db()
    join_panel(actor=member, task=task)
    vote(
        actor=member,
        task=task,
        difficult=True,
        representative=True,
        gradable=True,
        decision="keep",
        reasons="Hard, typical and gradable.",
    )
    call_command("work", verbosity=0)
    task.refresh_from_db()
    assert task.stage == "refining"


def test_a_task_is_written_refined_reviewed_and_approved(
    desk: Any, author: User, peer: User, person: Any, finance: Domain, settings: Any
) -> None:
    settings.SPOT_CHECK_RATE = 0.0
    member = person("member", finance)

    # The author writes and submits.
    ana = desk()
    ana.sign_in(author.email)
    ana.open("/tasks/new/")
    ana.click("Start the draft")
    ana.reads("Draft started.")
    for part in ("scenario", "materials", "requirements", "reference_answer", "title"):
        typed_and_saved(ana, part, texts.TASK[part])
    ana.page.get_by_label("Minutes a professional needs").fill(texts.TASK["minutes"])
    ana.page.get_by_label("What an hour costs").select_option(texts.TASK["rate_band"])
    ana.page.get_by_label("The right answer stays the same").check()
    ana.press("Control+Shift+Enter")
    ana.page.wait_for_url("**/tasks/*/")
    task = Task.objects.get()
    ana.reads("It takes slot 1.")
    keep(task, member)

    # She makes the machine's draft hers, with the keyboard.
    ana.open(f"/tasks/{task.pk}/rubric/")
    first = ana.page.locator("#line-list .line").first
    with ana.page.expect_response(lambda r: "/lines/" in r.url and r.request.method == "POST"):
        first.locator(".line-n").click()
        ana.press("7")
    with ana.page.expect_response(lambda r: "/lines/" in r.url and r.request.method == "POST"):
        ana.press("o")
    with ana.page.expect_response(lambda r: "/lines/" in r.url and r.request.method == "POST"):
        ana.press("Enter")
        ana.page.locator("#line-text").fill(texts.REFINED["text"])
    ana.press("Escape")
    version = task.rubric_versions.get(frozen_at=None)
    line = version.criteria.order_by("position").first()
    assert line is not None
    assert (line.weight, line.importance, line.text) == (7, "optional", texts.REFINED["text"])
    for n, words in enumerate(texts.MORE_LINES[: max(1, 15 - version.criteria.count())]):
        lines = ana.page.locator("#line-list .line")
        before = lines.count()
        ana.page.locator("body").click(position={"x": 3, "y": 3})
        ana.press("l")
        ana.page.keyboard.insert_text(words)
        ana.press("Enter")
        lines.nth(before).wait_for()
        assert n < 15
    ana.press("Escape")
    ana.press("Control+Shift+Enter")
    ana.reads("drafted lines are not confirmed yet.")  # she has not read them all
    ana.problems[:] = [p for p in ana.problems if "status of 400" not in p]  # the refusal tried
    ana.click("Send it as it is")
    ana.reads("Sent. You will hear from your reviewer when every line has a verdict.")

    # The reviewer asks for one change and approves the rest.
    rui = desk()
    rui.sign_in(peer.email)
    rui.open("/reviews/")
    rui.click("Start")
    rui.page.wait_for_url("**/reviews/*/")
    total = rui.page.locator("#line-list .line").count()
    rui.press("r")
    rui.reads("The change is about")
    rui.page.keyboard.insert_text("Which two figures is it made of?")
    rui.page.locator("label", has_text="Clarity").click()
    rui.page.locator("#verdict-form").get_by_role("button", name="Request change").click()
    rui.reads("1 change requested")
    for n in range(1, total):
        rui.press("a")
        counted(rui, n)
    rui.reads("every line has a verdict")
    rui.press("Control+Shift+Enter")
    rui.reads("Round 1 is finished. The author has your request on 1 line")

    # The author answers in the thread.
    ana.open(f"/tasks/{task.pk}/rubric/")
    ana.reads("The last round asks for a change on 1 line.")
    ana.page.get_by_placeholder("Answer the reviewer, or change the line").fill(
        "Net debt and EBITDA, both in the materials."
    )
    ana.page.locator(".line-thread").get_by_role("button", name="Answer").click()
    ana.reads("Your answer is in the thread.")
    ana.click("Send to review")
    ana.reads("Sent. You will hear from your reviewer when every line has a verdict.")

    # The reviewer agrees; nothing was drawn for a spot check.
    rui.open("/reviews/")
    rui.page.locator(".wait a.btn").first.click()
    rui.reads("Net debt and EBITDA, both in the materials.")
    rui.press("a")
    rui.reads("every line has a verdict")
    rui.press("Control+Shift+Enter")
    rui.reads("Every line is approved. The rubric moves on; thank you.")
    ana.open(f"/tasks/{task.pk}/")
    ana.reads("Approved", "It is part of the benchmark.")
