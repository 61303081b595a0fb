"""The page on which an author compares the rubric with the amended text."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.access.action import action
from curation.base.web.refusals import BadInput, Conflict
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.amendments.models import Amendment
from curation.tasks.amendments.queries import Difference, differences
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.lines import history
from rubrics.versions.actions import open_version_of, open_working_version
from rubrics.versions.models import Criterion, LineChange, RubricVersion
from rubrics.versions.queries import is_behind_the_text, working_version


@dataclass(frozen=True, slots=True)
class TouchedLine:
    """A line whose passage of the reference answer is no longer there; `n` counts from 1."""

    line: Criterion
    n: int


@dataclass(frozen=True, slots=True)
class AmendedText:
    """The text since the rubric was last compared with it.

    Attributes:
        differences: the parts that changed, from the text that the rubric was written for.
        reasons: what the seniors wrote, the oldest first.
        touched: the lines that rest on a passage that is gone.
    """

    differences: list[Difference]
    reasons: list[str]
    touched: list[TouchedLine]


def amended_text(task: Task, version: RubricVersion, lines: Sequence[Criterion]) -> AmendedText:
    """Return what changed since the rubric was last compared with the text. One query."""
    later = list(
        Amendment.objects.filter(
            task=task, state=Amendment.State.AGREED, text_version__gt=version.text_version
        ).order_by("text_version")
    )
    before: dict[str, str] = {}
    for amendment in later:
        for name, text in amendment.before.items():
            before.setdefault(name, text)
    now = {name: getattr(task, name) for name in before}
    return AmendedText(
        differences=differences(before, now),
        reasons=[amendment.answer for amendment in later if amendment.rubric_affected],
        touched=touched_lines(task, lines),
    )


def touched_lines(task: Task, lines: Sequence[Criterion]) -> list[TouchedLine]:
    """Return the lines whose passage is no longer in the reference answer."""
    answer = _words(task.reference_answer)
    return [
        TouchedLine(line, n)
        for n, line in enumerate(lines, start=1)
        if line.quote and _words(line.quote) not in answer
    ]


def _words(text: str) -> str:
    return " ".join(text.split())


@action("rubric.refine", about="task")
@transaction.atomic
def confirm_rubric(
    *, actor: Any, task: Task, text_version: int, kept: Collection[int] = ()
) -> RubricVersion:
    """Confirm that the rubric was compared with the task's present text.

    A line whose passage left the reference answer has to be changed, given another passage, or
    named in `kept`; each line kept is recorded as read and kept.

    Args:
        text_version: the version of the text that the page showed.
        kept: ids of touched lines that stay as they are.

    Raises:
        BadInput: `lines_touched`, with the other touched lines in `data["lines"]`.
        Conflict: `changed_meanwhile`, the text was amended again; `wrong_stage`, the rubric is not
            open.
    """
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    version = open_working_version(task)
    if task.version != text_version:
        raise Conflict(
            _("The text was amended again after you opened this page. Read it once more."),
            code="changed_meanwhile",
        )
    touched = touched_lines(task, history.in_order(version))
    open_ones = [entry for entry in touched if entry.line.pk not in kept]
    if open_ones:
        raise BadInput(
            ngettext(
                "%(n)s line quotes a passage that is gone. Change it, choose another passage, or "
                "say that it stays.",
                "%(n)s lines quote passages that are gone. Change them, choose other passages, or "
                "say that they stay.",
                len(open_ones),
            )
            % {"n": len(open_ones)},
            code="lines_touched",
            data={"lines": [entry.line.pk for entry in open_ones]},
        )
    for entry in touched:
        history.record(version, actor=actor, kind=LineChange.Kind.CONFIRMED, key=entry.line.key)
    RubricVersion.objects.filter(pk=version.pk).update(text_version=task.version)
    version.refresh_from_db(fields=["text_version"])
    return version


class ConfirmForm(forms.Form):
    """The touched lines that stay as they are, and the version of the text that was read."""

    text_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)
    kept = forms.TypedMultipleChoiceField(
        label=gettext_lazy("These lines stay as they are"),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, touched: list[TouchedLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kept"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(entry.line.pk, f"{entry.n}. {entry.line.text}") for entry in touched]


def amended(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what changed in the text and the lines it touches; a POST confirms the rubric."""
    task = access_task(request.user, pk, "rubric.refine")
    if request.method == "GET" and not _behind(task):
        return redirect("rubric", task.pk)
    version = open_version_of(task)
    found = amended_text(task, version, history.in_order(version))
    form = ConfirmForm(
        request.POST if request.method == "POST" else None,
        touched=found.touched,
        initial={"text_version": task.version},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            confirm_rubric(actor=request.user, task=task, **form.cleaned_data)
            return go(
                request,
                _("Confirmed. Send the rubric to review when it is ready."),
                "rubric",
                task.pk,
            )
    return render(
        request,
        "rubric_corrections/amended.html",
        {"task": task, "version": version, "found": found, "form": form},
        status=status_of(form),
    )


def _behind(task: Task) -> bool:
    """Return whether the rubric is open, and not compared with the present text yet."""
    version = working_version(task)
    return version is not None and is_behind_the_text(version, task)
