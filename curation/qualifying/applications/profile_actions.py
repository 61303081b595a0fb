"""Staff's actions: enter a profile, record the check of a certificate; removal of a name."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import language_names, storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.people.models import User
from curation.qualifying.applications.models import Certification
from curation.qualifying.applications.profile_models import CertificateCheck, ExpertProfile

EARLIEST = 1940  # the earliest plausible year in which a practice began


@action("staff.recruiting")
@transaction.atomic
def enter_profile(
    *,
    actor: Any,
    person: User,
    degree: str,
    practising_since: int | None,
    languages: Sequence[str],
) -> ExpertProfile:
    """Enter what is known of an expert; the rows before stay as history.

    Args:
        practising_since: year; None if nobody knows.
        languages: codes, best first.

    Raises:
        BadInput: invalid values, named in `fields`, or nothing was filled in.
        Conflict: `name_removed`, the person's name was removed.
    """
    fields: dict[str, list[str]] = {}
    problem = storable.problem_with(degree, limit=200)
    if problem:
        fields["degree"] = [problem]
    this_year = timezone.localdate().year
    if practising_since is not None and not EARLIEST <= practising_since <= this_year:
        fields["practising_since"] = [
            _("Give a year from %(first)s to %(last)s.") % {"first": EARLIEST, "last": this_year}
        ]
    known = {code for code, _name in language_names.choices()}
    if set(languages) - known or len(set(languages)) != len(languages):
        fields["languages"] = [_("Choose each language once, from the list.")]
    if not fields and not (degree.strip() or practising_since or languages):
        fields["degree"] = [_("Fill in at least one of the fields.")]
    if fields:
        raise BadInput(fields=fields)
    if hasattr(person, "name_removal"):
        raise Conflict(
            _("The name of this person was removed, so no profile is kept."), code="name_removed"
        )
    return ExpertProfile.objects.create(
        user=person,
        degree=storable.clean(degree),
        practising_since=practising_since,
        languages=list(languages),
        entered_by=actor,
    )


@action("staff.recruiting")
@transaction.atomic
def check_certificate(
    *,
    actor: Any,
    certification: Certification,
    outcome: str,
    checked_on: date | None,
    valid_until: date | None,
    how: str,
) -> CertificateCheck:
    """Record that a certificate was looked up; earlier checks stay as history.

    Args:
        valid_until: the last day it holds; None if it does not expire or was not confirmed.
        how: the register or document that was looked at.

    Raises:
        BadInput: invalid values, named in `fields`.
    """
    how = required_reason(
        how, _("Say where you looked: the register, its number, the document."), field="how"
    )
    fields: dict[str, list[str]] = {}
    if outcome not in CertificateCheck.Outcome.values:
        fields["outcome"] = [_("Choose what the check found.")]
    if checked_on is None:
        raise BadInput(fields={"checked_on": [_("Say on which day it was checked.")]})
    if checked_on > timezone.localdate():
        fields["checked_on"] = [_("A check cannot lie in the future.")]
    if valid_until is not None and outcome == CertificateCheck.Outcome.NOT_CONFIRMED:
        fields["valid_until"] = [_("Leave this empty: the certificate was not confirmed.")]
    elif valid_until is not None and valid_until < checked_on:
        fields["valid_until"] = [_("It had ended before the check. Choose “Not confirmed”.")]
    if fields:
        raise BadInput(fields=fields)
    return CertificateCheck.objects.create(
        certification=certification,
        outcome=outcome,
        checked_on=checked_on,
        valid_until=valid_until,
        how=how,
        checked_by=actor,
    )


def remove_profiles(person: User) -> None:
    """Delete what was entered of a person whose name is removed, and how it was checked."""
    ExpertProfile.objects.filter(user=person).delete()
    checks = CertificateCheck.objects.filter(certification__application__user=person)
    checks.update(how="(removed)")
