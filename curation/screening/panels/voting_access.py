"""Facts about places on a panel, for the table of permissions."""

from typing import Any

from curation.screening.panels.models import PanelPlace
from curation.tasks.task.queries import holds_seat, is_not_a_draft


def has_no_unopened_place_on_it(user: Any, task: Any) -> bool:
    """Return whether the person holds no place whose task they have not opened yet.

    A panel member first reads the task on the panel's page, which notes that they opened it and
    so keep the seat. Other pages of the task stay closed to them until then.
    """
    return not PanelPlace.objects.filter(
        task_id=task.pk, member_id=user.pk, state=PanelPlace.State.OPEN, opened_at__isnull=True
    ).exists()


def checks_the_task(user: Any, task: Any) -> bool:
    return (
        holds_seat("checker")(user, task)
        and is_not_a_draft(user, task)
        and has_no_unopened_place_on_it(user, task)
    )
