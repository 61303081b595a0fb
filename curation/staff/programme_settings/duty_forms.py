"""Forms of administrators: appoint somebody, change duties."""

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.access.duties import Duty
from curation.base.web.forms import reason_field


class DutiesForm(forms.Form):
    """The duties of a member of staff, and why."""

    duties = forms.MultipleChoiceField(
        label=_("Duties"),
        choices=Duty.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Without any, a member of staff reads every page and changes nothing."),
    )
    reason = reason_field(rows=2)


class AppointForm(DutiesForm):
    """Somebody with an account who becomes staff."""

    person = forms.EmailField(
        label=_("E-mail address"), help_text=_("Of an account that exists already.")
    )
    field_order = ("person", "duties", "reason")
