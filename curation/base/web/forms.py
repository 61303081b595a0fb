"""Helpers for the forms of all nouns: reasons, refusals at their fields, filters of lists."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.web.refusals import BadInput


def show_refusal(
    form: forms.BaseForm, refusal: BadInput, *, names: Mapping[str, str] | None = None
) -> None:
    """Add an action's refusal to the errors of a form, at the fields it names.

    Args:
        names: the action's name of a field -> the form's, where they differ.
    """
    if not refusal.fields:
        form.add_error(None, str(refusal.detail))
    for name, sentences in refusal.fields.items():
        field = (names or {}).get(name, name)
        form.add_error(
            field if field in form.fields else None, [str(sentence) for sentence in sentences]
        )


def reason_field(label: Any = "", *, help_text: Any = "", rows: int = 4) -> forms.CharField:
    """Return the field for a reason. The action checks whether it is there and how long it is."""
    return forms.CharField(
        required=False,
        label=label or _("Reason"),
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


class ReasonForm(forms.Form):
    """Asks for the reason of a decision."""

    reason = reason_field()


def usable_values(form: forms.Form) -> Mapping[str, Any]:
    """Return the valid, non-empty values of a filter form."""
    form.is_valid()
    return {name: value for name, value in form.cleaned_data.items() if value}


FormT = TypeVar("FormT", bound=forms.Form)


# --- filters ------------------------------------------------------------------------------------
class PageForm(forms.Form):
    """A filter of a list in pages."""

    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


def days_filter() -> forms.ChoiceField:
    """Return a filter field for how long something has been in its stage."""
    return forms.ChoiceField(
        required=False,
        label=_("In this stage for"),
        choices=[
            ("", _("Any time")),
            ("3", _("3 days or more")),
            ("7", _("a week or more")),
            ("14", _("two weeks or more")),
            ("30", _("30 days or more")),
        ],
    )


def read_filter(form_class: type[FormT], data: QueryDict) -> FormT:
    """Read the filter of a list from the query string.

    Raises:
        BadInput: an unknown parameter or an invalid value; `fields` names each.
    """
    form = form_class(data)
    problems: dict[str, list[Any]] = {
        name: [gettext("This list cannot be narrowed by “%(name)s”.") % {"name": name}]
        for name in sorted(set(data) - set(form.fields))
    }
    if not form.is_valid():
        problems |= {name: [str(e) for e in errors] for name, errors in form.errors.items()}
    if problems:
        raise BadInput(gettext("This list does not support that query."), fields=problems)
    return form


def query_of(data: Mapping[str, Any]) -> str:
    """Return a filter as the start of a query string ("a=1&"), without the page number."""
    kept = QueryDict(mutable=True)
    kept.update({k: v for k, v in data.items() if v and k != "page"})
    return f"{kept.urlencode()}&" if kept else ""


def parse_int(value: str | None) -> int | None:
    """Parse a whole number of at most nine digits, possibly negative; None for anything else."""
    sign = (value or "").removeprefix("-")
    return int(value or "") if sign.isascii() and sign.isdigit() and len(sign) < 10 else None
