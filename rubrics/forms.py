"""What the rubric's pages send, read from a request. The actions judge it."""

from collections.abc import Mapping
from typing import Any

from rubrics.diff import CONTENT


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
