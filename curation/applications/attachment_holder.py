"""Registers applications as holders of files: the evidence of certifications."""

from django.urls import reverse

from curation.access import permissions
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
    readers=[permissions.is_its_owner, permissions.is_staff],
)
