"""Home of staff: what waits on whom, runs with their money, failures, pace, the way in."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.staff_queries import funnel
from curation.staff.pipeline.throughput import weekly
from curation.tasks.task.models import Task, TaskEvent
from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.base.queue import send
from judge.base.queue.leases import unavailable
from judge.base.queue.models import MachineWork
from judge.jobs.jobs import JOBS
from judge.jobs.waiting_rows import KINDS
from judge.runs.engine.models import JudgeRun

pytestmark = pytest.mark.django_db


def home(browser: Any, query: str = "") -> Any:
    return browser.get(f"/?{query}")


def test_late_work_comes_first_and_names_whom_it_waits_for(
    sign_in: Any, staff: User, author: User, peer: User, refining: Any
) -> None:
    from rubrics.sending.actions import send_to_review

    waits = refining()
    sent = refining(title="Sent")
    send_to_review(actor=author, task=sent)
    review = sent.reviews.get()
    type(review).objects.update(due_at=timezone.now() - timedelta(days=2))
    page = home(sign_in(staff))
    rows = page.context["waiting"]
    assert [(row.task_id, person, row.late) for row, person in rows] == [
        (sent.pk, review.reviewer, True),
        (waits.pk, author, False),
    ]
    assert (page.context["in_hand"], page.context["late"]) == (2, 1)
    loads = [(who, load.pieces, load.late) for load, who in page.context["loads"]]
    assert loads == [(review.reviewer, 1, 1), (author, 1, 0)]
    assert "2 pieces of work in hand, 1 late" in page.content.decode()


def moved(task: Task, stage: str, days: int) -> None:
    event = TaskEvent.objects.create(task=task, from_stage="x", to_stage=stage)
    TaskEvent._base_manager.filter(pk=event.pk).update(at=timezone.now() - timedelta(days=days))


def test_each_week_counts_each_task_once(finance: Any, author: User) -> None:
    one, two = (
        Task.objects.create(key=f"t{n}", title="T", domain=finance, author=author) for n in "12"
    )
    for task, stage in ((one, Stage.SUBMITTED), (two, Stage.SUBMITTED), (one, Stage.SUBMITTED)):
        moved(task, stage, 0)
    moved(one, Stage.APPROVED, 14)
    moved(two, Stage.APPROVED, 200)
    weeks = weekly()
    assert len(weeks) == 9
    assert (weeks[-1].submitted, weeks[-1].whole) == (2, False)
    assert (weeks[-3].approved, weeks[-3].whole) == (1, True)
    assert sum(week.approved for week in weeks) == 1
    assert weeks[0].start.weekday() == 0


def test_a_task_that_is_approved_again_is_no_further_approval(finance: Any, author: User) -> None:
    again, back, new = (
        Task.objects.create(key=f"t{n}", title="T", domain=finance, author=author) for n in "123"
    )
    for task, days in ((again, 21), (again, 0), (back, 200), (new, 0)):
        moved(task, Stage.APPROVED, days)
    TaskEvent.objects.create(task=back, from_stage=Stage.DISCARDED, to_stage=Stage.APPROVED)
    assert [week.approved for week in weekly()] == [0, 0, 0, 0, 0, 1, 0, 0, 1]


def test_a_goal_is_asked_for_in_the_address_and_a_wrong_one_is_said_at_its_field(
    sign_in: Any, staff: User
) -> None:
    office = sign_in(staff)
    assert home(office).context["forecast"].goal == 10
    page = home(office, "goal=250")
    assert page.context["forecast"].goal == 250
    assert "No forecast for 250 approved tasks yet" in page.content.decode()
    for wrong in ("0", "x", "-3", "9" * 30):
        page = home(office, f"goal={wrong}")
        assert page.status_code == 200
        assert page.context["goal_form"].errors["goal"], wrong


def test_the_way_in_counts_who_ever_reached_a_stage(person: Any, finance: Any, staff: User) -> None:
    for name, stage in (("a", "applied"), ("b", "exam"), ("c", "qualified"), ("d", "rejected")):
        row = Application.objects.create(
            user=person(name), domain=finance, affiliation="x", degree="x", years=4, stage=stage
        )
        for reached in {"exam": ("exam",), "qualified": ("exam", "training", "trial")}.get(
            stage, ()
        ):
            row.history.create(from_stage="applied", to_stage=reached)
        row.history.create(from_stage="", to_stage="applied")
    found = {step.stage: (step.reached, step.now, step.share) for step in funnel()}
    assert found == {
        "applied": (4, 1, None),
        "exam": (2, 1, 0.5),
        "training": (1, 0, 0.5),
        "trial": (1, 0, 1.0),
        "qualified": (1, 1, 1.0),
    }


def waits_for_a_probe(author: User, finance: Any) -> Task:
    return Task.objects.create(
        key="probed", title="Probed", stage="submitted", author=author, domain=finance
    )


def failed_probe(task: Task) -> MachineWork:
    return MachineWork.objects.create(
        kind="probe", object_id=task.pk, attempts=4, problem="The model was away."
    )


def test_failed_work_is_shown_and_tried_again_once(
    sign_in: Any, staff: User, author: User, finance: Any
) -> None:
    task = waits_for_a_probe(author, finance)
    failed = failed_probe(task)
    MachineWork.objects.create(kind="probe", object_id=task.pk + 1)
    office = sign_in(staff)
    for page in (home(office), office.get("/staff/jobs/")):
        said = page.content.decode()
        assert "The model was away." in said
        assert "Failed 4 times" in said
        assert [row.number for row in page.context["failing"]] == [task.pk]
    assert unavailable("probe") == {task.pk}
    address = f"/staff/jobs/{failed.pk}/again/"
    assert sign_in(author).post(address).status_code == 403
    assert office.post(address).status_code == 302
    assert unavailable("probe") == set()
    assert office.post(address).status_code == 409


def test_failed_work_that_nobody_waits_for_any_more_is_neither_shown_nor_tried(
    sign_in: Any, staff: User, author: User, finance: Any
) -> None:
    task = waits_for_a_probe(author, finance)
    failed = failed_probe(task)
    Task.objects.filter(pk=task.pk).update(stage="withdrawn")
    office = sign_in(staff)
    for page in (home(office), office.get("/staff/jobs/")):
        assert page.context["failing"] == []
        assert "The model was away." not in page.content.decode()
    assert office.post(f"/staff/jobs/{failed.pk}/again/").status_code == 409
    failed.refresh_from_db()
    assert failed.attempts == 4


def test_every_kind_of_machine_work_has_a_name_its_waiting_rows_and_a_job() -> None:
    kinds = {value for name, value in vars(send).items() if name.isupper()}
    assert "codes" in kinds
    assert set(KINDS) == set(JOBS) == kinds


def test_a_run_that_cost_less_than_a_cent_is_not_said_to_cost_nothing(
    sign_in: Any, staff: User
) -> None:
    run = JudgeRun.objects.create(
        method="one_shot", provider="openai", model="larch-4", state="paused", budget_micro=500_000
    )
    Price.objects.create(
        provider="openai", model="larch-4",
        input_micro=2_000_000, cached_micro=2_000_000, output_micro=2_000_000,
    )  # fmt: skip
    Call.objects.create(
        purpose="judge", provider="openai", model="larch-4", run=run, attempt=1, request={},
        input_tokens=1_000, output_tokens=550, seconds=1.0,
    )  # fmt: skip
    office = sign_in(staff)
    for page in (home(office), office.get("/staff/runs/")):
        said = page.content.decode()
        assert "$0.0031" in said
        assert "$0.50" in said


@pytest.mark.parametrize("state", ["waiting", "running", "paused", "stopped"])
def test_home_shows_runs_in_every_open_state(sign_in: Any, staff: User, state: str) -> None:
    JudgeRun.objects.create(method="one_shot", provider="openai", model="larch-4", state=state)
    page = home(sign_in(staff))
    assert page.status_code == 200
    assert [one.row.run.state for one in page.context["runs"]] == [state]


def test_work_that_a_worker_has_is_not_tried_again(sign_in: Any, staff: User) -> None:
    busy = MachineWork.objects.create(
        kind="draft",
        object_id=3,
        attempts=2,
        lease="elsewhere-1",
        lease_until=timezone.now() + timedelta(minutes=5),
    )
    office = sign_in(staff)
    assert office.post(f"/staff/jobs/{busy.pk}/again/").status_code == 409
    page = office.get("/staff/jobs/")
    assert page.context["failing"] == []
    assert "Drafting a rubric" in page.content.decode()


def test_experts_and_applicants_see_none_of_it(sign_in: Any, author: User, applicant: User) -> None:
    for who in (author, applicant):
        page = home(sign_in(who))
        assert "What waits on whom" not in page.content.decode()
        assert sign_in(who).get("/staff/jobs/").status_code == 403
