"""Registers applications as holders of files: the evidence of certifications."""

from django.urls import reverse

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.qualifying.applications.models import Application
from curation.tasks.attachments.holders import Holder

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
