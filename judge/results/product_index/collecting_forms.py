"""Forms of collecting; the actions validate."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import DayField
from curation.base.web.forms import reason_field
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.forms import OrderedSetField
from judge.base.products.models import EvaluationPeriod
from judge.results.product_index.collecting_models import CollectionCell
from judge.results.product_index.collecting_queries import versions_to_order
from judge.results.registry.actions import tasks_to_answer


class _VersionsField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, one: Any) -> str:
        return f"{one.product} {one.version}".strip()


class OrderForm(forms.Form):
    """A new order: tasks, versions, period."""

    period = forms.ModelChoiceField(
        label=pgettext_lazy("of evaluation", "Period"),
        queryset=EvaluationPeriod.objects.order_by("-starts_on"),
        empty_label=_("Choose a period"),
    )
    candidates = _VersionsField(
        label=_("Versions"),
        queryset=Candidate.objects.none(),
        widget=forms.CheckboxSelectMultiple,
    )
    tasks = OrderedSetField(label=_("Set of tasks"))
    domains = forms.MultipleChoiceField(
        label=_("Domains"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all."),
    )
    note = forms.CharField(
        label=_("What operators should know"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Such as which tools are switched off, and which plan is used."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = versions_to_order().select_related("product")
        self.fields["candidates"].queryset = rows  # type: ignore[attr-defined]
        self.fields["tasks"].offer(self["tasks"].value())  # type: ignore[attr-defined]
        there = set(tasks_to_answer().values_list("domain__key", flat=True))
        self.fields["domains"].choices = [  # type: ignore[attr-defined]
            (domain.key, str(domain)) for domain in Domain.objects.all() if domain.key in there
        ]


class AnswerForm(forms.Form):
    """What a product answered, and how it was asked."""

    text = forms.CharField(
        label=_("The answer"),
        error_messages={"required": _("Paste the answer, or skip this one and say why.")},
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text=_("Paste it whole and unchanged, without the product's name or your own words."),
    )
    links = forms.CharField(
        label=_("Links it gave"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One on each line. Staff alone see them."),
    )
    asked_on = DayField(label=_("Asked on"))
    tools_off = forms.CharField(
        label=_("Tools switched off"),
        required=False,
        help_text=_("Such as memory, or other connected services."),
    )
    account = forms.CharField(
        label=_("Account used"),
        required=False,
        help_text=_("Its plan or a label, never a password."),
    )
    remark = forms.CharField(
        label=_("Remark"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    text_version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["asked_on"].required = True
        self.fields["asked_on"].error_messages["required"] = _("Choose the day on which you asked.")


class SkipForm(forms.Form):
    """Why there is no answer."""

    reason = forms.ChoiceField(
        label=_("Why"),
        error_messages={"required": _("Choose why there is no answer.")},
        choices=CollectionCell.Reason.choices,
        widget=forms.RadioSelect,
    )
    remark = forms.CharField(
        label=_("Remark"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class OperatorForm(forms.Form):
    """Somebody who collects from now on."""

    person = forms.EmailField(
        label=_("E-mail address"), help_text=_("Of an account that exists already.")
    )
    reason = reason_field(rows=2)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = True
        self.fields["reason"].error_messages["required"] = _("Say why. It stays on the record.")
