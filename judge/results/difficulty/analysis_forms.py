"""Forms of the analysis: whose verdicts and which limits, and a decision."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, reason_field
from curation.joining.domains.forms import domain_filter
from judge.base.gold_sets.forms import TaskSetField
from judge.base.stats.item_analysis import Limits
from judge.results.alignment.raters import judges
from judge.results.difficulty import analysis_queries as queries
from judge.results.difficulty.analysis_models import ProposalOutcome

_DEFAULT = Limits()


class LimitsFilter(forms.Form):
    """Whose verdicts are analysed, and from where on something is said."""

    # Any name is taken: older runs are not among the choices, and `find_judge` refuses others.
    judge = forms.CharField(label=_("Judge"), required=False, widget=forms.Select)
    tasks = TaskSetField()
    domain = domain_filter(external=True)
    candidates = forms.IntegerField(
        label=_("Fewest candidates"), min_value=3, max_value=10_000, required=False
    )
    responses = forms.IntegerField(
        label=_("Fewest responses"), min_value=3, max_value=10_000, required=False
    )
    saturated = forms.IntegerField(
        label=_("Saturated from (points of 100)"), min_value=1, max_value=100, required=False
    )

    LIMITS = ("judge", "tasks", "domain", "candidates", "responses", "saturated")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["judge"].widget.choices = judges()
        self.fields["tasks"].offer()  # type: ignore[attr-defined]

    def limits(self) -> Limits:
        """Return the limits asked for; the defaults for empty fields."""
        values = self.cleaned_data
        points = values["saturated"]
        return Limits(
            candidates=values["candidates"] or _DEFAULT.candidates,
            responses=values["responses"] or _DEFAULT.responses,
            saturated=points / 100 if points else _DEFAULT.saturated,
        )

    def domain_key(self) -> str:
        """Return the key of the only domain; "" for all."""
        domain = self.cleaned_data["domain"]
        return domain.key if domain else ""

    def of(self, *names: str) -> list[forms.BoundField]:
        """Return some fields for a page, in the order of the names."""
        return [self[name] for name in names]


class AnalysisFilter(LimitsFilter, PageForm):
    """The same, and which tasks are listed in which order."""

    show = forms.ChoiceField(
        label=_("Listed"),
        choices=[
            (queries.OPEN, _("With something to decide")),
            (queries.DECIDED, _("With a decision")),
            (queries.ANY, _("All")),
        ],
        required=False,
    )
    order = forms.ChoiceField(
        label=_("Order"),
        choices=[
            (queries.BY_URGENCY, _("Most to decide first")),
            (queries.HARDEST, _("Hardest first")),
            (queries.EASIEST, _("Easiest first")),
            (queries.WEAKEST, _("Lowest discrimination first")),
        ],
        required=False,
    )

    LIST = (*LimitsFilter.LIMITS, "show", "order")


class ChosenProposals(forms.MultipleChoiceField):
    """Takes any value: what is no longer proposed is a conflict, which the action reports."""

    widget = forms.CheckboxSelectMultiple

    def validate(self, value: Any) -> None:
        """Leave the check to the action."""


class DecisionForm(forms.Form):
    """What to do about some proposals; the action checks proposals and reason."""

    proposals = ChosenProposals(label=_("About"), required=False)
    words = reason_field(_("What the author is to look at"))
    reason = reason_field(_("Why it stays as it is"), rows=2)
    outcome = forms.ChoiceField(choices=ProposalOutcome.Outcome.choices)

    def __init__(self, *args: Any, offered: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["proposals"].choices = offered  # type: ignore[attr-defined]
