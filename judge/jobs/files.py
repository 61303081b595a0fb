"""Files that the worker reads: whose turn it is, and files that were put aside."""

from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from curation.base.file_contents import reading
from curation.tasks.attachments.models import Attachment
from curation.tasks.file_views.read_files import given_up_files, unread_files
from judge.base.queue import leases
from judge.base.queue.locks import Lock, take_lock
from judge.base.queue.models import MachineWork
from judge.base.queue.send import READ


def files_to_read() -> QuerySet[Attachment]:
    """Return the next file to read of each person who has none that is being read.

    So many files, or files that take long, hold up only those of the person who added them. Files
    that came with imported tasks have no person and count as one's.
    """
    served = [owner for _pk, owner in _being_read()]
    waiting = unread_files().exclude(pk__in=leases.unavailable(READ))
    firsts = waiting.order_by().values("uploaded_by").annotate(first=Min("pk"))
    return Attachment.objects.filter(
        pk__in=[row["first"] for row in firsts if row["uploaded_by"] not in served]
    )


def undone_files() -> QuerySet[Attachment]:
    """Return the files that nobody has read yet, and those given up because they were put aside."""
    aside = MachineWork.objects.filter(kind=READ).exclude(put_aside="").values("object_id")
    return unread_files() | given_up_files().filter(pk__in=aside)


@transaction.atomic
def claim_in_turn(kind: str, pk: int, token: str) -> MachineWork | None:
    """Claim a file as `leases.claim_work` does, unless another one of its person is being read.

    Several workers may claim files of one person at once, so they do it one after the other. A
    file whose content ended a worker under another row is as if it had done so itself.
    """
    take_lock(Lock.READ)
    row = Attachment.objects.filter(pk=pk).first()
    if row is None:
        return None
    if any(other != pk and person == row.uploaded_by_id for other, person in _being_read()):
        return None
    work = leases.claim_work(kind, pk, token)
    if work is not None and not work.workers_ended and _ended_a_worker(row):
        work.workers_ended = 1
        work.save(update_fields=["workers_ended"])
    return work


def _ended_a_worker(row: Attachment) -> bool:
    """Return whether a worker ended while it read the same content, as another file."""
    same = Attachment.objects.filter(sha256=row.sha256).exclude(pk=row.pk).values("pk")
    return any(
        work.put_aside
        or work.workers_ended
        or (work.lease and leases.is_free(work.lease, work.lease_until))
        for work in MachineWork.objects.filter(kind=READ, object_id__in=same)
    )


def _being_read() -> list[tuple[int, int | None]]:
    """Return file and person of each file that a worker reads now."""
    held = MachineWork.objects.filter(kind=READ).exclude(lease="")
    rows = held.values_list("object_id", "lease", "lease_until")
    being = [pk for pk, lease, until in rows if not leases.is_free(lease, until)]
    return list(Attachment.objects.filter(pk__in=being).values_list("pk", "uploaded_by"))


def try_again(_actor: Any, pk: int) -> None:
    """Let a file be read once more whose reading was put aside and given up."""
    row = Attachment.objects.get(pk=pk)
    reading.forget_failed(row.sha256)
    take_up_again(row)


def take_up_again(row: Attachment) -> None:
    """Take up again the reading of a content, whichever file with it was put aside."""
    for pk in Attachment.objects.filter(sha256=row.sha256).values_list("pk", flat=True):
        leases.take_up_again(READ, pk)
