"""Adding and removing files. A removed file can be brought back for thirty days."""

import hashlib
import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.attachments import office_files, pictures
from curation.attachments.content import (
    DOCUMENTS,
    FILES_PER_THING,
    PICTURES,
    Found,
    clean_name,
    examine,
    names,
    refused,
    words_of,
)
from curation.attachments.holders import Holder, holder_of, holder_of_file
from curation.attachments.models import Attachment
from curation.people.models import User
from curation.web.refusals import Conflict, Denied

log = logging.getLogger(__name__)

DAYS_KEPT = 30  # after a removal


@action("signed_in")
def add_attachment(*, actor: Any, thing: Any, upload: File) -> Attachment:  # type: ignore[type-arg]
    """Keep an uploaded file with an application, a task or a trial.

    Of a thing that is read blind, pictures lose their notes (author, place, camera), Office
    documents their properties, the name loses the words of the author's name, and a document that
    names the author is refused.

    The same file under the same name is kept once; a certification's evidence stands for itself.

    Raises:
        BadInput: the file may not be kept; `fields["file"]` says why.
        Denied: the thing is not the actor's.
        Conflict: it can no longer be changed, or it has as many files as fit.
    """
    holder = holder_of(thing)
    _refuse_strangers(holder, actor, thing)
    found = examine(upload, name=upload.name or "", size=upload.size)
    words = words_of(actor) if holder.blind else []
    if names(found.people, words):
        raise refused(
            _(
                "The properties of this document name you, and those who read it must not learn "
                "who wrote it. Save it without personal details, then add it again."
            )
        )
    content = _content(upload, found, holder)
    digest, size = _digest(content), content.size
    name = clean_name(upload.name or "", found.ending, hide=words).name
    row = Attachment(
        uploaded_by=actor, name=name, content_type=found.content_type, size=size, sha256=digest
    )
    # Written before the transaction: ten megabytes must not hold the database's lock.
    row.file.save(name, content, save=False)
    try:
        with transaction.atomic():
            fresh = _locked(holder, actor, thing)
            _refuse_closed(holder, fresh)
            there = fresh.attachments.filter(
                removed_at__isnull=True, certification__isnull=True, name=name, sha256=digest
            ).first()
            if there is None:
                _refuse_more(holder, actor, fresh, size)
                setattr(row, holder.kind, fresh)
                row.save()
    except BaseException:
        default_storage.delete(str(row.file.name))
        raise
    if there is not None:
        default_storage.delete(str(row.file.name))
    return there or row


def _content(upload: File, found: Found, holder: Holder) -> File:  # type: ignore[type-arg]
    upload.seek(0)
    if holder.blind and found.ending in PICTURES:
        return ContentFile(pictures.without_traces(upload.read(), found.ending))
    if holder.blind and found.ending in DOCUMENTS:
        return File(office_files.without_traces(upload))
    return upload


def _digest(content: File) -> str:  # type: ignore[type-arg]
    total = hashlib.sha256()
    for piece in content.chunks():
        total.update(piece)
    content.seek(0)
    return total.hexdigest()


def _refuse_strangers(holder: Holder, actor: Any, thing: Any) -> None:
    if not holder.may_change(actor, thing):
        raise Denied(_("Only whoever it belongs to adds and removes files here."))


def _locked(holder: Holder, actor: Any, thing: Any) -> Any:
    """The thing as it stands, with the person and it locked: limits are counted one by one."""
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
            _("There are %(n)s files already, as many as fit. Remove one first.")
            % {"n": FILES_PER_THING},
            code="too_many_files",
        )
    # What was removed lies on the disk for thirty days, so it counts.
    kept = Attachment.objects.filter(uploaded_by=actor).exclude(file="").aggregate(n=Sum("size"))
    if (kept["n"] or 0) + size > settings.ATTACHMENT_TOTAL_MB * 1024 * 1024:
        raise Conflict(
            _(
                "All your files together may have %(most)s MB, and this one would go over that. "
                "What you remove makes room after %(days)s days; if you need more, ask the staff."
            )
            % {"most": settings.ATTACHMENT_TOTAL_MB, "days": DAYS_KEPT},
            code="no_room",
        )


@action("signed_in")
@transaction.atomic
def remove_attachment(*, actor: Any, attachment: Attachment) -> None:
    """Take a file away from its thing. Its content stays for thirty days.

    Raises:
        Denied: it is not the actor's.
        Conflict: it can no longer be changed, or was removed already.
    """
    holder, thing = holder_of_file(attachment)
    _refuse_strangers(holder, actor, thing)
    _refuse_closed(holder, _locked(holder, actor, thing))
    removed = Attachment.objects.filter(pk=attachment.pk, removed_at__isnull=True).update(
        removed_at=timezone.now()
    )
    if not removed:
        raise Conflict(_("This file was removed already."), code="removed")


@action("signed_in")
@transaction.atomic
def restore_attachment(*, actor: Any, attachment: Attachment) -> None:
    """Bring a removed file back.

    Raises:
        Denied: it is not the actor's.
        Conflict: the thing is closed or full, or the content is gone.
    """
    holder, thing = holder_of_file(attachment)
    _refuse_strangers(holder, actor, thing)
    fresh = _locked(holder, actor, thing)
    _refuse_closed(holder, fresh)
    _refuse_more(holder, actor, fresh, 0)
    back = (
        Attachment.objects.filter(pk=attachment.pk, removed_at__isnull=False)
        .exclude(file="")
        .update(removed_at=None)
    )
    if not back:
        raise Conflict(_("This file cannot be brought back. Add it again."), code="gone")


def carry_over(*, source: Any, target: Any) -> None:
    """Give a new version of a thing the files of the version before. They share their content."""
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
    """A chore: delete the content of files removed thirty days ago that no other row names.

    Returns:
        how many contents were let go.
    """
    due = Attachment.objects.filter(
        removed_at__lt=timezone.now() - timedelta(days=DAYS_KEPT)
    ).exclude(file="")
    done = 0
    for pk, name in due.values_list("pk", "file")[:500]:
        with transaction.atomic():
            let_go = due.filter(pk=pk).update(file="")
        if let_go:
            _delete_unless_named([name])
            done += 1
    return done


def _delete_unless_named(names_in_storage: Iterable[str]) -> None:
    for name in names_in_storage:
        if Attachment.objects.filter(file=name).exists():
            continue
        try:
            default_storage.delete(name)
        except OSError:
            log.exception("The content %s of a removed file could not be deleted", name)
