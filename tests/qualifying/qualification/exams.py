"""What the tests of exams share: saving as the page does, and looking at what is stored."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from curation.qualifying.exams.models import ExamSitting


def late(sitting: ExamSitting, seconds: int) -> None:
    """Let the time of a sitting have run out so many seconds ago."""
    ExamSitting.objects.filter(pk=sitting.pk).update(
        deadline=timezone.now() - timedelta(seconds=seconds)
    )


def save(browser: Client, sitting: ExamSitting, **answers: Any) -> Any:
    """Save as the page does: `q_q1="2"` is the field `q-q1`."""
    data = {name.replace("_", "-"): value for name, value in answers.items()}
    return browser.post(f"/exams/{sitting.pk}/save/", data, headers={"Accept": "application/json"})


def stored(sitting: ExamSitting) -> dict[str, Any]:
    """The answers as they are stored, by the question's key."""
    rows = sitting.paper.exclude(answer=None)
    return dict(rows.values_list("question__key_id", "answer"))
