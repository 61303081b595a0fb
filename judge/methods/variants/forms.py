"""Forms of a text of the judge's prompt and of a variant."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from judge.asking import providers
from judge.asking.endpoints.choices import ChosenModelField, named
from judge.asking.endpoints.parameters import EFFORTS
from judge.methods.variants.models import JudgePrompt, JudgeVariant
from judge.methods.variants.queries import CALLS


class PromptForm(forms.Form):
    """The parts of the prompt that may be rewritten; the action checks them."""

    instructions = forms.CharField(
        label=_("How to decide"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18}),
        help_text=_(
            "$domain and $language are filled in for each task. What is data and the form of the "
            "reply follow by themselves and cannot be changed."
        ),
    )
    example = forms.CharField(
        label=_("Before the example"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Said before the task's anchor, where the judge is shown one."),
    )
    note = reason_field(_("What is different, and why"), rows=2)


class VariantForm(forms.Form):
    """One configuration of a judge; the action checks what belongs together."""

    name = forms.CharField(label=pgettext_lazy("of a thing", "Name"), max_length=80)
    chosen = ChosenModelField()
    provider = forms.ChoiceField(label=_("Provider"), required=False)
    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=120,
        help_text=_("As the provider names it. The offline rules need none."),
    )
    prompt = forms.ModelChoiceField(
        JudgePrompt.objects.all(),
        label=pgettext_lazy("to a model", "Prompt"),
        required=False,
        empty_label=_("The built-in prompt"),
    )
    example = forms.ChoiceField(
        label=_("Example"), choices=JudgeVariant.Example.choices, widget=forms.RadioSelect,
        initial=JudgeVariant.Example.OWN,
    )  # fmt: skip
    rater = forms.CharField(
        label=_("Rater"),
        required=False,
        max_length=120,
        help_text=_("Only for the imported example of one rater."),
    )
    calls_mode = forms.ChoiceField(label=_("Calls"), choices=list(CALLS.items()))
    temperature = forms.FloatField(label=_("Temperature"), required=False, min_value=0, max_value=2)
    top_p = forms.FloatField(label=_("Top p"), required=False, min_value=0, max_value=1)
    effort = forms.ChoiceField(
        label=_("Effort"),
        choices=[("", _("as the provider sets it")), *((name, name) for name in EFFORTS)],
        required=False,
    )
    seed = forms.IntegerField(
        label=_("Seed"), required=False, min_value=0, max_value=2**31 - 1,
        help_text=_("Not every provider takes one."),
    )  # fmt: skip
    max_tokens = forms.IntegerField(
        label=_("Most tokens of a reply"), required=False, min_value=64, max_value=1_000_000
    )
    note = forms.CharField(
        label=_("Note"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    PARAMETERS = ("temperature", "top_p", "effort", "seed", "max_tokens")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())
        self.fields["provider"].choices = [  # type: ignore[attr-defined]
            (p.name, _("Offline rules (no model)") if p.name == "offline" else p.label)
            for p in providers.configured()
        ]
        if not self.fields["chosen"].offer():  # type: ignore[attr-defined]
            del self.fields["chosen"]

    def settings(self) -> dict[str, Any]:
        """Return the arguments of the action `make_variant`."""
        values = dict(self.cleaned_data)
        values["provider"], values["model"] = named(values)
        values.pop("chosen", None)
        parameters = {name: values.pop(name) for name in self.PARAMETERS}
        given = {name: value for name, value in parameters.items() if value not in (None, "")}
        return {**values, "parameters": given}
