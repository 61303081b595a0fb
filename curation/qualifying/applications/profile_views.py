"""Staff's page of an expert's profile and certificates."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.text import language_names
from curation.base.web.once import once
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people.access import access_person
from curation.joining.people.models import User
from curation.qualifying.applications.models import Certification
from curation.qualifying.applications.profile_actions import check_certificate, enter_profile
from curation.qualifying.applications.profile_forms import LANGUAGES, CheckForm, ProfileForm
from curation.qualifying.applications.profile_models import ExpertProfile
from curation.qualifying.applications.profile_queries import Profile, certificates, profiles_of


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
            "languages": [language_names.name_of(code) for code in known.languages],
            "form": form,
            "rows": rows,
            "history": history,
        },
        status=status_of(wrong or form),
    )
