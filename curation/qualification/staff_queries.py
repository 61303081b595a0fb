"""Queries about applications for staff: the queue, and what a decision needs."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Lower
from django.utils import timezone

from curation.applications.conflicts import people_in_conflict_with
from curation.applications.models import Application, Certification
from curation.people.models import Qualification, User
from curation.process.lifecycle import ApplicationStage

# The columns that a search looks into; other data about a person cannot be searched.
SEARCHED = ("user__display_name", "user__email", "affiliation", "degree")
SORTS: dict[str, tuple[Any, ...]] = {
    "": ("-waits", "stage_since", "pk"),
    "newest": ("-created_at", "-pk"),
    "years": ("-years", "pk"),
    "domain": ("domain__position", "domain__key", "stage_since", "pk"),
    "name": (Lower("user__display_name"), "pk"),
}
YEARS = {"3": (3, 5), "6": (6, 10), "11": (11, 20), "21": (21, 200)}


def queue(wanted: Mapping[str, Any]) -> QuerySet[Application]:
    """Return applications with everything a row of the staff's list shows. One query.

    Args:
        wanted: cleaned values of the filter: stage, domain, route, years, days, q, sort.
    """
    # The long text is not needed for the list.
    rows = Application.objects.select_related("domain", "user").defer("credentials")
    if wanted.get("stage"):
        rows = rows.filter(stage=wanted["stage"])
    if wanted.get("domain"):
        rows = rows.filter(domain=wanted["domain"])
    if wanted.get("route"):
        rows = rows.filter(route=wanted["route"])
    if wanted.get("years"):
        rows = rows.filter(years__range=YEARS[wanted["years"]])
    if wanted.get("days"):
        rows = rows.filter(stage_since__lte=timezone.now() - timedelta(days=int(wanted["days"])))
    if wanted.get("q"):
        rows = rows.filter(_matches(wanted["q"]))
    # Subqueries count for the rows of the page only; a join would count the whole table first.
    named = Certification.objects.filter(application=OuterRef("pk")).order_by()
    shown = named.filter(evidence__removed_at__isnull=True, evidence__isnull=False)
    return rows.annotate(
        waits=Q(stage=ApplicationStage.APPLIED),
        named=_counted(named),
        shown=_counted(shown),
        again=Exists(Application.objects.filter(user=OuterRef("user")).exclude(pk=OuterRef("pk"))),
    ).order_by(*SORTS[wanted.get("sort", "")])


def _matches(words: str) -> Q:
    """Return a condition: each word is in a searched column; "Expert 12" finds number 12."""
    found = Q()
    for word in words.split()[:8]:
        one = Q()
        for column in SEARCHED:
            one |= Q(**{f"{column}__icontains": word})
        if word.isascii() and word.isdecimal() and len(word) < 10:
            one |= Q(user=int(word))
        if word.casefold() not in ("expert", "专家"):
            found &= one
    return found


def _counted(rows: QuerySet[Any]) -> Any:
    counted = rows.values("application").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def others_of(application: Application) -> list[Application]:
    """Return the same person's other applications, newest first. One query."""
    return list(
        Application.objects.filter(user_id=application.user_id)
        .exclude(pk=application.pk)
        .select_related("domain")
        .order_by("-created_at")
    )


def conflicts_in_domain(application: Application) -> tuple[list[User], int]:
    """Return the experts of the domain who may not judge this person's work because of a conflict.

    Returns:
        Up to ten people, seniors first, and the number of further ones.
    """
    ids = people_in_conflict_with(application.user)
    held = Qualification.objects.filter(
        user__in=ids, domain_id=application.domain_id, active=True
    ).select_related("user")
    people = [row.user for row in held.order_by(F("senior").desc(), "user_id")[:200]]
    return people[:10], max(0, len(people) - 10)
