"""Two people at the same instant: one amendment, one decision, and no rubric sent unseen."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import WorkbenchError
from curation.tasks.amendments.actions import (
    agree_to_amendment,
    propose_amendment,
    refuse_amendment,
)
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import Task
from rubrics.sending.actions import send_to_review
from rubrics.versions.models import RubricVersion
from tests.rubrics.walk import to_refining

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "The loan of 2021 was left out."


def at_once(*steps: Callable[[], Any]) -> list[str]:
    """Take steps at the same time; "" for each that was taken, else the code of its refusal."""
    start, codes = threading.Barrier(len(steps)), ["?"] * len(steps)

    def run(n: int) -> None:
        try:
            start.wait(timeout=20)
            steps[n]()
            codes[n] = ""
        except WorkbenchError as refusal:
            codes[n] = refusal.code
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=run, args=[n]) for n in range(len(steps))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return codes


@pytest.fixture
def task(author: Any, person: Any, finance: Any, peer: Any, senior: Any) -> Task:
    return to_refining(author, person("screener", finance), finance)


def proposal(task: Task, by: Any, text: str) -> Amendment:
    return propose_amendment(
        actor=by,
        task=Task.objects.get(pk=task.pk),
        version=task.version,
        reason=WHY,
        parts={"reference_answer": text},
    )


def test_of_two_proposals_one_is_open(task, author, staff):
    codes = at_once(
        lambda: proposal(task, author, "Net debt rises to EUR 135.4 million."),
        lambda: proposal(task, staff, "Net debt rises to EUR 136.4 million."),
    )
    assert sorted(codes) == ["", "amendment_open"]
    assert Amendment.objects.count() == 1


def test_of_two_decisions_one_counts(task, author, senior, person, finance):
    one = proposal(task, author, "Net debt rises to EUR 135.4 million.")
    other = person("other", finance, senior=True)

    def agree() -> None:
        agree_to_amendment(
            actor=senior,
            amendment=Amendment.objects.get(pk=one.pk),
            rubric_affected=False,
            reason=WHY,
        )

    def refuse() -> None:
        refuse_amendment(actor=other, amendment=Amendment.objects.get(pk=one.pk), reason=WHY)

    codes = at_once(agree, refuse)
    one.refresh_from_db()
    assert sorted(codes) == ["", "wrong_stage"]
    now = Task.objects.get(pk=task.pk)
    assert (one.state == "agreed") == ("135.4" in now.reference_answer)


@pytest.mark.parametrize("attempt", range(4))
def test_a_rubric_is_never_in_review_with_a_text_its_author_did_not_compare(
    task, author, senior, attempt
):
    one = proposal(task, author, "Net debt rises to EUR 135.4 million.")

    def agree() -> None:
        agree_to_amendment(
            actor=senior,
            amendment=Amendment.objects.get(pk=one.pk),
            rubric_affected=True,
            reason=WHY,
        )

    codes = at_once(agree, lambda: send_to_review(actor=author, task=Task.objects.get(pk=task.pk)))
    assert codes[0] == ""
    assert codes[1] in ("", "text_amended", "wrong_stage")
    now = Task.objects.get(pk=task.pk)
    assert now.stage == Stage.REFINING
    version = RubricVersion.objects.get(task=task, frozen_at__isnull=True)
    assert version.text_version < now.rubric_since
