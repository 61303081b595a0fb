"""Facts about solvers and about those who look again, and loading a second look."""

from typing import Any

from curation.base.access.permissions import allows, is_staff, signed_in
from curation.base.web.refusals import NotFound
from curation.screening.panels.voting_access import has_no_unopened_place_on_it
from curation.screening.solving.models import SecondLook
from curation.tasks.task.queries import holds_seat, is_not_a_draft, refuse_author


def solves_the_task(user: Any, task: Any) -> bool:
    """Return whether the person has opened the task as its solver; its files are part of it."""
    return (
        holds_seat("solver")(user, task)
        and is_not_a_draft(user, task)
        and has_no_unopened_place_on_it(user, task)
    )


# --- second looks -------------------------------------------------------------------------------
def is_asked_to_look_again(user: Any, look: Any) -> bool:
    return signed_in(user, None) and look.opinions.filter(person_id=user.pk).exists()


def access_look(user: Any, pk: int, permission: str = "look.answer") -> SecondLook:
    """Load a second look for one of those asked, or for staff.

    Raises:
        NotFound: there is none, or it is not for this person.
        Denied: `own_task`, the member of staff wrote the task.
    """
    look = SecondLook.objects.select_related("task__domain").filter(pk=pk).first()
    if look is None:
        raise NotFound()
    thing = look if permission == "look.answer" else look.task
    if not allows(user, permission, thing):
        if permission != "look.answer" and is_staff(user, None):
            refuse_author(user, look.task)
        raise NotFound()
    return look
