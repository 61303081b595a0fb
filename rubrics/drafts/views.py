"""Views of a model's drafts next to the expert's lines."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.text.comparisons import say_the_same
from curation.base.web.dates import saved_at
from curation.base.web.forms import parse_int
from curation.base.web.refusals import NotFound
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.drafts.actions import take_lines
from rubrics.drafts.queries import against_draft, basis_of
from rubrics.lines.actions import give_reason
from rubrics.lines.history import last_change
from rubrics.lines.rearrange import bring_back
from rubrics.versions import diff
from rubrics.versions.actions import open_version_of
from rubrics.versions.diff import percent_changed
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import lines_of, reasons_of, version_to_read, working_version
from rubrics.versions.task_text import task_text

MAX_CHANGED = 60  # percent changed up to which two lines are shown as counterparts


def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a draft next to the expert's lines; POST gives a reason, restores or takes lines."""
    if request.method == "POST":
        return _change_draft_page(request, pk)
    task = access_task(request.user, pk, "rubric.view")
    drafts = list(task.rubric_versions.filter(origin=RubricVersion.Origin.DRAFT).order_by("number"))
    basis, drafted = basis_of(drafts)
    wanted = parse_int(request.GET.get("draft"))
    if wanted is not None and (basis is None or wanted != basis.number):
        at = next((n for n, v in enumerate(drafts, start=1) if v.number == wanted), 0)
        return _further(request, task, drafts[at - 1] if at else None, at)
    is_author = allows(request.user, "rubric.refine", task)
    working = working_version(task) if is_author else None
    version = working or version_to_read(task)
    if basis is None or version is None:
        raise NotFound(_("This rubric was written without a model's draft."))
    lines = lines_of(version) if version.origin != RubricVersion.Origin.DRAFT else []
    rows = against_draft(drafted, lines)
    reasons = reasons_of(task)
    only = request.GET.get("show") == "changes"
    return render(
        request,
        "suggesting/drafts/draft.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "can_change": working is not None,
            "is_author": is_author,
            "version": version,
            "draft": basis,
            "draft_lines": len(drafted),
            "my_lines": len(lines),
            "counts": diff.count(rows),
            "only": only,
            "rows": [
                {
                    "row": row,
                    "why": reasons.get((row.new or row.old).key, ""),
                    "changed": percent_changed(row.old.text, row.new.text) / 100
                    if row.kind == "edited"
                    else None,
                }
                for row in rows
                if not only or row.kind != "kept"
            ],
            "saved": saved_at(version.saved_at),
        },
    )


@dataclass(frozen=True)
class Offer:
    """A line of a further draft, as the author sees it.

    Attributes:
        mine, n_mine: the author's most similar line and its number; None if none is similar.
        changed: the share of words that differ, 0 to 1.
        taken: whether the author's rubric has it already.
    """

    line: Criterion
    n: int
    mine: Criterion | None = None
    n_mine: int | None = None
    changed: float | None = None
    taken: bool = False


def _further(
    request: HttpRequest, task: Task, drafted: RubricVersion | None, nth: int
) -> HttpResponse:
    """Show a further draft, whose lines enter the rubric only if the author takes them over."""
    if drafted is None:
        raise NotFound(_("This rubric has no such draft."))
    is_author = allows(request.user, "rubric.refine", task)
    working = working_version(task) if is_author else None
    version = working or version_to_read(task)
    own = (
        lines_of(version)
        if version is not None and version.origin != RubricVersion.Origin.DRAFT
        else []
    )
    offers = [_offer(line, n, own) for n, line in enumerate(lines_of(drafted), start=1)]
    return render(
        request,
        "suggesting/drafts/further_draft.html",
        {
            "task": task_text(task.pk),
            "stage": task.stage,
            "stage_label": Stage(task.stage).label,
            "is_author": is_author,
            "can_change": working is not None,
            "draft": drafted,
            "nth": nth,
            "offers": offers,
            "fresh": sum(not offer.taken for offer in offers),
        },
    )


def _offer(line: Criterion, n: int, own: list[Criterion]) -> Offer:
    there = next(
        (
            (at, mine)
            for at, mine in enumerate(own, start=1)
            if mine.source_id == line.pk or say_the_same(mine.text, line.text)
        ),
        None,
    )
    if there is not None:
        at, mine = there
        return Offer(line, n, mine, at, percent_changed(line.text, mine.text) / 100, taken=True)
    nearest = min(
        ((percent_changed(mine.text, line.text), at) for at, mine in enumerate(own, start=1)),
        default=(100, 0),
    )
    if nearest[0] > MAX_CHANGED:
        return Offer(line, n)
    return Offer(line, n, own[nearest[1] - 1], nearest[1], nearest[0] / 100)


def _change_draft_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Store a reason for a changed line, restore a draft line, or take over lines of a draft."""
    task = access_task(request.user, pk, "rubric.refine")
    if "take" in request.POST:
        return _take(request, task)
    drafted = Criterion.objects.filter(
        pk=parse_int(request.POST.get("bring_back")) or 0,
        version__task=task,
        version__origin=RubricVersion.Origin.DRAFT,
    ).first()
    if drafted is not None:
        bring_back(actor=request.user, task=task, drafted=drafted)
        messages.success(request, _("The line is back, as it was drafted."))
    else:
        key = request.POST.get("key", "")
        if not Criterion.objects.filter(version__task=task, key=key).exists():
            raise NotFound()
        give_reason(actor=request.user, task=task, key=key, reason=request.POST.get("reason", ""))
        messages.success(request, _("Reason saved. Your reviewer reads it."))
    query = "?show=changes" if request.POST.get("show") == "changes" else ""
    return redirect(reverse("rubric-draft", args=[task.pk]) + query)


def _take(request: HttpRequest, task: Task) -> HttpResponse:
    """Take over one line (`take=42`), the ticked ones (`take=chosen`), or all (`take=all`)."""
    wanted = request.POST["take"]
    number = parse_int(request.POST.get("draft")) or 0
    rows = Criterion.objects.filter(
        version__task=task, version__origin=RubricVersion.Origin.DRAFT, version__number=number
    ).select_related("version")
    if wanted != "all":
        chosen = request.POST.getlist("line") if wanted == "chosen" else [wanted]
        rows = rows.filter(pk__in=[parse_int(one) or 0 for one in chosen])
    taken, there = take_lines(actor=request.user, task=task, drafted=list(rows))
    step = last_change(open_version_of(task)) if taken else None
    told = [
        ngettext(
            "%(n)s line taken over, at the end of your rubric.",
            "%(n)s lines taken over, at the end of your rubric.",
            len(taken),
        )
        % {"n": len(taken)}
    ]
    if there:
        told.append(
            ngettext("%(n)s line was there already.", "%(n)s lines were there already.", there)
            % {"n": there}
        )
    messages.success(
        request,
        " ".join(told),
        extra_tags="undo=" + reverse("rubric-line-restore", args=[task.pk, step.pk])
        if step
        else "",
    )
    return redirect(reverse("rubric-draft", args=[task.pk]) + f"?draft={number}")
