"""Views of the seniors' queue and of a spot check."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import Stage
from curation.base.web.forms import parse_int, show_refusal
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, status_of
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task, kept_off
from review.senior_seats.models import SpotCheck, SpotCheckMark
from review.spot_checks import actions
from review.spot_checks.queries import SpotCheckPage, queue, rates, spot_check_page
from review.web import YES_NO


def marks_from(data: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Return line id -> (failed test, remark) of the marks in a form; blank ones are left out."""
    found = {}
    for name, test in data.items():
        pk = parse_int(name.removeprefix("mark-")) if name.startswith("mark-") else None
        remark = data.get(f"remark-{pk}", "")
        if pk is not None and (test or remark.strip()):
            found[pk] = (test, remark)
    return found


def _yes_no(label: Any, help_text: Any) -> forms.ChoiceField:
    """Return the field of one of the three tests."""
    return forms.ChoiceField(
        label=label,
        help_text=help_text,
        choices=YES_NO,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Answer yes or no.")},
    )


class SpotCheckForm(forms.Form):
    """The three tests, the verdict and the remarks.

    `marks` has the refusals of marked lines: `mark-<line id>` -> sentences.
    """

    consistent = _yes_no(
        gettext_lazy("Consistent"),
        gettext_lazy(
            "Lines of similar importance have similar weights, and no line contradicts another."
        ),
    )
    aligned = _yes_no(
        gettext_lazy("Aligned with the task"),
        gettext_lazy("Every requirement of the task has its lines, and no line asks for more."),
    )
    evaluable = _yes_no(
        gettext_lazy("Evaluable"),
        gettext_lazy("Two colleagues would judge each line the same way, from the response alone."),
    )
    remarks = forms.CharField(
        label=gettext_lazy("Remarks"),
        help_text=gettext_lazy(
            "Required for every verdict, including “Accept”. The author and the reviewer read them."
        ),
        error_messages={
            "required": gettext_lazy("Give your reasons; author and reviewer read them.")
        },
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    verdict = forms.ChoiceField(
        choices=SpotCheck.Verdict.choices,
        widget=forms.HiddenInput,
        error_messages={"required": gettext_lazy("Choose: accept, return or discard.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.marks: dict[str, list[str]] = {}

    def show(self, refused: BadInput) -> None:
        """Show a refusal at the form's fields, and those of marks at their lines."""
        self.marks = {
            name: [str(sentence) for sentence in found]
            for name, found in refused.fields.items()
            if name.startswith("mark-")
        }
        show_refusal(self, refused)

    def tests(self) -> dict[str, bool]:
        """Return the three tests as arguments of the action."""
        return {
            name: self.cleaned_data[name] == "yes"
            for name in ("consistent", "aligned", "evaluable")
        }


PER_PAGE = 20


def spot_checks(request: HttpRequest) -> HttpResponse:
    """Show a senior's queue; staff also see the achieved rate of the draw."""
    user: Any = request.user
    pages = Paginator(queue(user, Stage.SPOT_CHECK), PER_PAGE)
    return render(
        request,
        "spot_checks/spot_checks.html",
        {
            "queue": pages.get_page(request.GET.get("page")),
            "decisions": queue(user, Stage.DECIDING)[:PER_PAGE],
            "is_senior": bool(user.senior_domain_ids()),
            "rates": rates() if user.is_staff else None,
        },
    )


def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a spot check."""
    user: Any = request.user
    task = Task.objects.filter(pk=pk, domain_id__in=user.senior_domain_ids()).first()
    if task is None or user.pk in kept_off(task):
        # A refusal with its reason would reveal the author to a person in conflict with them.
        raise NotFound()
    actions.take_spot_check(actor=user, task=task)
    return redirect("spot-check", pk=task.pk)


def spot_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rubric with its task and the form; POST stores the verdict."""
    task = access_task(request.user, pk, "spot_check.decide")
    if task.stage != Stage.SPOT_CHECK:
        raise Conflict(
            _("This task is not waiting for a spot check."),
            code="wrong_stage",
            page=reverse("rubric", args=[task.pk]),
        )
    form = SpotCheckForm(request.POST or None)
    confirm = False
    if request.method == "POST" and form.is_valid():
        verdict = form.cleaned_data["verdict"]
        confirm = verdict == SpotCheck.Verdict.DISCARD and "confirmed" not in request.POST
        if not confirm:
            try:
                actions.decide_spot_check(
                    actor=request.user,
                    task=task,
                    verdict=verdict,
                    remarks=form.cleaned_data["remarks"],
                    marks=marks_from(request.POST),
                    **form.tests(),
                )
            except BadInput as refused:
                form.show(refused)
            except Conflict as refused:
                refused.data.setdefault("kept", request.POST.get("remarks", ""))
                raise
            else:
                return go(request, _outcome(verdict), "spot-checks")
    version = actions.reviewed_version(task)
    page = spot_check_page(task, version)
    return render(
        request,
        "spot_checks/spot_check.html",
        {
            "page": page,
            "rows": _rows(page, request.POST, form),
            "tests": SpotCheckMark.Test.choices,
            "task": page.task,
            "form": form,
            "confirm": confirm and not form.errors,
            "tab": "answer" if request.GET.get("tab") == "answer" else "task",
        },
        status=status_of(form),
    )


def _rows(
    page: SpotCheckPage, data: Mapping[str, str], form: SpotCheckForm
) -> list[dict[str, Any]]:
    """Return the lines with the typed marks and their errors."""
    return [
        {
            "row": row,
            "test": data.get(f"mark-{row.line.pk}", ""),
            "remark": data.get(f"remark-{row.line.pk}", ""),
            "errors": form.marks.get(f"mark-{row.line.pk}", []),
        }
        for row in page.lines
    ]


def _outcome(verdict: str) -> str:
    return {
        SpotCheck.Verdict.ACCEPT: _("Accepted. The task is in the benchmark now."),
        SpotCheck.Verdict.SEND_BACK: _("Returned. The author has your remarks."),
        SpotCheck.Verdict.DISCARD: _("Discarded. The author has your remarks."),
    }[SpotCheck.Verdict(verdict)]
