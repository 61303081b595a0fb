"""The notices about honoraria."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic, send_notice
from curation.staff.honoraria.models import Honorarium

_BUTTON = _("Open my work")
KINDS = (
    Kind(
        "honoraria_approved",
        Topic.PROGRAMME,
        _("Work of yours was approved for payment"),
        _("Your page of work and honoraria shows each piece with its amount."),
        _BUTTON,
    ),
    Kind(
        "honoraria_paid",
        Topic.PROGRAMME,
        _("Work of yours was marked as paid"),
        _("Your page of work and honoraria shows what was paid, and when."),
        _BUTTON,
    ),
    Kind(
        "honorarium_refused",
        Topic.PROGRAMME,
        _("The staff refused to pay one piece of your work"),
        _("Their reason stands below. Write to the staff if you see it otherwise."),
        _BUTTON,
    ),
)


def tell(entry: Honorarium) -> None:
    """Tell a person of a step on their work: of a refusal each time, of others once a day."""
    today = f"{timezone.localdate():%Y-%m-%d}"
    url = reverse("honoraria")
    match entry.state:
        case Honorarium.State.APPROVED:
            send_notice(
                entry.person, "honoraria_approved", once=f"honoraria-approved-{today}", url=url
            )
        case Honorarium.State.PAID:
            send_notice(entry.person, "honoraria_paid", once=f"honoraria-paid-{today}", url=url)
        case Honorarium.State.REFUSED:
            send_notice(
                entry.person,
                "honorarium_refused",
                once=f"honorarium-refused-{entry.pk}-{entry.decided_at:%Y%m%d%H%M%S}",
                url=url,
                reason=entry.reason,
            )
