"""Staff's pages about panels: the overview, one panel, its places."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.web.forms import query_of, read_filter, show_refusal
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User
from curation.screening.panels import queries, seats
from curation.screening.panels import voting_actions as actions
from curation.screening.panels.actions import assign_place
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.queries import votes_on
from curation.screening.panels.voting_queries import (
    findings,
    members_added_by_ties,
    screening_rules,
)
from curation.screening.panels.voting_views import (
    DecideWithoutQuorumForm,
    GivePlaceForm,
    OverviewFilter,
    TakeBackForm,
)
from curation.tasks.task.fields import TEXT_PARTS
from curation.tasks.task.models import Task
from curation.tasks.task.queries import access_task

ON_A_PAGE = 50


def staff_screening(request: HttpRequest) -> HttpResponse:
    """Show the tasks in screening with their places, and the load of each domain."""
    form = read_filter(OverviewFilter, request.GET)
    wanted = form.cleaned_data
    page = Paginator(
        queries.tasks_in_screening(wanted.get("domain"), wanted.get("show") or ""), ON_A_PAGE
    ).get_page(request.GET.get("page"))
    loads = queries.domain_loads()
    form.offer(load.domain for load in loads)
    return render(
        request,
        "screening/panels/overview.html",
        {
            "form": form,
            "page": page,
            "rows": queries.panel_rows(list(page.object_list)),
            "loads": [load for load in loads if not load.idle],
            "query": query_of(request.GET.dict()),
            "narrowed": bool(wanted.get("domain") or wanted.get("show")),
        },
    )


def _task(request: HttpRequest, pk: int) -> Task:
    rows = Task.objects.select_related("domain", "author").defer(*TEXT_PARTS)
    task: Task = access_task(request.user, pk, "task.oversee", rows=rows)
    if not task.screening_round:
        raise NotFound()
    return task


def staff_panel(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one screening: its rules, findings, places, votes, and whom to ask next."""
    return _panel(request, _task(request, pk))


def _panel(
    request: HttpRequest,
    task: Task,
    *,
    give: GivePlaceForm | None = None,
    short: DecideWithoutQuorumForm | None = None,
    status: int = 200,
) -> HttpResponse:
    running = task.stage == Stage.SCREENING
    screening = screening_rules(task)
    listed = queries.place_rows(task.panel_places.all())
    votes = votes_on(task)
    cast = sum(vote.round == task.screening_round for vote in votes)
    held = sum(p.open and p.kind == PanelPlace.Kind.VOTE for p in listed)
    quorum = screening.quorum if screening else 1
    ties = members_added_by_ties(task)
    missing = max(0, quorum - cast - held) if running else 0
    free = queries.free_places_of(task, missing) if running else None
    if free and free.kinds and (free.people or free.verifiers) and give is None:
        give = _give_form(free)
    return render(
        request,
        "screening/panels/panel.html",
        {
            "task": task,
            "running": running,
            "screening": screening,
            "findings": findings(task),
            "places": listed,
            "votes": votes,
            "solves": queries.solves_for_staff(task),
            "cast": cast,
            "quorum": quorum,
            "ties": ties,
            "quorum_at_first": quorum - ties,
            "missing": missing,
            "free": free,
            "give": give,
            "short": short or DecideWithoutQuorumForm(),
            "form": give if give and give.errors else short,
            "may_decide": running and cast and not held and free and not free.people,
        },
        status=status,
    )


def _give_form(free: queries.FreePlaces, data: Any = None) -> GivePlaceForm:
    people = [
        (pk, _("%(name)s (open places: %(n)s)") % {"name": name, "n": load})
        for pk, name, load in free.people
    ]
    people += [
        (pk, _("%(name)s (solved an earlier submission; verifies)") % {"name": name})
        for pk, name in free.verifiers
    ]
    return GivePlaceForm(data, members=people, kinds=list(free.kinds))


def staff_panel_give(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a place to a member whom staff choose."""
    task = _task(request, pk)
    member = User.objects.filter(pk=_number(request.POST.get("member"))).first()
    kind = request.POST.get("kind", PanelPlace.Kind.VOTE)
    if member is None or kind not in PanelPlace.Kind.values:
        raise BadInput(_("Choose a colleague and a place on the page, then give it."))
    assign_place(actor=request.user, task=task, member=member, kind=kind)
    return go(
        request,
        _("Given. %(who)s can see it on their page.") % {"who": member.pseudonym},
        "staff-panel",
        task.pk,
    )


def _number(typed: str | None) -> int:
    return int(typed) if typed and typed.isascii() and typed.isdigit() and len(typed) < 19 else 0


def staff_panel_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the panel decide with the votes it has, because nobody is left to ask."""
    task = _task(request, pk)
    form = DecideWithoutQuorumForm(request.POST)
    form.is_valid()
    try:
        actions.decide_without_quorum(
            actor=request.user, task=task, reason=form.cleaned_data.get("reason", "")
        )
    except BadInput as refusal:
        show_refusal(form, refusal)
        return _panel(request, task, short=form, status=400)
    return go(
        request,
        _("Decided with the votes that are in. The author reads the reasons."),
        "staff-panel",
        task.pk,
    )


def staff_place_take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a place back with a reason; a colleague is drawn."""
    place = get_object_or_404(PanelPlace.objects.select_related("member"), pk=pk)
    task = _task(request, place.task_id)
    if place.state != PanelPlace.State.OPEN:
        raise Conflict(
            _("This place has ended in the meantime."),
            code="place_ended",
            page=reverse("staff-panel", args=[task.pk]),
        )
    form = TakeBackForm()
    if request.method == "POST":
        form = TakeBackForm(request.POST)
        form.is_valid()
        with refused_at(form):
            seats.take_back_place(
                actor=request.user, place=place, reason=form.cleaned_data.get("reason", "")
            )
            return go(
                request,
                _("Taken back. The place is free for a colleague now."),
                "staff-panel",
                task.pk,
            )
    return render(
        request,
        "screening/panels/take_back.html",
        {"task": task, "place": place, "form": form},
        status=status_of(form),
    )
