"""Forms of re-verification: an answer, a request, the filter of the list."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import DayField
from curation.base.web.forms import reason_field
from curation.base.web.once import ReadVersionField
from curation.tasks.business.reverification_models import Reverification


class AnswerForm(forms.Form):
    """What an expert found."""

    version = ReadVersionField()
    outcome = forms.ChoiceField(
        label=_("The reference answer"),
        choices=[
            ("holds", _("It still holds")),
            ("changed", _("It has changed: I propose an amendment next")),
        ],
        widget=forms.RadioSelect,
    )
    valid_until = DayField(
        label=_("It surely holds until"),
        help_text=_("If it has changed: until when the amended answer will hold."),
    )
    finding = reason_field(
        _("What you looked at, or what has changed"), help_text=_("Name the source."), rows=3
    )


class AskForm(forms.Form):
    """Why a task has to be verified again."""

    reason = reason_field(help_text=_("The expert reads it."), rows=3)


class CancelForm(forms.Form):
    """Why a request is not needed any more."""

    reason = reason_field(rows=2)


class ReverificationFilter(forms.Form):
    """Narrow the list to requests in one state."""

    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("All")), *Reverification.State.choices]
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    after = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
