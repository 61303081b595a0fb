"""What an applicant sent, as the applicant and staff see it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from curation.base.access import permissions
from curation.base.text import wording
from curation.base.web.refusals import NotFound
from curation.joining.invitations.models import Arrival
from curation.joining.people import in_conflict
from curation.qualifying.applications.models import Application, ApplicationDraft, Certification
from curation.tasks.attachments.queries import AttachedFile, attached


def has_no_conflict_with_the_applicant(user: Any, application: Any) -> bool:
    return not in_conflict(application.user, user)


# --- loading with authority ---------------------------------------------------------------------
def access_application(user: Any, pk: int, permission: str) -> Application:
    """Return an application for which the person has the permission.

    Raises:
        NotFound: no such application, or the person lacks the permission.
    """
    rows = Application.objects.select_related("domain", "user")
    application = rows.filter(pk=pk).first()
    if application is None or not permissions.allows(user, permission, application):
        raise NotFound()
    return application


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
    return [wording.name_of(code) for code in application.languages]


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
