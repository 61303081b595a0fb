"""The sample programme loads whatever the installation's own salt draws for a spot check.

Here all of its released tasks are drawn; other tests load it by a salt that draws few.
"""

from itertools import count

import pytest
from django.core.management import call_command

from config.sample.tasks import GOLD
from curation.tasks.task.models import Task
from judge.scoring.scorers.practice_models import PracticeAttempt
from review.policy.sampling import is_drawn
from review.senior_seats.models import SpotCheck

pytestmark = pytest.mark.django_db
SLUGS = [script.slug for script in GOLD]


def salt_that_draws_all(rate: float) -> str:
    """A salt by which each of the tasks for the release is drawn."""
    salts = (f"salt-{n}" for n in count())
    return next(s for s in salts if all(is_drawn(s, slug, rate) for slug in SLUGS))


def test_it_loads_where_each_task_of_the_release_is_drawn(settings, tmp_path):
    settings.MEDIA_ROOT, settings.VAR_DIR = tmp_path / "files", tmp_path
    settings.SPOT_CHECK_RATE = 0.95
    settings.SPOT_CHECK_SALT = salt_that_draws_all(0.95)
    call_command("sample_programme", quiet=True)
    tasks = Task.objects.filter(key__in=SLUGS)
    assert tasks.count() == len(SLUGS)
    assert SpotCheck.objects.filter(task__in=tasks).count() == len(SLUGS)
    assert PracticeAttempt.objects.get().passed
