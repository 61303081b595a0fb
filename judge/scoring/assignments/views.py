"""Staff's pages to assign responses to scorers and to take sheets and checks back."""

import secrets
from collections import defaultdict
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.text import storable
from curation.base.web.fields import set_numbers
from curation.base.web.forms import ReasonForm
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.scoring.anchors.hand_back import hand_back_sheet, release_check
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.assignments import queries
from judge.scoring.assignments.actions import assign_sheets
from judge.scoring.assignments.held import DUE_FIRST, open_sheets
from judge.scoring.assignments.queries import MOST, domains_and_candidates
from judge.scoring.graded_sheets.actions import assign_graded_sheets
from judge.scoring.sheets.models import Sheet


class DrawForm(forms.Form):
    """How many responses to draw, of which domain and candidate; or the responses of one task."""

    domain = forms.ChoiceField(label=gettext_lazy("Domain"), required=False)
    candidate = forms.ChoiceField(label=gettext_lazy("Candidate"), required=False)
    task = forms.CharField(label=gettext_lazy("Task key"), required=False, max_length=200)
    form = forms.ChoiceField(
        label=gettext_lazy("How they score"),
        required=False,
        choices=[
            ("lines", gettext_lazy("Line by line")),
            ("grade", gettext_lazy("One grade from 1 to 5")),
        ],
    )
    size = forms.IntegerField(label=gettext_lazy("Responses"), min_value=1, max_value=MOST)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), min_value=0, max_value=2**63 - 1)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        domains, candidates = domains_and_candidates()
        self.fields["domain"].choices = [("", gettext_lazy("All")), *domains]  # type: ignore[attr-defined]
        self.fields["candidate"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("All")),
            *((name, name) for name in candidates),
        ]


def numbers_in(sent: QueryDict, name: str) -> list[int]:
    """Return the whole numbers sent under a name, at most MOST; other values are ignored."""
    found = (storable.whole_number(value) for value in sent.getlist(name))
    return [number for number in found if number is not None][:MOST]


DEFAULT_SIZE = 12  # responses to draw


@once
def sheets(request: HttpRequest) -> HttpResponse:
    """Draw responses and assign them to scorers; list the open sheets below."""
    form = DrawForm(_with_defaults(request.GET))
    if request.method == "POST":
        return _assign(request, form)
    found: tuple[queries.Found, ...] = ()
    free = 0
    if form.is_valid():
        wanted = form.cleaned_data
        all_found = queries.candidates_for_scoring(
            domain=wanted["domain"],
            candidate=wanted["candidate"],
            task=wanted["task"].strip(),
            graded=wanted["form"] == "grade",
        )
        free = sum(not one.sheets for one in all_found)
        # A task given by its key shows all its responses, scored or not.
        found = (
            all_found[: wanted["size"]]
            if wanted["task"].strip()
            else queries.drawn(all_found, wanted["size"], wanted["seed"])
        )
    return _page(request, form, found, free=free, status=status_of(form))


def _with_defaults(sent: QueryDict) -> QueryDict:
    values = sent.copy()
    values.setdefault("size", str(DEFAULT_SIZE))
    values.setdefault("form", "lines")
    values.setdefault("seed", str(secrets.randbelow(10**8)))
    return values


def _page(
    request: HttpRequest,
    form: DrawForm,
    found: Any,
    *,
    free: int = 0,
    problems: dict[str, list[Any]] | None = None,
    refused: Any = "",
    status: int = 200,
) -> HttpResponse:
    errors = problems or {}
    sent = request.POST if request.method == "POST" else None
    ticked = set(numbers_in(sent, "response")) if sent else None
    rows = [
        {
            "row": row,
            "scorer": sent.get(f"scorer-{row.pk}", "") if sent else str(row.proposed or ""),
            "error": next(iter(errors.get(f"scorer-{row.pk}", ())), ""),
            "responses": [
                (one, one.pk in ticked if ticked is not None else bool(row.choices))
                for one in row.responses
            ],
        }
        for row in queries.assignment_rows(found)
    ]
    most = None if request.GET.get("open") == "all" else DUE_FIRST
    sheets_open = open_sheets(reader=request.user, most=most and most + 1)
    return render(
        request,
        "scoring/assignments/sheets.html",
        {
            "form": form,
            "rows": rows,
            "total": len(found),
            "free": free,
            "open": sheets_open[:most],
            "more_open": len(sheets_open) > len(sheets_open[:most]),
            "way": form["form"].value() if sent is None else sent.get("form", "lines"),
            "refused": refused,
            "problems": bool(errors),
        },
        status=status,
    )


