"""Forms of review. They carry what was typed; the actions judge it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.web.forms import whole


def wording(data: Mapping[str, Any]) -> dict[str, Any]:
    """A line as a form proposes it: any of text, importance, weight and dimension."""
    found: dict[str, Any] = {}
    for name in ("text", "importance", "weight", "dimension"):
        value = data.get(f"suggest_{name}")
        if value is not None:
            found[name] = value
    if "weight" in found:
        number = whole(found["weight"])
        found["weight"] = found["weight"] if number is None else number
    return found


YES_NO = [("yes", _("Yes")), ("no", _("No"))]
