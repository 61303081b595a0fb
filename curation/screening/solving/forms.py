"""Forms of a solver: the own answer, the verdict after comparing; and of second looks."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import PageForm, reason_field
from curation.screening.panels.models import Solve
from curation.screening.solving.actions import ANSWER_LIMIT
from curation.screening.solving.models import SecondLook


class SolveForm(forms.Form):
    """The solver's own answer."""

    answer = forms.CharField(
        required=False,
        label=_("Your answer"),
        strip=False,
        help_text=_("A few words or one number. You cannot change it afterwards."),
        widget=forms.TextInput(
            attrs={"maxlength": ANSWER_LIMIT, "autocomplete": "off", "id": "id_own_answer"}
        ),
    )


class VerdictForm(forms.Form):
    """What the solver says of the author's answer."""

    # The action checks the value, for pages and API alike.
    verdict = forms.ChoiceField(
        required=False,
        label=_("The author's answer is"),
        choices=Solve.Verdict.choices,
        widget=forms.RadioSelect,
    )
    remarks = forms.CharField(
        required=False,
        label=_("Reason"),
        help_text=_(
            "How do you know, or where does a step fail? If it is not right, the author reads this "
            "without your name."
        ),
        widget=forms.Textarea(attrs={"rows": 5}),
    )


class SecondLookForm(VerdictForm):
    """What one of those asked says at a second look."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["remarks"].help_text = _("How do you know, or where does a step fail?")


class CloseLookForm(forms.Form):
    """How a second look ends, by staff."""

    outcome = forms.ChoiceField(
        required=False,
        label=_("Outcome"),
        choices=SecondLook.Outcome.choices,
        widget=forms.RadioSelect,
    )
    reason = reason_field(help_text=_("The author and the solvers read it."))


class LookFilter(PageForm):
    """Narrow the list of second looks to open or closed ones."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("All")), *SecondLook.State.choices],
    )
