"""Forms of scoring; they parse the input, and the actions check the rules."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.base.web.forms import reason_field
from curation.base.web.refusals import BadInput

_MOST_PENDING = 2_000_000  # characters of unsaved lines sent with a submission


def _as_met(value: str) -> bool:
    return value == "true"


class LineForm(forms.Form):
    """One line of a sheet: verdict, rationale, and the version of the line the page showed."""

    met = forms.TypedChoiceField(
        choices=[("true", _("TRUE")), ("false", _("FALSE"))],
        required=False,
        coerce=_as_met,
        empty_value=None,
    )
    rationale = forms.Field(required=False)
    version = forms.IntegerField(required=False, min_value=0)

    def values(self) -> dict[str, Any]:
        """Return the arguments of the actions.

        Raises:
            BadInput: the verdict or the version is not valid.
        """
        if not self.is_valid():
            raise BadInput(fields={name: list(texts) for name, texts in self.errors.items()})
        data = self.cleaned_data
        return {
            "met": data["met"],
            "rationale": data["rationale"] or "",
            "version": data["version"],
        }


class HandBackForm(forms.Form):
    """The reason for handing a sheet back."""

    reason = reason_field(_("Why do you hand it back?"), help_text=_("A sentence for the staff."))


def pending_lines(sent: str) -> Iterator[tuple[int, LineForm]]:
    """Yield (id of the line, form) for the lines that were unsaved when a sheet was submitted.

    The page's script wrote the field, so malformed entries are skipped without a message; the
    submission itself reports lines that are missing.
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
