"""Registration of trials as holders of files: the materials of a trial task."""

from django.urls import reverse

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.qualifying.trials.models import Trial
from curation.qualifying.trials.queries import decides_on_the_trial, wrote_the_trial
from curation.tasks.attachments.holders import Holder

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
