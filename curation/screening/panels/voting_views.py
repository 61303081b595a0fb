"""Pages of the panel: the queue, taking a place, voting, handing back."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.text import storable
from curation.base.web.forms import reason_field, show_refusal
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.forms import domain_filter
from curation.joining.domains.models import Domain
from curation.joining.people import people_in_conflict_with
from curation.screening.panels import seats
from curation.screening.panels import voting_actions as actions
from curation.screening.panels import voting_queries as queries
from curation.screening.panels.actions import join_panel
from curation.screening.panels.exact_tests import TESTS
from curation.screening.panels.models import EXACT_TESTS, Decision, PanelPlace
from curation.screening.panels.solves import awaits_solvers
from curation.tasks.task.demands import in_words
from curation.tasks.task.exact_queries import exact_page
from curation.tasks.task.fields import TEXT_PARTS, answers_exactly, shown_parts
from curation.tasks.task.models import Seat, Task
from curation.tasks.task.queries import access_task, blind_task


class SkipForm(forms.Form):
    """The reason for handing a place back."""

    reason = reason_field(
        help_text=gettext_lazy("One sentence. Staff read it; the author does not.")
    )


class TakeBackForm(SkipForm):
    """The reason for taking a place back, given by staff."""


class DecideWithoutQuorumForm(forms.Form):
    """The reason for letting a panel decide with fewer votes than its rules ask for."""

    reason = reason_field(help_text=gettext_lazy("It appears in the history of the task."), rows=3)


class GivePlaceForm(forms.Form):
    """The choice of a member and of a kind of place, by staff."""

    member = forms.ChoiceField(
        label=gettext_lazy("Colleague"),
        error_messages={"required": gettext_lazy("Choose a colleague.")},
    )
    kind = forms.ChoiceField(label=gettext_lazy("Place"), choices=PanelPlace.Kind.choices)

    def __init__(self, *args: Any, members: Any, kinds: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].choices = members  # type: ignore[attr-defined]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            (kind, PanelPlace.Kind(kind).label) for kind in kinds
        ]


class OverviewFilter(forms.Form):
    """The filter of the staff's overview."""

    domain = domain_filter()
    show = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Show"),
        choices=[
            ("", gettext_lazy("All")),
            ("free", gettext_lazy("Vacant places")),
            ("late", gettext_lazy("Overdue")),
            ("suspect", gettext_lazy("Suspect")),
            ("easy", gettext_lazy("Too easy")),
        ],
    )
    page = forms.CharField(required=False)

    def offer(self, domains: Iterable[Domain]) -> None:
        """Offer domains that the page has loaded already, to save a query."""
        field: Any = self.fields["domain"]
        field.choices = [("", field.empty_label), *((one.key, str(one)) for one in domains)]


class VoteForm(forms.Form):
    """A member's vote: three tests, a decision, the reasons.

    Args:
        exact: whether the task has an exact answer, which has tests of its own.
    """

    _answers = [("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))]
    _missing = {"required": gettext_lazy("Answer yes or no.")}
    difficult = forms.ChoiceField(
        choices=_answers,
        label=gettext_lazy("Difficult"),
        error_messages=_missing,
        widget=forms.RadioSelect,
    )
    representative = forms.ChoiceField(
        choices=_answers,
        label=gettext_lazy("Representative"),
        error_messages=_missing,
        widget=forms.RadioSelect,
    )
    gradable = forms.ChoiceField(
        choices=_answers,
        label=gettext_lazy("Gradable"),
        error_messages=_missing,
        widget=forms.RadioSelect,
    )
    decision = forms.ChoiceField(
        choices=Decision.choices,
        label=gettext_lazy("Your decision"),
        error_messages={"required": gettext_lazy("Choose: keep, return or reject.")},
        widget=forms.RadioSelect,
    )
    reasons = forms.CharField(
        required=False,
        label=gettext_lazy("Reasons"),
        help_text=gettext_lazy(
            "The author reads them without your name. Say what to change, or why to keep."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    field_order = ("difficult", "representative", "gradable", *EXACT_TESTS)

    def __init__(self, *args: Any, exact: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tests = ["difficult", "representative", "gradable"]
        for test in TESTS if exact else ():
            self.tests.append(test.name)
            self.fields[test.name] = forms.ChoiceField(
                choices=self._answers,
                label=test.label,
                error_messages=self._missing,
                widget=forms.RadioSelect,
            )
        self.order_fields(self.field_order)

    def clean_reasons(self) -> str:
        """Refuse blank reasons here, so that the error appears with those of the other fields."""
        reasons: str = self.cleaned_data["reasons"]
        if storable.is_blank(reasons):
            raise forms.ValidationError(
                gettext_lazy("Give your reasons. The author reads them and learns from them.")
            )
        return reasons

    def vote(self) -> dict[str, Any]:
        """Return the arguments of `actions.vote`."""
        values = self.cleaned_data
        return {
            **{test: values[test] == "yes" for test in self.tests},
            "decision": values["decision"],
            "reasons": values["reasons"],
        }


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
