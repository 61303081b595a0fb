"""What forms of all nouns share: a reason, refusals shown at their fields, filters of lists."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.web.refusals import BadInput


def show_refusal(
    form: forms.BaseForm, refusal: BadInput, *, names: Mapping[str, str] | None = None
) -> None:
    """Show an action's refusal at the fields it names, with everything typed kept.

    Args:
        names: the action's word for a field -> the form's, where they differ.
    """
    if not refusal.fields:
        form.add_error(None, str(refusal.detail))
    for name, sentences in refusal.fields.items():
        field = (names or {}).get(name, name)
        form.add_error(
            field if field in form.fields else None, [str(sentence) for sentence in sentences]
        )


def reason_field(label: Any = "", *, help_text: Any = "", rows: int = 4) -> forms.CharField:
    """The field of a reason. Whether there is one, and how long, is the action's to ask."""
    return forms.CharField(
        required=False,
        label=label or _("Reason"),
        help_text=help_text,
        widget=forms.Textarea(attrs={"rows": rows}),
    )


class ReasonForm(forms.Form):
    """A decision with its reason."""

    reason = reason_field()


def kept(form: forms.Form) -> Mapping[str, Any]:
    """The usable values of a filter; what cannot be used is left out."""
    form.is_valid()
    return {name: value for name, value in form.cleaned_data.items() if value}


FormT = TypeVar("FormT", bound=forms.Form)


# --- filters ------------------------------------------------------------------------------------
class _Page(forms.Form):
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


def read_filter(form_class: type[FormT], data: QueryDict) -> FormT:
    """The filter a page was asked with, checked against its list of allowed parameters.

    Raises:
        BadInput: an unknown parameter or an unusable value, each named.
    """
    form = form_class(data)
    problems: dict[str, list[Any]] = {
        name: [gettext("This list cannot be narrowed by “%(name)s”.") % {"name": name}]
        for name in sorted(set(data) - set(form.fields))
    }
    if not form.is_valid():
        problems |= {name: [str(e) for e in errors] for name, errors in form.errors.items()}
    if problems:
        raise BadInput(
            gettext("This list was asked for in a way it does not know."), fields=problems
        )
    return form


def query_of(data: Mapping[str, Any]) -> str:
    """The filters of a page as the start of a query string, without its page."""
    kept = QueryDict(mutable=True)
    kept.update({k: v for k, v in data.items() if v and k != "page"})
    return f"{kept.urlencode()}&" if kept else ""


def whole(value: str | None) -> int | None:
    """A whole number from a query or a form; None for anything else."""
    sign = (value or "").removeprefix("-")
    return int(value or "") if sign.isascii() and sign.isdigit() and len(sign) < 10 else None
