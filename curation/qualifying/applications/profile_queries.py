"""The panel in numbers: profiles of experts and the state of their certificates."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.text import language_names
from curation.joining.domains.models import Domain
from curation.joining.people.models import Qualification, User
from curation.qualifying.applications.degrees import LEVELS, UNKNOWN, level_of
from curation.qualifying.applications.models import Application, Certification
from curation.qualifying.applications.profile_models import CertificateCheck, ExpertProfile

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
    rows = [(language_names.name_of(code), n) for code, n in counts.most_common()]
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
