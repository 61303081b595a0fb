"""Pages of amendments: propose one, the list, one with its decision."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.permissions import allows
from curation.base.web.forms import query_of, read_filter, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, shown_at
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.amendments import actions, queries
from curation.tasks.amendments.exact import exact_difference, words_of
from curation.tasks.amendments.models import Amendment
from curation.tasks.amendments.queries import access_amendment
from curation.tasks.authoring.forms import form_field
from curation.tasks.task.exact_forms import AnswerFields, written
from curation.tasks.task.exact_queries import exact_of, exact_page
from curation.tasks.task.fields import FIELD, PARTS, TEXT_PARTS, label_of, shown_parts
from curation.tasks.task.queries import access_task, is_its_author
from curation.tasks.task.text_basis import PROMPT_PARTS, count_stale


class AmendForm(forms.Form):
    """The parts of a task's text, to be corrected in place, and the reason.

    A task with an exact answer has the boxes of that answer in place of the reference answer.
    """

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)
    reason = reason_field(
        gettext_lazy("What is wrong, and how you know"),
        help_text=gettext_lazy(
            "The senior who decides reads it, and so do the task's author and reviewers."
        ),
        rows=3,
    )

    field_order = ("version", *PARTS, *AnswerFields.base_fields, "reason")

    def __init__(self, *args: Any, task: Any, **kwargs: Any) -> None:
        initial = {"version": task.version, **{n: getattr(task, n) for n in PARTS}}
        exact = exact_of(task)
        if exact is not None:
            initial |= AnswerFields.initial_of(exact)
        kwargs.setdefault("initial", initial)
        super().__init__(*args, **kwargs)
        shown = {name for name, _label, _text in shown_parts(task)}
        self.named = [name for name in PARTS if name == "title" or name in shown]
        self.fields |= {name: form_field(FIELD[name]) for name in self.named}
        for name in self.named:
            self.fields[name].widget.attrs["lang"] = task.language
            self.fields[name].label = label_of(name, task)
        if exact is not None:
            self.fields |= AnswerFields().fields
        for name in (name for name in TEXT_PARTS if name in self.fields):
            rows = getattr(task, name).count("\n") + len(getattr(task, name)) // 80 + 2
            self.fields[name].widget.attrs["rows"] = min(16, max(3, rows))
        self.order_fields(self.field_order)

    def parts(self) -> dict[str, str]:
        """Return the parts that were sent."""
        return {name: self.cleaned_data[name] for name in self.named if name in self.data}

    def exact(self) -> dict[str, Any] | None:
        """Return the exact answer that was sent; None where the task has none, or none was sent."""
        if "answer" not in self.fields or "answer" not in self.data:
            return None
        return written(self.cleaned_data)


class DecisionForm(forms.Form):
    """A senior's decision on an amendment."""

    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        required=False,
        choices=[
            ("rubric", gettext_lazy("Agree. The rubric has to be gone through with the new text")),
            ("agree", gettext_lazy("Agree. The rubric fits the new text as it is")),
            ("refuse", gettext_lazy("Refuse. The text stays as it is")),
        ],
        widget=forms.RadioSelect,
    )
    reason = reason_field(
        help_text=gettext_lazy(
            "Its author reads it. Say which lines to look at, if the rubric is affected."
        ),
    )


class AmendmentFilter(forms.Form):
    """Narrow the list to amendments in one state."""

    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[("", gettext_lazy("All")), *Amendment.State.choices],
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


ON_A_PAGE = 50


@once
def amend(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct the text of a task in place, look at the differences, and propose them."""
    task = access_task(request.user, pk, "task.amend")
    up = _up(request.user, task)
    home = reverse(up, args=[task.pk])
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
        {"task": task, "form": form, "up": up, "differences": found},
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


def _up(user: Any, task: Any) -> str:
    """Return the route of the task's page that the person comes from."""
    mine = is_its_author(user, task) or not allows(user, "task.oversee", task)
    return "task" if mine else "staff-task"


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
            "up": _up(request.user, one.task)
            if allows(request.user, "task.view", one.task)
            else "amendments",
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
