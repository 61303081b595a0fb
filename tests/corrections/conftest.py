"""An approved task with everything that can rest on its text, reached by the real actions."""

from typing import Any

import pytest
from django.test import override_settings

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.amendments.actions import agree_to_amendment, propose_amendment
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Response
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.scoring.agreement.meta_actions import decide_anchor, take_meta
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.sheets.actions import fill_sheet, open_alignment_sheet
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.sending.actions import send_to_review
from tests.conftest import new_domain, new_person
from tests.rubrics.walk import PARTS
from tests.scoring.pages.conftest import answered, approved, verdicts
from tests.worlds import World

ANSWER = PARTS["reference_answer"]
RIGHT = ANSWER.replace("134.4", "135.4")
REQUIREMENTS = PARTS["requirements"].replace("two pages", "three pages")
WHY = "The loan of 2021 was left out; see the annex."


@pytest.fixture(autouse=True)
def nothing_is_drawn(settings: Any) -> None:
    settings.SPOT_CHECK_RATE = 0.0


def built(task: Task, people: dict[str, User]) -> dict[str, Any]:
    """Everything that can rest on a task: anchor, responses, expert sheets, a judge's run."""
    anchor = answered(task)
    Response.objects.filter(task=task).update(text_version=task.version)
    sheet = take_anchor(actor=people["scorer"], anchor=anchor)
    fill_sheet(actor=people["scorer"], sheet=sheet, verdicts=verdicts(sheet))
    check = take_meta(actor=people["checker"], anchor=anchor)
    lines = dict.fromkeys(sheet.lines.values_list("criterion_id", flat=True), (True, ""))
    decide_anchor(
        actor=people["checker"], evaluation=check, verdict="validated", remarks="Ok.", lines=lines
    )
    for n, name in enumerate(("Ash 2", "Birch 1")):
        response = Response.objects.create(
            key=f"{task.key}-{name}",
            task=task,
            candidate=families.candidate_named(name),
            text=f"{name} says: net debt rises to EUR 13{n}.4 million. Consent. " * 5,
            source=Response.Source.IMPORTED,
            text_version=task.version,
        )
        scored = open_alignment_sheet(response, people["reader"])
        marks = verdicts(scored, met=lambda line, n=n: line % 3 != n)
        fill_sheet(actor=people["reader"], sheet=scored, verdicts=marks)
    run = plan_run(actor=people["staff"], method="zero_shot", provider="offline")
    work_on_run(run)
    return {"anchor": anchor, "run": run}


@pytest.fixture(scope="module")
def built_world(world_database: None) -> World:
    """An approved task, its people, and all that rests on its text."""
    finance = new_domain("finance")
    names = ("author", "screener", "reviewer", "scorer", "reader")
    people = {name: new_person(name, finance) for name in names}
    with override_settings(SPOT_CHECK_RATE=0.0):
        task = approved(people["author"], people["screener"], people["reviewer"], finance)
        for name in ("checker", "senior"):
            people[name] = new_person(name, finance, senior=True)
        people["staff"] = new_person("staff", is_staff=True)
        made = built(task, people)
    return World(finance=finance, task=task, **people, **made)


@pytest.fixture
def task(built_world: World) -> Task:
    return built_world["task"]


def proposed(task: Task, by: User, **parts: str) -> Amendment:
    task.refresh_from_db()
    return propose_amendment(
        actor=by,
        task=task,
        version=task.version,
        reason=WHY,
        parts=parts or {"reference_answer": RIGHT},
    )


def amended(task: Task, by: User, senior: User, *, rubric: bool, **parts: str) -> Amendment:
    """Propose and agree; the task is read again."""
    amendment = proposed(task, by, **parts)
    agree_to_amendment(
        actor=senior, amendment=amendment, rubric_affected=rubric, reason="Checked with the annex."
    )
    task.refresh_from_db()
    return amendment


def reviewed_again(task: Task, author: User, reviewer: User) -> None:
    """Send an open rubric and have every line approved that has no verdict."""
    send_to_review(actor=author, task=task)
    opened = Review.objects.get(task=task, reviewer=reviewer).rounds.get(finished_at__isnull=True)
    done = set(opened.lines.values_list("criterion_id", flat=True))
    for line in opened.version.criteria.exclude(pk__in=done):
        set_verdict(actor=reviewer, round=opened, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=opened)
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED
