"""Pages of the earlier texts of a task: the list, the differences, restoring one."""

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.text import wording
from curation.base.web.refusals import BadInput, Conflict, NotFound, Stale
from curation.base.web.step import go
from curation.tasks.authoring import versions
from curation.tasks.task.fields import PARTS, label_of
from curation.tasks.task.models import TextVersion
from curation.tasks.task.queries import access_task

AT_MOST = 100  # rows: `versions.AT_MOST` of them kept while writing, and those that always stay


def task_versions(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the list of earlier texts of a person's own task."""
    thing = access_task(request.user, pk, "task.write")
    rows = (
        TextVersion.objects.filter(task=thing)
        .defer("parts")
        .annotate(title=F("parts__title"))
        .order_by("-number")[:AT_MOST]
    )
    return render(
        request,
        "tasks/authoring/versions.html",
        {"task": thing, "rows": rows, "can_restore": thing.stage == Stage.DRAFT},
    )


def task_version(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show an earlier text with its differences from the current one; a POST restores it."""
    thing = access_task(request.user, pk, "task.write")
    row = TextVersion.objects.filter(task=thing, number=number).first()
    if row is None:
        raise NotFound()
    if request.method == "POST":
        try:
            versions.restore_text(
                actor=request.user, task=thing, number=number, version=_version(request)
            )
        except Stale as stale:
            raise Conflict(
                _(
                    "The draft was saved while you were looking at the older text. Nothing is "
                    "changed; look at the differences again."
                ),
                code="stale",
            ) from stale
        return go(
            request,
            _("Restored. The text it replaced is in the list too."),
            "task-edit",
            thing.pk,
        )
    now = versions.texts_of(thing)
    differing = [
        {
            "name": name,
            "label": label_of(name),
            "then": row.parts.get(name, ""),
            "now": now[name],
        }
        for name in PARTS
        if row.parts.get(name, "") != now[name]
    ]
    apart = {part["name"] for part in differing}
    return render(
        request,
        "tasks/authoring/version.html",
        {
            "task": thing,
            "row": row,
            "differing": differing,
            "same": wording.listed(label_of(name) for name in PARTS if name not in apart),
            "can_restore": thing.stage == Stage.DRAFT,
        },
    )


def _version(request: HttpRequest) -> int:
    sent = request.POST.get("version", "")
    if not (sent.isascii() and sent.isdigit() and len(sent) < 10):
        raise BadInput(_("The number of the draft's version is missing. Open the page again."))
    return int(sent)
