"""Staff's page of an expert's profile and certificates."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text import wording
from curation.base.web.fields import DayField
from curation.base.web.forms import reason_field
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User, access_person
from curation.qualifying.applications.models import Certification
from curation.qualifying.applications.profiles import (
    CertificateCheck,
    ExpertProfile,
    Profile,
    certificates,
    check_certificate,
    enter_profile,
    profiles_of,
)

LANGUAGES = ("language_1", "language_2", "language_3")


class ProfileForm(forms.Form):
    """Degree, beginning of the practice and languages of an expert."""

    degree = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("Degree or licence")
    )
    practising_since = forms.IntegerField(
        required=False,
        label=gettext_lazy("In practice since"),
        help_text=gettext_lazy("A year, so that the years of practice go on by themselves."),
        widget=forms.NumberInput(attrs={"class": "is-num", "inputmode": "numeric"}),
        error_messages={
            "invalid": gettext_lazy("Give the year with four digits, for example 2014.")
        },
    )
    language_1 = forms.ChoiceField(
        required=False, label=gettext_lazy("The language they work in best")
    )
    language_2 = forms.ChoiceField(required=False, label=gettext_lazy("Second language"))
    language_3 = forms.ChoiceField(required=False, label=gettext_lazy("Third language"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in LANGUAGES:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", gettext_lazy("not known")), *wording.choices()]

    def values(self) -> dict[str, Any]:
        """Return the arguments of `enter_profile`."""
        said = self.cleaned_data
        return {
            "degree": said["degree"],
            "practising_since": said["practising_since"],
            "languages": [said[name] for name in LANGUAGES if said[name]],
        }


class CheckForm(forms.Form):
    """What the check of a certificate found, and until when the certificate holds."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Result"), choices=CertificateCheck.Outcome.choices
    )
    checked_on = DayField(label=gettext_lazy("Checked on"))
    valid_until = DayField(
        label=gettext_lazy("Valid until"), help_text=gettext_lazy("Empty if it does not expire.")
    )
    how = reason_field(
        gettext_lazy("Where you looked"),
        help_text=gettext_lazy(
            "The register with the number of the entry, or the document. Staff read it."
        ),
        rows=2,
    )


@once
def staff_profile(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a person's profile and certificates; a POST enters the profile."""
    person = access_person(pk)
    known = profiles_of([person.pk]).get(person.pk, Profile())
    form = ProfileForm(request.POST or None, initial=_initial(known))
    names = {"languages": "language_1"}
    with refused_at(form, names=names):
        if request.method == "POST" and form.is_valid():
            enter_profile(actor=request.user, person=person, **form.values())
            said = _("The profile of %(who)s is stored.") % {"who": person.pseudonym}
            return go(request, said, "staff-profile", person.pk)
    return _page(request, person, known, form)


@once
def staff_certificate_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Record the check of a certificate."""
    found = Certification.objects.select_related("application__user").filter(pk=pk).first()
    if found is None:
        raise NotFound
    form = CheckForm(request.POST, prefix=f"check-{pk}")
    with refused_at(form):
        if form.is_valid():
            check_certificate(actor=request.user, certification=found, **form.cleaned_data)
            said = _("The check of “%(title)s” is on the record.") % {"title": found.title}
            return go(request, said, "staff-profile", found.application.user_id)
    person = found.application.user
    known = profiles_of([person.pk]).get(person.pk, Profile())
    return _page(request, person, known, ProfileForm(initial=_initial(known)), form, pk)


def _initial(known: Profile) -> dict[str, Any]:
    year = timezone.localdate().year
    return {
        "degree": known.degree,
        "practising_since": None if known.years is None else year - known.years,
        **dict(zip(LANGUAGES, known.languages, strict=False)),
    }


def _page(
    request: HttpRequest,
    person: User,
    known: Profile,
    form: ProfileForm,
    wrong: CheckForm | None = None,
    wrong_pk: int = 0,
) -> HttpResponse:
    today = {"checked_on": timezone.localdate()}
    rows = [
        {
            "found": one,
            "checks": one.checks,
            "form": wrong
            if wrong and one.certification.pk == wrong_pk
            else CheckForm(prefix=f"check-{one.certification.pk}", initial=today),
        }
        for one in certificates([person.pk])
    ]
    history = ExpertProfile.objects.filter(user=person).select_related("entered_by")
    return render(
        request,
        "qualifying/expert_profiles/profile.html",
        {
            "person": person,
            "known": known,
            "languages": [wording.name_of(code) for code in known.languages],
            "form": form,
            "rows": rows,
            "history": history,
        },
        status=status_of(wrong or form),
    )
