"""Files as people read them in place: a page, or a part of the page they are on."""

import logging
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.file_contents import limits, reading
from curation.base.file_contents.models import ContentPicture, FileContent
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import Gone, NotFound, TooMany
from curation.tasks.attachments.holders import holder_of_file
from curation.tasks.attachments.models import Attachment
from curation.tasks.attachments.queries import access_attachment, attached
from curation.tasks.file_views.queries import file_view

log = logging.getLogger(__name__)

# A picture we drew ourselves, for pages of this site and nobody else's. Opened alone, browsers set
# it into a page of their own with styles inside, which they would report as violations.
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=600",
}


def attachment_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a file: its pictures, pages, tables or text."""
    row = _access(request.user, pk)
    template = "_view.html" if wants_parts(request) else "view.html"
    context = {"file": attached(row), "view": file_view(row)}
    return render(request, f"tasks/file_views/{template}", context)


def attachment_picture(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """Show a picture, one within a document, or a page of a PDF.

    A page is drawn when somebody first looks at it.
    """
    row = _access(request.user, pk)
    content = FileContent.objects.filter(sha256=row.sha256).first()
    if content is None:
        raise NotFound()
    picture = content.pictures.filter(number=number).first()
    pages = min(content.pages or 0, limits.PAGES)
    is_page = content.ending == ".pdf" and 1 <= number <= pages
    if picture is None and is_page:
        try:
            picture = reading.page_picture(content, number, _data(row))
        except reading.ReaderBusyError:
            raise TooMany(
                _("Other pages are being drawn just now. Load this one again in a minute.")
            ) from None
    if picture is None:
        raise NotFound()
    return FileResponse(_opened(picture, row), content_type=picture.content_type, headers=_HEADERS)


def _access(user: Any, pk: int) -> Attachment:
    """Return a file that this person may read in place: those of tasks and trials are."""
    row = access_attachment(user, pk)
    holder, _thing = holder_of_file(row)
    if not holder.blind:
        raise NotFound()
    return row


def _data(row: Attachment) -> bytes:
    with _opened(row, row) as file:
        return bytes(file.read())


def _opened(stored: Attachment | ContentPicture, row: Attachment) -> Any:
    try:
        return stored.file.open("rb")
    except (OSError, ValueError):
        log.exception("The content of attachment %s is missing in the storage", row.pk)
        raise Gone(
            _("This file is missing from the storage. Tell the staff; they can look in the backup.")
        ) from None
