"""Add, remove and restore files. A removed file can be restored for thirty days."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.file_contents import reading
from curation.base.process.signals import file_added
from curation.base.web.refusals import Conflict, Denied
from curation.joining.people import User
from curation.tasks.attachments.content import FILES_PER_THING, free_name
from curation.tasks.attachments.holders import Holder, holder_of, holder_of_file, people_of
from curation.tasks.attachments.models import Attachment
from curation.tasks.attachments.prepare import PreparedFile, prepare

log = logging.getLogger(__name__)

DAYS_KEPT = 30  # after a removal


@action("signed_in")
def add_attachment(*, actor: Any, thing: Any, upload: File) -> Attachment:  # type: ignore[type-arg]
    """Attach an uploaded file to an application, a task or a trial.

    Where readers must not learn who wrote the thing, metadata is removed from pictures (author,
    place, camera) and from Office documents (properties), the words of the author's name are
    removed from the file name, and a document that names the author is refused.

    The same content under the same name is stored once, and another content under a name in use
    gets a number, because texts refer to files by name. The evidence of a certification is always
    a row of its own. The worker reads the files of tasks and trials afterwards.

    Raises:
        BadInput: the file may not be kept; `fields["file"]` says why.
        Denied: the thing is not the actor's.
        Conflict: the thing can no longer be changed, or the limit of files or of size is reached.
    """
    holder = holder_of(thing)
    _refuse_strangers(holder, actor, thing)
    ready = prepare(upload, people=people_of(thing, actor), blind=holder.blind)
    return _add(holder, actor, thing, ready)


def _add(holder: Holder, actor: Any, thing: Any, ready: PreparedFile) -> Attachment:
    name, content = ready.name, ready.content
    digest, size = ready.sha256, ready.size
    row = Attachment(uploaded_by=actor, **ready.facts)
    # Write the content before the transaction, so that a large file does not hold the lock.
    row.file.save(name, content, save=False)
    try:
        with transaction.atomic():
            fresh = _locked(holder, actor, thing)
            _refuse_closed(holder, fresh)
            existing = fresh.attachments.filter(
                removed_at__isnull=True, certification__isnull=True, name=name, sha256=digest
            ).first()
            if existing is None:
                _refuse_more(holder, actor, fresh, size)
                taken = fresh.attachments.filter(removed_at__isnull=True)
                row.name = free_name(name, set(taken.values_list("name", flat=True)))
                setattr(row, holder.kind, fresh)
                row.save()
    except BaseException:
        default_storage.delete(str(row.file.name))
        raise
    if existing is not None:
        default_storage.delete(str(row.file.name))
    added = existing or row
    if holder.blind:
        reading.forget_failed(digest)
        file_added.send(Attachment, instance=added)
    return added


def add_imported(*, task: Any, ready: PreparedFile, author: Any) -> Attachment:
    """Attach a file that came with an imported task, in the transaction of the import.

    It is not read here, because that takes seconds: the worker does it afterwards. If the
    transaction is rolled back, the caller deletes the content (`delete_unless_shared`).

    Args:
        author: the author of an own task; None for a task of another benchmark.

    Raises:
        Conflict: the author's files would take up more than they may.
    """
    if author is not None:
        _refuse_more(holder_of(task), author, task, ready.size)
    row = Attachment(task=task, uploaded_by=author, **ready.facts)
    row.file.save(ready.name, ready.content, save=False)
    row.save()
    return row


def _refuse_strangers(holder: Holder, actor: Any, thing: Any) -> None:
    if not holder.may_change(actor, thing):
        raise Denied(_("Only the owner can add or remove files here."))


def _locked(holder: Holder, actor: Any, thing: Any) -> Any:
    """Lock the person and the thing, so that parallel uploads are counted one after the other."""
    User.objects.select_for_update().get(pk=actor.pk)
    return holder.model.objects.select_for_update().get(pk=thing.pk)


def _refuse_closed(holder: Holder, thing: Any) -> None:
    if not holder.is_open(thing):
        raise Conflict(
            _("This was handed in, so its files can no longer be changed."), code="wrong_stage"
        )


def _refuse_more(holder: Holder, actor: Any, thing: Any, size: int) -> None:
    if thing.attachments.filter(removed_at__isnull=True).count() >= FILES_PER_THING:
        raise Conflict(
            _("There are already %(n)s files, the most allowed. Remove one first.")
            % {"n": FILES_PER_THING},
            code="too_many_files",
        )
    # Removed files count too: their content stays on disk for thirty days.
    kept = Attachment.objects.filter(uploaded_by=actor).exclude(file="").aggregate(n=Sum("size"))
    if (kept["n"] or 0) + size > settings.ATTACHMENT_TOTAL_MB * 1024 * 1024:
        raise Conflict(
            _(
                "Your files can take up %(most)s MB in total, and this one would go over that. "
                "A file you remove frees its space after %(days)s days; if you need more, ask "
                "the staff."
            )
            % {"most": settings.ATTACHMENT_TOTAL_MB, "days": DAYS_KEPT},
            code="no_room",
        )


@action("signed_in")
@transaction.atomic
def remove_attachment(*, actor: Any, attachment: Attachment) -> None:
    """Remove a file. Its content is kept for thirty days.

    Raises:
        Denied: it is not the actor's.
        Conflict: the thing can no longer be changed, or the file was removed already.
    """
    holder, thing = holder_of_file(attachment)
    _refuse_strangers(holder, actor, thing)
    _refuse_closed(holder, _locked(holder, actor, thing))
    removed = Attachment.objects.filter(pk=attachment.pk, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    if not removed:
        raise Conflict(_("This file has already been removed."), code="removed")


@action("signed_in")
@transaction.atomic
def restore_attachment(*, actor: Any, attachment: Attachment) -> None:
    """Restore a removed file.

    Raises:
        Denied: it is not the actor's.
        Conflict: the thing is closed or full, or the content was deleted.
    """
    holder, thing = holder_of_file(attachment)
    _refuse_strangers(holder, actor, thing)
    fresh = _locked(holder, actor, thing)
    _refuse_closed(holder, fresh)
    _refuse_more(holder, actor, fresh, 0)
    taken = fresh.attachments.filter(removed_at__isnull=True)
    name = free_name(attachment.name, set(taken.values_list("name", flat=True)))
    back = (
        Attachment.objects.filter(pk=attachment.pk, removed_at__isnull=False)
        .exclude(file="")
        .update(removed_at=None, name=name)
    )
    if not back:
        raise Conflict(_("This file cannot be brought back. Add it again."), code="gone")


def carry_over(*, source: Any, target: Any) -> None:
    """Copy the files of one version of a thing to the next. Both share the stored content."""
    kind = holder_of(target).kind
    Attachment.objects.bulk_create(
        Attachment(
            **{kind: target},
            uploaded_by_id=row.uploaded_by_id,
            file=row.file.name,
            name=row.name,
            content_type=row.content_type,
            size=row.size,
            sha256=row.sha256,
        )
        for row in source.attachments.filter(removed_at__isnull=True)
    )


def clean_removed() -> int:
    """Delete the content of files removed thirty days ago (a periodic job).

    Content that another row shares stays in the storage, and what was read of it stays with it.

    Returns:
        how many files lost their content, 500 at most per run.
    """
    due = Attachment.objects.filter(
        removed_at__lt=timezone.now() - timedelta(days=DAYS_KEPT)
    ).exclude(file="")
    done = 0
    for pk, name, sha256 in due.values_list("pk", "file", "sha256")[:500]:
        with transaction.atomic():
            cleared = due.filter(pk=pk).update(file="")
        if cleared:
            delete_unless_shared([name])
            if not Attachment.objects.filter(sha256=sha256).exclude(file="").exists():
                reading.forget(sha256)
            done += 1
    return done


def delete_files_of(thing: Any, *, name: str) -> None:
    """Delete the content of all files of a thing for good, and replace their names.

    The content is deleted when the transaction commits, so that a failure loses nothing.
    """
    stored = list(thing.attachments.exclude(file="").values_list("file", flat=True))
    thing.attachments.update(file="", name=name, removed_at=timezone.now())
    transaction.on_commit(partial(delete_unless_shared, stored))


def delete_unless_shared(names_in_storage: Iterable[str]) -> None:
    """Delete contents that no file has, by their names in the storage."""
    for name in names_in_storage:
        if Attachment.objects.filter(file=name).exists():
            continue
        try:
            default_storage.delete(name)
        except OSError:
            log.exception("The content %s of a removed file could not be deleted", name)
