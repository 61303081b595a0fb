"""Forms of scoring. They read what was sent; the rules are in the actions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.text import storable
from curation.web.forms import reason_field
from curation.web.refusals import BadInput

_MOST_PENDING = 2_000_000  # characters of lines sent along with a submission


def _as_met(value: str) -> bool:
    return value == "true"


class LineForm(forms.Form):
    """One line of a sheet: verdict, reason, and the version the page was read with."""

    met = forms.TypedChoiceField(
        choices=[("true", _("TRUE")), ("false", _("FALSE"))],
        required=False,
        coerce=_as_met,
        empty_value=None,
    )
    rationale = forms.Field(required=False)
    version = forms.IntegerField(required=False, min_value=0)

    def values(self) -> dict[str, Any]:
        """What the actions take.

        Raises:
            BadInput: a verdict that is none.
        """
        if not self.is_valid():
            raise BadInput(fields={name: list(said) for name, said in self.errors.items()})
        data = self.cleaned_data
        return {
            "met": data["met"],
            "rationale": data["rationale"] or "",
            "version": data["version"],
        }


class HandBackForm(forms.Form):
    """Why a sheet is handed back."""

    reason = reason_field(_("Why do you hand it back?"), help_text=_("A sentence for the staff."))


def pending_lines(sent: str) -> Iterator[tuple[int, LineForm]]:
    """The lines that were still unsaved when a sheet was submitted, as forms.

    A fault here is a fault of the script that wrote the field, so it is passed over: a line that
    is missing is named by the submission itself.
    """
    if not sent or len(sent) > _MOST_PENDING:
        return
    try:
        rows = json.loads(sent)
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else []:
        line = storable.whole_number(row.get("line", "")) if isinstance(row, Mapping) else None
        if line is not None:
            yield line, LineForm({str(k): str(v) for k, v in row.items()})
