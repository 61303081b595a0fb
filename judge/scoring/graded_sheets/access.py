"""Loads graded sheets with authority, without the names of models."""

from typing import Any

from django.db.models import F

from curation.base.access.permissions import allows, authorize
from curation.base.web.refusals import NotFound
from judge.scoring.graded_sheets.models import GradedSheet


def access_graded_sheet(user: Any, pk: int, permission: str = "sheet.score") -> GradedSheet:
    """Load a person's own graded sheet, with attributes of its task. One query.

    The attributes are `task_id`, `task_key`, `domain_id` and `domain_external`.

    Raises:
        NotFound: the sheet does not exist or is somebody else's.
        Denied: the person's qualification is no longer active.
    """
    sheet = (
        GradedSheet.objects.annotate(  # type: ignore[no-redef]  # properties read them instead
            task_id=F("response__task_id"),
            task_key=F("response__task__key"),
            domain_id=F("response__task__domain_id"),
            domain_external=F("response__task__domain__external"),
        )
        .filter(pk=pk, user=user)
        .first()
    )
    if sheet is None or not allows(user, "sheet.view", sheet):
        raise NotFound()
    authorize(user, permission, sheet)
    return sheet
