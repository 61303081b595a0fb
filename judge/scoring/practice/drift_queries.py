"""Scorers of a domain and one scorer in time, as staff's pages show them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.text.wording import decimal, percent
from curation.base.web.dates import day
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.base.figures.drift_plot import SheetPoint, drift
from judge.base.figures.sentences import reason_text
from judge.base.stats.drift import Comparison, Pair, compare, last_lines
from judge.scoring.agreement.models import Adjudication
from judge.scoring.agreement.units import Kind, units_of
from judge.scoring.practice.actions import left_for as practice_left_for
from judge.scoring.practice.drift_pausing import is_below
from judge.scoring.practice.known_opening import left_for as known_left_for
from judge.scoring.practice.known_results import KnownResult, results
from judge.scoring.practice.known_verdicts import known_among
from judge.scoring.scorers.models import ScorerPause, ScorerPolicy, ScorerStanding
from judge.scoring.scorers.policy import policy_for
from judge.scoring.scorers.practice_models import PracticeAttempt, PracticeSheet
from judge.scoring.scorers.readiness import PAUSED, PRACTICE, held_up
from judge.scoring.sheets.opening import rater_of

READY, UNDER_WAY = "ready", "under_way"


@dataclass(frozen=True, slots=True)
class Shown:
    """A comparison in words; each text says why where there is nothing to say."""

    found: Comparison

    @property
    def agreement(self) -> str:
        return percent(None if self.found.agreement is None else float(self.found.agreement))

    @property
    def interval(self) -> str:
        """Return the 95 % interval of the agreement in words; "" without a line."""
        if self.found.interval is None:
            return ""
        low, high = self.found.interval
        return _("%(low)s to %(high)s") % {"low": percent(low), "high": percent(high)}

    @property
    def bias(self) -> str:
        """Return the bias in words: which way, and by how many lines in a hundred."""
        if self.found.bias is None:
            return _("unknown: no known line yet")
        points = decimal(100 * abs(float(self.found.bias)), 1)
        if self.found.bias == 0:
            return _("neither lenient nor strict")
        if self.found.bias > 0:
            return _("more lenient by %(n)s of 100 lines") % {"n": points}
        return _("stricter by %(n)s of 100 lines") % {"n": points}

    @property
    def kappa(self) -> str:
        if self.found.kappa is not None:
            return decimal(float(self.found.kappa))
        why = self.found.why_no_kappa
        return _("unknown: %(why)s") % {"why": reason_text(why)} if why else "–"


@dataclass(frozen=True, slots=True)
class ScorerRow:
    """A scorer of a domain in staff's list.

    Attributes:
        state: READY, PRACTICE, UNDER_WAY (with practice) or PAUSED.
        sheets: submitted known sheets.
        last: the last known lines.
        none_left: a known sheet was due, and no response was left for them.
    """

    user: User
    name: str
    state: str
    sheets: int
    last: Shown
    none_left: datetime | None


def scorer_rows(domain: Domain, policy: ScorerPolicy) -> list[ScorerRow]:
    """Return the scorers of a domain: paused ones, those in practice, then by name.

    Eight queries.
    """
    people = list(
        User.objects.filter(
            Q(qualifications__domain=domain, qualifications__active=True, is_active=True)
            | Q(scorer_standings__domain=domain)
        ).distinct()
    )
    held = held_up([(person.pk, domain.pk) for person in people])
    standings = {row.user_id: row for row in ScorerStanding.objects.filter(domain=domain)}
    under_way = set(
        PracticeAttempt.objects.filter(
            practice_sheet__domain=domain, ended_at__isnull=True
        ).values_list("user_id", flat=True)
    )
    by_scorer: dict[int, list[KnownResult]] = defaultdict(list)
    for one in results(domain.pk):
        by_scorer[one.user].append(one)
    rows = []
    for person in people:
        why = held.get((person.pk, domain.pk), READY)
        mine = by_scorer[person.pk]
        standing = standings.get(person.pk)
        rows.append(
            ScorerRow(
                user=person,
                name=person.name_for_staff,
                state=UNDER_WAY if why == PRACTICE and person.pk in under_way else why,
                sheets=len(mine),
                last=Shown(last_lines([one.pairs for one in mine], policy.pause_lines)),
                none_left=standing.none_left_at if standing else None,
            )
        )
    order = {PAUSED: 0, PRACTICE: 1, UNDER_WAY: 1}
    return sorted(rows, key=lambda row: (order.get(row.state, 2), row.name))


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A domain in the list of rules. `known` counts responses with known verdicts."""

    key: str
    domain: Domain | None
    policy: ScorerPolicy
    own: bool
    practice_sheets: int
    known: int | None
    paused: int


