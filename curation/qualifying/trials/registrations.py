"""Trial tasks open after the training, and hold files: their materials."""

from typing import Any

from django.dispatch import receiver
from django.urls import reverse

from curation.base.access import permissions
from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.signals import training_passed
from curation.qualifying.applications.models import Application
from curation.qualifying.trials.actions import open_trial
from curation.qualifying.trials.models import Trial
from curation.qualifying.trials.queries import decides_on_the_trial, wrote_the_trial
from curation.tasks.attachments import holders
from curation.tasks.attachments.holders import Holder


@receiver(training_passed, sender=Application, dispatch_uid="curation.trials.open_it")
def open_it(sender: Any, instance: Application, **_: Any) -> None:
    open_trial(instance)


holders.register(
    Holder(
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
)
