"""What an applicant sent, as the applicant and staff see it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from curation.base.text import language_names
from curation.base.web.refusals import NotFound
from curation.joining.invitations.models import Arrival
from curation.qualifying.applications.drafts import ApplicationDraft
from curation.qualifying.applications.models import Application, Certification
from curation.tasks.attachments.queries import AttachedFile, attached


@dataclass(frozen=True)
class Certificate:
    """A certification with its evidence, if there is a file."""

    pk: int
    title: str
    issuer: str
    year: int | None
    evidence: AttachedFile | None


def certificates(application: Application) -> list[Certificate]:
    """Return the certifications of an application. One query."""
    rows = application.certifications.select_related("evidence")
    return [
        Certificate(
            row.pk,
            row.title,
            row.issuer,
            row.year,
            attached(row.evidence)
            if row.evidence is not None and row.evidence.removed_at is None
            else None,
        )
        for row in rows
    ]


def languages_of(application: Application) -> list[str]:
    """Return the names of an applicant's languages, best first."""
    return [language_names.name_of(code) for code in application.languages]


def draft_of(user: Any) -> ApplicationDraft | None:
    """Return the draft of a person's application; None if there is none."""
    return ApplicationDraft.objects.filter(user_id=user.pk).first()


def initial_values(user: Any) -> dict[str, int]:
    """Return initial values of the form: the domain of the person's invitation, if it has one."""
    domain = Arrival.objects.filter(user_id=user.pk).values_list("invitation__domain", flat=True)
    found = domain.first()
    return {} if found is None else {"domain": found}


def access_certification(user: Any, pk: int) -> Certification:
    """Return a certification of one of the person's own applications.

    Raises:
        NotFound: no such certification, or somebody else's.
    """
    rows = Certification.objects.select_related("application__user", "evidence")
    found = rows.filter(pk=pk, application__user_id=user.pk).first()
    if found is None:
        raise NotFound()
    return found


def own_applications(user: Any) -> QuerySet[Application]:
    """Return all applications of a person, newest first."""
    return user.applications.select_related("domain__exam").order_by("-created_at", "-pk")


def referred_by_name(ids: Collection[int]) -> QuerySet[Any, Any]:
    """Return the pairs (applicant, who referred them), a source of conflicts of interest."""
    return Application.objects.filter(
        Q(user__in=ids) | Q(referred_by__in=ids), referred_by__isnull=False
    ).values_list("user_id", "referred_by_id")
