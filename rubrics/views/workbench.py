"""The author's page, rendered whole or in parts."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.models import Task
from rubrics import linter, queries
from rubrics.dimensions import Dimension
from rubrics.forms import whole
from rubrics.models import Criterion, RubricVersion
from rubrics.queries import LineView, Workbench
from rubrics.reading import task_text

TABS = ("answer", "task", "draft")


def wants_json(request: HttpRequest) -> bool:
    """True for the page's own background saves."""
    return "application/json" in request.headers.get("Accept", "")


def clock(version: RubricVersion) -> str:
    """When the version was last saved, with seconds."""
    return f"{timezone.localtime(version.saved_at):%H:%M:%S}"


def address(task: Task, line: Criterion | None = None, **query: Any) -> str:
    """The rubric's page, opened at a line."""
    url = reverse("rubric", args=[task.pk])
    if line is None:
        return url
    more = "".join(f"&{name}={value}" for name, value in query.items())
    return f"{url}?line={line.pk}{more}"


def show(
    request: HttpRequest,
    task: Task,
    version: RubricVersion,
    *,
    line: int | None = None,
    typed: Mapping[str, Any] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
    refusal: str = "",
    status: int = 200,
) -> HttpResponse:
    """The workbench, opened at a line; after a refusal with everything that was typed.

    Args:
        line: the line to open; None for the one that needs the author most.
        typed: the editor's values to show instead of the stored ones.
        errors: field -> sentences for the editor.
        refusal: a sentence for the top of the page.
    """
    bench = queries.workbench(task, version)
    asked_for = line if line is not None else whole(request.GET.get("line"))
    current = bench.view_of(asked_for) or bench.first_sight()
    tab = request.GET.get("tab", "")
    context = {
        "bench": bench,
        "task": task_text(task.pk),
        "current": current,
        "editor": editor(task, current, typed, errors),
        "blank": editor(task, None),
        "splitting": _places(current) if "split" in request.GET else None,
        "tab": tab if tab in TABS else "answer",
        "refusal": refusal,
        "saved": _("Saved %(time)s") % {"time": clock(version)},
        "status_label": _("Refining, before round %(n)s") % {"n": bench.round},
        "dimensions": Dimension.choices,
    }
    return render(request, "rubrics/workbench.html", context, status=status)


def editor(
    task: Task,
    view: LineView | None,
    typed: Mapping[str, Any] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
) -> dict[str, Any]:
    """What the one editor of the page shows; without a line, its empty template."""
    line = view.line if view else None
    values = {
        "text": line.text if line else "",
        "importance": line.importance if line else "",
        "weight": line.weight if line else "",
        "dimension": line.dimension if line else "",
        **(typed or {}),
    }
    return {
        **values,
        "pk": line.pk if line else 0,
        "n": view.n if view else 0,
        "token": view.token if view else "",
        "errors": dict(errors or {}),
        "view": view,
    }


def _places(view: LineView | None) -> list[tuple[int, str]]:
    """Where the current line could be split: every word but the first."""
    return linter.word_starts(view.line.text)[1:] if view else []


def parts(request: HttpRequest, task: Task, version: RubricVersion, line: Criterion) -> str:
    """The parts of the page that a saved line changes, as HTML with the ids they replace."""
    bench: Workbench = queries.workbench(task, version)
    view = bench.view_of(line.pk)
    return render_to_string(
        "rubrics/parts/saved.html",
        {"bench": bench, "task": task_text(task.pk), "view": view},
        request=request,
    )
