"""Pages of conflicts of interest: a person's own, and all of them for staff."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.fields import DayField
from curation.base.web.forms import PageForm, ReasonForm, query_of, reason_field, usable_values
from curation.base.web.once import once
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User, access_person
from review.conflicts import actions, queries
from review.conflicts.models import ConflictOfInterest, Declaration, Kind
from review.conflicts.sources import COUNTS_FOR

DECLARABLE = [choice for choice in Kind.choices if choice[0] != Kind.REFERRAL]


class DeclarationForm(forms.ModelForm):
    """A conflict with somebody, by name; the action checks it."""

    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=DECLARABLE)
    since = DayField(label=gettext_lazy("Since"))
    until = DayField(label=gettext_lazy("Until"), help_text=gettext_lazy("Empty while it goes on."))

    field_order = ("name", "email", "kind", "since", "until", "note")

    class Meta:
        model = Declaration
        fields = ("name", "email", "kind", "since", "until", "note")
        help_texts = {
            "name": gettext_lazy(
                "A person, as colleagues know them. An organisation keeps nobody off by itself: "
                "staff read it, and record a conflict with each member it concerns."
            ),
            "email": gettext_lazy("It counts as soon as somebody with this address is a member."),
        }
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}

    def values(self) -> dict[str, Any]:
        """Return the arguments of the action `declare_conflict`."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class AnswerForm(forms.Form):
    """The other party's answer, with a reason where it is no."""

    agrees = forms.ChoiceField(
        choices=[("yes", gettext_lazy("Confirm")), ("no", gettext_lazy("Dispute"))]
    )
    reason = reason_field(gettext_lazy("What is wrong?"), rows=2)


class _MemberField(forms.CharField):
    """A member by e-mail address or by pseudonym's number."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", gettext_lazy("Their e-mail address, or their number."))
        super().__init__(max_length=254, **options)

    def clean(self, value: Any) -> User:
        text = super().clean(value).strip()
        number = text.rpartition(" ")[2]
        found = User.objects.filter(email__iexact=text).first() or (
            User.objects.filter(pk=int(number)).first()
            if number.isascii() and number.isdigit() and len(number) < 10
            else None
        )
        if found is None:
            raise forms.ValidationError(gettext_lazy("There is no such member."))
        return found


class LinkForm(forms.Form):
    """The member that a declaration is about."""

    other = _MemberField(label=gettext_lazy("Member"))


class ConflictFilter(PageForm):
    """Narrow staff's lists to one person, and turn their pages; `dismissed` shows those instead."""

    declarations = forms.IntegerField(required=False, min_value=1)
    dismissed = forms.BooleanField(required=False)
    person = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class ProposalForm(forms.Form):
    """A conflict between two members that staff know of."""

    person = _MemberField(label=gettext_lazy("One member"))
    other = _MemberField(label=gettext_lazy("The other"))
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=DECLARABLE)
    since = DayField(label=gettext_lazy("Since"))
    until = DayField(label=gettext_lazy("Until"), help_text=gettext_lazy("Empty while it goes on."))


ON_A_PAGE = 50


@dataclass(frozen=True)
class Refused:
    """A form at a row that was refused, and is shown again there with what was typed."""

    step: str
    pk: int
    form: forms.Form


def _form(step: str, pk: int, form_class: type[forms.Form], refused: Refused | None) -> forms.Form:
    """Return the form of a step at a row: the refused one, else an empty one."""
    if refused is not None and (refused.step, refused.pk) == (step, pk):
        return refused.form
    return form_class(auto_id=f"{step}-{pk}-%s")


@once
def conflicts(request: HttpRequest) -> HttpResponse:
    """Show a person's declarations and what they are asked; take a new declaration."""
    form = DeclarationForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.declare_conflict(actor=request.user, **form.values())
            return go(
                request,
                _(
                    "Declared. As soon as we know which member it is about, neither of you judges "
                    "the other's work."
                ),
                "conflicts",
            )
    return _page(request, form)


def _page(
    request: HttpRequest, form: DeclarationForm, refused: Refused | None = None
) -> HttpResponse:
    return render(
        request,
        "conflicts/own.html",
        {
            "form": form,
            "questions": [
                (question, _form("answer", question.conflict.pk, AnswerForm, refused))
                for question in queries.questions_for(request.user)
            ],
            "answers": queries.answered_by(request.user),
            "declarations": queries.declarations_of(request.user),
            "years": COUNTS_FOR.days // 365,
        },
        status=400 if refused else status_of(form),
    )


def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a declaration."""
    declaration = queries.access_declaration(request.user, pk)
    actions.withdraw_declaration(actor=request.user, declaration=declaration)
    return go(
        request,
        _(
            "Withdrawn. A conflict that counts because of it goes on until staff end it; they see "
            "that you withdrew."
        ),
        "conflicts",
    )


@once
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm or dispute a conflict."""
    conflict = queries.access_question(request.user, pk)
    form = AnswerForm(request.POST, auto_id=f"answer-{pk}-%s")
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
                else _("Sent to staff. The conflict counts until they decide; you get a notice."),
                "conflicts",
            )
    return _page(request, DeclarationForm(), Refused("answer", pk, form))


