"""Upload and download of files. What was read of them is shown by `curation.tasks.file_views`."""

import logging
from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput, Conflict, Gone
from curation.tasks.attachments import actions, queries
from curation.tasks.attachments.content import file_refusal
from curation.tasks.attachments.holders import Holder, holder_of_file
from curation.tasks.attachments.models import Attachment

log = logging.getLogger(__name__)

# Make browsers save a file in any case: they must never show or run it as a page of this site.
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "private, no-store",
    "Accept-Ranges": "none",
}


def attachment(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Download a file."""
    return download(queries.access_attachment(request.user, pk))


def download(file: Attachment) -> FileResponse:
    """Return a file that its reader may read, as a download that no browser opens."""
    try:
        content = file.file.open("rb")
    except (OSError, ValueError):
        log.exception("The content of attachment %s is missing in the storage", file.pk)
        raise Gone(
            _("This file is missing from the storage. Tell the staff; they can look in the backup.")
        ) from None
    return FileResponse(
        content,
        as_attachment=True,
        filename=file.name,
        content_type=file.content_type,
        headers=_HEADERS,
    )


def attachment_add(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Add one file to a thing; a GET returns the list of its files, for the page's script."""
    holder, thing = queries.access_holder(request.user, kind, pk)
    if request.method == "GET":
        if not wants_parts(request):
            return _back(request, holder, thing)
        context = {"box": queries.box_of(request.user, thing), "back": holder.page(thing)}
        return render(request, "components/attachment_list.html", context)
    upload = request.FILES.get("file")
    try:
        if upload is None:
            raise file_refusal(_("Choose a file first, then add it."))
        added = actions.add_attachment(actor=request.user, thing=thing, upload=upload)
    except (BadInput, Conflict) as refusal:
        sentence = str((refusal.fields.get("file") or [refusal.detail])[0])
        if wants_parts(request):
            return _box(request, thing, error=sentence, status=422)
        messages.error(request, sentence)
        return _back(request, holder, thing)
    if wants_parts(request):
        return _box(request, thing, added=queries.attached(added))
    messages.success(request, _("Added: %(name)s.") % {"name": added.name})
    return _back(request, holder, thing)


def attachment_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a file; the message offers to undo it."""
    file = queries.access_own_attachment(request.user, pk)
    actions.remove_attachment(actor=request.user, attachment=file)
    holder, thing = holder_of_file(file)
    messages.success(
        request,
        _("Removed: %(name)s.") % {"name": file.name},
        extra_tags="undo=" + reverse("attachment-restore", args=[file.pk]),
    )
    return _back(request, holder, thing)


def attachment_restore(request: HttpRequest, pk: int) -> HttpResponse:
    """Restore a removed file."""
    file = queries.access_own_attachment(request.user, pk)
    actions.restore_attachment(actor=request.user, attachment=file)
    messages.success(request, _("Restored: %(name)s.") % {"name": file.name})
    return _back(request, *holder_of_file(file))


def _box(
    request: HttpRequest,
    thing: Any,
    *,
    error: str = "",
    added: queries.AttachedFile | None = None,
    status: int = 200,
) -> HttpResponse:
    return render(
        request,
        "components/attachments.html",
        {
            "box": queries.box_of(request.user, thing, error=error),
            "back": request.POST.get("next", ""),
            "added": added,
        },
        status=status,
    )


def _back(request: HttpRequest, holder: Holder, thing: Any) -> HttpResponse:
    """Redirect to the page the form was on, if it is on this site; else to the thing's page."""
    wanted = request.POST.get("next", "")
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        return redirect(wanted)
    return redirect(holder.page(thing))
