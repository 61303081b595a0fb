"""Pages of the texts of the judge's prompt and of variants."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.fields import set_numbers
from curation.base.web.forms import reason_field
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.asking import providers
from judge.asking.endpoints.choices import ChosenModelField, named
from judge.asking.endpoints.parameters import EFFORTS
from judge.asking.prompts import PromptFile, load
from judge.asking.prompts.judge_template import JudgeText, template_from, text_of
from judge.methods.variants import actions, queries
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


@once
def prompt_new(request: HttpRequest) -> HttpResponse:
    """Write a text of the judge's prompt, beginning with the built-in one or another version."""
    base, name = _base(request)
    form = PromptForm(
        request.POST if request.method == "POST" else None,
        initial={"instructions": base.instructions, "example": base.example},
    )
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            made = actions.write_prompt(actor=request.user, **form.cleaned_data)
            return go(
                request,
                gettext("Stored. Make a variant with it, then compare it with what is in use."),
                "judge-prompt",
                made.number,
            )
    return render(
        request,
        "results/workshop/prompt_new.html",
        {"form": form, "base": name},
        status=status_of(form),
    )


def prompt(request: HttpRequest, number: int) -> HttpResponse:
    """Show a text of the prompt beside the built-in one."""
    found = get_object_or_404(JudgePrompt.objects.select_related("by"), number=number)
    template = template_from(found.content)
    return render(
        request,
        "results/workshop/prompt.html",
        {
            "prompt": found,
            "text": text_of(template),
            "built_in": text_of(load("judge")),
            "whole": _sections(template),
            "variants": found.variants.order_by("name"),
        },
    )


@once
def variant_new(request: HttpRequest) -> HttpResponse:
    form = VariantForm(request.POST if request.method == "POST" else None, initial=_given(request))
    if request.method == "POST" and form.is_valid():
        with refused_at(form, names={"parameters": "temperature"}):
            made = actions.make_variant(actor=request.user, **form.settings())
            return go(
                request,
                gettext("Stored. Compare it with another variant, or use it for new runs."),
                "judge-variant",
                made.pk,
            )
    return render(
        request, "results/workshop/variant_new.html", {"form": form}, status=status_of(form)
    )


def variant(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a variant with its runs."""
    found = get_object_or_404(JudgeVariant.objects.select_related("prompt", "by"), pk=pk)
    return render(
        request,
        "results/workshop/variant.html",
        {
            "variant": found,
            "settings": queries.settings_in_words(found),
            "runs": found.runs.all()[:20],
            "is_default": queries.current_default() == found,
        },
    )


def _base(request: HttpRequest) -> tuple[JudgeText, str]:
    """Return the text to begin with and its name: of the version named by `from`."""
    wanted = request.GET.get("from", "")
    if not wanted:
        return text_of(load("judge")), gettext("the built-in prompt")
    number = storable.whole_number(wanted, digits=9)
    found = None if number is None else JudgePrompt.objects.filter(number=number).first()
    if found is None:
        raise NotFound()
    return text_of(template_from(found.content)), str(found)


def _given(request: HttpRequest) -> dict[str, Any]:
    """Return what a link to the form fills in: the prompt that was just written."""
    number = storable.whole_number(request.GET.get("prompt", ""), digits=9)
    found = None if number is None else JudgePrompt.objects.filter(number=number).first()
    return {"prompt": found.pk} if found else {}


def _sections(template: PromptFile) -> list[tuple[str, str]]:
    names = {
        "prefix": gettext("Before the example"),
        "exemplar": gettext("The example"),
        "suffix": gettext("The response to judge"),
    }
    return [(names[name], text) for name, text in template.sections.items() if name in names]
