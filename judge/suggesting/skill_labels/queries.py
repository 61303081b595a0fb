"""How far a model is with reading a task for labels."""

from django.utils import timezone

from curation.tasks.skills.readings import Reading
from curation.tasks.task.models import Task
from judge.base.queue.models import MachineWork
from judge.base.queue.queries import is_awake, last_heartbeat
from judge.base.queue.send import LABELS
from judge.suggesting.skill_labels.models import LabelRequest

State = LabelRequest.State


def unfinished(task: Task) -> Reading | None:
    """Return the newest reading of a task that waits, is under way or failed. Three queries."""
    last = LabelRequest.objects.filter(task=task).order_by("-pk").first()
    if last is None or last.state == State.READ:
        return None
    if last.state == State.FAILED:
        return Reading(failed=True, since=last.ended_at or last.asked_at, problem=last.problem)
    work = MachineWork.objects.filter(kind=LABELS, object_id=last.pk).first()
    held = work is not None and bool(work.lease) and work.lease_until is not None
    return Reading(
        failed=False,
        since=last.asked_at,
        begun=held and work.lease_until > timezone.now(),  # type: ignore[union-attr,operator]
        awake=is_awake(last_heartbeat()),
        problem=work.problem if work is not None else "",
    )
