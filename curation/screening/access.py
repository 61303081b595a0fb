"""Facts about places on a panel, for the table of permissions."""

from typing import Any

from curation.panels.models import PanelPlace
from curation.tasks.access import holds_seat, is_out_of_its_authors_hands


def has_no_unopened_place_on_it(user: Any, task: Any) -> bool:
    """A member of the panel first reads the task on the panel's page, which notes that they did:
    who has read it keeps the seat. Elsewhere it stays closed until then."""
    return not PanelPlace.objects.filter(
        task_id=task.pk, member_id=user.pk, state=PanelPlace.State.OPEN, opened_at__isnull=True
    ).exists()


def checks_the_task(user: Any, task: Any) -> bool:
    return (
        holds_seat("checker")(user, task)
        and is_out_of_its_authors_hands(user, task)
        and has_no_unopened_place_on_it(user, task)
    )
