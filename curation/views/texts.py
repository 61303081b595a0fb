"""Earlier texts of an author's task: the list, one against the text of now, restoring it."""

from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import checks, wording
from curation.access import access_task
from curation.actions import texts as actions
from curation.errors import BadInput, Conflict, NotFound, Stale
from curation.lifecycle import Stage
from curation.models import TextVersion

AT_MOST = 100  # rows: fifty kept while writing, and those of submissions and restorings


def task_versions(request: HttpRequest, pk: int) -> HttpResponse:
    """The kept texts of one's own task."""
    thing = access_task(request.user, pk, "task.write")
    rows = (
        TextVersion.objects.filter(task=thing)
        .defer("parts")
        .annotate(title=F("parts__title"))
        .order_by("-number")[:AT_MOST]
    )
    return render(
        request,
        "tasks/versions.html",
        {"task": thing, "rows": rows, "can_restore": thing.stage == Stage.DRAFT},
    )


def task_version(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One kept text with its differences from the text of now; a POST restores it."""
    thing = access_task(request.user, pk, "task.write")
    row = TextVersion.objects.filter(task=thing, number=number).first()
    if row is None:
        raise NotFound()
    if request.method == "POST":
        try:
            actions.restore_text(
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
        messages.success(request, _("Restored. The text it replaced stands in the list too."))
        return redirect("task-edit", thing.pk)
    now = actions.texts_of(thing)
    differing = [
        {
            "name": name,
            "label": checks.part_label(name),
            "then": row.parts.get(name, ""),
            "now": now[name],
        }
        for name in actions.KEPT
        if row.parts.get(name, "") != now[name]
    ]
    apart = {part["name"] for part in differing}
    return render(
        request,
        "tasks/version.html",
        {
            "task": thing,
            "row": row,
            "differing": differing,
            "same": wording.listed(
                checks.part_label(name) for name in actions.KEPT if name not in apart
            ),
            "can_restore": thing.stage == Stage.DRAFT,
        },
    )


def _version(request: HttpRequest) -> int:
    sent = request.POST.get("version", "")
    if not (sent.isascii() and sent.isdigit() and len(sent) < 10):
        raise BadInput(_("The number of the draft's version is missing. Open the page again."))
    return int(sent)
