"""Views of the reference answer's marks: a pass of its own through all lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from curation.base.web.forms import parse_int
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task
from rubrics.lines import history
from rubrics.lines.actions import line_token
from rubrics.lines.reference_marks import Mark, ReferenceScore, mark_reference, reference_score
from rubrics.policy.checkpoints import policy_of
from rubrics.policy.policy import RubricPolicy
from rubrics.versions.actions import open_version_of
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.task_text import text_of
from rubrics.workbench.line_views import access_line


@dataclass(frozen=True)
class MarkedLine:
    """A line with its number, from 1, and its valid mark; None if its author has not said."""

    line: Criterion
    n: int
    mark: Mark | None

    @property
    def token(self) -> str:
        return line_token(self.line)

    @property
    def state(self) -> str:
        """Return the name of its tick: "yes", "no" or "open"."""
        return "open" if self.mark is None else "yes" if self.mark.met else "no"


@dataclass(frozen=True)
class Pass:
    """All lines with their marks.

    Attributes:
        required: whether every line must be marked before the rubric is sent.
    """

    views: Sequence[MarkedLine]
    score: ReferenceScore
    required: bool

    @property
    def open(self) -> list[MarkedLine]:
        return [view for view in self.views if view.mark is None]

    @property
    def first(self) -> MarkedLine | None:
        """The line to begin with: the first one without a mark, else the first."""
        return next(iter([*self.open, *self.views]), None)

    @property
    def states(self) -> list[str]:
        return [view.state for view in self.views]

    def view_of(self, pk: int | None) -> MarkedLine | None:
        return next((view for view in self.views if view.line.pk == pk), None)

    def following(self, pk: int) -> int:
        """Return the id of the next line without a mark, from this one round; else this one."""
        at = next((n for n, view in enumerate(self.views) if view.line.pk == pk), 0)
        later = [*self.views[at + 1 :], *self.views[:at]]
        return next((view.line.pk for view in later if view.mark is None), pk)


def reference_pass(task: Task, version: RubricVersion) -> Pass:
    """Load a version's lines with their marks, in a fixed number of queries."""
    lines = history.in_order(version)
    score = reference_score(task, lines)
    return Pass(
        views=[MarkedLine(line, n, score.marks.get(line.key)) for n, line in enumerate(lines, 1)],
        score=score,
        required=policy_of(task).reference == RubricPolicy.Reference.REQUIRE,
    )


def reference(request: HttpRequest, pk: int) -> HttpResponse:
    """Show every line with the question whether the reference answer meets it."""
    task = access_task(request.user, pk, "rubric.refine")
    answer = _page(request, task, line=parse_int(request.GET.get("line")))
    answer["Cache-Control"] = "no-store"  # the back button must show the current marks
    return answer


def mark(request: HttpRequest, pk: int, line: int) -> HttpResponse:
    """Mark a line TRUE or FALSE; the page's own script gets the parts that changed.

    Raises:
        BadInput: FALSE without a reason, where the page's own script asked.
        Conflict: the line was changed or removed since the page was loaded.
    """
    task, criterion = access_line(request, pk, line)
    try:
        mark_reference(
            actor=request.user,
            task=task,
            criterion=criterion,
            met=request.POST.get("met") == "1",
            why=request.POST.get("why", ""),
            seen=request.POST.get("version") or None,
        )
    except BadInput as refused:
        if wants_parts(request):
            raise
        return _page(
            request,
            task,
            line=line,
            typed={"pk": line, "why": request.POST.get("why", ""), "errors": refused.fields["why"]},
            status=400,
        )
    if wants_parts(request):
        found = reference_pass(task, open_version_of(task))
        context = {"task": task, "found": found, "v": found.view_of(line)}
        return render(request, "rubrics/parts/reference_marked.html", context)
    following = reference_pass(task, open_version_of(task)).following(line)
    return redirect(f"{reverse('rubric-reference', args=[task.pk])}?line={following}")


def _page(
    request: HttpRequest,
    task: Task,
    *,
    line: int | None,
    typed: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the pass, opened at a line, or at the first one that is not marked."""
    found: Pass = reference_pass(task, open_version_of(task))
    context = {
        "found": found,
        "task": text_of(task),
        "current": found.view_of(line) or found.first,
        "typed": typed,
        "tab": "answer" if request.GET.get("tab") != "task" else "task",
    }
    return render(request, "rubrics/reference.html", context, status=status)
