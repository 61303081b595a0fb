"""Loading a sitting with authority."""

from typing import Any

from curation.base.access import permissions
from curation.base.web.refusals import NotFound
from curation.qualifying.exams.models import ExamSitting


def access_sitting(user: Any, pk: int) -> ExamSitting:
    """Load a sitting of the person's own application.

    Raises:
        NotFound: no such sitting, or somebody else's.
    """
    rows = ExamSitting.objects.select_related("application__domain__exam")
    sitting = rows.filter(pk=pk).first()
    if sitting is None or not permissions.allows(user, "application.work_on", sitting.application):
        raise NotFound()
    return sitting
