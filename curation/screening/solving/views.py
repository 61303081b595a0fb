"""Pages of a second opinion: write an own answer, then compare it with the author's."""

import math
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput, Conflict, NotFound, Stale, shown_at
from curation.base.web.step import go, refused_at, status_of
from curation.screening.solving import actions
from curation.screening.solving.actions import ANSWER_LIMIT, CHECK, SOLVE, OpinionKind
from curation.screening.solving.queries import opinion_page
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task

ROUTES = {CHECK: "reference-check", SOLVE: "solve"}


# --- forms ----------------------------------------------------------------------------------------
class CheckForm(forms.Form):
    """The checker's own answer, written before the reference answer is shown."""

    answer = forms.CharField(
        required=False,
        label=_("Your own answer"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
    )
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class SolveForm(forms.Form):
    """The solver's own answer."""

    answer = forms.CharField(
        required=False,
        label=_("Your answer"),
        strip=False,
        help_text=_("A few words or one number. You cannot change it afterwards."),
        widget=forms.TextInput(
            attrs={"maxlength": ANSWER_LIMIT, "autocomplete": "off", "id": "id_own_answer"}
        ),
    )


class VerdictForm(forms.Form):
    """What somebody says of the author's answer after comparing."""

    # The action checks the value, for pages and API alike.
    verdict = forms.ChoiceField(
        required=False, label=_("The author's answer is"), widget=forms.RadioSelect
    )
    remarks = forms.CharField(
        required=False,
        label=_("Reason"),
        help_text=_(
            "How do you know, or where does a step fail? If it is not right, the author reads this "
            "without your name."
        ),
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *args: Any, kind: OpinionKind = SOLVE, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        verdict: Any = self.fields["verdict"]
        verdict.choices = kind.model.Verdict.choices
        if kind is CHECK:
            verdict.label = _("Your finding")
            self.fields["remarks"].label = _("Remarks")
            self.fields["remarks"].help_text = _(
                "Where do the answers agree, where do they differ, and which is right? If the "
                "reference has a fault, the author reads this without your name."
            )


# --- checks of the reference answer ---------------------------------------------------------------
def _task(request: HttpRequest, pk: int, permission: str) -> Task:
    """Load the task without its texts; the page selects what may be shown."""
    rows = Task.objects.defer(*TEXT_PARTS)
    return access_task(request.user, pk, permission, rows=rows)  # type: ignore[no-any-return]


def reference_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the checker's page; a POST hands in the own answer."""
    task = _task(request, pk, "task.check")
    if request.method != "POST":
        if request.method == "GET":
            actions.begin_check(actor=request.user, task=task)
        return _page(request, CHECK, task)
    form = CheckForm(request.POST)
    try:
        with refused_at(form):
            if not form.is_valid():
                raise BadInput(fields={"answer": [gettext("Load the page again, then hand in.")]})
            actions.hand_in_answer(
                actor=request.user,
                task=task,
                answer=form.cleaned_data["answer"],
                revision=form.cleaned_data["version"],
            )
            said = gettext("Your answer is in. Now compare it with the reference answer.")
            return go(request, said, "reference-check", task.pk)
    except Stale as stale:
        return _page(request, CHECK, task, own=form, stale=stale)
    except Conflict as late:
        return _page(request, CHECK, task, late=late, typed="answer")
    return _page(request, CHECK, task, own=form)


def reference_check_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save the own answer for the page's script."""
    task = _task(request, pk, "task.check")
    form = CheckForm(request.POST)
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
    return _decide(request, CHECK, _task(request, pk, "task.check"))


# --- solving a question with an exact answer ------------------------------------------------------
def solve(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the solver's page; a POST hands in the own answer."""
    task = _task(request, pk, "task.solve")
    form = SolveForm()
    if request.method == "GET":
        actions.begin_solve(actor=request.user, task=task)
    elif request.method == "POST":
        form = SolveForm(request.POST)
        form.is_valid()
        try:
            with refused_at(form):
                answer = form.cleaned_data.get("answer", "")
                actions.hand_in(actor=request.user, task=task, answer=answer)
                said = gettext("Your answer is in. Now compare it with the author's.")
                return go(request, said, "solve", task.pk)
        except Conflict as late:
            return _page(request, SOLVE, task, late=late, typed="answer")
    return _page(request, SOLVE, task, own=form)


def solve_look(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the author's answer and steps instead of taking an own answer."""
    task = _task(request, pk, "task.solve")
    with shown_at(reverse("solve", args=[pk])):
        actions.look_at_steps(actor=request.user, task=task)
    said = gettext("You see the steps now, so this counts as a verification, not as a solve.")
    return go(request, said, "solve", task.pk)


def solve_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the verdict: right and the only answer, wrong, or unclear, with the reason."""
    return _decide(request, SOLVE, _task(request, pk, "task.solve"))


# --- both -----------------------------------------------------------------------------------------
def _decide(request: HttpRequest, kind: OpinionKind, task: Task) -> HttpResponse:
    form = VerdictForm(request.POST, kind=kind)
    form.is_valid()
    decide = actions.decide_check if kind is CHECK else actions.decide_solve
    try:
        with refused_at(form):
            decide(
                actor=request.user,
                task=task,
                verdict=form.cleaned_data.get("verdict", ""),
                remarks=form.cleaned_data.get("remarks", ""),
            )
            task.refresh_from_db(fields=["stage"])
            return go(request, _after(kind, task), ROUTES[kind], task.pk)
    except Conflict as late:
        return _page(request, kind, task, late=late, typed="remarks")
    return _page(request, kind, task, verdict=form)


def _after(kind: OpinionKind, task: Task) -> str:
    if task.stage == Stage.DRAFT:
        return gettext("Noted. The task goes back to its author with what was found.")
    if task.stage != Stage.SCREENING:
        return gettext("Noted. The panel has decided on the task.")
    if kind is CHECK:
        return gettext("Noted. The panel goes on with its votes.")
    return gettext("Noted. The panel decides when both solvers and all votes are in.")


def _page(
    request: HttpRequest,
    kind: OpinionKind,
    task: Task,
    *,
    own: Any = None,
    verdict: VerdictForm | None = None,
    stale: Stale | None = None,
    late: Conflict | None = None,
    typed: str = "",
) -> HttpResponse:
    """Show the page as it stands now.

    Args:
        own, verdict: a form to be shown again.
        stale: the refusal of a stale save.
        late: why a step came too late; the page then shows what was typed in the field `typed`.
    """
    page = opinion_page(kind, request.user, task.pk)
    if page is None:
        raise NotFound()
    if kind is CHECK:
        own = own or CheckForm(initial={"answer": page.answer, "version": page.revision})
        if stale is not None:
            sent = request.POST.copy()
            sent["version"] = str(page.revision)
            own = CheckForm(sent)
    now = timezone.now()
    left = (page.mark_at - now).total_seconds() if page.mark_at else 0.0
    refused = stale or late
    context: dict[str, Any] = {
        "page": page,
        "url": reverse(ROUTES[kind], args=[task.pk]),
        "stage_label": Stage(page.stage).label,
        "own": own or SolveForm(),
        "verdict": verdict or VerdictForm(kind=kind),
        "form": verdict or own,  # of the summary of what is at fault
        "stale": stale,
        "ended": str(late.detail) if late else "",
        "typed": request.POST.get(typed, ""),
        "label": gettext("What you typed"),
        "past_mark": page.mark_at is not None and left <= 0,
        "until_mark": max(1, math.ceil(left)),
        "so_far": (now - page.opened_at).total_seconds() if page.opened_at else None,
    }
    parts = wants_parts(request) and kind is SOLVE
    template = "screening/solving/parts.html" if parts else "screening/solving/opinion.html"
    status = refused.status if refused else max(status_of(form) for form in (own, verdict) if form)
    answer = render(request, template, context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer
