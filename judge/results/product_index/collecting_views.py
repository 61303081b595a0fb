"""Pages of collecting answers by hand."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from curation.base.web.fields import DayField
from curation.base.web.forms import parse_int, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, Conflict, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.attachments.views import download
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.forms import OrderedSetField
from judge.base.products import EvaluationPeriod
from judge.results.product_index import collecting as queries
from judge.results.product_index import collecting_actions as actions
from judge.results.product_index.collecting import (
    CollectionCell,
    CollectionOrder,
    access_cell,
    versions_to_order,
)
from judge.results.registry.actions import tasks_to_answer


class _VersionsField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, one: Any) -> str:
        return f"{one.product} {one.version}".strip()


class OrderForm(forms.Form):
    """A new order: tasks, versions, period."""

    period = forms.ModelChoiceField(
        label=pgettext_lazy("of evaluation", "Period"),
        queryset=EvaluationPeriod.objects.order_by("-starts_on"),
        empty_label=gettext_lazy("Choose a period"),
    )
    candidates = _VersionsField(
        label=gettext_lazy("Versions"),
        queryset=Candidate.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    tasks = OrderedSetField(label=gettext_lazy("Set of tasks"))
    domains = forms.MultipleChoiceField(
        label=gettext_lazy("Domains"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("None chosen: all."),
    )
    note = forms.CharField(
        label=gettext_lazy("What operators should know"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Such as which tools are switched off, and which plan is used."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = versions_to_order().select_related("product")
        self.fields["candidates"].queryset = rows  # type: ignore[attr-defined]
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        there = set(tasks_to_answer().values_list("domain__key", flat=True))
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (domain.key, str(domain)) for domain in Domain.objects.all() if domain.key in there
        ]


class AnswerForm(forms.Form):
    """What a product answered, and how it was asked."""

    text = forms.CharField(
        label=gettext_lazy("The answer"),
        error_messages={
            "required": gettext_lazy("Paste the answer, or skip this one and say why.")
        },
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text=gettext_lazy(
            "Paste it whole and unchanged, without the product's name or your own words."
        ),
    )
    links = forms.CharField(
        label=gettext_lazy("Links it gave"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("One on each line. Staff alone see them."),
    )
    asked_on = DayField(label=gettext_lazy("Asked on"))
    tools_off = forms.CharField(
        label=gettext_lazy("Tools switched off"),
        required=False,
        help_text=gettext_lazy("Such as memory, or other connected services."),
    )
    account = forms.CharField(
        label=gettext_lazy("Account used"),
        required=False,
        help_text=gettext_lazy("Its plan or a label, never a password."),
    )
    remark = forms.CharField(
        label=gettext_lazy("Remark"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    text_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["asked_on"].required = True
        self.fields["asked_on"].error_messages["required"] = gettext_lazy(
            "Choose the day on which you asked."
        )


class SkipForm(forms.Form):
    """Why there is no answer."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Why"),
        error_messages={"required": gettext_lazy("Choose why there is no answer.")},
        choices=CollectionCell.Reason.choices,
        widget=forms.RadioSelect,
    )
    remark = forms.CharField(
        label=gettext_lazy("Remark"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class OperatorForm(forms.Form):
    """Somebody who collects from now on."""

    person = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy("Of an account that exists already."),
    )
    reason = reason_field(rows=2)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = True
        self.fields["reason"].error_messages["required"] = gettext_lazy(
            "Say why. It stays on the record."
        )


PER_PAGE = 50
State = CollectionCell.State


def queue(request: HttpRequest) -> HttpResponse:
    """Show an operator what waits."""
    return render(
        request, "results/collecting/queue.html", {"queue": queries.queue_of(request.user)}
    )


def take(request: HttpRequest) -> HttpResponse:
    """Take the next cell, or open the one that the operator has."""
    found = actions.take_next(actor=request.user)
    return redirect("collecting-cell", found.pk)


def cell(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what to ask, and take the answer."""
    try:
        found = access_cell(request.user, pk)
    except NotFound:
        if request.method != "POST":
            raise
        # The same words whether it is another's or nobody's; the page shows what was typed.
        raise Conflict(actions.not_yours(), code="taken") from None
    if request.method == "GET" and found.state != State.TAKEN:
        messages.info(request, _("This one is no longer with you."))
        return redirect("collecting")
    form = AnswerForm(
        request.POST if request.method == "POST" else None,
        initial={"asked_on": timezone.localdate(), "text_version": found.task.version},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            try:
                actions.store_answer(actor=request.user, cell=found, **form.cleaned_data)
            except Conflict as refusal:
                if refusal.code != "earlier_text":
                    raise
                # The page shows the new text, with what was pasted.
                form.add_error(None, str(refusal.detail))
                typed = request.POST.copy()
                typed["text_version"] = str(found.task.version)
                form.data = typed
            else:
                return _after(request, _("Stored. From here on nobody sees who answered."))
    return _cell_page(request, found, form, SkipForm(), status=status_of(form))


def _after(request: HttpRequest, said: str) -> HttpResponse:
    """Go to the next cell if the button asked for it, else to the queue."""
    if "next" in request.POST:
        try:
            following = actions.take_next(actor=request.user)
        except Conflict:
            return go(request, said, "collecting")
        return go(request, said, "collecting-cell", following.pk)
    return go(request, said, "collecting")


def _cell_page(
    request: HttpRequest, found: CollectionCell, form: AnswerForm, skip: SkipForm, *, status: int
) -> HttpResponse:
    return render(
        request,
        "results/collecting/cell.html",
        {
            "cell": found,
            "ask": queries.to_ask(found),
            "form": form,
            "skip": skip,
            "skipping": bool(skip.errors),
        },
        status=status,
    )


def skip(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a cell aside with its reason."""
    found = access_cell(request.user, pk)
    form = SkipForm(request.POST)
    if form.is_valid():
        with refused_at(form):
            actions.skip_cell(actor=request.user, cell=found, **form.cleaned_data)
            return _after(request, _("Skipped. Staff see the reason."))
    answer = AnswerForm(
        initial={"asked_on": timezone.localdate(), "text_version": found.task.version}
    )
    return _cell_page(request, found, answer, form, status=400)


def back(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a cell back to the queue."""
    found = access_cell(request.user, pk)
    actions.give_back(actor=request.user, cell=found)
    return go(request, _("Given back. Somebody else may take it."), "collecting")


def cell_file(request: HttpRequest, pk: int, file: int) -> HttpResponseBase:
    """Download a file of the task, to give it to the product."""
    found = access_cell(request.user, pk)
    if found.state != State.TAKEN:
        raise Conflict(_("This one is no longer with you."), code="taken")
    return download(get_object_or_404(queries.files_of(found), pk=file))


# -- staff -----------------------------------------------------------------------------------------


def orders(request: HttpRequest) -> HttpResponse:
    return render(request, "results/collecting/orders.html", {"rows": queries.order_rows()})


@once
def new_order(request: HttpRequest) -> HttpResponse:
    form = OrderForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.make_order(actor=request.user, **form.cleaned_data)
            return go(
                request, _("Ordered. Operators take them one by one."), "collection-order", made.pk
            )
    return render(request, "results/collecting/new.html", {"form": form}, status=status_of(form))


def order(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an order with what became of it."""
    found = get_object_or_404(CollectionOrder, pk=pk)
    return render(
        request,
        "results/collecting/order.html",
        {
            "row": queries.order_rows(pk)[0],
            "versions": queries.progress_of(found),
            "page": queries.cells_between(
                found,
                before=parse_int(request.GET.get("before")),
                after=parse_int(request.GET.get("after")),
                size=PER_PAGE,
            ),
        },
    )


def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel what an order still waits for."""
    found = get_object_or_404(CollectionOrder, pk=pk)
    ended = actions.cancel_order(actor=request.user, order=found)
    return go(
        request,
        ngettext("%(n)s answer is cancelled.", "%(n)s answers are cancelled.", ended)
        % {"n": f"{ended:,}"},
        "collection-order",
        pk,
    )


def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a skipped cell back into the queue."""
    found = get_object_or_404(CollectionCell, pk=pk)
    actions.ask_again(actor=request.user, cell=found)
    return go(request, _("It waits again."), "collection-order", found.order_id)


@once
def operators(request: HttpRequest) -> HttpResponse:
    """List the operators, and add one."""
    form = OperatorForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.set_operator(
                actor=request.user,
                person=_person(form.cleaned_data["person"]),
                operator=True,
                reason=form.cleaned_data["reason"],
            )
            return go(request, _("Added. They find the queue in their menu."), "operators")
    context: dict[str, Any] = {
        "form": form,
        "rows": queries.operators(),
        "history": queries.operator_history(),
    }
    return render(request, "results/collecting/operators.html", context, status=status_of(form))


def _person(email: str) -> User:
    found = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise BadInput(fields={"person": [_("Nobody has an account with this address.")]})
    return found


def end_operator(request: HttpRequest, pk: int) -> HttpResponse:
    """End somebody's work as an operator."""
    person = get_object_or_404(User, pk=pk)
    actions.set_operator(
        actor=request.user,
        person=person,
        operator=False,
        reason=request.POST.get("reason", ""),
    )
    return go(request, _("Ended. What they had taken waits again."), "operators")
