"""What every new or changed text of a task goes through, whoever writes it."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.refusals import BadInput
from curation.tasks.task.fields import FIELD, Kind


def new_key() -> str:
    """Return a new random key for a task: short and readable."""
    return f"t-{secrets.token_hex(5)}"


def clean_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with line breaks and titles normalised.

    Raises:
        BadInput: fields that are unknown or cannot be stored, all of them at once.
    """
    problems: dict[str, list[str]] = {}
    values = dict(fields)
    for name, value in fields.items():
        field = FIELD.get(name)
        if field is None:
            problems[name] = [_("This field is not part of a task.")]
        elif problem := field.problem_with(value):
            problems[name] = [problem]
        elif field.is_text:
            values[name] = value.replace("\r\n", "\n").replace("\r", "\n")
            if field.kind is Kind.LINE:
                values[name] = storable.one_line(values[name])
    if problems:
        raise BadInput(fields=problems)
    return values
