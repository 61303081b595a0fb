"""Staff's pages of tasks from business: the list, a new one, its record, its de-identification."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.permissions import allows
from curation.base.process.lifecycle import Stage
from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import read_filter, reason_field
from curation.base.web.once import ReadVersionField, once
from curation.base.web.slices import slice_of
from curation.base.web.step import go, refused_at, status_of
from curation.joining.domains.models import Domain
from curation.tasks.business import actions, queries
from curation.tasks.business.actions import RECORD
from curation.tasks.business.models import CHECKED, Collection
from curation.tasks.business.queries import access_check, access_collected
from curation.tasks.task.fields import FIELD
from curation.tasks.task.models import Task


class RecordForm(forms.Form):
    """Whose case it is, and the permission to use it. The action checks the rules.

    Attributes:
        needed: the fields that the page does not call optional; the action asks for them.
    """

    needed = frozenset(
        {"owner", "permitted_by", "permitted_on", "permission_scope", "collected_on"}
    )

    owner = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Owner"),
        help_text=gettext_lazy("The firm or the person."),
    )
    permitted_by = forms.CharField(
        required=False,
        max_length=200,
        label=gettext_lazy("Permission given by"),
        help_text=gettext_lazy("Name and role of the person who may decide this for the owner."),
    )
    permitted_on = DayField(label=gettext_lazy("Permission given on"))
    permission_scope = forms.CharField(
        required=False,
        label=gettext_lazy("What the permission covers"),
        help_text=gettext_lazy(
            "For example: use in a closed benchmark, publication, changes of the text."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    permission_text = forms.CharField(
        required=False,
        label=gettext_lazy("Words of the permission"),
        help_text=gettext_lazy("Copied from the letter or message."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    permission_document = forms.CharField(
        required=False,
        max_length=300,
        label=gettext_lazy("Where the signed document is kept"),
        help_text=gettext_lazy("One of the two is needed: the words, or the document."),
    )
    collected_on = DayField(label=gettext_lazy("Collected on"))
    hourly_rate = forms.DecimalField(
        required=False,
        max_digits=8,
        decimal_places=2,
        label=gettext_lazy("Hourly rate in US dollars"),
        help_text=gettext_lazy(
            "What an hour of this work costs, exactly. It gives the task its value."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("permitted_on", "collected_on"):
            self.fields[name].required = False
        set_numbers(self.fields.values())

    def record(self) -> dict[str, Any]:
        """Return the values of the record, without the rate."""
        return {name: self.cleaned_data[name] for name in RECORD}


class ChangeRecordForm(RecordForm):
    """The record of a task that is there already."""

    version = ReadVersionField()

    @classmethod
    def of(cls, task: Task, data: Any = None) -> "ChangeRecordForm":
        """Return the form of a stored record, or with the data sent."""
        held = task.collection
        assert isinstance(held, Collection)
        initial = {name: getattr(held, name) for name in RECORD}
        initial |= {"version": held.version, "hourly_rate": task.hourly_rate}
        return cls(data, initial=initial)


class NewCollectedForm(RecordForm):
    """A new task from business: where it belongs, and its record. The text follows."""

    domain = forms.ModelChoiceField(
        Domain.objects.none(),
        to_field_name="key",
        label=gettext_lazy("Domain"),
        empty_label=gettext_lazy("Not chosen yet"),
        help_text=gettext_lazy("Its panel reads the task."),
    )
    title = forms.CharField(
        required=False,
        max_length=FIELD["title"].limit,
        label=gettext_lazy("Working title"),
        help_text=gettext_lazy("Without the owner's name: colleagues read it."),
    )
    minutes = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=FIELD["minutes"].limit,
        label=FIELD["minutes"].label,
    )
    field_order = ["domain", "title", "minutes"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        domain = self.fields["domain"]
        assert isinstance(domain, forms.ModelChoiceField)
        domain.queryset = Domain.objects.filter(external=False)


class ChecklistForm(forms.Form):
    """What a person has gone through in text and files."""

    version = ReadVersionField()
    names = forms.BooleanField(required=False, label=gettext_lazy("No names of people"))
    companies = forms.BooleanField(
        required=False, label=gettext_lazy("No names of companies, brands or products of the owner")
    )
    contacts = forms.BooleanField(
        required=False,
        label=gettext_lazy("No addresses, telephone numbers, e-mails or links to them"),
    )
    amounts = forms.BooleanField(
        required=False,
        label=gettext_lazy("No amounts, dates or figures by which the case is recognised"),
    )
    in_files = forms.BooleanField(
        required=False, label=gettext_lazy("The same for the files, their names included")
    )
    note = forms.CharField(
        required=False,
        label=gettext_lazy("What was replaced"),
        help_text=gettext_lazy("In general words; do not repeat the names here."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def checked(self) -> dict[str, bool]:
        """Return the ticks, by name."""
        return {name: self.cleaned_data[name] for name in CHECKED}


class SendBackForm(forms.Form):
    """What still tells whose case it was."""

    reason = reason_field(gettext_lazy("What still tells whose case it was"), rows=2)


class CollectedFilter(forms.Form):
    """Where the list of collected tasks goes on."""

    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


ON_A_PAGE = 50


def business(request: HttpRequest) -> HttpResponse:
    """List the collected tasks, newest first."""
    wanted = read_filter(CollectedFilter, request.GET).cleaned_data
    rows = queries.collected_rows()
    page = slice_of(rows, size=ON_A_PAGE, before=wanted["before"], after=wanted["after"])
    shown = list(rows.filter(pk__in=page.rows))
    return render(request, "tasks/business/list.html", {"rows": shown, "page": page, "query": ""})


@once
def business_new(request: HttpRequest) -> HttpResponse:
    """Enter a task from business with its owner's permission; its text follows in the editor."""
    form = NewCollectedForm(request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            values = form.cleaned_data
            task = actions.enter_task(
                actor=request.user,
                domain=values["domain"],
                record=form.record(),
                hourly_rate=values["hourly_rate"],
                title=values["title"],
                minutes=values["minutes"],
            )
            return go(
                request,
                _("Entered. Write the text next, without anything that tells whose case it is."),
                "task-edit",
                task.pk,
            )
    return render(request, "tasks/business/new.html", {"form": form}, status=status_of(form))


def business_task(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the record of a collected task and its de-identification; a POST ticks the list."""
    task = access_collected(request.user, pk)
    form = ChecklistForm(request.POST or None, initial={"version": task.version})
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.check_deidentified(
                actor=request.user,
                task=task,
                version=form.cleaned_data["version"],
                note=form.cleaned_data["note"],
                **form.checked(),
            )
            return go(
                request,
                _("Noted. A colleague goes through the text too, and confirms it."),
                "business-task",
                task.pk,
            )
    return _task_page(request, task, form, SendBackForm(), status=status_of(form))


def _task_page(
    request: HttpRequest, task: Task, form: Any, send_back: Any, *, status: int
) -> HttpResponse:
    check = queries.check_state(task)
    context = {
        "task": task,
        "record": task.collection,
        "form": form,
        "send_back": send_back,
        "check": check,
        "can_confirm": check.waits
        and allows(request.user, "deidentification.confirm", check.latest),
        "is_draft": task.stage == Stage.DRAFT,
        "candidates": queries.candidates(task),
        "texts": queries.texts(task),
    }
    return render(request, "tasks/business/task.html", context, status=status)


def business_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the record of a collected task."""
    task = access_collected(request.user, pk)
    form = ChangeRecordForm.of(task, request.POST or None)
    with refused_at(form):
        if request.method == "POST" and form.is_valid():
            actions.change_record(
                actor=request.user,
                task=task,
                version=form.cleaned_data["version"],
                record=form.record(),
                hourly_rate=form.cleaned_data["hourly_rate"],
            )
            return go(request, _("Saved."), "business-task", task.pk)
    context = {"task": task, "form": form}
    return render(request, "tasks/business/record.html", context, status=status_of(form))


def business_confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm a check of de-identification as the second person."""
    check = access_check(request.user, pk)
    actions.confirm_deidentified(actor=request.user, check=check)
    return go(
        request,
        _("Confirmed. The task can be submitted for screening."),
        "business-task",
        check.task_id,
    )


def business_send_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a check of de-identification back with a reason."""
    check = access_check(request.user, pk)
    form = SendBackForm(request.POST)
    form.is_valid()
    with refused_at(form):
        actions.send_deidentification_back(
            actor=request.user, check=check, reason=form.cleaned_data.get("reason", "")
        )
        return go(
            request,
            _("Returned. The person who writes the text sees why."),
            "business-task",
            check.task_id,
        )
    task = access_collected(request.user, check.task_id)
    blank = ChecklistForm(initial={"version": task.version})
    return _task_page(request, task, blank, form, status=400)
