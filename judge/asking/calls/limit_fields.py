"""Fields for what work may cost and how many calls it may make; empty for no limit."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judge.asking.calls.budgets import MOST_CALLS

MOST_DOLLARS = 1_000_000


class BudgetField(forms.DecimalField):
    """An optional amount of dollars with two decimals
    (`judge.asking.calls.cost.in_micro_dollars`).
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Budget in dollars"))
        super().__init__(
            required=False, min_value=0, max_value=MOST_DOLLARS, decimal_places=2, **options
        )


class MaxCallsField(forms.IntegerField):
    """An optional number of calls."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Most calls"))
        super().__init__(required=False, min_value=0, max_value=MOST_CALLS, **options)
