"""Pages of conflicts of interest: a person's own, and all of them for staff."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.people.access import access_person
from curation.web.forms import ReasonForm, query_of, usable_values
from curation.web.once import once
from curation.web.step import go, refused_at, status_of
from review.conflicts import actions, queries
from review.conflicts.forms import (
    AnswerForm,
    ConflictFilter,
    DeclarationForm,
    LinkForm,
    ProposalForm,
)
from review.conflicts.models import ConflictOfInterest, Declaration
from review.conflicts.sources import COUNTS_FOR

ON_A_PAGE = 50


@once
def conflicts(request: HttpRequest) -> HttpResponse:
    """Show a person's declarations and what they are asked; take a new declaration."""
    form = DeclarationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.declare_conflict(actor=request.user, **form.values())
            return go(
                request,
                _("Declared. While you both take part, neither judges the other's work."),
                "conflicts",
            )
    return _page(request, form, AnswerForm())


def _page(request: HttpRequest, form: DeclarationForm, answer_form: AnswerForm) -> HttpResponse:
    return render(
        request,
        "conflicts/own.html",
        {
            "form": form,
            "answer_form": answer_form,
            "questions": queries.questions_for(request.user),
            "answered": queries.answered_by(request.user),
            "declarations": queries.declarations_of(request.user),
            "years": COUNTS_FOR.days // 365,
        },
        status=max(status_of(form), status_of(answer_form)),
    )


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a declaration."""
    declaration = queries.access_declaration(request.user, pk)
    actions.withdraw_declaration(actor=request.user, declaration=declaration)
    return go(request, _("Withdrawn. If it counts already, staff end it."), "conflicts")


@once
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or dispute a conflict."""
    conflict = queries.access_question(request.user, pk)
    form = AnswerForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            agrees = form.cleaned_data["agrees"] == "yes"
            actions.answer_conflict(
                actor=request.user,
                conflict=conflict,
                agrees=agrees,
                reason=form.cleaned_data["reason"],
            )
            return go(
                request,
                _("Confirmed. Neither of you judges the other's work.")
                if agrees
                else _("Noted. It counts until staff have looked at it."),
                "conflicts",
            )
    return _page(request, DeclarationForm(), form)


@once
def staff_conflicts(request: HttpRequest) -> HttpResponse:
    """List all conflicts and unlinked declarations; take one that staff know of."""
    form = ProposalForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.propose_conflict(actor=request.user, **form.cleaned_data)
            return go(
                request, _("Recorded. It counts now; both are asked to confirm."), "staff-conflicts"
            )
    return _staff_page(request, form)


def _staff_page(
    request: HttpRequest, form: ProposalForm, *, link_form: LinkForm | None = None
) -> HttpResponse:
    wanted = usable_values(ConflictFilter(request.GET))
    person = access_person(wanted["person"]) if "person" in wanted else None
    page = Paginator(queries.all_conflicts(person), ON_A_PAGE).get_page(wanted.get("page"))
    link_form = link_form or LinkForm()
    return render(
        request,
        "conflicts/staff.html",
        {
            "form": form,
            "link_form": link_form,
            "page": page,
            "rows": queries.staff_rows(list(page.object_list)),
            "unlinked": queries.unlinked(person)[:ON_A_PAGE],
            "person": person,
            "query": query_of(wanted),
        },
        status=max(status_of(form), status_of(link_form)),
    )


@once
def link(request: HttpRequest, pk: int) -> HttpResponse:
    """Say which member a declaration is about."""
    declaration = get_object_or_404(Declaration, pk=pk)
    form = LinkForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            actions.link_declaration(
                actor=request.user, declaration=declaration, other=form.cleaned_data["other"]
            )
            return go(
                request,
                _("Linked. It counts now; the other is asked to confirm."),
                "staff-conflicts",
            )
    return _staff_page(request, ProposalForm(), link_form=form)


@once
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a conflict, with a reason."""
    conflict = get_object_or_404(ConflictOfInterest, pk=pk)
    form = ReasonForm(request.POST)
    form.is_valid()
    actions.end_conflict(
        actor=request.user, conflict=conflict, reason=form.cleaned_data.get("reason", "")
    )
    return go(request, _("Ended. The two may judge each other's work again."), "staff-conflicts")
