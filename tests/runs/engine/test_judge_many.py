"""Steps on many tasks or candidates: one run judges them as an earlier run did."""

from typing import Any

import pytest
from django.test import Client

from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate
from judge.runs.engine.models import JudgeRun, RunItem
from judge.runs.pages.actions import plan_repeat
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db
TASKS, CANDIDATES = "/staff/lists/tasks/judge/", "/staff/lists/candidates/judge/"
OFFLINE = {"provider": "offline", "model": "", "method": "zero_shot"}


@pytest.fixture
def first(judge: Any) -> JudgeRun:
    """A run that judged two tasks with two candidates each."""
    factory.benchmark(2, 2)
    run: JudgeRun = judge(**OFFLINE)[0]
    return run


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    browser: Client = sign_in(staff)
    return browser


def form(rows: Any, like: JudgeRun, **more: str) -> dict[str, str]:
    keys = ",".join(str(row.pk) for row in rows)
    return {"rows": keys, "checked": "1", "like": str(like.pk)} | more


def judged_in(run: JudgeRun) -> set[tuple[str, str]]:
    items = RunItem.objects.filter(run=run).exclude(reason="baseline")
    return set(items.values_list("response__task__key", "response__candidate__name"))


def test_the_preview_says_which_tasks_cannot_be_judged_and_plans_nothing(
    office: Client, first: JudgeRun
) -> None:
    unanswered = factory.external_task("unanswered", baseline=False)
    without = factory.external_task("without-rubric", lines=0)
    factory.respond(without, "system-1")
    page = office.post(TASKS, form(Task.objects.all(), first))
    why = {row.pk: row.why for row in page.context["cannot"]}
    assert why == {
        unanswered.pk: "No candidate has answered this task.",
        without.pk: "This task has no rubric to judge by.",
    }
    assert "Plan a run over 2 tasks" in page.content.decode()
    refused = office.post(f"{TASKS}do/", form(Task.objects.all(), first))
    assert refused.status_code == 409
    assert JudgeRun.objects.get() == first


def test_one_run_over_the_ticked_tasks_is_planned_and_asks_only_what_changed(
    office: Client, first: JudgeRun, judge: Any
) -> None:
    one, other = Task.objects.order_by("pk")
    third = factory.external_task("third")
    factory.respond(third, "system-3")
    factory.rubric(other, 5)
    sent = form([other, third], first, csrfmiddlewaretoken="x" * 64)
    page = office.post(f"{TASKS}do/", sent)
    run = JudgeRun.objects.latest("pk")
    assert page["Location"] == f"/staff/runs/{run.pk}/"
    assert run.state == JudgeRun.State.PAUSED
    assert (run.provider, run.method, run.model) == (first.provider, first.method, first.model)
    assert judged_in(run) == {
        (other.key, "system-1"),
        (other.key, "system-2"),
        (third.key, "system-3"),
    }
    told = office.get(page["Location"]).content.decode()
    assert "A run over 2 tasks is planned. Read the estimate, then start it." in told
    office.post(f"{TASKS}do/", sent)
    assert JudgeRun.objects.count() == 2
    office.post(f"{TASKS}do/", form([one, other], first))
    again = JudgeRun.objects.latest("pk")
    for planned in (run, again):
        JudgeRun.objects.filter(pk=planned.pk).update(state="waiting", reason="")
    assert judge(JudgeRun.objects.get(pk=run.pk))[1]["reused"] == 0
    assert judge(JudgeRun.objects.get(pk=again.pk))[1]["reused"] == 4


def test_a_run_that_cannot_be_planned_is_refused_with_the_reason(
    office: Client, stub: Any, judge: Any
) -> None:
    factory.benchmark(1, 1)
    run, _result = judge(max_calls=3)
    page = office.post(f"{TASKS}do/", form(Task.objects.all(), run, budget_usd="5"))
    assert page.status_code == 400
    assert "price of OpenAI judge-1 is not known" in page.content.decode()
    assert set(page.context["form"].errors) == {"budget_usd"}
    assert JudgeRun.objects.count() == 1
    assert (
        office.post(f"{TASKS}do/", form(Task.objects.all(), run, max_calls="7")).status_code == 302
    )
    assert JudgeRun.objects.latest("pk").max_calls == 7


def test_a_task_without_a_rubric_is_judged_where_the_method_needs_none(
    office: Client, stub: Any, judge: Any
) -> None:
    task = factory.external_task("by-reference", lines=0)
    factory.respond(task, "system-1")
    run, _result = judge(method="graded")
    page = office.post(TASKS, form([task], run))
    assert [row.pk for row in page.context["can"]] == [task.pk]


def test_a_task_whose_form_of_answer_the_method_does_not_judge_is_named(
    office: Client, first: JudgeRun
) -> None:
    exact = Task.objects.order_by("pk")[0]
    Task.objects.filter(pk=exact.pk).update(answer_form="exact")
    page = office.post(TASKS, form(Task.objects.all(), first))
    assert [(row.pk, row.why) for row in page.context["cannot"]] == [
        (exact.pk, "The method of this run does not judge this form of answer.")
    ]


def test_a_repeat_is_not_offered_as_the_earlier_run(
    office: Client, first: JudgeRun, judge: Any
) -> None:
    repeat = plan_repeat(actor=None, run=first)
    JudgeRun.objects.filter(pk=repeat.pk).update(state="waiting", reason="")
    judge(JudgeRun.objects.get(pk=repeat.pk))
    page = office.post(TASKS, {"rows": str(Task.objects.all()[0].pk)})
    assert [pk for pk, _words in page.context["form"].fields["like"].choices] == [first.pk]
    assert office.post(TASKS, form(Task.objects.all(), repeat)).status_code == 400


def test_a_run_over_the_ticked_candidates_judges_their_responses_alone(
    office: Client, first: JudgeRun
) -> None:
    silent = Candidate.objects.create(name="silent")
    newcomer = factory.respond(Task.objects.order_by("pk")[0], "newcomer").candidate
    page = office.post(CANDIDATES, form([newcomer, silent], first))
    assert [(row.pk, row.why) for row in page.context["cannot"]] == [
        (silent.pk, "It has no responses.")
    ]
    assert office.post(f"{CANDIDATES}do/", form([newcomer], first)).status_code == 302
    assert {name for _task, name in judged_in(JudgeRun.objects.latest("pk"))} == {"newcomer"}


def test_without_an_earlier_run_the_form_says_where_to_plan_one(office: Client) -> None:
    factory.benchmark(1, 1)
    task = Task.objects.get()
    page = office.post(TASKS, {"rows": str(task.pk), "checked": "1", "like": ""})
    assert page.status_code == 400
    assert "Choose a run. If there is none, plan the first under Runs." in page.content.decode()


def test_only_staff_for_scoring_are_offered_to_judge(
    sign_in: Any, person: Any, first: JudgeRun
) -> None:
    editor = sign_in(person("edda", is_staff=True, does_scoring=False))
    assert "Judge …" not in editor.get("/staff/tasks/").content.decode()
    for address in (TASKS, f"{TASKS}do/"):
        assert editor.post(address, form(Task.objects.all(), first)).status_code == 403
    assert JudgeRun.objects.get() == first
