"""Pages of a reference check: write your own answer, then compare."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.web.forms import show_refusal
from curation.base.web.refusals import BadInput, Conflict, NotFound, Stale
from curation.base.web.step import go
from curation.screening.panels.models import ReferenceCheck
from curation.screening.panels.voting_forms import CheckForm, OwnAnswerForm
from curation.screening.solving import check_actions as actions
from curation.screening.solving.check_queries import check_page
from curation.tasks.task.fields import TEXT_PARTS, label_of
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task


def _task(request: HttpRequest, pk: int) -> Task:
    """Load the task for its checker without its texts; the page selects what may be shown."""
    rows = Task.objects.defer(*TEXT_PARTS)
    return access_task(request.user, pk, "task.check", rows=rows)  # type: ignore[no-any-return]


def reference_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the checker's page; a POST hands in the own answer."""
    task = _task(request, pk)
    if request.method != "POST":
        if request.method == "GET":
            actions.begin_check(actor=request.user, task=task)
        return _page(request, task)
    form = OwnAnswerForm(request.POST)
    try:
        if not form.is_valid():
            raise BadInput(fields={"answer": [_("Load the page again, then hand in.")]})
        actions.hand_in_answer(
            actor=request.user,
            task=task,
            answer=form.cleaned_data["answer"],
            revision=form.cleaned_data["version"],
        )
    except BadInput as refusal:
        show_refusal(form, refusal)
        return _page(request, task, own=form, status=400)
    except Stale as stale:
        return _page(request, task, own=form, stale=stale, status=stale.status)
    except Conflict as late:
        return _page(request, task, late=late, typed="answer", status=late.status)
    return go(
        request,
        _("Your answer is in. Now compare it with the reference answer."),
        "reference-check",
        task.pk,
    )


def reference_check_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the own answer for the page's script."""
    task = _task(request, pk)
    form = OwnAnswerForm(request.POST)
    if not form.is_valid():
        raise BadInput(fields={name: list(found) for name, found in form.errors.items()})
    check = actions.save_own_answer(
        actor=request.user,
        task=task,
        answer=form.cleaned_data["answer"],
        revision=form.cleaned_data["version"],
    )
    saved = check.saved_at or timezone.now()
    return JsonResponse({"saved_at": saved.isoformat(), "version": check.revision})


def reference_check_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the finding: right, or a fault, with remarks."""
    task = _task(request, pk)
    form = CheckForm(request.POST)
    form.is_valid()
    try:
        check = actions.decide_check(
            actor=request.user,
            task=task,
            verdict=request.POST.get("verdict", ""),
            remarks=request.POST.get("remarks", ""),
        )
    except BadInput as refusal:
        show_refusal(form, refusal)
        return _page(request, task, finding=form, status=400)
    except Conflict as late:
        return _page(request, task, late=late, typed="remarks", status=late.status)
    return go(
        request,
        _("Your finding is in. The panel goes on with its votes.")
        if check.verdict == ReferenceCheck.Verdict.RIGHT
        else _("Your finding is in. The task goes back to its author with your remarks."),
        "reference-check",
        task.pk,
    )


def _page(
    request: HttpRequest,
    task: Task,
    *,
    own: OwnAnswerForm | None = None,
    finding: CheckForm | None = None,
    stale: Conflict | None = None,
    late: Conflict | None = None,
    typed: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page.

    Args:
        own, finding: a refused form, to be shown again.
        stale: the refusal of a stale save.
        late: why a step came too late; the page then shows what was typed.
        typed: name of the field whose text is shown with `late`.
    """
    page = check_page(request.user, task.pk)
    if page is None:
        raise NotFound()
    context: dict[str, Any] = {
        "page": page,
        "parts": [(name, label_of(name), text) for name, text in page.parts],
        "stage_label": task.get_stage_display(),
        "own": own or OwnAnswerForm(initial={"answer": page.answer, "version": page.revision}),
        "finding": finding or CheckForm(),
        "form": finding or own,  # of the summary of what is at fault
        "stale": stale,
        "ended": str(late.detail) if late else "",
        "typed": request.POST.get(typed, ""),
        "label": _("What you typed"),
    }
    if stale is not None and own is not None:
        sent = request.POST.copy()
        sent["version"] = str(page.revision)
        context["own"] = OwnAnswerForm(sent)
    return render(request, "screening/reference_checks/check.html", context, status=status)
