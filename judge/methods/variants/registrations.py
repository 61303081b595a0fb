"""What variants of judges give to the nouns below."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from curation.staff.programme_settings import declared
from curation.staff.programme_settings.declared import of_states
from judge.methods.variants.models import JudgeDefault, JudgePrompt, JudgeVariant


def _variant(value: Any) -> Any:
    return _("settings by hand") if value is None else str(value)


parts.register(
    Part("judge_prompts", JudgePrompt, "by", ("number", "content", "note", "at")),
    Part("judge_variants", JudgeVariant, "by", ("name", "note", "at")),
    Part("judge_defaults", JudgeDefault, "set_by", ("number", "variant__name", "reason", "since")),
)
declared.register(
    of_states(
        "judge-default",
        "scoring",
        gettext_lazy("Judge of new runs"),
        JudgeDefault,
        "judge-workshop",
        {"variant": gettext_lazy("Variant")},
        _variant,
        lambda: {"variant": None},
        place=7,
    ),
)
