"""Queries about one person for staff: their record."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, SeniorityChange, StandingChange, User
from curation.qualifying.applications.models import Application
from curation.tasks.task.models import Seat, Slot, SlotGrant, Task


@dataclass(frozen=True)
class DomainRecord:
    """A person's qualification and application in a domain; at least one exists."""

    domain: Domain
    qualification: Qualification | None
    application: Application | None


@dataclass(frozen=True)
class Record:
    """What a person has done and may do."""

    domains: tuple[DomainRecord, ...]
    slots: tuple[Slot, ...]
    slot_limit: int
    grants: tuple[SlotGrant, ...]
    seniority: tuple[SeniorityChange, ...]
    suspensions: tuple[StandingChange, ...]
    tasks_by_stage: tuple[tuple[str, Any, int], ...]
    seats: tuple[tuple[Any, int], ...]

    @property
    def tasks(self) -> int:
        return sum(number for _stage, _label, number in self.tasks_by_stage)


def record(person: User) -> Record:
    """Return the record of a person. `seats` counts their work on other people's tasks by role."""
    held = {q.domain_id: q for q in person.qualifications.select_related("domain")}
    asked = {a.domain_id: a for a in person.applications.select_related("domain", "referred_by")}
    domains = {a.domain_id: a.domain for a in asked.values()}
    domains |= {q.domain_id: q.domain for q in held.values()}
    grants = tuple(person.slot_grants.select_related("granted_by").order_by("at"))
    counted = dict(
        Task.objects.filter(author=person).values_list("stage").annotate(Count("id")).order_by()
    )
    seats = dict(
        Seat.objects.filter(user=person)
        .exclude(role=Role.AUTHOR)
        .values_list("role")
        .annotate(Count("id"))
        .order_by()
    )
    return Record(
        domains=tuple(
            DomainRecord(domain, held.get(pk), asked.get(pk))
            for pk, domain in sorted(domains.items(), key=lambda row: row[1].position)
        ),
        slots=tuple(person.slots.select_related("task").order_by("number")),
        slot_limit=settings.PROMPTS_PER_EXPERT + len(grants),
        grants=grants,
        seniority=tuple(
            SeniorityChange.objects.filter(qualification__user=person).select_related(
                "actor", "qualification__domain"
            )
        ),
        suspensions=tuple(
            StandingChange.objects.filter(qualification__user=person).select_related(
                "actor", "qualification__domain"
            )
        ),
        tasks_by_stage=tuple(
            (stage.value, stage.label, counted[stage.value])
            for stage in Stage
            if stage.value in counted
        ),
        seats=tuple((role.label, seats[role.value]) for role in Role if role.value in seats),
    )
