"""What the rubric's pages send, read from a request. The actions judge it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rubrics.actions.rules import RULES
from rubrics.diff import CONTENT
from rubrics.rules import RubricPolicy


def line_fields(data: Mapping[str, str]) -> dict[str, Any]:
    """The line's fields that were sent; a weight in digits becomes a number."""
    fields: dict[str, Any] = {name: data[name] for name in CONTENT if name in data}
    weight = fields.get("weight", "")
    if weight.isascii() and weight.isdigit() and len(weight) < 4:
        fields["weight"] = int(weight)
    return fields


def whole(value: str | None) -> int | None:
    """A whole number from a query or a form; None for anything else."""
    sign = (value or "").removeprefix("-")
    return int(value or "") if sign.isascii() and sign.isdigit() and len(sign) < 10 else None


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
            "beyond": _("The author's reason stands in the record of the task."),
            "reference": _(
                "A line the reference answer does not meet is unclear, or the answer is."
            ),
        }

    def _post_clean(self) -> None:
        """The action checks the rules, once for every door."""

    def rules(self) -> dict[str, Any]:
        """What `actions.change_rules` takes."""
        return {name: self.cleaned_data[name] for name in RULES}
