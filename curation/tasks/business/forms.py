"""Forms of collected tasks: the record, a new task, the checklist, sending back."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField, set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.domains.models import Domain
from curation.tasks.business.actions import RECORD
from curation.tasks.business.models import CHECKED, Collection
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
        required=False, max_length=200, label=_("Owner"), help_text=_("The firm or the person.")
    )
    permitted_by = forms.CharField(
        required=False,
        max_length=200,
        label=_("Permission given by"),
        help_text=_("Name and role of the person who may decide this for the owner."),
    )
    permitted_on = DayField(label=_("Permission given on"))
    permission_scope = forms.CharField(
        required=False,
        label=_("What the permission covers"),
        help_text=_("For example: use in a closed benchmark, publication, changes of the text."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    permission_text = forms.CharField(
        required=False,
        label=_("Words of the permission"),
        help_text=_("Copied from the letter or message."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    permission_document = forms.CharField(
        required=False,
        max_length=300,
        label=_("Where the signed document is kept"),
        help_text=_("One of the two is needed: the words, or the document."),
    )
    collected_on = DayField(label=_("Collected on"))
    hourly_rate = forms.DecimalField(
        required=False,
        max_digits=8,
        decimal_places=2,
        label=_("Hourly rate in US dollars"),
        help_text=_("What an hour of this work costs, exactly. It gives the task its value."),
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
        label=_("Domain"),
        empty_label=_("Not chosen yet"),
        help_text=_("Its panel reads the task."),
    )
    title = forms.CharField(
        required=False,
        max_length=FIELD["title"].limit,
        label=_("Working title"),
        help_text=_("Without the owner's name: colleagues read it."),
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
    names = forms.BooleanField(required=False, label=_("No names of people"))
    companies = forms.BooleanField(
        required=False, label=_("No names of companies, brands or products of the owner")
    )
    contacts = forms.BooleanField(
        required=False, label=_("No addresses, telephone numbers, e-mails or links to them")
    )
    amounts = forms.BooleanField(
        required=False, label=_("No amounts, dates or figures by which the case is recognised")
    )
    in_files = forms.BooleanField(
        required=False, label=_("The same for the files, their names included")
    )
    note = forms.CharField(
        required=False,
        label=_("What was replaced"),
        help_text=_("In general words; do not repeat the names here."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def checked(self) -> dict[str, bool]:
        """Return the ticks, by name."""
        return {name: self.cleaned_data[name] for name in CHECKED}


class SendBackForm(forms.Form):
    """What still tells whose case it was."""

    reason = reason_field(_("What still tells whose case it was"), rows=2)


class CollectedFilter(forms.Form):
    """Where the list of collected tasks goes on."""

    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
