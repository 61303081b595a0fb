"""Pages of pools for staff, and the page of a selection task for its author and staff."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows, authorize
from curation.base.records.faults import FileRefused, Problem
from curation.base.records.kind import Outcome
from curation.base.text import storable
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.models import AnswerForm, Task
from curation.tasks.task.queries import access_task
from judge.methods.profiles import queries
from judge.methods.profiles.actions import add_pool, set_outcome, set_selection
from judge.methods.profiles.forms import DemandForm, ImportForm, OutcomeForm, PoolForm
from judge.methods.profiles.import_profiles import MOST_BYTES, Profiles, import_profiles
from judge.methods.profiles.models import ProfilePool

PER_PAGE = 50
SHOWN_FAULTS = 100
SHOWN_ROWS = 20  # of a preview
MOST_ON_A_PAGE = 2_000_000  # bytes of a file that a form can carry from preview to import


@once
def staff_profiles(request: HttpRequest) -> HttpResponse:
    """Show the pools and the tasks that choose from them, and add a pool."""
    form = PoolForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            pool = add_pool(actor=request.user, **form.cleaned_data)
            return go(request, _("Added. Now import its profiles."), "staff-pool-import", pool.pk)
    context = {
        "pools": queries.pools(),
        "tasks": queries.selection_tasks(),
        "form": form,
    }
    return render(request, "methods/profiles/pools.html", context, status=status_of(form))


def staff_pool(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the profiles of a pool, and what was imported."""
    pool = get_object_or_404(ProfilePool, pk=pk)
    words = request.GET.get("q", "")[:200]
    words = "" if storable.problem_with(words) else words.strip()
    found = queries.profiles_of(pool, words)
    context = {
        "pool": pool,
        "words": words,
        "query": f"{urlencode({'q': words})}&" if words else "",
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "imports": pool.imports.select_related("by")[: queries.SHOWN],
    }
    return render(request, "methods/profiles/pool.html", context)


@once
def staff_pool_import(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a file, preview what it would do, then import it in one step."""
    pool = get_object_or_404(ProfilePool, pk=pk)
    if request.method != "POST":
        return _import_page(request, pool, ImportForm())
    kept = request.POST.get("lines")
    if kept is not None:
        name = storable.one_line(request.POST.get("name", ""))[:200] or "file"
        data = kept.encode("utf-8", "replace")
        try:
            done = import_profiles(actor=request.user, pool=pool, data=data, file=name)
        except FileRefused as refusal:
            return _import_page(request, pool, ImportForm(), name, faults=refusal.problems)
        return go(request, _said(done), "staff-pool", pool.pk)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, pool, form)
    file = form.cleaned_data["file"]
    if file.size > MOST_ON_A_PAGE:
        sentence = _("The page takes up to 2 MB. For a larger file use manage.py import_profiles.")
        form.add_error("file", sentence)
        return _import_page(request, pool, form)
    kind = Profiles(pool)
    try:
        plan = kind.run(file.read(MOST_BYTES + 1), file=file.name, dry_run=True)
    except FileRefused as refusal:
        return _import_page(request, pool, form, file.name, faults=refusal.problems)
    return _import_page(request, pool, form, file.name, plan=plan, kind=kind)


def _import_page(
    request: HttpRequest,
    pool: ProfilePool,
    form: ImportForm,
    name: str = "",
    *,
    plan: Outcome | None = None,
    kind: Profiles | None = None,
    faults: Sequence[Problem] = (),
) -> HttpResponse:
    context = {
        "pool": pool,
        "form": form,
        "plan": plan,
        "name": name,
        "faults": faults[:SHOWN_FAULTS],
        "more_faults": max(0, len(faults) - SHOWN_FAULTS),
        "fault_count": len(faults),
        "rows": [{"line": row.line, **row.values} for row in kind.rows[:SHOWN_ROWS]]
        if kind
        else (),
        "lines": kind.as_lines() if kind else "",
    }
    status = 400 if faults or form.errors else 200
    return render(request, "methods/profiles/import.html", context, status=status)


def _said(done: Outcome) -> str:
    if not (done.added or done.changed):
        return _("The file says the same as the pool. Nothing was changed.")
    return _("Imported: %(added)s added, %(changed)s changed, %(same)s as they were.") % {
        "added": f"{done.added:,}",
        "changed": f"{done.changed:,}",
        "same": f"{done.unchanged:,}",
    }


def task_selection(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a selection task demands and who was really chosen, and change both."""
    task = access_task(request.user, pk, "selection.view")
    if task.answer_form != AnswerForm.SELECTION:
        raise NotFound()
    posted = request.method == "POST"
    if posted:
        authorize(request.user, "selection.set", task)
    about = request.POST.get("about", "") if posted else ""
    demand = DemandForm(request.POST if about == "demand" else None, initial=_demand_of(task))
    outcome = OutcomeForm(request.POST if about == "outcome" else None, initial=_outcome_of(task))
    if about == "demand" and demand.is_valid():
        with refused_at(demand):
            set_selection(actor=request.user, task=task, **demand.cleaned_data)
            return go(request, _("Saved."), "task-selection", task.pk)
    if about == "outcome" and outcome.is_valid():
        with refused_at(outcome):
            set_outcome(actor=request.user, task=task, **outcome.values())
            return go(request, _("Saved. Earlier lists stay on record."), "task-selection", task.pk)
    context = {
        "task": task,
        "p": queries.selection_page(task),
        "demand": demand,
        "outcome": outcome,
        "may_change": allows(request.user, "selection.set", task),
    }
    status = 400 if demand.errors or outcome.errors else 200
    return render(request, "methods/profiles/selection.html", context, status=status)


def _demand_of(task: Task) -> dict[str, object]:
    found = queries.selection_of(task)
    if found is None:
        return {}
    return {"pool": found.pool_id, "number": found.number, "what": found.what}


def _outcome_of(task: Task) -> dict[str, object]:
    newest = queries.newest_outcome(task)
    if newest is None:
        return {}
    keys = newest.chosen.values_list("profile__key", flat=True)
    return {"rater": newest.rater, "chosen": "\n".join(keys)}
