"""Forms of the skills library: a label, its retirement, its writer, hours, suitability."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.people import User
from curation.tasks.skills.access import may_write_skills
from curation.tasks.skills.actions import HIGHEST_POSITION, NAME_LIMIT, TEXT_LIMIT, VALUES
from curation.tasks.skills.models import MOST_HOURS, CategorySuitability, Level, SkillLabel


class PersonChoice(forms.ModelChoiceField):
    """A person, by the name that staff read."""

    def label_from_instance(self, person: User) -> str:  # type: ignore[override]
        return person.name_for_staff


class LabelsFilter(forms.Form):
    """Pages of a list of tasks with their labels."""

    before = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
    after = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class LabelForm(forms.Form):
    """A label of the taxonomy. The action checks the rules."""

    version = ReadVersionField()
    level = forms.TypedChoiceField(
        choices=Level.choices,
        coerce=int,
        label=_("Level"),
        help_text=_("From the widest to the narrowest: what for, what about, within which limits."),
    )
    name = forms.CharField(max_length=NAME_LIMIT, label=_("Name"))
    name_zh = forms.CharField(max_length=NAME_LIMIT, required=False, label=_("In Chinese"))
    description = forms.CharField(
        required=False,
        max_length=TEXT_LIMIT,
        label=_("Description"),
        help_text=_("When a task has this label. People and models decide by this text."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    description_zh = forms.CharField(
        required=False,
        max_length=TEXT_LIMIT,
        label=_("Description in Chinese"),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    position = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=HIGHEST_POSITION,
        label=_("Place within its level"),
        help_text=_("Empty: the last place."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    @classmethod
    def of(cls, label: SkillLabel, data: Any = None) -> "LabelForm":
        """Return the form of a stored label, or with the data sent."""
        stored = {name: getattr(label, name) for name in VALUES}
        return cls(data, initial=stored | {"version": label.version})

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions, without the version."""
        return {name: self.cleaned_data[name] for name in VALUES}


class RetireLabelForm(forms.Form):
    """Why a label is retired."""

    version = ReadVersionField()
    reason = reason_field(help_text=_("One sentence; it appears in the history of the library."))


class BeginSkillForm(forms.Form):
    """Who writes the checkpoints of a label."""

    version = ReadVersionField()
    writer = PersonChoice(
        User.objects.none(),
        label=_("Who writes the checkpoints"),
        empty_label=_("Not chosen yet"),
        help_text=_("An expert of the domain, or a member of staff."),
    )

    def __init__(self, *args: Any, label: SkillLabel, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self.fields["writer"], label)


class EffortForm(forms.Form):
    """Hours of work on a skill."""

    person = PersonChoice(User.objects.none(), label=_("Person"), empty_label=_("Not chosen yet"))
    hours = forms.DecimalField(
        max_value=MOST_HOURS,
        min_value=Decimal("0.01"),
        max_digits=5,
        decimal_places=2,
        label=_("Hours"),
        help_text=_("For example 1.5"),
    )
    note = forms.CharField(
        required=False,
        max_length=TEXT_LIMIT,
        label=_("What was done"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, label: SkillLabel, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self.fields["person"], label)
        set_numbers(self.fields.values())


class SuitabilityForm(forms.Form):
    """Whether answers of a category can be judged openly."""

    verdict = forms.ChoiceField(
        choices=[("", _("Not said yet")), *CategorySuitability.Verdict.choices],
        label=_("Open judgement"),
    )
    reason = reason_field(help_text=_("For example: the sources that decide it are not public."))


def _offer(field: forms.Field, label: SkillLabel) -> None:
    """Offer who may write skills of a label's domain."""
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = may_write_skills(label.domain_id)
