"""Forms of scoring. They read what was sent; the rules are in the actions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from curation import text
from curation.errors import BadInput
from judge.actions.sheets import RATIONALE_LIMIT

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


class ReasonForm(forms.Form):
    """Why a sheet is handed back."""

    reason = forms.CharField(
        label=_("Why do you hand it back?"),
        help_text=_("A sentence for the staff."),
        max_length=RATIONALE_LIMIT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


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
        line = text.whole_number(row.get("line", "")) if isinstance(row, Mapping) else None
        if line is not None:
            yield line, LineForm({str(k): str(v) for k, v in row.items()})


def read_check(sent: Mapping[str, str], lines: list[int]) -> dict[str, str]:
    """What a senior chose and typed: agrees-ID, remark-ID and remarks, of these lines only.

    agrees-ID is "true" or "false"; or "met" or "unmet", the verdict that counts instead.
    """
    names = [f"{name}-{pk}" for pk in lines for name in ("agrees", "remark")] + ["remarks"]
    read = {name: sent.get(name, "").replace("\r\n", "\n") for name in names}
    for pk in lines:
        if read[f"agrees-{pk}"] not in ("true", "false", "met", "unmet"):
            read[f"agrees-{pk}"] = ""
    return read
