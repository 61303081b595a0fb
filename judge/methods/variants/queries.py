"""The text of a run's prompt, and the variants that pages offer."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from judge.asking.prompts import PromptFile, load
from judge.asking.prompts.judge_template import template_from
from judge.asking.providers import label_of
from judge.methods.variants.models import JudgeDefault, JudgeVariant

CALLS = {
    "per_response": gettext_lazy("One call per response"),
    "per_criterion": gettext_lazy("One call per line"),
}


def template_of(variant: JudgeVariant | None) -> PromptFile:
    """Return the text of the judge's prompt: the built-in one, or that of a variant."""
    if variant is None or variant.prompt is None:
        return load("judge")
    return template_from(variant.prompt.content)


def current_default() -> JudgeVariant | None:
    """Return the variant that new runs begin with; None for settings by hand. One query."""
    row = JudgeDefault.objects.select_related("variant__prompt").first()
    return row.variant if row else None


def prompt_label(variant: JudgeVariant) -> str:
    """Return the name of a variant's prompt."""
    return str(variant.prompt) if variant.prompt else _("The built-in prompt")


def settings_in_words(variant: JudgeVariant) -> list[tuple[str, str]]:
    """Return (name, value) of every setting of a variant."""
    example = str(JudgeVariant.Example(variant.example).label)
    return [
        (_("Judge"), f"{label_of(variant.provider)} {variant.model}"),
        (pgettext("to a model", "Prompt"), prompt_label(variant)),
        (_("Example"), f"{example}: {variant.rater}" if variant.rater else example),
        (_("Calls"), str(CALLS.get(variant.calls_mode, variant.calls_mode))),
        (_("Parameters"), parameters_in_words(variant.parameters)),
    ]


def parameters_in_words(parameters: dict[str, Any]) -> str:
    """Return the parameters as text; those of the provider where there are none."""
    if not parameters:
        return _("as the provider sets them")
    return ", ".join(f"{name} {value}" for name, value in sorted(parameters.items()))


def differences(first: JudgeVariant, second: JudgeVariant) -> list[tuple[str, str, str]]:
    """Return (name, first, second) of each setting in which two variants differ."""
    rows = zip(settings_in_words(first), settings_in_words(second), strict=True)
    return [(name, one, two) for (name, one), (_name, two) in rows if one != two]
