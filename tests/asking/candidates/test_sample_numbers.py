"""Answers of a candidate to one task are numbered, up to a last number."""

from html import unescape

import pytest

from curation.base.web.refusals import BadInput
from judge.asking.candidates.generation_models import Generation, GenerationItem
from judge.asking.candidates.ledger import OrderLedger
from judge.asking.candidates.models import MOST_ANSWERS, Response
from judge.jobs import jobs
from judge.results.registry.actions import (
    order_responses,
)
from tests.asking.candidates.conftest import states

pytestmark = pytest.mark.django_db


def numbered(task, candidate, sample):
    return Response.objects.create(
        key=f"{task.key}-{sample}", task=task, candidate=candidate, sample=sample,
        text="An answer.", source=Response.Source.IMPORTED,
    )  # fmt: skip


def test_answers_that_no_number_is_left_for_are_refused_before_anything_is_spent(
    stub, tasks, larch, staff, office
):
    numbered(tasks[1], larch, MOST_ANSWERS - 1)
    answer = office.post(
        f"/staff/candidates/{larch.pk}/generate/", {"samples": 2, "concurrency": 1}
    )
    assert answer.status_code == 400
    assert "numbered up to 32,767, and t1 has no number left" in unescape(answer.content.decode())
    assert not Generation.objects.exists()
    made = order_responses(actor=staff, candidate=larch, samples=1, concurrency=1)
    with pytest.raises(BadInput) as refusal:
        order_responses(actor=staff, candidate=larch, samples=1)  # the first one waits for it
    assert "t1 has no number left" in refusal.value.fields["samples"][0]
    jobs.generate_responses(made.pk)
    assert (states(made), stub.calls) == ({"done": 3}, 3)
    assert Response.objects.filter(task=tasks[1], sample=MOST_ANSWERS).exists()


@pytest.mark.parametrize("asked_for", [False, True])
def test_an_answer_whose_number_was_taken_meanwhile_is_never_asked_for(
    stub, tasks, larch, staff, office, asked_for
):
    made = order_responses(actor=staff, candidate=larch, samples=1, concurrency=1)
    if asked_for:  # by another order, at this moment
        numbered(tasks[1], larch, MOST_ANSWERS - 1)
        other = Generation.objects.create(candidate=larch, provider="openai", model="larch-4")
        GenerationItem.objects.create(
            generation=other, task=tasks[1], number=1, attempts=1, reserved_micro=5
        )
    else:
        numbered(tasks[1], larch, MOST_ANSWERS)
    jobs.generate_responses(made.pk)
    made.refresh_from_db()
    assert (made.state, states(made), stub.calls) == ("finished", {"done": 2, "failed": 1}, 2)
    assert "numbered up to 32,767" in office.get(f"/staff/generations/{made.pk}/").content.decode()


def test_an_answer_that_comes_too_late_for_the_last_number_is_told_so(
    stub, tasks, larch, staff, monkeypatch
):
    made = order_responses(actor=staff, candidate=larch, samples=1, concurrency=1)
    real, stored = OrderLedger.keep, []

    def overtaken(self, asked, came):
        if asked.task == tasks[0] and not stored:
            stored.append(numbered(tasks[0], larch, MOST_ANSWERS))
        return real(self, asked, came)

    monkeypatch.setattr(OrderLedger, "keep", overtaken)
    jobs.generate_responses(made.pk)
    assert (states(made), stub.calls) == ({"done": 2, "failed": 1}, 3)
