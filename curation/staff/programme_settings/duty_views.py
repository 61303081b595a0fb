"""Pages on which an administrator appoints staff and assigns duties."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.duties import Duty
from curation.base.web.forms import ReasonForm, reason_field
from curation.base.web.once import once
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from curation.joining.people import User
from curation.staff.programme_settings import duties as actions
from curation.staff.programme_settings import duties as queries


class DutiesForm(forms.Form):
    """The duties of a member of staff, and why."""

    duties = forms.MultipleChoiceField(
        label=gettext_lazy("Duties"),
        choices=Duty.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Without any, a member of staff reads every page and changes nothing."
        ),
    )
    reason = reason_field(rows=2)


class AppointForm(DutiesForm):
    """Somebody with an account who becomes staff."""

    person = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        help_text=gettext_lazy("Of an account that exists already."),
    )
    field_order = ("person", "duties", "reason")


@once
def staff_members(request: HttpRequest) -> HttpResponse:
    """List the members of staff with their duties, and appoint another one."""
    form = AppointForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            person = _with_address(form.cleaned_data["person"])
            actions.appoint_staff(
                actor=request.user,
                person=person,
                duties=form.cleaned_data["duties"],
                reason=form.cleaned_data["reason"],
            )
            said = _("%(who)s is staff now.") % {"who": person.name_for_staff}
            return go(request, said, "staff-member", person.pk)
    context = {
        "form": form,
        "members": queries.members(),
        "meanings": queries.duties_with_meaning(),
        "changes": queries.changes(),
    }
    return render(request, "staff/staff_duties/members.html", context, status=status_of(form))


def _with_address(email: str) -> User:
    found = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise BadInput(
            fields={"person": [_("Nobody has an account with this address. Invite them first.")]}
        )
    return found


def staff_member(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a member of staff, and change the duties."""
    person = _member(pk)
    posted = request.POST if request.method == "POST" else None
    form = DutiesForm(posted, initial={"duties": [str(duty) for duty in person.duties]})
    if posted is not None and form.is_valid():
        with refused_at(form):
            actions.change_duties(actor=request.user, person=person, **form.cleaned_data)
            return go(request, _("Saved. It holds from the next page on."), "staff-member", pk)
    return _page(request, person, form, ReasonForm(auto_id="end-%s"))


def staff_member_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End that somebody is staff, with a reason."""
    person = _member(pk)
    ending = ReasonForm(request.POST, auto_id="end-%s")
    ending.is_valid()
    with refused_at(ending):
        actions.end_staff(
            actor=request.user, person=person, reason=ending.cleaned_data.get("reason", "")
        )
        said = _("%(who)s is no longer staff and is signed out everywhere.")
        return go(request, said % {"who": person.name_for_staff}, "staff-members")
    form = DutiesForm(initial={"duties": [str(duty) for duty in person.duties]})
    return _page(request, person, form, ending)


def _member(pk: int) -> User:
    """Load somebody who is staff, or was. Raises NotFound."""
    person = User.objects.filter(pk=pk).first()
    if person is None or not (person.is_staff or person.duty_changes.exists()):
        raise NotFound()
    return person


def _page(request: HttpRequest, person: User, form: DutiesForm, ending: ReasonForm) -> HttpResponse:
    return render(
        request,
        "staff/staff_duties/member.html",
        {
            "person": person,
            "duties": queries.in_words(person.duties),
            "form": form,
            "ending": ending,
            "meanings": queries.duties_with_meaning(),
            "changes": queries.changes(person),
        },
        status=400 if form.errors or ending.errors else 200,
    )
