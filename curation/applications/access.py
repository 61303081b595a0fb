"""Load an application with authority, and ties of its reader to the applicant."""

from typing import Any

from curation.access import permissions as access
from curation.applications.conflicts import in_conflict
from curation.applications.models import Application
from curation.web.refusals import NotFound


def has_no_tie_to_the_applicant(user: Any, application: Any) -> bool:
    return not in_conflict(application.user, user)


# --- loading with authority ---------------------------------------------------------------------
def access_application(user: Any, pk: int, permission: str) -> Application:
    """An application the person may work with; anything else looks like a missing one.

    Raises:
        NotFound: no such application, or it is not theirs.
    """
    rows = Application.objects.select_related("domain", "user")
    application = rows.filter(pk=pk).first()
    if application is None or not access.allows(user, permission, application):
        raise NotFound()
    return application
