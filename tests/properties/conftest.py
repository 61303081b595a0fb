"""The world of the walkers, made by the real actions."""

from typing import Any

import pytest

from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.actions import create_task, submit_task
from review.conflicts.models import ConflictOfInterest
from tests.properties.world import LINES, World
from tests.rubrics.walk import PARTS, to_refining


@pytest.fixture
def world(settings: Any, person: Any, finance: Any, law: Any) -> World:
    settings.RUBRIC_MIN_CRITERIA, settings.RUBRIC_MAX_CRITERIA = 2, 7
    settings.SPOT_CHECK_RATE = 0.5
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    people = {
        name: person(name, finance) for name in ("author", "other", "first", "second", "tied")
    }
    people["senior"] = person("senior", finance, senior=True)
    people["deputy"] = person("deputy", finance, senior=True)
    people["staff"] = person("staff", is_staff=True)
    people["stranger"] = person("stranger", law)
    low, high = sorted((people["author"], people["tied"]), key=lambda user: user.pk)
    ConflictOfInterest.objects.create(
        one=low, other=high, kind="coauthor", declared_by=people["staff"]
    )
    screener = person("screener", finance)
    tasks = [
        to_refining(people["author"], screener, finance, lines=LINES, title="Headroom"),
        to_refining(people["other"], screener, finance, lines=LINES, title="Bridge"),
    ]
    fresh = create_task(actor=people["author"], domain=finance, title="Waterfall", **PARTS)
    submit_task(actor=people["author"], task=fresh)
    open_screening(task=fresh)
    # Nobody but the walkers: the screener's seats are taken, and no draw may choose them.
    screener.qualifications.update(active=False)
    return World(people, [*tasks, fresh])
