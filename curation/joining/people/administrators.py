"""The rule that a programme always has an open account with the duty of administration."""

from django.utils.translation import gettext as _

from curation.base.web.refusals import Conflict
from curation.joining.people.models import User


def refuse_last_administrator(person: User) -> None:
    """Refuse a step that leaves nobody who can appoint staff. Locks the accounts of staff.

    Two such steps at the same moment wait for each other: both lock the same rows, in order.

    Raises:
        Conflict: `last_administrator`, nobody else has the duty and an open account.
    """
    rows = User.objects.select_for_update().filter(is_staff=True, is_active=True).order_by("pk")
    administrators = {row.pk for row in rows if row.does_administration}
    if administrators == {person.pk}:
        raise Conflict(
            _(
                "Nobody else has the duty “Administration”, so nobody could appoint staff any "
                "more. Give it to somebody else first."
            ),
            code="last_administrator",
        )
