"""Profiles of experts as staff enter them, checks of certificates, and the panel in numbers."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import models, transaction
from django.db.models import F, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.access.action import action
from curation.base.text import storable, wording
from curation.base.web.fields import LineField
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.qualifying.applications.degrees import LEVELS, UNKNOWN, level_of
from curation.qualifying.applications.models import Application, Certification


class ExpertProfile(models.Model):
    """Degree, practice and languages of an expert; each change is a row, the newest one counts.

    It is for experts who did not apply here, and for what has changed since somebody applied.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="profiles")
    degree = LineField(max_length=200, blank=True)
    # The year in which the practice began, so that the years of practice go on by themselves.
    practising_since = models.PositiveSmallIntegerField(null=True, blank=True)
    languages = models.JSONField(default=list, blank=True)  # codes, best first
    entered_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class CertificateCheck(models.Model):
    """Staff looked a certificate up: by whom, on which day, until when it holds.

    The newest check of a certificate counts. It goes with its certificate, which an applicant may
    take off an application that still waits.
    """

    class Outcome(models.TextChoices):
        CONFIRMED = "confirmed", gettext_lazy("Confirmed")
        NOT_CONFIRMED = "not_confirmed", gettext_lazy("Not confirmed")

    certification = models.ForeignKey(
        Certification, on_delete=models.CASCADE, related_name="checks"
    )
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    checked_on = models.DateField()
    valid_until = models.DateField(null=True, blank=True)  # None: it does not expire
    how = models.TextField()  # the register or document that was looked at
    checked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("checked_on")),
                name="a_certificate_holds_on_the_day_of_its_check",
            ),
            models.CheckConstraint(
                condition=Q(outcome="confirmed") | Q(valid_until__isnull=True),
                name="only_a_confirmed_certificate_has_an_end",
            ),
        ]


YEARS = ((0, 2), (3, 5), (6, 10), (11, 15), (16, None))  # bins of the years of practice


@dataclass(frozen=True)
class Profile:
    """What is known of one expert: from staff's newest entry, else from their application."""

    degree: str = ""
    years: int | None = None
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class DomainRow:
    """The experts of a domain; `median_years` is None where nobody's years are known."""

    domain: Domain
    experts: int
    seniors: int
    known: int
    median_years: float | None


@dataclass(frozen=True)
class CheckedCertificate:
    """A certificate with its newest check."""

    certification: Certification
    person: User
    checks: tuple[CertificateCheck, ...]  # the newest first
    expert: bool

    @property
    def check(self) -> CertificateCheck | None:
        """The newest check, which counts; None if nobody has checked the certificate."""
        return next(iter(self.checks), None)

    @property
    def state(self) -> str:
        """One of in_force, ended, not_confirmed, unchecked."""
        if self.check is None:
            return "unchecked"
        if self.check.outcome == CertificateCheck.Outcome.NOT_CONFIRMED:
            return "not_confirmed"
        until: date | None = self.check.valid_until
        return "in_force" if until is None or until >= timezone.localdate() else "ended"


@dataclass(frozen=True)
class Panel:
    """The experts of some domains in numbers. The counts are (label, number of experts)."""

    experts: int
    seniors: int
    domains: list[DomainRow]
    years: list[tuple[str, int]]
    degrees: list[tuple[str, int]]
    languages: list[tuple[str, int]]
    with_certificate_in_force: int


def profiles_of(people: Collection[int]) -> dict[int, Profile]:
    """Return person -> what is known of them. Two queries."""
    applied: dict[int, Profile] = {}
    year = timezone.localdate().year
    applications = Application.objects.filter(user__in=people).order_by("pk")
    for row in applications.values("user_id", "degree", "years", "languages", "created_at"):
        years = row["years"] + year - row["created_at"].year
        applied[row["user_id"]] = Profile(row["degree"], years, tuple(row["languages"]))
    found = dict(applied)
    entered = ExpertProfile.objects.filter(user__in=people).order_by("pk")
    for said in entered.values("user_id", "degree", "practising_since", "languages"):
        before = applied.get(said["user_id"], Profile())
        since = said["practising_since"]
        found[said["user_id"]] = Profile(
            said["degree"] or before.degree,
            before.years if since is None else year - since,
            tuple(said["languages"]) or before.languages,
        )
    return found


