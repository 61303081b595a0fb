"""Pages of the panel: the queue, taking a place, voting, handing back."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.forms import show_refusal
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import people_in_conflict_with
from curation.screening.panels import seats
from curation.screening.panels import voting_actions as actions
from curation.screening.panels import voting_queries as queries
from curation.screening.panels.actions import join_panel
from curation.screening.panels.exact_tests import TESTS
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.solves import awaits_solvers
from curation.screening.panels.voting_forms import SkipForm, VoteForm
from curation.tasks.task.demands import in_words
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import TEXT_PARTS, answers_exactly, shown_parts
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import access_task, blind_task

MOST = 100  # tasks of the pool on the page; taking one brings up the next
Kind = PanelPlace.Kind
PAGE_OF = {Kind.VOTE: "screening-vote", Kind.CHECK: "reference-check", Kind.SOLVE: "solve"}


def screening(request: HttpRequest) -> HttpResponse:
    """Show the person's places by due date, then the pool."""
    user = request.user
    mine = queries.place_rows(queries.my_places(user))
    pool = [queries.pool_row(row) for row in queries.pool_rows(queries.pool_of(user))[:MOST]]
    return render(
        request,
        "screening/voting/queue.html",
        {
            "open": [row for row in mine if row["state"] == PanelPlace.State.OPEN],
            "voted": [
                row
                for row in mine
                if row["state"] == PanelPlace.State.VOTED and row["kind"] == Kind.VOTE
            ],
            "checks": [row for row in pool if row["check_free"]],
            "solves": [row for row in pool if row["solve_free"]],
            "pool": [row for row in pool if row["vote_free"]],
            "most": MOST if len(pool) == MOST else 0,
        },
    )


def screening_join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a free place on a task of one of the person's domains."""
    kind = Kind(sent) if (sent := request.POST.get("kind")) in Kind.values else Kind.VOTE
    task = (
        Task.objects.filter(
            pk=pk,
            domain_id__in=request.user.qualified_domain_ids(),  # type: ignore[union-attr]
            screening_round__gt=0,
        )
        .exclude(author_id=request.user.pk)
        .exclude(stage=Stage.DRAFT)
        .defer(*TEXT_PARTS)
        .first()
    )
    if task is None or request.user.pk in people_in_conflict_with(task.author):
        # A refusal with its reason would reveal the author to a person in conflict with them.
        raise NotFound()
    join_panel(actor=request.user, task=task, kind=kind)
    return redirect(PAGE_OF[kind], task.pk)


