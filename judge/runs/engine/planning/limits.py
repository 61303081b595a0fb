"""The limits of a run: what it may cost, how many calls it may make, and how many at once."""

from django.utils.translation import gettext as _

from judge.asking.calls.budgets import MOST_CALLS

MAX_CONCURRENCY = 256


def problems_with_limits(
    *, concurrency: int | None, budget_micro: int | None, max_calls: int | None
) -> dict[str, list[str]]:
    """Return field -> what is wrong with it, for limits that no run can have; None is always right.

    Args:
        concurrency: calls under way at once.
        budget_micro: millionths of a dollar.
        max_calls: calls, failed ones too.
    """
    fields: dict[str, list[str]] = {}
    if concurrency is not None and not 1 <= concurrency <= MAX_CONCURRENCY:
        fields["concurrency"] = [
            _("Between 1 and %(most)s calls can be under way at once.") % {"most": MAX_CONCURRENCY}
        ]
    if budget_micro is not None and budget_micro < 0:
        fields["budget_usd"] = [_("A budget cannot be negative.")]
    if max_calls is not None and not 0 <= max_calls <= MOST_CALLS:
        fields["max_calls"] = [
            _("The number of calls must be between 0 and %(most)s.") % {"most": f"{MOST_CALLS:,}"}
        ]
    return fields