def panel(domains: Collection[str] | None = None) -> Panel:
    """Return the active experts of these domains in numbers, or of all. Six queries."""
    held = Qualification.objects.filter(active=True, user__is_active=True)
    if domains is not None:
        held = held.filter(domain__key__in=domains)
    rows = list(held.select_related("domain").order_by("domain__position", "domain__key"))
    people = {row.user_id for row in rows}
    profiles = profiles_of(people)
    each = [profiles.get(person, Profile()) for person in people]
    certified = {row.person.pk for row in certificates(people) if row.state == "in_force"}
    return Panel(
        experts=len(people),
        seniors=len({row.user_id for row in rows if row.senior}),
        domains=_by_domain(rows, profiles),
        years=_years(one.years for one in each),
        degrees=_degrees(one.degree for one in each),
        languages=_languages(one.languages for one in each),
        with_certificate_in_force=len(certified),
    )


def _by_domain(rows: Iterable[Qualification], profiles: dict[int, Profile]) -> list[DomainRow]:
    grouped: dict[Domain, list[Qualification]] = defaultdict(list)
    for row in rows:
        grouped[row.domain].append(row)
    found = []
    for domain, held in grouped.items():
        known = [profiles[one.user_id].years for one in held if one.user_id in profiles]
        years = [one for one in known if one is not None]
        found.append(
            DomainRow(
                domain=domain,
                experts=len(held),
                seniors=sum(one.senior for one in held),
                known=len(years),
                median_years=statistics.median(years) if years else None,
            )
        )
    return found


def _years(given: Iterable[int | None]) -> list[tuple[str, int]]:
    all_years = list(given)
    rows = [
        (
            f"{low}–{high}" if high is not None else _("%(n)s or more") % {"n": low},
            sum(1 for n in all_years if n is not None and low <= n and (not high or n <= high)),
        )
        for low, high in YEARS
    ]
    return _with_unknown(rows, sum(1 for n in all_years if n is None))


def _degrees(given: Iterable[str]) -> list[tuple[str, int]]:
    counts = Counter(level_of(degree) for degree in given)
    rows = [(str(name), counts[key]) for key, (name, _rule) in LEVELS.items()]
    return _with_unknown(rows, counts[""])


def _languages(given: Iterable[tuple[str, ...]]) -> list[tuple[str, int]]:
    spoken = list(given)
    counts = Counter(code for codes in spoken for code in codes)
    rows = [(wording.name_of(code), n) for code, n in counts.most_common()]
    return _with_unknown(rows, sum(1 for codes in spoken if not codes))


def _with_unknown(rows: list[tuple[str, int]], unknown: int) -> list[tuple[str, int]]:
    return [*rows, (str(UNKNOWN), unknown)] if unknown else rows


def certificates(people: Collection[int] | None = None) -> list[CheckedCertificate]:
    """Return the certificates of these people, or of all, the newest last. Three queries."""
    working = Qualification.objects.filter(active=True, user__is_active=True)
    experts = set(working.values_list("user_id", flat=True))
    newest = CertificateCheck.objects.select_related("checked_by").order_by("-id")
    rows: Any = (
        Certification.objects.select_related("application__user", "application__domain")
        .prefetch_related(Prefetch("checks", newest))
        .order_by("pk")
    )
    if people is not None:
        rows = rows.filter(application__user__in=people)
    return [
        CheckedCertificate(
            certification=row,
            person=row.application.user,
            checks=tuple(row.checks.all()),
            expert=row.application.user_id in experts,
        )
        for row in rows
    ]


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
    known = {code for code, _name in wording.choices()}
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
