"""Pages of amendments: propose one, the list, one with its decision."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.access.permissions import allows
from curation.base.web.forms import query_of, read_filter
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, shown_at
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.amendments import actions, queries
from curation.tasks.amendments.access import access_amendment
from curation.tasks.amendments.exact import exact_difference, words_of
from curation.tasks.amendments.forms import AmendForm, AmendmentFilter, DecisionForm
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.access import access_task, is_its_author
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import PARTS, shown_parts
from curation.tasks.task.text_basis import PROMPT_PARTS, count_stale

ON_A_PAGE = 50


@once
def amend(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct the text of a task in place, look at the differences, and propose them."""
    task = access_task(request.user, pk, "task.amend")
    home = _task_page(request.user, task)
    with shown_at(home):
        actions.refuse_unless_amendable(task)
    form = AmendForm(request.POST if request.method == "POST" else None, task=task)
    found: list[queries.Difference] | None = None
    if request.method == "POST" and form.is_valid():
        now = {name: getattr(task, name) for name in PARTS}
        found = queries.differences(now, _plain(form.parts()) | _answer(task, form), task)
        if "look" not in request.POST:
            with refused_at(form), shown_at(home):
                amendment = actions.propose_amendment(
                    actor=request.user,
                    task=task,
                    version=form.cleaned_data["version"],
                    reason=form.cleaned_data["reason"],
                    parts=form.parts(),
                    exact=form.exact(),
                )
                return go(
                    request,
                    _("Proposed. A senior of the domain decides; until then nothing changes."),
                    "amendment",
                    amendment.pk,
                )
    return render(
        request,
        "tasks/amendments/amend.html",
        {"task": task, "form": form, "home": home, "differences": found},
        status=status_of(form),
    )


def _plain(parts: dict[str, str]) -> dict[str, str]:
    """Return texts with the line breaks that are stored; a form sends others."""
    return {name: text.replace("\r\n", "\n") for name, text in parts.items()}


def _answer(task: Any, form: AmendForm) -> dict[str, str]:
    """Return the exact answer that was sent, in words; nothing where it differs in nothing."""
    sent = form.exact()
    if sent is None:
        return {}
    with refused_at(form):
        change = exact_difference(task, sent)
        return {} if change is None else {"reference_answer": words_of(change["after"])}
    return {}


def _task_page(user: Any, task: Any) -> str:
    """Return the page of the task that the person comes from."""
    mine = is_its_author(user, task) or not allows(user, "task.oversee", task)
    return reverse("task" if mine else "staff-task", args=[task.pk])


def amendments(request: HttpRequest) -> HttpResponse:
    """List the amendments a senior may decide; for staff all of them."""
    form = read_filter(AmendmentFilter, request.GET)
    wanted = form.cleaned_data
    rows = queries.amendments_for(request.user, state=wanted["state"])
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    shown = queries.rows_of(rows.filter(pk__in=page.rows), request.user)  # type: ignore[arg-type]
    kept = {k: v for k, v in request.GET.dict().items() if k == "state"}
    return render(
        request,
        "tasks/amendments/list.html",
        {"form": form, "page": page.showing(shown), "query": query_of(kept)},
    )


def amendment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an amendment with its differences; a senior decides it here."""
    one = access_amendment(request.user, pk)
    form = DecisionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        access_amendment(request.user, pk, "amendment.decide")
        if form.is_valid():
            with refused_at(form):
                return go(request, _decide(request.user, one, form), "amendment", one.pk)
    staff = allows(request.user, "task.oversee", one.task)
    return render(
        request,
        "tasks/amendments/amendment.html",
        {
            "amendment": one,
            "task": one.task,
            "home": _task_page(request.user, one.task)
            if allows(request.user, "task.view", one.task)
            else "",
            "differences": queries.differences(one.before, one.after, one.task),
            "form": form if one.open and allows(request.user, "amendment.decide", one) else None,
            "parts": [(label, text) for _name, label, text in shown_parts(one.task)],
            "exact": exact_page(one.task),
            "changes_prompt": not PROMPT_PARTS.isdisjoint(one.after),
            "can_withdraw": one.open and allows(request.user, "amendment.withdraw", one),
            "stale": count_stale(one.task) if staff and one.state == one.State.AGREED else [],
        },
        status=status_of(form),
    )


def _decide(user: Any, one: Amendment, form: DecisionForm) -> str:
    """Carry out a senior's decision and return what was done."""
    decision, reason = form.cleaned_data["decision"], form.cleaned_data["reason"]
    if not decision:
        raise BadInput(fields={"decision": [_("Choose: agree or refuse.")]})
    if decision == "refuse":
        actions.refuse_amendment(actor=user, amendment=one, reason=reason)
        return _("Refused. The text stays as it is; who proposed it reads your reason.")
    affected = decision == "rubric"
    actions.agree_to_amendment(actor=user, amendment=one, rubric_affected=affected, reason=reason)
    if one.exact is not None:
        return _("Agreed. The answer is changed, and the one line of the rubric is made again.")
    if affected:
        return _("Agreed. The text is changed, and the rubric is with its author.")
    return _("Agreed. The text is changed. What rested on the earlier one is left out of results.")


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw one's own proposal."""
    one = access_amendment(request.user, pk, "amendment.withdraw")
    actions.withdraw_amendment(actor=request.user, amendment=one)
    return go(request, _("Withdrawn. The text stays as it is."), "amendment", one.pk)
