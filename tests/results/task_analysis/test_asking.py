"""The author of an approved task is asked to look at it."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.tasks.task.models import Task
from judge.results.difficulty.analyses import ProposalOutcome
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from rubrics.versions.actions import import_version
from rubrics.versions.models import RubricVersion
from tests.conftest import make_staff
from tests.gold.draws.conftest import files, programme
from tests.markup import words_of
from tests.run_states import in_state

__all__ = ["files", "programme"]

pytestmark = pytest.mark.django_db
QUERY = "candidates=3&responses=3"


@pytest.fixture
def task(programme, finance) -> Task:
    """An approved task, judged for three candidates: its first line is always met."""
    task = programme.task("merger", finance)
    version = RubricVersion.objects.get(task=task)
    run = JudgeRun.objects.create(
        method="one_shot", provider="offline", model="judge-1",
        started_at=timezone.now(), **in_state("finished"),
    )  # fmt: skip
    lines = list(version.criteria.all())
    for n, who in enumerate(("Cedar 3", "Birch 2", "Alder 1")):
        response = programme.response(task, who)
        met = [line for k, line in enumerate(lines) if k == 0 or (k + n) % 3]
        judgment = Judgment.objects.create(
            key=f"k{n}", run=run, response=response, version=version, method="one_shot",
            provider="offline", model="judge-1", prompt_sha256="0" * 64, state="complete",
            score_numerator=sum(line.weight for line in met),
            score_denominator=sum(line.weight for line in lines), lines_total=len(lines),
        )  # fmt: skip
        for line in lines:
            outcome = "met" if line in met else "unmet"
            Verdict.objects.create(judgment=judgment, criterion=line, outcome=outcome)
        RunItem.objects.create(
            run=run, response=response, version=version, judgment=judgment, state="judged"
        )
    return task


@pytest.fixture
def page(task) -> str:
    return f"{reverse('task-analysis-task', args=[task.pk])}?{QUERY}"


def always_met(desk: Any, page: str) -> str:
    row = desk.get(page).context["row"]
    return next(p.value for p in row.all_proposals if p.concern == "always_met")


def test_the_rubric_goes_back_to_its_author_with_the_words(sign_in, staff, task, page):
    desk = sign_in(staff)
    value = always_met(desk, page)
    words = "Line 1 is met by every response: ask for more, or drop it."
    assert words in desk.get(page).context["form"]["words"].value()
    reply = desk.post(page, {"proposals": [value], "outcome": "asked", "words": words})
    assert reply.status_code == 302
    task.refresh_from_db()
    assert task.stage == Stage.REFINING
    assert task.history.latest("pk").reason == words
    assert ProposalOutcome.objects.get().outcome == "asked"
    # What was judged stays, and the page still shows it; nobody can be asked twice.
    shown = words_of(desk.get(page).content.decode())
    assert "its author cannot be asked now" in shown
    again = desk.post(page, {"proposals": [value], "outcome": "asked", "words": "Again."})
    assert again.status_code == 409
    assert ProposalOutcome.objects.count() == 1


def test_nobody_asks_themselves(sign_in, author, task, page):
    make_staff(author)
    desk = sign_in(author)
    value = always_met(desk, page)
    reply = desk.post(page, {"proposals": [value], "outcome": "asked", "words": "Look."})
    assert reply.status_code == 403
    task.refresh_from_db()
    assert (task.stage, ProposalOutcome.objects.count()) == (Stage.APPROVED, 0)


def test_without_words_to_the_author_nothing_happens(sign_in, staff, task, page):
    desk = sign_in(staff)
    value = always_met(desk, page)
    reply = desk.post(page, {"proposals": [value], "outcome": "asked", "words": "", "reason": "x"})
    assert reply.status_code == 400
    assert "Write what the author is to look at." in reply.content.decode()
    task.refresh_from_db()
    assert task.stage == Stage.APPROVED


def test_the_author_is_not_asked_about_lines_that_are_changed_already(sign_in, staff, task, page):
    desk = sign_in(staff)
    value = always_met(desk, page)
    line = {"text": "Other.", "importance": "important", "weight": 5, "dimension": "accuracy"}
    import_version(task=task, lines=[line | {"text": f"Other {n}."} for n in range(15)])
    assert "The rubric was changed since" in words_of(desk.get(page).content.decode())
    reply = desk.post(page, {"proposals": [value], "outcome": "asked", "words": "Look."})
    assert reply.status_code == 409
    task.refresh_from_db()
    assert (task.stage, ProposalOutcome.objects.count()) == (Stage.APPROVED, 0)