def _assign(request: HttpRequest, form: DrawForm) -> HttpResponse:
    sent = request.POST
    graded = sent.get("form") == "grade"
    chosen = Response.objects.select_related("task").filter(
        pk__in=numbers_in(sent, "response"), baseline=False
    )
    wanted: dict[int, list[Response]] = defaultdict(list)
    problems: dict[str, list[Any]] = {}
    for response in chosen.order_by("pk"):
        scorer = storable.whole_number(sent.get(f"scorer-{response.task_id}", ""))
        if scorer is not None:
            wanted[scorer].append(response)
        else:
            problems[f"scorer-{response.task_id}"] = [_("Choose who scores these responses.")]
    try:
        if problems:
            raise BadInput(fields=problems)
        people = User.objects.in_bulk(list(wanted))
        chosen_people = {people[pk]: responses for pk, responses in wanted.items() if pk in people}
        made: list[Any] = (
            list(assign_graded_sheets(actor=request.user, wanted=chosen_people))
            if graded
            else list(assign_sheets(actor=request.user, wanted=chosen_people))
        )
    except BadInput as refusal:
        offered = set(numbers_in(sent, "offered"))
        every = queries.candidates_for_scoring(graded=graded)
        found = tuple(one for one in every if one.pk in offered)
        return _page(
            request,
            form,
            found,
            problems=refusal.fields,
            refused="" if refusal.fields else refusal.detail,
            status=400,
        )
    return go(
        request,
        ngettext(
            "%(n)s sheet is assigned. It is due in seven days; its scorer sees it on the home "
            "page.",
            "%(n)s sheets are assigned. They are due in seven days; the scorers see them on the "
            "home page.",
            len(made),
        )
        % {"n": len(made)},
        "staff-sheets",
    )


def release_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an open sheet back from its scorer, with a reason."""
    sheet = get_object_or_404(
        Sheet.objects.select_related("response__task", "response__candidate", "user"),
        pk=pk,
        user__isnull=False,
    )
    if sheet.state != Sheet.State.OPEN:
        raise Conflict(
            _("There is no open sheet to hand back."),
            code="wrong_stage",
            page=reverse("staff-task", args=[sheet.response.task_id]),
        )
    anchor = sheet.purpose == Sheet.Purpose.ANCHOR
    return _release(
        request,
        sheet.response.task,
        title=_("Take this sheet back"),
        text=_(
            "What was scored stays on the record, and the response goes back to the pool for a "
            "colleague."
        )
        if anchor
        else _(
            "What was scored stays on the record. The response can then be assigned to a colleague."
        ),
        button=_("Take the sheet back"),
        do=lambda reason: hand_back_sheet(actor=request.user, sheet=sheet, reason=reason),
        done=_("Taken back. A colleague can take the response now.")
        if anchor
        else _("Taken back. Assign the response to a colleague when you are ready."),
        after=reverse("staff-task", args=[sheet.response.task_id])
        if anchor
        else f"{reverse('staff-sheets')}?task={sheet.response.task.key}",
    )


def release_meta(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an open check of an anchor back from its senior, with a reason."""
    evaluation = get_object_or_404(MetaEvaluation.objects.select_related("anchor__task"), pk=pk)
    if evaluation.verdict:
        raise Conflict(
            _("There is no open check to release."),
            code="wrong_stage",
            page=reverse("staff-task", args=[evaluation.anchor.task_id]),
        )
    task = evaluation.anchor.task
    return _release(
        request,
        task,
        title=_("Take this check back"),
        text=_("What the senior typed stays on the record, and another senior can take the check."),
        button=_("Take the check back"),
        do=lambda reason: release_check(actor=request.user, evaluation=evaluation, reason=reason),
        done=_("Taken back. Another senior can take the check now."),
        after=reverse("staff-task", args=[task.pk]),
    )


def _release(
    request: HttpRequest,
    task: Any,
    *,
    title: str,
    text: str,
    button: str,
    do: Any,
    done: str,
    after: str,
) -> HttpResponse:
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            do(form.cleaned_data["reason"])
            return go(request, done, after)
    return render(
        request,
        "review/staff_step.html",
        {
            "task": task,
            "form": form,
            "title": title,
            "text": text,
            "button": button,
            "danger": True,
        },
        status=status_of(form),
    )
