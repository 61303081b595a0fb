"""Pages of errata: a reader's own reports, staff's list and decisions."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.web.fields import set_numbers
from curation.base.web.forms import query_of, read_filter
from curation.base.web.once import once
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.tasks.task.text_basis import AMENDABLE
from judge.gold.releases import errata as actions
from judge.gold.releases import errata as queries
from judge.gold.releases.errata import CONTACT_LIMIT, TEXT_LIMIT, Erratum

LAST = 2**31 - 1


class ErratumForm(forms.Form):
    """What is wrong with which task of which release; the action checks all of it."""

    release = forms.IntegerField(
        label=gettext_lazy("Number of the release"),
        min_value=1,
        max_value=LAST,
        help_text=gettext_lazy(
            "It stands in the release's file manifest.json and in the names of its files."
        ),
    )
    task = forms.CharField(
        label=gettext_lazy("Id of the task"), max_length=120,
        help_text=gettext_lazy("As the release's files give it, under “id” or “task”."),
    )  # fmt: skip
    kind = forms.ChoiceField(label=gettext_lazy("What is wrong"), choices=Erratum.Kind.choices)
    text = forms.CharField(
        label=gettext_lazy("Your report"),
        error_messages={"required": gettext_lazy("Say what is wrong, and how you know.")},
        help_text=gettext_lazy(
            "Say what is wrong, and how you know. Staff read it; it is not published."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": TEXT_LIMIT}),
    )
    contact = forms.CharField(
        label=gettext_lazy("How we can reach you"),
        required=False,
        max_length=CONTACT_LIMIT,
        help_text=gettext_lazy("Only if you would like to be asked. Staff alone see it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())


class MailedErratumForm(ErratumForm):
    """The same for a report that came by mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].label = gettext_lazy("The reader's report")
        self.fields["text"].help_text = gettext_lazy("In the reader's words; it is not published.")
        self.fields["contact"].label = gettext_lazy("The reader's address")
        self.fields["contact"].help_text = gettext_lazy("Staff alone see it.")


class ErrataFilter(forms.Form):
    """Narrow staff's list."""

    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[("", gettext_lazy("All")), *Erratum.State.choices],
    )
    release = forms.IntegerField(
        label=gettext_lazy("Release"), required=False, min_value=1, max_value=LAST
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class DecisionForm(forms.Form):
    """Staff's decision on a report, with its reason."""

    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        error_messages={"required": gettext_lazy("Choose: uphold or dismiss.")},
        choices=[
            (
                "uphold",
                gettext_lazy(
                    "Uphold. The task goes back to its author, and the next release says so"
                ),
            ),
            ("dismiss", gettext_lazy("Dismiss. The task stays as it is")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        error_messages={"required": gettext_lazy("Say why; the reader reads it.")},
        help_text=gettext_lazy(
            "The reader reads it. If you uphold the report, say what was wrong: the task's author "
            "reads it too, and the next release prints it."
        ),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


ON_A_PAGE = 50


@once
def errata(request: HttpRequest) -> HttpResponse:
    """Show a reader's own reports, and take a new one."""
    form = ErratumForm(request.POST or None, initial=_named(request))
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            actions.report_erratum(actor=request.user, **form.cleaned_data)
            return go(request, _("Thank you. Staff read your report and answer here."), "errata")
    return render(
        request,
        "gold/errata/own.html",
        {"form": form, "rows": queries.own_errata(request.user)},  # type: ignore[arg-type]
        status=status_of(form),
    )


def staff_errata(request: HttpRequest) -> HttpResponse:
    """List all reports."""
    form = read_filter(ErrataFilter, request.GET)
    wanted = form.cleaned_data
    rows = queries.errata(state=wanted["state"], release=wanted["release"])
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    shown = list(queries.errata().filter(pk__in=page.rows))
    kept = {k: v for k, v in request.GET.dict().items() if k in ("state", "release")}
    return render(
        request,
        "gold/errata/list.html",
        {"form": form, "page": page.showing(shown), "query": query_of(kept)},
    )


@once
def staff_erratum_new(request: HttpRequest) -> HttpResponse:
    """Enter a report that came by mail."""
    form = MailedErratumForm(request.POST or None, initial=_named(request))
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.enter_erratum(actor=request.user, **form.cleaned_data)
            return go(request, _("Entered. Decide on it here."), "staff-erratum", made.pk)
    return render(request, "gold/errata/new.html", {"form": form}, status=status_of(form))


def staff_erratum(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a report, and take staff's decision on it."""
    one = get_object_or_404(queries.errata().select_related("decided_by"), pk=pk)
    form = DecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            return go(request, _decide(request.user, one, form), "staff-erratum", pk)
    return render(
        request,
        "gold/errata/erratum.html",
        {
            "one": one,
            "form": form if one.state == Erratum.State.OPEN else None,
            "amendable": one.task.stage in AMENDABLE,
        },
        status=status_of(form),
    )


def _decide(user: Any, one: Erratum, form: DecisionForm) -> str:
    """Carry out staff's decision and return what was done."""
    decision, reason = form.cleaned_data["decision"], form.cleaned_data["reason"]
    if decision == "dismiss":
        actions.dismiss_erratum(actor=user, erratum=one, reason=reason)
        return _("Dismissed. The reader reads your reason.")
    actions.uphold_erratum(actor=user, erratum=one, reason=reason)
    if one.reopened:
        return _(
            "Upheld. The task is with its author again, and the next release lists the change."
        )
    return _("Upheld. The task was not approved any more; the next release lists the erratum.")


def _named(request: HttpRequest) -> dict[str, str]:
    """Return the release and task that a link names."""
    return {name: request.GET.get(name, "")[:120] for name in ("release", "task")}
