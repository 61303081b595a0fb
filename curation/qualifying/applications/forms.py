"""Forms of an application. The rules are in the actions."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.base.text import wording
from curation.joining.domains.models import Domain
from curation.qualifying.applications.actions import (
    MOST_CERTIFICATIONS,
    is_plausible_year,
    problem_with_years,
)
from curation.qualifying.applications.models import MIN_YEARS

_ROW = re.compile(r"cert-(\d{1,3})-(title|issuer|year)")
PROFILE = ("domain", "affiliation", "degree", "years", "credentials")
LANGUAGES = ("language_1", "language_2", "language_3")


class ApplicationForm(forms.Form):
    """An applicant's domain and profile. Certifications are rows beside it (`rows_in`)."""

    domain = forms.ModelChoiceField(
        Domain.objects.none(),
        label=_("Domain"),
        empty_label=_("Choose a domain"),
        help_text=_("The profession you practise. You can apply for another one later."),
    )
    affiliation = forms.CharField(
        max_length=200,
        label=_("Affiliation"),
        help_text=_(
            "Your firm, hospital, court, school or faculty. Used to keep you from "
            "judging a colleague's work."
        ),
    )
    degree = forms.CharField(max_length=200, label=_("Degree or licence"))
    years = forms.IntegerField(
        label=_("Years of practice"),
        widget=forms.NumberInput(attrs={"class": "is-num", "inputmode": "numeric"}),
        error_messages={"invalid": _("Give the years as a whole number, for example 5.")},
    )
    credentials = forms.CharField(
        max_length=5000,
        label=_("What you have done"),
        help_text=_(
            "Two to five sentences: positions, kinds of cases, examinations passed. "
            "Only the staff read this."
        ),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    language_1 = forms.ChoiceField(label=_("The language you work in best"))
    language_2 = forms.ChoiceField(required=False, label=_("Second language"))
    language_3 = forms.ChoiceField(required=False, label=_("Third language"))
    consent = forms.BooleanField(
        label=_("I have read the terms and agree to them."),
        error_messages={
            "required": _("The programme can only work with people who agree to its terms.")
        },
    )
    terms_version = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, domains: QuerySet[Domain], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, each in self.fields.items():
            if name != "consent":
                each.error_messages["required"] = _("Please fill this in.")
        self.fields["years"].help_text = _("At least %(min)s.") % {"min": MIN_YEARS}
        choice = self.fields["domain"]
        assert isinstance(choice, forms.ModelChoiceField)
        choice.queryset = domains
        for name in LANGUAGES:
            select = self.fields[name]
            assert isinstance(select, forms.ChoiceField)
            empty = _("Choose a language") if name == "language_1" else _("None")
            select.choices = [("", empty), *wording.choices()]

    def clean_years(self) -> int:
        """Check the years here, so that the error is shown together with all others."""
        years: int = self.cleaned_data["years"]
        wrong = problem_with_years(years)
        if wrong:
            raise forms.ValidationError(wrong)
        return years

    def clean(self) -> dict[str, Any]:
        """Report a language that was chosen twice at its second field."""
        values = super().clean() or {}
        seen: set[str] = set()
        for name in LANGUAGES:
            code = values.get(name, "")
            if code in seen:
                self.add_error(name, _("You chose this language already. Choose another or none."))
            elif code:
                seen.add(code)
        return values

    def profile(self) -> dict[str, Any]:
        """Return the arguments of `actions.apply` that come from this form."""
        values = {name: self.cleaned_data[name] for name in PROFILE}
        values["languages"] = [v for name in LANGUAGES if (v := self.cleaned_data[name])]
        values["terms_version"] = (
            self.cleaned_data["terms_version"] if self.cleaned_data["consent"] else ""
        )
        return values


@dataclass
class CertificationRow:
    """One certification as typed.

    Attributes:
        number: part of the names of its fields; orders the rows.
        error: why the row was refused; "" if it was not.
        wrong: the field it is about.
        had_file: whether a file was chosen; after a refusal it has to be chosen again.
    """

    number: int
    title: str = ""
    issuer: str = ""
    year: str = ""
    error: str = ""
    wrong: str = "title"
    had_file: bool = field(default=False)

    @property
    def is_blank(self) -> bool:
        return not (self.title.strip() or self.issuer.strip() or self.year.strip())

    @property
    def file_name(self) -> str:
        return f"cert-{self.number}-file"


def rows_in(data: Mapping[str, Any], files: Iterable[str] = ()) -> list[CertificationRow]:
    """Return the certification rows of a posted form or of a draft, by number.

    Args:
        files: names of the file fields in which a file was chosen.
    """
    rows: dict[int, CertificationRow] = {}
    for name in data:
        match = _ROW.fullmatch(name)
        if match:
            row = rows.setdefault(int(match[1]), CertificationRow(int(match[1])))
            setattr(row, match[2], str(data[name])[:1000])
    with_file = set(files)
    for row in rows.values():
        row.had_file = row.file_name in with_file
    return [rows[n] for n in sorted(rows)][:MOST_CERTIFICATIONS]


def check_rows(rows: list[CertificationRow]) -> list[dict[str, Any]]:
    """Return the arguments of `actions.apply`; set `error` on rows that cannot be used.

    Rows without text and without a file are skipped.
    """
    found = []
    for row in rows:
        if row.is_blank and not row.had_file:
            continue
        year = row.year.strip()
        if row.title.strip() == "":
            row.error = gettext("Give each certification its title, or leave its row empty.")
        elif year and not (year.isascii() and year.isdecimal() and is_plausible_year(int(year))):
            row.wrong = "year"
            row.error = gettext("Give the year the certification was granted, with four digits.")
        else:
            found.append(
                {"title": row.title, "issuer": row.issuer, "year": int(year) if year else None}
            )
    return found


class CertificationForm(forms.Form):
    """Adds a certification on the application's page."""

    title = forms.CharField(
        max_length=200,
        label=_("Certification or licence"),
        error_messages={"required": _("Give each certification its title.")},
    )
    issuer = forms.CharField(max_length=200, required=False, label=_("Issued by"))
    year = forms.IntegerField(
        required=False,
        label=_("Year"),
        widget=forms.NumberInput(attrs={"class": "is-num", "inputmode": "numeric"}),
    )