def screening_vote(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a prompt and take the vote; afterwards, show the others' votes."""
    task = access_task(request.user, pk, "task.screen")
    seats.open_place(actor=request.user, task=task)  # on a POST too: a refusal shows the texts
    exact = answers_exactly(task)
    form, status, ended = VoteForm(exact=exact), 200, ""
    if request.method == "POST":
        form = VoteForm(request.POST, exact=exact)
        ties = queries.members_added_by_ties(task)
        if form.is_valid():
            try:
                actions.vote(actor=request.user, task=task, **form.vote())
            except BadInput as refusal:
                show_refusal(form, refusal)
            except Conflict as conflict:
                if conflict.code not in ("place_ended", "wrong_stage"):
                    raise
                # Show the page again, with the reasons the person typed.
                status, ended = conflict.status, str(conflict.detail)
                task.refresh_from_db(fields=["stage"])
            else:
                task.refresh_from_db(fields=["stage"])
                return go(request, _after(task, ties), "screening-vote", task.pk)
    mine, others = queries.votes_for(request.user, task)
    place = queries.my_place(request.user, task)
    text = blind_task(task)
    rules = queries.screening_rules(task)
    may_vote = (
        task.stage == Stage.SCREENING
        and mine is None
        and place is not None
        and (place.kind, place.state) == (Kind.VOTE, PanelPlace.State.OPEN)
    )
    return render(
        request,
        "screening/voting/vote.html",
        {
            "task": text,
            "parts": shown_parts(task),
            "exact": exact_page(task),
            "answer_form": in_words(task),
            "form": form,
            "tests": [_test(form, name) for name in form.tests],
            "findings": queries.findings(task),
            "mine": mine,
            "place": place,
            "ended": ended,
            "typed": request.POST.get("reasons", "") if ended else "",
            "votes": [*([mine] if mine else []), *others],
            "may_vote": may_vote,
            "stage_label": task.get_stage_display(),
            "rules": rules,
            "quorum": rules.quorum if rules else 1,
            "ties": 0 if may_vote else queries.members_added_by_ties(task),
            "earlier": queries.earlier_vote(request.user, task) if may_vote else None,
        },
        status=400 if form.errors else status,
    )


def screening_skip(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand a place for a vote, a check or a solve back, with a reason."""
    seat = Seat.objects.filter(task_id=pk, user_id=request.user.pk or 0).first()
    permissions: dict[str, str] = {
        Role.SCREENER: "task.screen",
        Role.CHECKER: "task.check",
        Role.SOLVER: "task.solve",
    }
    if seat is None or seat.role not in permissions:
        raise NotFound()
    permission = permissions[seat.role]
    rows = Task.objects.select_related("domain").defer(*TEXT_PARTS)
    task = access_task(request.user, pk, permission, rows=rows)
    place = queries.my_place(request.user, task)
    if place is None or place.state != PanelPlace.State.OPEN or task.stage != Stage.SCREENING:
        raise Conflict(
            _("You no longer have a place on this panel, so there is nothing to hand back."),
            code="place_ended",
            page=reverse("screening"),
        )
    form = SkipForm(request.POST or None)
    if request.method == "POST":
        form = SkipForm(request.POST)
        with refused_at(form):
            form.is_valid()
            seats.skip_place(
                actor=request.user, task=task, reason=form.cleaned_data.get("reason", "")
            )
            return go(
                request, _("Handed back. The place is free for a colleague now."), "screening"
            )
    return render(
        request,
        "screening/voting/skip.html",
        {
            "task": task,
            "place": place,
            "form": form,
            "page_of_place": reverse(PAGE_OF[Kind(place.kind)], args=[task.pk]),
        },
        status=status_of(form),
    )


def _test(form: VoteForm, name: str) -> dict[str, Any]:
    questions: dict[str, Any] = {test.name: test.question for test in TESTS} | {
        "difficult": _("Would today's models fail at it, for reasons a colleague would name?"),
        "representative": _("Is it work that somebody in the profession is really paid for?"),
        "gradable": _("Could two colleagues mark the answer line by line and agree?"),
    }
    # Only the first three tests have keys: there are no more digits than they and the rest need.
    keys = {"difficult": ("1", "2"), "representative": ("3", "4"), "gradable": ("5", "6")}
    yes, no = keys.get(name, ("", ""))
    options = [("yes", _("Yes"), yes, "check"), ("no", _("No"), no, "cross")]
    return {
        "field": form[name],
        "name": name,
        "question": questions[name],
        "options": options,
        "value": form[name].value() or "",
    }


def _after(task: Task, ties_before: int) -> str:
    if task.stage == Stage.SCREENING:
        if queries.members_added_by_ties(task) > ties_before:
            return _("Your vote is in. The votes are tied now, so one more member is asked.")
        if actions.awaits_reference_check(task):
            return _(
                "Your vote is in. The panel decides when all votes are cast and the reference "
                "answer is checked."
            )
        if awaits_solvers(task):
            return _(
                "Your vote is in. The panel decides when all votes are cast and two colleagues "
                "have solved the task."
            )
        return _("Your vote is in. The panel decides when all of its votes are cast.")
    return {
        Stage.DRAFTING: _("Your vote is in. The panel keeps the prompt; its rubric comes next."),
        Stage.REFINING: _("Your vote is in. The panel keeps the prompt; its rubric comes next."),
        Stage.DRAFT: _("Your vote is in. The prompt goes back to its author with the reasons."),
        Stage.APPROVED: _("Your vote is in. The panel keeps the task; its rubric is one line."),
        Stage.REJECTED: _("Your vote is in. The prompt is not kept; its author reads why."),
    }.get(Stage(task.stage), _("Your vote is in."))
