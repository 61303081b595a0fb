"""Pages of exact answers: the author's page of the answer, staff's list of refused sources."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput, NotFound, Stale
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task import exact_actions as actions
from curation.tasks.task import exact_queries as queries
from curation.tasks.task.exact_checks import MOST_WORDS
from curation.tasks.task.exact_forms import ExactForm, RefusedSourceForm, TakeOffForm
from curation.tasks.task.exact_models import ExactAnswer, RefusedSource
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task


def task_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page of the answer and its steps to the author; a POST saves it."""
    task = access_task(request.user, pk, "task.write")
    exact = queries.exact_of(task)
    if exact is None:
        raise NotFound()
    if request.method != "POST":
        if task.stage != Stage.DRAFT:
            return redirect("task", task.pk)
        return _page(request, task, exact, ExactForm.of(exact, queries.steps_of(exact)))
    form = ExactForm.sent(request.POST)
    stale = None
    try:
        if form.is_valid():
            with refused_at(form, names=form.names_of_steps()):
                actions.save_exact(
                    actor=request.user,
                    task=task,
                    revision=form.cleaned_data["revision"],
                    steps=form.steps(),
                    **form.values(),
                )
                return go(request, _("Saved."), "task-answer", task.pk)
    except Stale as other:
        stale = other
    return _page(request, task, exact, form, stale=stale, status=409 if stale else 400)


def _page(
    request: HttpRequest,
    task: Task,
    exact: ExactAnswer,
    form: ExactForm,
    *,
    stale: Stale | None = None,
    status: int = 200,
) -> HttpResponse:
    exact.refresh_from_db()
    answer = render(
        request,
        "tasks/exact_answers/answer.html",
        {
            "task": task,
            "form": form,
            "steps": form.step_rows(),
            "saved": queries.exact_page(task),
            "saved_at": exact.saved_at,
            "revision": exact.revision,
            "gaps": [s for found in queries.gaps_of(task).values() for s in found],
            "stale": stale,
            "most_words": MOST_WORDS,
        },
        status=status,
    )
    answer["Cache-Control"] = "no-store"
    return answer


# --- staff ----------------------------------------------------------------------------------------
def staff_sources(request: HttpRequest) -> HttpResponse:
    """Show the list of sources that do not count; a POST adds one."""
    form = RefusedSourceForm()
    if request.method == "POST":
        form = RefusedSourceForm(request.POST)
        with refused_at(form):
            form.is_valid()
            added = actions.refuse_source(
                actor=request.user,
                suffix=form.cleaned_data.get("suffix", ""),
                reason=form.cleaned_data.get("reason", ""),
            )
            return go(
                request,
                _("%(host)s is on the list. Drafts that cite it say so from now on.")
                % {"host": added.suffix},
                "staff-sources",
            )
    rows = RefusedSource.objects.select_related("added_by", "removed_by")
    return render(
        request,
        "tasks/exact_answers/sources.html",
        {
            "form": form,
            "listed": rows.filter(removed_at__isnull=True),
            "taken_off": rows.filter(removed_at__isnull=False).order_by("-removed_at")[:50],
        },
        status=status_of(form),
    )


def staff_source_accept(request: HttpRequest) -> HttpResponse:
    """Take a host name off the list."""
    form = TakeOffForm(request.POST)
    if not form.is_valid():
        raise BadInput(_("Press the button beside a host name."))
    source = get_object_or_404(RefusedSource, pk=form.cleaned_data["source"])
    actions.accept_source(actor=request.user, source=source)
    return go(request, _("%(host)s is off the list.") % {"host": source.suffix}, "staff-sources")
