"""Rendering of the author's page, whole or in parts."""

from collections.abc import Collection, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.process.stored_results import WAITING
from curation.base.web.dates import saved_at
from curation.base.web.forms import parse_int
from curation.base.web.parts import wants_parts
from curation.base.web.refusals import NotFound
from curation.tasks.task.models import Task
from rubrics.linter import repairs
from rubrics.marks import stored
from rubrics.policy.dimensions import dimension_choices
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import lines_of
from rubrics.versions.task_text import text_of
from rubrics.workbench import queries
from rubrics.workbench.queries import Workbench
from rubrics.workbench.shown_lines import LineView


def line_fields(data: Mapping[str, str]) -> dict[str, Any]:
    """Return the line's fields that were sent; a weight in digits becomes an int."""
    fields: dict[str, Any] = {name: data[name] for name in CONTENT if name in data}
    weight = fields.get("weight", "")
    if weight.isascii() and weight.isdigit() and len(weight) < 4:
        fields["weight"] = int(weight)
    return fields


TABS = ("answer", "task", "draft")


def wants_json(request: HttpRequest) -> bool:
    """Return whether the page's own script asks for JSON, as autosave does."""
    return "application/json" in request.headers.get("Accept", "")


def wants_step(request: HttpRequest) -> bool:
    """Return whether the page's own script takes a step and says which lines it shows."""
    return wants_parts(request) and bool(request.POST.get("shown"))


def ids(joined: str) -> set[int]:
    """Parse line ids joined by dots, as in an address."""
    return {n for value in joined.split(".") if (n := parse_int(value)) is not None}


def clock(version: RubricVersion) -> str:
    """Return the local time of the version's last save, with seconds."""
    return f"{timezone.localtime(version.saved_at):%H:%M:%S}"


def address(task: Task, line: Criterion | None = None, **query: Any) -> str:
    """Return the address of the rubric's page, opened at a line."""
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
    """Render the workbench, opened at a line; after a refusal with everything that was typed.

    The page's own script gets only the parts that changed, unless the editor must show typed
    values again.

    Args:
        line: the line to open; None for the one that needs the author most.
        typed: the editor's values to show instead of the stored ones.
        errors: field -> sentences for the editor.
        refusal: a sentence for the top of the page.
        sending: sending was refused; list everything that is missing.
        question: "unread", "unmarked": offer to send the rubric as it is; "required": do not.
        added: the text in the box for a new line.
        chosen: ids of the lines selected for a bulk step.
        url: the page's new address, if it differs from the requested one.
    """
    bench = queries.workbench(task, version)
    asked_for = line if line is not None else parse_int(request.GET.get("line"))
    current = bench.view_of(asked_for) or bench.initial_line()
    tab = request.GET.get("tab", "")
    if chosen is None:
        chosen = ids(request.GET.get("chosen", ""))
    context = {
        "bench": bench,
        "task": text_of(task),
        "current": current,
        "editor": editor(task, current, typed, errors),
        "blank": editor(task, None),
        "splitting": _split_points(current) if "split" in request.GET else None,
        "tab": tab if tab in TABS else "answer",
        "refusal": refusal,
        "gaps": bench.gaps if sending else [],
        "question": question,
        "limits_reason": request.POST.get("limits_reason", ""),
        "saved": saved_at(version.saved_at),
        "status_label": _("Refining, before round %(n)s") % {"n": bench.round},
        # Translated once, because the page renders the choices three times.
        "dimensions": [(v, str(label)) for v, label in dimension_choices(skill=task.is_skill)],
        "chosen": chosen,
        "added": added,
        "waits_for_machine": "waiting" in (bench.reading.state, bench.marks_state),
    }
    if wants_step(request) and bench.views and not (typed or errors or added):
        shown = set(request.POST["shown"].split(","))
        context["fresh"] = [view for view in bench.views if view.digest not in shown]
        answer = render(request, "rubrics/parts/step.html", context, status=status)
        answer["X-Page"] = url or address(task, current.line if current else None)
        return answer
    answer = render(request, "rubrics/workbench.html", context, status=status)
    if request.method == "GET":
        answer["Cache-Control"] = "no-store"  # the back button must show the current state
    return answer


def marks(request: HttpRequest, task: Task, version: RubricVersion) -> HttpResponse:
    """Render what new marks change on the page; no content while they are being computed."""
    if stored.last_marks(task, version, lines_of(version)).state == WAITING:
        return HttpResponse(status=204)
    bench = queries.workbench(task, version)
    shown = request.GET.get("shown", "").split(".")
    fresh = [view for view in bench.views if view.marks_digest not in shown]
    return render(request, "rubrics/parts/marked.html", {"bench": bench, "fresh": fresh})


def thread(request: HttpRequest, task: Task, version: RubricVersion) -> HttpResponse:
    """Render the thread of one line with the box for an answer; the page loads it on demand."""
    bench = queries.workbench(task, version)
    view = bench.view_of(parse_int(request.GET.get("thread")))
    if view is None:
        raise NotFound()
    context = {"bench": bench, "v": view, "e": editor(task, view)}
    answer = render(request, "rubrics/parts/line_more_thread.html", context)
    answer["Cache-Control"] = "no-store"  # a fragment served under the page's own address
    return answer


def editor(
    task: Task,
    view: LineView | None,
    typed: Mapping[str, Any] | None = None,
    errors: Mapping[str, list[Any]] | None = None,
) -> dict[str, Any]:
    """Return what the editor shows of a line; without a line, empty values."""
    line = view.line if view else None
    values = {
        "text": line.text if line else "",
        "importance": line.importance if line else "",
        "weight": line.weight if line else "",
        "dimension": line.dimension if line else "",
        "comment": "",
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
    """Return the line that "Done" on this one opens."""
    view = queries.workbench(task, line.version).following(line.pk)
    return view.line if view else None


def _split_points(view: LineView | None) -> list[tuple[int, str]]:
    """Return where the line can be split: (character, words) of every word but the first."""
    return repairs.word_starts(view.line.text)[1:] if view else []


def parts(
    request: HttpRequest,
    task: Task,
    version: RubricVersion,
    line: Criterion,
    *,
    answered: bool = False,
) -> str:
    """Render the parts of the page that a saved line changes, with the ids they replace.

    Args:
        answered: whether to include its thread, with an empty box.
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
            "asks_once": True,  # only the browser knows whose marks it has
        },
        request=request,
    )
