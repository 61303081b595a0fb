"""The form of the rules of rubrics."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.web.fields import set_numbers
from rubrics.policy.actions import RULES
from rubrics.policy.policy import RubricPolicy


class RulesForm(forms.ModelForm):
    """The rules of a domain's rubrics."""

    class Meta:
        model = RubricPolicy
        fields = RULES
        labels = {
            "fewest": _("Lines at least"),
            "most": _("Lines at most"),
            "beyond": _("Fewer or more lines than that"),
            "reference": _("The author's TRUE or FALSE of the reference answer on each line"),
        }
        help_texts = {
            "beyond": _("The author's reason is in the record of the task."),
            "reference": _(
                "A line the reference answer does not meet is unclear, or the answer is."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_numbers(self.fields.values())

    def _post_clean(self) -> None:
        """Skip the model's validation: the action validates the rules."""

    def rules(self) -> dict[str, Any]:
        """Return the arguments of `actions.change_rules`."""
        return {name: self.cleaned_data[name] for name in RULES}