def domain_rows(listed: Sequence[tuple[str, Domain | None, ScorerPolicy, bool]]) -> list[DomainRow]:
    """Return the domains with their rules, practice sheets, known responses and pauses.

    Twelve queries.
    """
    tasks = Task.objects.filter(domain__external=False)
    domain_of = dict(tasks.values_list("pk", "domain_id"))
    known = Counter(domain_of[one.task] for one in known_among(tasks))
    practice = _count(PracticeSheet.objects.filter(retired_at__isnull=True), "domain_id")
    paused = _count(ScorerPause.objects.filter(ended_at__isnull=True), "standing__domain_id")
    return [
        DomainRow(
            key=key,
            domain=domain,
            policy=policy,
            own=own,
            practice_sheets=practice.get(domain.pk, 0) if domain else 0,
            known=known[domain.pk] if domain else None,
            paused=paused.get(domain.pk, 0) if domain else 0,
        )
        for key, domain, policy, own in listed
    ]


def _count(rows: Any, path: str) -> Mapping[int, int]:
    found: dict[int, int] = defaultdict(int)
    for pk in rows.order_by().values_list(path, flat=True):
        found[pk] += 1
    return found


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A known sheet in a scorer's list, with the last lines up to it."""

    result: KnownResult
    here: Shown
    last: Shown


@dataclass(frozen=True, slots=True)
class ScorerPage:
    """One scorer of a domain, as staff see them."""

    state: str
    policy: ScorerPolicy
    standing: ScorerStanding | None
    pause: ScorerPause | None
    attempts: tuple[PracticeAttempt, ...]
    sheets: tuple[SheetRow, ...]
    last: Shown
    colleagues: Shown
    chart: SafeString | str
    open_known: int
    handed_back: int
    known_left: int
    practice_left: int


def scorer_page(person: User, domain: Domain) -> ScorerPage:
    """Return a scorer's practice, known sheets and pauses in a domain."""
    policy = policy_for(domain.pk)
    found = results(domain.pk, person.pk)
    sheets = [
        SheetRow(
            one,
            Shown(compare(one.pairs)),
            Shown(last_lines([row.pairs for row in found[: n + 1]], policy.pause_lines)),
        )
        for n, one in enumerate(found)
    ]
    attempts = PracticeAttempt.objects.filter(user=person, practice_sheet__domain=domain)
    standing = ScorerStanding.objects.filter(user=person, domain=domain).first()
    why = held_up([(person.pk, domain.pk)]).get((person.pk, domain.pk), READY)
    mine = person.known_sheets.filter(domain=domain)  # type: ignore[attr-defined]
    return ScorerPage(
        state=why,
        policy=policy,
        standing=standing,
        pause=standing.pauses.filter(ended_at__isnull=True).first() if standing else None,
        attempts=tuple(attempts.select_related("practice_sheet__response__task")),
        sheets=tuple(reversed(sheets)),
        last=Shown(last_lines([one.pairs for one in found], policy.pause_lines)),
        colleagues=Shown(compare(_beside_colleagues(person, domain))),
        chart=_chart(sheets, policy),
        open_known=mine.filter(sheet__state="open").count(),
        handed_back=mine.exclude(handed_back="").count(),
        known_left=len(known_left_for(person, domain.pk)),
        practice_left=len(practice_left_for(person, domain.pk)),
    )


def _beside_colleagues(person: User, domain: Domain) -> list[Pair]:
    """Return (theirs, a colleague's) for each line of a response that both scored, blind.

    Sheets that a flag asked for are left out, as in the agreement of experts.
    """
    me = rater_of(person)
    met = Adjudication.Ruling.MET
    return [
        (verdicts[me] == met, other == met)
        for unit in units_of(Kind.SHEET, Task.objects.filter(domain=domain))
        for verdicts in (dict(unit.pattern()),)
        if me in verdicts
        for rater, other in verdicts.items()
        if rater != me
    ]


def _chart(sheets: Sequence[SheetRow], policy: ScorerPolicy) -> SafeString | str:
    points = [
        SheetPoint(
            label=day(row.result.at),
            agreement=float(row.here.found.agreement or 0),
            interval=row.here.found.interval or (0.0, 1.0),
            window=float(row.last.found.agreement or 0),
            below=is_below(row.last.found, policy),
        )
        for row in sheets
        if row.here.found.lines
    ]
    title = ngettext(
        "Agreement with known verdicts on %(n)s sheet; the last lines agree in %(share)s.",
        "Agreement with known verdicts on %(n)s sheets; the last lines agree in %(share)s.",
        len(points),
    ) % {"n": len(points), "share": sheets[-1].last.agreement if sheets else "–"}
    return drift(points, policy.pause_below / 100 if policy.pause_below else None, title=title)
