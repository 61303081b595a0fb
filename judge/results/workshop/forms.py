"""Forms of the workshop: an experiment, the filter of its changes, the default of new runs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.base.web.forms import PageForm, reason_field
from curation.base.web.once import ReadVersionField
from curation.joining.domains.forms import domain_filter
from judge.asking.calls.cost import in_micro_dollars
from judge.asking.calls.limit_fields import BudgetField, MaxCallsField
from judge.asking.candidates.models import Candidate
from judge.base.stats.paired_figures import ChangeKind
from judge.methods.variants.models import JudgeVariant
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.workshop import queries, words
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.planning.limits import MAX_CONCURRENCY
from rubrics.policy.dimensions import dimension_choices


class ExperimentForm(forms.Form):
    """Two variants, the responses they judge, and what decides."""

    question = reason_field(_("What do you want to find out?"), rows=2)
    first = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("First variant"),
        help_text=_("What is in use, or what you begin from."),
        empty_label=None,
    )
    second = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("Second variant"),
        help_text=_("What might be better. Best change one thing at a time."),
        empty_label=None,
    )
    set = forms.ModelChoiceField(
        AlignmentSet.objects.all(),
        label=_("Alignment set"),
        help_text=_(
            "Both judge its responses that experts have scored. Tasks of a held-out half are left "
            "out."
        ),
        empty_label=None,
    )
    measure = forms.ChoiceField(
        label=_("What decides"),
        choices=JudgeExperiment.Measure.choices,
        initial=JudgeExperiment.Measure.AGREEMENT,
        help_text=_("Settled now, so that nobody picks the figure that happened to come out well."),
        widget=forms.RadioSelect,
    )
    budget_usd = BudgetField(
        label=_("Budget of each run in dollars"),
        help_text=_("A run stops before it would cost more. Empty: no limit in money."),
    )
    max_calls = MaxCallsField(label=_("Most calls of each run"))
    concurrency = forms.IntegerField(
        label=_("Calls at once"), min_value=1, max_value=MAX_CONCURRENCY, initial=8
    )
    batch = forms.BooleanField(
        label=_("Send in the provider's batches"),
        required=False,
        help_text=_("Half the price, within a day."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["set"].choices = queries.sets_offered()  # type: ignore[attr-defined]

    def settings(self) -> dict[str, Any]:
        """Return the arguments of the action `plan_experiment`."""
        values = self.cleaned_data
        return {
            "alignment_set": values["set"],
            "first": values["first"],
            "second": values["second"],
            "measure": values["measure"],
            "question": values["question"],
            "concurrency": values["concurrency"],
            "max_calls": values["max_calls"],
            "batch": values["batch"],
            "budget_micro": in_micro_dollars(values["budget_usd"]),
        }


class ChangeFilter(PageForm):
    """Which changes are listed."""

    kind = forms.ChoiceField(
        label=_("Change"),
        choices=[("", _("All")), *((kind.value, words.KINDS[kind]) for kind in ChangeKind)],
        required=False,
    )
    candidate = forms.ChoiceField(label=_("Candidate"), required=False)
    domain = domain_filter(external=True)
    dimension = forms.ChoiceField(
        label=_("Dimension"), choices=[("", _("All")), *dimension_choices()], required=False
    )

    LIST = ("kind", "candidate", "domain", "dimension")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = Candidate.objects.values_list("name", flat=True)
        self.fields["candidate"].choices = [  # type: ignore[attr-defined]
            ("", _("All candidates")),
            *((name, name) for name in names),
        ]

    def wanted(self) -> dict[str, Any]:
        """Return the values, with the domain's key."""
        values = self.cleaned_data
        return {**values, "domain": values["domain"].key if values["domain"] else ""}


class DefaultForm(forms.Form):
    """What new runs begin with, and why."""

    variant = forms.ModelChoiceField(
        JudgeVariant.objects.all(),
        label=_("New runs begin with"),
        required=False,
        empty_label=_("Settings by hand"),
    )
    experiment = forms.ModelChoiceField(
        JudgeExperiment.objects.all(), required=False, widget=forms.HiddenInput
    )
    reason = reason_field(_("Why"), rows=2)
    read = ReadVersionField()
