"""Actions that store the fingerprints by which prompts are compared."""

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from curation.base.process.lifecycle import Stage
from curation.base.text import minhash
from curation.tasks.authoring.similar_models import Fingerprint, FingerprintMark
from curation.tasks.task.models import ANSWERABLE, Task

BATCH = 200  # tasks per sweep: about three seconds of work
COMPARED = ("scenario", "materials", "requirements")
Kind = FingerprintMark.Kind


def compared_text(thing: Any) -> str:
    """Return the text that is compared: not the reference answer, which follows from the rest."""
    return "\n".join(getattr(thing, name) for name in COMPARED)


def comparable() -> QuerySet[Task]:
    """Return the tasks to compare with: no skills, none withdrawn, no drafts never submitted."""
    return (
        Task.objects.filter(origin__in=ANSWERABLE)
        .exclude(stage=Stage.WITHDRAWN)
        .exclude(stage=Stage.DRAFT, screening_round=0)
    )


@transaction.atomic
def store_fingerprint(task: Any) -> Fingerprint:
    """Store the fingerprint of a task's current text and delete an older one.

    Args:
        task: with its texts loaded, and either locked or new.
    """
    body = compared_text(task)
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


def store_missing_fingerprints(limit: int = BATCH) -> int:
    """Store fingerprints for tasks without one or with one of an older method, such as imports.

    Returns:
        How many were stored. Two processes may run at once.
    """
    fresh = Fingerprint.objects.filter(method=minhash.METHOD).values("task_id")
    keys = list(
        comparable().filter(~Q(pk__in=fresh)).order_by("-pk").values_list("pk", flat=True)[:limit]
    )
    made = 0
    for pk in keys:
        with transaction.atomic():  # the lock keeps a submission from storing it at the same time
            task = Task.objects.select_for_update().only("pk", *COMPARED).filter(pk=pk).first()
            if task is not None:
                store_fingerprint(task)
                made += 1
    return made
