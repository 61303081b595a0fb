"""The places of a person's role, for the top bar. One query for all of its counts."""

from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from curation.lifecycle import ApplicationStage, Stage
from curation.models import Application, Role, Seat, Trial, User
from curation.places import place
from curation.queries.screening import open_seats
from judge.models import JudgeRun, Sheet
from review.models import Review, Round


@dataclass(frozen=True)
class Place:
    """One entry of the bar.

    Attributes:
        owns: beginnings of the route names that belong to the place.
        counts: the key of its number, or empty.
        go: the letter after G.
    """

    route: str
    label: Any
    owns: tuple[str, ...] = ()
    counts: str = ""
    go: str = ""


HOME = Place("home", _("Home"), ("home",))
APPLICANT = (
    HOME,
    Place("apply", _("Apply"), ("apply", "application", "exam", "training", "trial")),
)
EXPERT = (
    HOME,
    Place("tasks", _("My tasks"), ("task", "rubric"), go="t"),
    Place("screening", _("Screening"), ("screening",), "screening", "s"),
    Place("reviews", _("Reviews"), ("review",), "reviews", "r"),
    Place("scoring", _("Scoring"), ("scoring", "sheet", "meta"), "scoring", "o"),
)
SENIOR = (
    Place("spot-checks", _("Spot checks"), ("spot-check",), "spot_checks", "c"),
    Place("trials", _("Trials"), ("trial",), "trials", "i"),
)
STAFF = (
    Place("staff-pipeline", _("Pipeline"), ("staff-pipeline",), go="p"),
    Place("staff-tasks", _("Tasks"), ("staff-task", "staff-review"), go="a"),
    Place(
        "staff-people",
        _("Experts"),
        ("staff-people", "staff-person", "staff-application", "staff-invite", "staff-senior"),
        "applications",
        "e",
    ),
    Place("staff-runs", _("Runs"), ("staff-run", "staff-call", "staff-candidates"), "runs", "u"),
    Place("alignment", _("Alignment"), ("alignment",), go="l"),
    Place("leaderboard", _("Leaderboard"), ("leaderboard",), go="b"),
    Place("gold", _("Gold"), ("gold",), go="g"),
    Place("staff-audit", _("Audit"), ("staff-audit",), go="d"),
)


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Template context: `nav`, `who`, `account_nav`, `search_url`, `single_keys`."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"nav": [], "account_nav": []}
    places = places_of(user)
    facts = getattr(request, "counts", None) or counts_for(user)
    route = request.resolver_match.view_name if request.resolver_match else ""
    return {
        "nav": [
            {
                "label": where.label,
                "url": url,
                "count": facts.get(where.counts) or 0,
                "current": is_within(route, where),
                "go": where.go,
            }
            for where in places
            if (url := place(where.route))
        ],
        "who": _who(user),
        "account_nav": [
            {"label": label, "url": url}
            for label, url in (
                (_("Preferences"), place("preferences")),
                (_("Apply in a domain"), place("apply")),
            )
            if url
        ],
        "search_url": place("staff-tasks") if user.is_staff else "",
        "single_keys": user.single_keys,
    }


def places_of(user: Any) -> tuple[Place, ...]:
    """The places of a person, by what they are."""
    found: tuple[Place, ...] = ()
    if user.qualified_domain_ids():
        found = EXPERT
    if user.senior_domain_ids():
        found += SENIOR
    if user.is_staff:
        return (*(found or (HOME,)), *STAFF)
    return found or APPLICANT


def is_within(route: str, where: Place) -> bool:
    """Whether a page belongs to a place: its route is one of `owns`, or begins with one and "-"."""
    return any(route in (own, f"{own}s") or route.startswith(f"{own}-") for own in where.owns)


def counts_for(user: Any, **more: QuerySet[Any]) -> dict[str, int]:
    """What waits in each place. One query.

    Args:
        more: further rows to be counted along, so that Home needs no query of its own for them.
    """
    asked: dict[str, Any] = {name: _count(rows) for name, rows in more.items()}
    if user.qualified_domain_ids():
        asked["screening"] = _count(open_seats(user))
        asked["reviews"] = _count(
            Review.objects.filter(reviewer=user, state=Review.State.ASSIGNED).filter(
                Exists(Round.objects.filter(review=OuterRef("pk"), finished_at__isnull=True))
            )
        )
        asked["scoring"] = _count(Sheet.objects.filter(user=user, state=Sheet.State.OPEN))
    if user.senior_domain_ids():
        asked["spot_checks"] = _count(
            Seat.objects.filter(user=user, role=Role.SPOT_CHECKER, task__stage=Stage.SPOT_CHECK)
        )
        asked["trials"] = _count(
            Trial.objects.filter(
                application__domain_id__in=user.senior_domain_ids(),
                application__stage=ApplicationStage.TRIAL,
                submitted_at__isnull=False,
                verdict="",
            ).exclude(application__user=user)
        )
    if user.is_staff:
        asked["applications"] = _count(Application.objects.filter(stage=ApplicationStage.APPLIED))
        asked["runs"] = _count(JudgeRun.objects.filter(state=JudgeRun.State.RUNNING))
    if not asked:
        return {}
    columns = {f"nav_{name}": column for name, column in asked.items()}  # no clash with a field
    row = User.objects.filter(pk=user.pk).order_by().values(**columns).first() or {}
    # The stubs cannot know columns that are named while the program runs.
    return {name.removeprefix("nav_"): cast(int, value) for name, value in row.items()}


def _count(rows: QuerySet[Any]) -> Coalesce:
    """The number of rows, as a column of another query."""
    counted = (
        rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk")).values("n")
    )
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _who(user: Any) -> str:
    """The pseudonym with the domain, as the picture of the top bar has it."""
    held = user.active_qualifications()
    if not held:
        return user.pseudonym
    where = (
        str(held[0].domain)
        if len(held) == 1
        else ngettext("%(n)s domain", "%(n)s domains", len(held)) % {"n": len(held)}
    )
    return f"{user.pseudonym} · {where}"
