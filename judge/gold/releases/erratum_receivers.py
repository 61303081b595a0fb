"""What errata do when a person's name is removed."""

from typing import Any

from django.db.models import Q

from curation.base.process.signals import name_removed
from curation.joining.people.models import User
from judge.gold.releases.erratum_models import Erratum


def connect() -> None:
    """Connect the receiver."""
    name_removed.connect(forget_contact, sender=User, dispatch_uid="judge.forget_contact")


def forget_contact(sender: Any, instance: User, addresses: list[str], **_: Any) -> None:
    """Delete how a reader can be reached: in their own reports, and where their address stands."""
    theirs = Q(entered_by=instance, by_mail=False)
    for address in addresses:
        theirs |= Q(contact__icontains=address)
    Erratum.objects.filter(theirs).update(contact="")