@once
def staff_conflicts(request: HttpRequest) -> HttpResponse:
    """List all conflicts and unlinked declarations; take one that staff know of."""
    form = ProposalForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.propose_conflict(actor=request.user, **form.cleaned_data)
            return go(
                request,
                _(
                    "Recorded. It counts now, both are asked to confirm, and open work on each "
                    "other's tasks goes to colleagues."
                ),
                "staff-conflicts",
            )
    return _staff_page(request, form)


def _staff_page(
    request: HttpRequest, form: ProposalForm, refused: Refused | None = None
) -> HttpResponse:
    wanted = usable_values(ConflictFilter(request.GET))
    person = access_person(wanted["person"]) if "person" in wanted else None
    page = Paginator(queries.all_conflicts(person), ON_A_PAGE).get_page(wanted.get("page"))
    shown = _with_refused(page, queries.all_conflicts(), refused, ("end", "uphold"))
    return render(
        request,
        "conflicts/staff.html",
        {
            "form": form,
            "page": page,
            "rows": [
                (
                    row,
                    _form("end", row.conflict.pk, ReasonForm, refused),
                    _form("uphold", row.conflict.pk, ReasonForm, refused),
                )
                for row in queries.staff_rows(shown, request.user)
            ],
            "person": person,
            "query": query_of(wanted),
            **_declarations(wanted, person, refused),
        },
        status=400 if refused else status_of(form),
    )


def _declarations(wanted: Any, person: User | None, refused: Refused | None) -> dict[str, Any]:
    """Return what the page needs of the declarations about nobody known to be a member."""
    dismissed = bool(wanted.get("dismissed"))
    declarations = Paginator(queries.unlinked(person, dismissed=dismissed), ON_A_PAGE).get_page(
        wanted.get("declarations")
    )
    shown = _with_refused(
        declarations, queries.unlinked(dismissed=dismissed), refused, ("link", "dismiss")
    )
    others = {name: wanted[name] for name in wanted if name not in ("declarations", "dismissed")}
    return {
        "declarations": declarations,
        "unlinked": [
            (
                row,
                _form("link", row.pk, LinkForm, refused),
                _form("dismiss", row.pk, ReasonForm, refused),
            )
            for row in shown
        ],
        "dismissed": dismissed,
        "others": queries.unlinked(person, dismissed=not dismissed).count(),
        "declarations_query": query_of({**others, "dismissed": "on" if dismissed else ""}),
        "others_query": query_of({**others, "dismissed": "" if dismissed else "on"}),
    }


def _with_refused(page: Any, rows: Any, refused: Refused | None, steps: tuple[str, ...]) -> Any:
    """Return the rows of a page, and first the one whose form was refused if it is not there."""
    shown = list(page.object_list)
    if refused is None or refused.step not in steps or refused.pk in {row.pk for row in shown}:
        return shown
    return [*rows.filter(pk=refused.pk), *shown]


@once
def link(request: HttpRequest, pk: int) -> HttpResponse:
    """Say which member a declaration is about."""
    declaration = get_object_or_404(Declaration, pk=pk)
    form = LinkForm(request.POST, auto_id=f"link-{pk}-%s")
    if form.is_valid():
        with refused_at(form):
            actions.link_declaration(
                actor=request.user, declaration=declaration, other=form.cleaned_data["other"]
            )
            return go(
                request,
                _(
                    "Linked. It counts now, the other is asked to confirm, and open work on each "
                    "other's tasks goes to colleagues."
                ),
                "staff-conflicts",
            )
    return _staff_page(request, ProposalForm(), Refused("link", pk, form))


@once
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that a declaration is about no member, with a reason."""
    declaration = get_object_or_404(Declaration, pk=pk)
    return _decide(
        request,
        "dismiss",
        pk,
        partial(actions.dismiss_declaration, declaration=declaration),
        _("Dismissed. If a member confirms the address later, it counts nevertheless."),
    )


@once
def uphold(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide that a disputed conflict counts, with a reason."""
    conflict = get_object_or_404(ConflictOfInterest, pk=pk)
    return _decide(
        request,
        "uphold",
        pk,
        partial(actions.uphold_conflict, conflict=conflict),
        _("Upheld. It keeps counting; the person who disputed it is told your reason."),
    )


@once
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a conflict, with a reason."""
    conflict = get_object_or_404(ConflictOfInterest, pk=pk)
    return _decide(
        request,
        "end",
        pk,
        partial(actions.end_conflict, conflict=conflict),
        _("Ended. The two may judge each other's work again."),
    )


def _decide(
    request: HttpRequest, step: str, pk: int, do: Callable[..., Any], said: str
) -> HttpResponse:
    """Take a step that needs a reason; show a refusal at its row."""
    form = ReasonForm(request.POST, auto_id=f"{step}-{pk}-%s")
    form.is_valid()
    with refused_at(form):
        do(actor=request.user, reason=form.cleaned_data.get("reason", ""))
        return go(request, said, "staff-conflicts")
    return _staff_page(request, ProposalForm(), Refused(step, pk, form))
