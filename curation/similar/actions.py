"""Keep the fingerprint of each prompt that others may be compared with."""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from curation.process.lifecycle import Stage
from curation.similar.models import Fingerprint, FingerprintMark
from curation.tasks.models import Task
from curation.text import minhash

BATCH = 200  # tasks a sweep catches up with; about three seconds of work
COMPARED = ("scenario", "materials", "requirements")
Kind = FingerprintMark.Kind


def text_of(thing: Any) -> str:
    """What is compared of a prompt. The reference answer is not: it follows from the rest."""
    return "\n".join(getattr(thing, name) for name in COMPARED)


def comparable() -> QuerySet[Task]:
    """Tasks that somebody besides their author has seen: not drafts never sent, not withdrawals."""
    return Task.objects.exclude(stage=Stage.WITHDRAWN).exclude(stage=Stage.DRAFT, screening_round=0)


@transaction.atomic
def remember(task: Any) -> Fingerprint:
    """Make a task's fingerprint of its present text, in place of an older one.

    Args:
        task: with its texts loaded, and locked or new.
    """
    body = text_of(task)
    numbers = minhash.sketch(body)
    anchors = minhash.anchor_marks(minhash.anchors(body))
    Fingerprint.objects.filter(task_id=task.pk).delete()
    made = Fingerprint.objects.create(
        task_id=task.pk,
        sketch=minhash.packed(numbers),
        anchors=len(anchors),
        method=minhash.METHOD,
    )
    kinds = ((Kind.SHINGLE, minhash.marks(numbers)), (Kind.ANCHOR, anchors))
    FingerprintMark.objects.bulk_create(
        FingerprintMark(fingerprint=made, kind=kind, value=value)
        for kind, values in kinds
        for value in values
    )
    return made


def remember_missing(limit: int = BATCH) -> int:
    """Fingerprint tasks that have none, or one of an older method: imported ones, for example.

    Returns:
        how many were made. Two processes that meet at one task do no harm.
    """
    fresh = Fingerprint.objects.filter(method=minhash.METHOD).values("task_id")
    keys = list(
        comparable().filter(~Q(pk__in=fresh)).order_by("-pk").values_list("pk", flat=True)[:limit]
    )
    made = 0
    for pk in keys:
        with transaction.atomic():  # locked, so that a submission and the sweep do not both make it
            task = Task.objects.select_for_update().only("pk", *COMPARED).filter(pk=pk).first()
            if task is not None:
                remember(task)
                made += 1
    return made
