"""Applications hold files: the evidence of a certification."""

from django.urls import reverse

from curation.access import permissions as access
from curation.applications.models import Application
from curation.attachments.holders import Holder
from curation.process.lifecycle import ApplicationStage

HOLDER = Holder(
    kind="application",
    model=Application,
    related=("domain", "user"),
    blind=False,
    owner_id=lambda thing: thing.user_id,
    is_open=lambda thing: thing.stage == ApplicationStage.APPLIED,
    page=lambda thing: reverse("application", args=[thing.pk]),
    readers=[access.is_its_owner, access.is_staff],
)
