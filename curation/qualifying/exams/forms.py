"""Forms of the exam: a candidate's answers, and a senior's grade."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from curation.qualifying.exams.bank_forms import K


# --- a candidate's answers ------------------------------------------------------------------------
def read_answers(data: QueryDict, questions: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Read a posted exam: question key -> answer, without the questions that were not sent.

    The page sends the indexes of options as shown; the answers hold their indexes in the bank. A
    choice sends `q-<key>` once per chosen option. A multiple choice also sends `m-<key>`, which
    tells an empty choice from a question that was not sent. An ordering sends `o-<key>-<index>`
    for each item, with the rank it got.
    """
    found: dict[str, Any] = {}
    for question in questions:
        key, kind, order = question["key_id"], question["kind"], question["order"]
        name = f"q-{key}"
        if kind in (K.NUMERIC, K.SHORT):
            if name in data:
                found[key] = data[name]
        elif kind == K.ORDERING:
            if any(f"o-{key}-{place}" in data for place in range(len(order))):
                found[key] = _ranked(data, key, order)
        elif name in data or f"m-{key}" in data:
            found[key] = [_in_bank(value, order) for value in data.getlist(name)]
    return found


def _in_bank(value: str, order: Sequence[int]) -> Any:
    """Return the index in the bank of a shown index; other values as they are, to be refused."""
    shown = int(value) if value.isdecimal() and len(value) < 4 else None
    return order[shown] if shown is not None and shown < len(order) else value


def _ranked(data: QueryDict, key: str, order: Sequence[int]) -> list[int | None]:
    """Return the items by rank, None for a rank without an item.

    Items with an invalid rank or one that is taken are left out; without any item it is [].
    """
    found: list[int | None] = [None] * len(order)
    for shown, place in enumerate(order):
        raw = data.get(f"o-{key}-{shown}", "").strip()
        rank = int(raw) if raw.isdecimal() and len(raw) < 4 else 0
        if 1 <= rank <= len(order) and found[rank - 1] is None:
            found[rank - 1] = place
    return found if any(place is not None for place in found) else []


def read_numbers(data: QueryDict, prefix: str, questions: Iterable[Mapping[str, Any]]) -> Any:
    """Read whole numbers sent with the answers: `s-<key>` seconds in view, `a-<key>` age."""
    found: dict[str, int] = {}
    for question in questions:
        raw = data.get(f"{prefix}-{question['key_id']}", "")
        if raw.isdecimal() and raw.isascii() and len(raw) < 7:
            found[question["key_id"]] = int(raw)
    return found


# --- seniors --------------------------------------------------------------------------------------
class MarkForm(forms.Form):
    """The points of an answer, and a remark for the candidate."""

    points = forms.TypedChoiceField(
        coerce=int,
        label=_("Points"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the points.")},
    )
    remark = forms.CharField(
        required=False,
        max_length=2000,
        label=_("Remark to the candidate"),
        help_text=_("What was missing, without giving the right answer away. Not signed."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, *args: Any, most: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["points"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(n, str(n)) for n in range(most + 1)]
