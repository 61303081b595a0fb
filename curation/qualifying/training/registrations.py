"""What the training asks before a new task, and when it is skipped."""

from curation.base.process.signals import stage_entered
from curation.qualifying.applications.models import Application
from curation.qualifying.training.actions import require_training, skip_passed_training
from curation.tasks.authoring import requirements

requirements.register(require_training)
stage_entered.connect(skip_passed_training, sender=Application, dispatch_uid="curation.training")
