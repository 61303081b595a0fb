"""Registration of trials as holders of files: the materials of a trial task."""

from django.urls import reverse

from curation.access import permissions
from curation.attachments.holders import Holder
from curation.process.lifecycle import ApplicationStage
from curation.trials.access import decides_on_the_trial, wrote_the_trial
from curation.trials.models import Trial

HOLDER = Holder(
    kind="trial",
    model=Trial,
    related=("application__domain",),
    blind=True,
    owner_id=lambda thing: thing.application.user_id,
    is_open=lambda thing: (
        thing.submitted_at is None and thing.application.stage == ApplicationStage.TRIAL
    ),
    page=lambda thing: reverse("trial", args=[thing.pk]),
    readers=[wrote_the_trial, decides_on_the_trial, permissions.is_staff],
)
