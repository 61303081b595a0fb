"""The form of a new alignment set."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from curation.joining.domains.models import Domain
from judge.base.gold_sets.forms import OrderedSetField
from judge.results.alignment_sets.actions import MOST_SHEETS, Pool
from judge.results.alignment_sets.drawing import SampleSpec
from judge.results.alignment_sets.models import MOST_SCORERS, AlignmentSet


class SetForm(forms.Form):
    """Quota, flagged responses, scorers, seed, domains and candidates of a set."""

    quota = forms.IntegerField(
        label=_("Responses of each candidate in each domain"),
        min_value=0,
        max_value=MOST_SHEETS,
        initial=2,
    )
    flagged = forms.BooleanField(
        label=_("Add the responses with a flagged verdict"),
        required=False,
        help_text=_(
            "They come on top of the sample, also where experts have scored them: then others are "
            "asked. The report counts these sheets only on request, as they were not drawn at "
            "random."
        ),
    )
    scorers = forms.IntegerField(
        label=_("Scorers of each response"),
        min_value=1,
        max_value=MOST_SCORERS,
        initial=1,
        help_text=_("With two or more, their agreement shows how close any judge can come."),
    )
    form = forms.ChoiceField(
        label=_("How they score"),
        required=False,
        choices=AlignmentSet.Form.choices,
        initial=AlignmentSet.Form.LINES,
        widget=forms.RadioSelect,
        help_text=_("One grade goes with judges that grade the whole answer."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**63 - 1,
        help_text=_("Same responses, seed and numbers give the same sample on any machine."),
    )
    tasks = OrderedSetField(label=_("Set of tasks"))
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one domain.")},
    )
    candidates = forms.MultipleChoiceField(
        label=_("Candidates"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one candidate.")},
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        there = {one.domain for one in pool.found.values()}
        self.domain_names = {d.key: str(d) for d in Domain.objects.all() if d.key in there}
        self.fields["domains"].choices = list(self.domain_names.items())  # type: ignore[attr-defined]
        names = sorted({one.candidate for one in pool.found.values()})
        self.fields["candidates"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]

    def spec(self) -> SampleSpec:
        """Return the settings of the sample."""
        values = self.cleaned_data
        return SampleSpec(
            quota=values["quota"],
            seed=values["seed"],
            domains=tuple(sorted(values["domains"])),
            candidates=tuple(sorted(values["candidates"])),
            scorers=values["scorers"],
            flagged=values["flagged"],
            tasks=str(values["tasks"]),
            form=values["form"] or AlignmentSet.Form.LINES,
        )
