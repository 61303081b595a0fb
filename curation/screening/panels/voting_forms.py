"""Forms of the panel: votes, handing back, and the staff's forms."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.forms import reason_field
from curation.joining.domains.forms import domain_filter
from curation.joining.domains.models import Domain
from curation.screening.panels.exact_tests import TESTS
from curation.screening.panels.models import EXACT_TESTS, Decision, PanelPlace


class SkipForm(forms.Form):
    """The reason for handing a place back."""

    reason = reason_field(help_text=_("One sentence. Staff read it; the author does not."))


class TakeBackForm(SkipForm):
    """The reason for taking a place back, given by staff."""


class DecideWithoutQuorumForm(forms.Form):
    """The reason for letting a panel decide with fewer votes than its rules ask for."""

    reason = reason_field(help_text=_("It appears in the history of the task."), rows=3)


class GivePlaceForm(forms.Form):
    """The choice of a member and of a kind of place, by staff."""

    member = forms.ChoiceField(
        label=_("Colleague"), error_messages={"required": _("Choose a colleague.")}
    )
    kind = forms.ChoiceField(label=_("Place"), choices=PanelPlace.Kind.choices)

    def __init__(self, *args: Any, members: Any, kinds: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["member"].choices = members  # type: ignore[attr-defined]
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            (kind, PanelPlace.Kind(kind).label) for kind in kinds
        ]


class OverviewFilter(forms.Form):
    """The filter of the staff's overview."""

    domain = domain_filter()
    show = forms.ChoiceField(
        required=False,
        label=_("Show"),
        choices=[
            ("", _("All")),
            ("free", _("Vacant places")),
            ("late", _("Overdue")),
            ("suspect", _("Suspect")),
            ("easy", _("Too easy")),
        ],
    )
    page = forms.CharField(required=False)

    def offer(self, domains: Iterable[Domain]) -> None:
        """Offer domains that the page has loaded already, to save a query."""
        field: Any = self.fields["domain"]
        field.choices = [("", field.empty_label), *((one.key, str(one)) for one in domains)]


class VoteForm(forms.Form):
    """A member's vote: three tests, a decision, the reasons.

    Args:
        exact: whether the task has an exact answer, which has tests of its own.
    """

    _answers = [("yes", _("Yes")), ("no", _("No"))]
    _missing = {"required": _("Answer yes or no.")}
    difficult = forms.ChoiceField(
        choices=_answers, label=_("Difficult"), error_messages=_missing, widget=forms.RadioSelect
    )
    representative = forms.ChoiceField(
        choices=_answers,
        label=_("Representative"),
        error_messages=_missing,
        widget=forms.RadioSelect,
    )
    gradable = forms.ChoiceField(
        choices=_answers, label=_("Gradable"), error_messages=_missing, widget=forms.RadioSelect
    )
    decision = forms.ChoiceField(
        choices=Decision.choices,
        label=_("Your decision"),
        error_messages={"required": _("Choose: keep, return or reject.")},
        widget=forms.RadioSelect,
    )
    reasons = forms.CharField(
        required=False,
        label=_("Reasons"),
        help_text=_("The author reads them without your name. Say what to change, or why to keep."),
        widget=forms.Textarea(attrs={"rows": 6}),
    )

    field_order = ("difficult", "representative", "gradable", *EXACT_TESTS)

    def __init__(self, *args: Any, exact: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tests = ["difficult", "representative", "gradable"]
        for test in TESTS if exact else ():
            self.tests.append(test.name)
            self.fields[test.name] = forms.ChoiceField(
                choices=self._answers,
                label=test.label,
                error_messages=self._missing,
                widget=forms.RadioSelect,
            )
        self.order_fields(self.field_order)

    def clean_reasons(self) -> str:
        """Refuse blank reasons here, so that the error appears with those of the other fields."""
        reasons: str = self.cleaned_data["reasons"]
        if storable.is_blank(reasons):
            raise forms.ValidationError(
                _("Give your reasons. The author reads them and learns from them.")
            )
        return reasons

    def vote(self) -> dict[str, Any]:
        """Return the arguments of `actions.vote`."""
        values = self.cleaned_data
        return {
            **{test: values[test] == "yes" for test in self.tests},
            "decision": values["decision"],
            "reasons": values["reasons"],
        }
