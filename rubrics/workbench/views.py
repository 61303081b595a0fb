"""The author's page, rendered whole or in parts."""

from collections.abc import Collection, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.tasks.models import Task
from curation.web.dates import saved_at
from curation.web.forms import whole
from curation.web.refusals import NotFound
from rubrics.linter import repairs
from rubrics.policy.dimensions import Dimension
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.task_text import text_of
from rubrics.workbench import queries
from rubrics.workbench.queries import LineView, Workbench

TABS = ("answer", "task", "draft")


def wants_json(request: HttpRequest) -> bool:
    """True for the page's own background saves."""
    return "application/json" in request.headers.get("Accept", "")


def wants_parts(request: HttpRequest) -> bool:
    """True for a step of the page's own script, which says what it shows already."""
    return "X-Parts" in request.headers and bool(request.POST.get("shown"))


def ids(joined: str) -> set[int]:
    """Ids of lines, as an address has them: joined by dots."""
    return {n for value in joined.split(".") if (n := whole(value)) is not None}


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
    sending: bool = False,
    question: str = "",
    chosen: Collection[int] | None = None,
    added: str = "",
    url: str = "",
    status: int = 200,
) -> HttpResponse:
    """The workbench, opened at a line; after a refusal with everything that was typed.

    The page's own script gets the parts that are different now, unless something typed must stand
    in the editor again.

    Args:
        line: the line to open; None for the one that needs the author most.
        typed: the editor's values to show instead of the stored ones.
        errors: field -> sentences for the editor.
        refusal: a sentence for the top of the page.
        sending: it refuses to send the rubric, so all that is missing is listed with it.
        question: "unread", "unmarked": offer to send the rubric as it is; "required": do not.
        added: what stands in the box for a new line.
        chosen: ids of the lines that are chosen for a step together.
        url: the address of the page as it is then, if not the one that was asked for.
    """
    bench = queries.workbench(task, version)
    asked_for = line if line is not None else whole(request.GET.get("line"))
    current = bench.view_of(asked_for) or bench.first_sight()
    tab = request.GET.get("tab", "")
    if chosen is None:
        chosen = ids(request.GET.get("chosen", ""))
    context = {
        "bench": bench,
        "task": text_of(task),
        "current": current,
        "editor": editor(task, current, typed, errors),
        "blank": editor(task, None),
        "splitting": _places(current) if "split" in request.GET else None,
        "tab": tab if tab in TABS else "answer",
        "refusal": refusal,
        "gaps": bench.gaps if sending else [],
        "question": question,
        "limits_reason": request.POST.get("limits_reason", ""),
        "saved": saved_at(version.saved_at),
        "status_label": _("Refining, before round %(n)s") % {"n": bench.round},
        "dimensions": [(value, str(label)) for value, label in Dimension.choices],  # shown thrice
        "chosen": chosen,
        "added": added,
        "waits_for_machine": bench.reading.state == "waiting",
    }
    if wants_parts(request) and bench.views and not (typed or errors or added):
        shown = set(request.POST["shown"].split(","))
        context["fresh"] = [view for view in bench.views if view.sight not in shown]
        answer = render(request, "rubrics/parts/step.html", context, status=status)
        answer["X-Page"] = url or address(task, current.line if current else None)
        return answer
    answer = render(request, "rubrics/workbench.html", context, status=status)
    if request.method == "GET":
        answer["Cache-Control"] = "no-store"  # going back must show what is open now
    return answer


def thread(request: HttpRequest, task: Task, version: RubricVersion) -> HttpResponse:
    """What was said on one line, which the page left out at first; with the box for an answer."""
    bench = queries.workbench(task, version)
    view = bench.view_of(whole(request.GET.get("thread")))
    if view is None:
        raise NotFound()
    context = {"bench": bench, "v": view, "e": editor(task, view)}
    answer = render(request, "rubrics/parts/line_more_thread.html", context)
    answer["Cache-Control"] = "no-store"  # a part of the page under the page's own address
    return answer


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
        "comment": "",
        "why": "",
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


def following(task: Task, line: Criterion) -> Criterion | None:
    """The line that comes after "Done" on this one."""
    view = queries.workbench(task, line.version).following(line.pk)
    return view.line if view else None


def _places(view: LineView | None) -> list[tuple[int, str]]:
    """Where the current line could be split: every word but the first."""
    return repairs.word_starts(view.line.text)[1:] if view else []


def parts(
    request: HttpRequest,
    task: Task,
    version: RubricVersion,
    line: Criterion,
    *,
    answered: bool = False,
) -> str:
    """The parts of the page that a saved line changes, as HTML with the ids they replace.

    Args:
        answered: whether its thread is among them, with an empty box.
    """
    bench: Workbench = queries.workbench(task, version)
    view = bench.view_of(line.pk)
    return render_to_string(
        "rubrics/parts/saved.html",
        {
            "bench": bench,
            "task": text_of(task),
            "view": view,
            "e": editor(task, view) if answered and view else None,
        },
        request=request,
    )
