"""Load a sitting with authority."""

from typing import Any

from curation.access import permissions as access
from curation.exams.models import ExamSitting
from curation.web.refusals import NotFound


def access_sitting(user: Any, pk: int) -> ExamSitting:
    """A sitting of one's own application.

    Raises:
        NotFound: no such sitting, or somebody else's.
    """
    rows = ExamSitting.objects.select_related("application__domain__exam")
    sitting = rows.filter(pk=pk).first()
    if sitting is None or not access.allows(user, "application.work_on", sitting.application):
        raise NotFound()
    return sitting
