"""Receivers of trials: open the trial task when an applicant has passed the training."""

from typing import Any

from curation.base.process.signals import training_passed
from curation.qualifying.applications.models import Application
from curation.qualifying.trials.actions import open_trial


def connect() -> None:
    """Connect to the training's signal. Idempotent."""
    training_passed.connect(open_it, sender=Application, dispatch_uid="curation.trials.open_it")


def open_it(sender: Any, instance: Application, **_: Any) -> None:
    open_trial(instance)
