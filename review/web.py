"""Form helpers of the review app. The actions validate what was typed."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from curation.base.web.forms import parse_int


def wording(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's suggestion for a line: any of text, importance, weight and dimension."""
    found: dict[str, Any] = {}
    for name in ("text", "importance", "weight", "dimension"):
        value = data.get(f"suggest_{name}")
        if value is not None:
            found[name] = value
    if "weight" in found:
        number = parse_int(found["weight"])
        found["weight"] = found["weight"] if number is None else number
    return found


YES_NO = [("yes", _("Yes")), ("no", _("No"))]
