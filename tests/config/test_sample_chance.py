"""The sample programme loads whatever the installation's own salt draws for a spot check."""

from itertools import count

import pytest
from django.core.management import call_command

from config.sample.tasks import GOLD
from curation.tasks.models import Task
from judge.scorers.practice_models import PracticeAttempt
from review.policy.sampling import is_drawn
from review.senior_seats.models import SpotCheck

pytestmark = pytest.mark.django_db
SLUGS = [script.slug for script in GOLD]


def salt_that_draws(*, every: bool, rate: float) -> str:
    """A salt by which each of the tasks for the release is drawn, or none."""
    salts = (f"salt-{n}" for n in count())
    return next(s for s in salts if all(is_drawn(s, slug, rate) == every for slug in SLUGS))


@pytest.mark.parametrize(("every", "rate"), [(False, 0.05), (True, 0.95)])
def test_it_loads_where_each_task_of_the_release_is_drawn_and_where_none_is(
    settings, tmp_path, every, rate
):
    settings.MEDIA_ROOT, settings.VAR_DIR = tmp_path / "files", tmp_path
    settings.SPOT_CHECK_RATE, settings.SPOT_CHECK_SALT = (
        rate,
        salt_that_draws(every=every, rate=rate),
    )
    call_command("sample_programme", quiet=True)
    tasks = Task.objects.filter(key__in=SLUGS)
    assert tasks.count() == len(SLUGS)
    assert SpotCheck.objects.filter(task__in=tasks).count() == every * len(SLUGS)
    assert PracticeAttempt.objects.get().passed
