"""Take a copy of a person's data."""

from typing import IO, Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.web.reasons import required_reason
from curation.joining.accounts.models import DataCopy
from curation.joining.people.models import User
from curation.leaving.data_copies.archive import write_archive


@action("signed_in")
def copy_own_data(*, actor: Any) -> IO[bytes]:
    """Return a copy of one's own data as a ZIP archive."""
    return write_archive(actor)


@action("staff.administration")
@transaction.atomic
def copy_data(*, actor: Any, person: User, reason: str) -> IO[bytes]:
    """Return a copy of somebody's data as a ZIP archive, and record who took it and why.

    Raises:
        BadInput: no reason.
    """
    words = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    DataCopy.objects.create(user=person, actor=actor, reason=words)
    return write_archive(person)
