"""Loading an application with authority, and the fact about conflicts of interest."""

from typing import Any

from curation.base.access import permissions
from curation.base.web.refusals import NotFound
from curation.joining.people.conflicts import in_conflict
from curation.qualifying.applications.models import Application


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
