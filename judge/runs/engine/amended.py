"""Open runs after an amendment: what they would still judge on an earlier text is skipped."""

from django.utils import timezone

from curation.base.process.states import move
from curation.tasks.task.models import Task
from judge.asking.candidates import earlier_text
from judge.runs.engine.models import RunItem


def skip_stale_items(task: Task) -> int:
    """Skip the waiting responses of a task that rest on an earlier text; return how many.

    A question that is under way is stored as usual: its score rests on the earlier text, which
    every result leaves out. Runs in the transaction of the agreement.
    """
    waiting = RunItem.objects.filter(response__task=task, state=RunItem.State.WAITING)
    now = timezone.now()
    stale = waiting.filter(earlier_text.answers_earlier_text("response__"))
    skipped = _skip([*stale.values_list("pk", flat=True)], earlier_text.CODE, now)
    behind = waiting.filter(earlier_text.waits_on_earlier_text())
    return skipped + _skip([*behind.values_list("pk", flat=True)], earlier_text.RUBRIC_CODE, now)


def _skip(items: list[int], reason: str, now: object) -> int:
    rows = RunItem.objects.filter(pk__in=items)
    return move(rows, RunItem.State.SKIPPED, reason=reason, finished_at=now)
