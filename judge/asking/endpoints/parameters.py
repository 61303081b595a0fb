"""The parameters of a call by our names: which there are, and which a model may be given.

`judge.asking.providers` turns each into the vendor's own words.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from curation.base.text import storable
from judge.asking import providers
from judge.asking.calls.models import Call
from judge.asking.endpoints.models import ServedModel
from judge.asking.providers import MAX_OUTPUT_TOKENS
from judge.asking.providers.vendor import Vendor

Purpose = Call.Purpose

PURPOSES = tuple(purpose for purpose in Purpose if purpose != Purpose.TEST)
SEARCHING = (Purpose.ANSWER, Purpose.BASELINE)
"""Only who answers a task may search the web: a judge has to judge by what it is shown."""

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
MOST_TEMPERATURE = 2.0
MOST_TOKENS = 1_000_000
MOST_SEED = 2**31 - 1
MOST_SYSTEM = 8_000  # characters
NAMES = ("temperature", "top_p", "effort", "seed", "max_tokens", "system", "search")

_NUMBERS = {
    "temperature": (float, 0.0, MOST_TEMPERATURE),
    "top_p": (float, 0.0, 1.0),
    "seed": (int, 0, MOST_SEED),
    "max_tokens": (int, 1, MOST_TOKENS),
}


def takes_seed(served: ServedModel) -> bool:
    """Return whether the endpoint of a model takes a seed: Anthropic's requests have none."""
    asked = providers.get(served.provider)
    return isinstance(asked, Vendor) and asked.protocol != "anthropic"


def problems_with(served: ServedModel, purpose: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Return parameter -> why it cannot be used with this model for this purpose.

    Args:
        values: what is set, by the names in `NAMES`; what is left out is left to the model.
    """
    found: dict[str, str] = {}
    for name, value in values.items():
        problem = _problem(served, purpose, name, value)
        if problem:
            found[name] = problem
    return found


def _problem(served: ServedModel, purpose: str, name: str, value: Any) -> str:
    if name in _NUMBERS:
        kind, low, high = _NUMBERS[name]
        right = isinstance(value, int | kind) and not isinstance(value, bool)
        if not right or not low <= value <= high:
            return _("Between %(low)s and %(high)s.") % {"low": f"{low:,}", "high": f"{high:,}"}
        if name == "seed" and not takes_seed(served):
            return _("Anthropic's requests have no seed.")
        most = served.most_output_tokens
        if name == "max_tokens" and most is not None and value > most:
            return _("This model writes %(most)s tokens at most.") % {"most": f"{most:,}"}
        return ""
    if name == "effort":
        if value not in EFFORTS:
            return _("Choose one of: %(known)s.") % {"known": ", ".join(EFFORTS)}
        return "" if served.effort else _("This model has no levels of effort.")
    if name == "system":
        return storable.problem_with(value, limit=MOST_SYSTEM) or ""
    if name == "search":
        if value is not True:
            return _("Choose: search, or not.")
        if purpose not in SEARCHING:
            return _("Only a model that answers a task may search the web.")
        return "" if served.search else _("This model cannot search the web.")
    return _("There is no such parameter.")


def given_to(served: ServedModel, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a call: what is set, and what the model's limits make of it."""
    found = {name: values[name] for name in NAMES if name in values}
    if not served.structured_output:
        found["structured_output"] = False
    most = served.most_output_tokens
    if most is not None and most < found.get("max_tokens", MAX_OUTPUT_TOKENS):
        found["max_tokens"] = most
    return found
