"""Fields read from the requests of the rubric's pages. The actions validate them."""

from collections.abc import Mapping
from typing import Any

from rubrics.versions.diff import CONTENT


def line_fields(data: Mapping[str, str]) -> dict[str, Any]:
    """Return the line's fields that were sent; a weight in digits becomes an int."""
    fields: dict[str, Any] = {name: data[name] for name in CONTENT if name in data}
    weight = fields.get("weight", "")
    if weight.isascii() and weight.isdigit() and len(weight) < 4:
        fields["weight"] = int(weight)
    return fields
