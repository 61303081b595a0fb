"""Filters of the pipeline, the list of tasks and the audit."""

from django import forms
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.process.lifecycle import Stage
from curation.base.web.fields import DayField
from curation.base.web.forms import PageForm, days_filter
from curation.joining.domains.forms import domain_filter
from curation.joining.people import User
from curation.tasks.task.models import Origin
from curation.telling.activity import audit


class PipelineFilter(forms.Form):
    """The filter of the pipeline: domain and period."""

    domain = domain_filter(external=True)
    days = forms.TypedChoiceField(
        choices=[("90", _("Last 90 days")), ("30", _("Last 30 days")), ("365", _("Last year"))],
        coerce=int,
        empty_value=90,  # type: ignore[arg-type]  # Django takes any; the stubs only text
        required=False,
        label=_("Period"),
    )


PROCESS = "process"  # any origin that goes through the process


class TaskFilter(forms.Form):
    """The filter of the staff's list of tasks."""

    q = forms.CharField(
        required=False, max_length=200, label=_("Title or key"), widget=forms.SearchInput()
    )
    stage = forms.ChoiceField(
        choices=[("", _("All stages")), *Stage.choices], required=False, label=_("Stage")
    )
    domain = domain_filter(external=True)
    origin = forms.ChoiceField(
        choices=[("", _("All origins")), (PROCESS, _("From this programme")), *Origin.choices],
        required=False,
        label=_("Origin"),
    )
    days = days_filter()


class AuditFilter(PageForm):
    person = forms.CharField(
        required=False,
        max_length=254,
        label=_("Person"),
        help_text=_("Number, e-mail address or name"),
    )
    task = forms.CharField(
        required=False, max_length=120, label=_("Task"), help_text=_("Number or key")
    )
    kind = forms.ChoiceField(
        required=False,
        label=_("Kind"),
        choices=lambda: [
            ("", _("All but single steps and sign-ins")),
            *audit.kinds(),
        ],
    )
    after = DayField(label=_("From"))
    before = DayField(label=_("To"))
    format = forms.ChoiceField(
        required=False, choices=[("", ""), ("csv", "csv")], widget=forms.HiddenInput
    )

    def clean_person(self) -> int | None:
        """Return the person's id, from the number, the e-mail address or the name typed."""
        typed = self.cleaned_data["person"].strip()
        if not typed:
            return None
        if typed.isascii() and typed.isdigit() and len(typed) < 18:
            return int(typed)
        named = Q(email__iexact=typed) | Q(display_name__iexact=typed)
        found = list(User.objects.filter(named).values_list("pk", flat=True)[:2])
        if not found:
            raise forms.ValidationError(
                gettext("Nobody has this address or name. Type a number, or the whole of either.")
            )
        if len(found) > 1:
            raise forms.ValidationError(
                gettext("Several people have this name. Type the number or the e-mail address.")
            )
        return found[0]
