"""Pages on which people download a copy of their data, and staff take one for somebody."""

import logging
import tempfile
import zipfile
from collections.abc import Iterator
from typing import IO, Any

import orjson
from allauth.account.decorators import reauthentication_required
from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.forms import ReasonForm
from curation.base.web.once import once
from curation.base.web.reasons import required_reason
from curation.base.web.step import refused_at, status_of
from curation.joining.accounts.models import DataCopy
from curation.joining.people import User, access_person
from curation.leaving.data_copies.parts import all_parts
from curation.tasks.attachments.models import Attachment

log = logging.getLogger(__name__)

IN_MEMORY = 8 * 1024 * 1024  # bytes; a larger archive is written to disk
ABOUT = (
    "What Assay holds about one person: their account, what they wrote, and what was decided about "
    "it, as they can read it on the pages. Files they added are in the folder files, named as in "
    "the part attachments. Left out are exam questions, the names of candidates, notes of staff, "
    "and who else took part."
)


def write_archive(person: User) -> IO[bytes]:
    """Return a ZIP archive with `data.json` and the person's files, open at its start.

    One query for each part and one for the files.
    """
    target: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("data.json", "w") as file:
            for piece in _json(person):
                file.write(piece)
        lost = "".join(
            f"{name}\n" for row, name in _files_of(person) if not _write_file(archive, row, name)
        )
        if lost:
            archive.writestr("files/missing.txt", f"No longer in the storage:\n{lost}")
    target.seek(0)
    return target


def _files_of(person: User) -> Iterator[tuple[Attachment, str]]:
    rows = Attachment.objects.filter(uploaded_by=person).exclude(file="").order_by("pk")
    for row in rows.iterator():
        yield row, f"files/{row.pk}-{row.name}"


def _write_file(archive: zipfile.ZipFile, row: Attachment, name: str) -> bool:
    """Write a file into the archive; return False if the storage has lost it."""
    try:
        content = row.file.open("rb")
    except OSError:
        log.warning("The content of file %s is not in the storage", row.pk)
        return False
    with content, archive.open(name, "w", force_zip64=True) as file:
        for chunk in content.chunks():
            file.write(chunk)
    return True


def _json(person: User) -> Iterator[bytes]:
    """Yield the file row by row, so that a long history needs little memory."""
    head = {"about": ABOUT, "made_at": timezone.now(), "person": person.pseudonym}
    yield orjson.dumps(head)[:-1]
    for part in all_parts():
        yield b",\n" + _dump(part.name) + b": ["
        for number, row in enumerate(part.rows(person)):
            yield (b",\n " if number else b"\n ") + _dump(row)
        yield b"]"
    yield b"}\n"


def _dump(value: Any) -> bytes:
    return orjson.dumps(value, default=str)


@action("signed_in")
def copy_own_data(*, actor: Any) -> IO[bytes]:
    """Return a copy of one's own data as a ZIP archive."""
    return write_archive(actor)


@action("staff.administration")
@transaction.atomic
def copy_data(*, actor: Any, person: User, reason: str) -> IO[bytes]:
    """Return a copy of somebody's data as a ZIP archive, and record who took it and why.

    Raises:
        BadInput: no reason.
    """
    words = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    DataCopy.objects.create(user=person, actor=actor, reason=words)
    return write_archive(person)


def your_data(request: HttpRequest) -> HttpResponse:
    """Say what a person's copy holds, and where to close the account."""
    return render(request, "leaving/data_copies/your_data.html")


@reauthentication_required
def copy_own(request: HttpRequest) -> FileResponse:
    """Download a copy of one's own data."""
    person: Any = request.user
    return _file(copy_own_data(actor=person), person)


@once
def staff_copy(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a copy of a person's data, with a reason."""
    person = access_person(pk)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with refused_at(form):
            archive = copy_data(
                actor=request.user, person=person, reason=form.cleaned_data["reason"]
            )
            answer: Any = _file(archive, person)
            # Where a repeated press is redirected.
            answer["Content-Location"] = reverse("staff-closing", args=[person.pk])
            return answer
    context = {"person": person, "form": form}
    return render(request, "leaving/data_copies/copy.html", context, status=status_of(form))


def _file(archive: IO[bytes], person: User) -> FileResponse:
    answer = FileResponse(
        archive, as_attachment=True, filename=f"assay-data-{person.pk}.zip",
        content_type="application/zip",
    )  # fmt: skip
    answer["Cache-Control"] = "no-store"
    return answer
