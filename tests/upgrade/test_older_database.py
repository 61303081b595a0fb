"""A database of an older version comes through every migration with all it holds."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.domains.models import Domain
from tests.gold.conftest import fill
from tests.scoring.conftest import approved
from tests.upgrade import older


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("files")
def test_an_older_database_comes_through_the_migrations_with_all_it_holds(
    tables_at: Callable[..., Any],
    person: Any,
    programme: Any,
    finance: Domain,
    law: Domain,
    stub: Any,
    judge: Any,
    settings: Any,
) -> None:
    """Going back and forth takes long, so all parts are tried in one go."""
    settings.SPOT_CHECK_RATE = 0.0
    fill(programme, finance, law)
    field = Domain.objects.create(key="mining", name="Mining")
    screener, writer, reviewer, ana, ben = (
        person(name, field) for name in ("screens", "writes", "reviews", "ana", "ben")
    )
    judge(provider="openai")
    parts = [
        older.sheets_asked_for_by_flags(approved(writer, screener, reviewer, field), ana, ben),
        older.runs_that_experiments_planned(),
        older.runs_whose_end_contradicts_their_state(),
    ]
    wanted = [(part, next(part)) for part in parts]

    before: dict[str, int] = {}
    for stop in older.STOPS:
        models = tables_at(**stop)
        before = before or older.rows(models)
        for place, (part, asked) in enumerate(wanted):
            if asked == stop:
                wanted[place] = (part, _after(part, models))
    assert {asked is None for _part, asked in wanted} == {True}

    now = older.rows()
    assert {name: now[name] - n for name, n in before.items() if now[name] != n} == {
        "curation.TaskEvent": 2,
        "curation.User": 1,
        "judge.AlignmentItem": 4,
        "judge.AlignmentSet": 4,
        "judge.JudgeExperiment": 1,
        "judge.JudgeRun": 5,
        "judge.JudgeVariant": 2,
        "judge.Sheet": 4,
    }


def _after(part: older.Part, models: Any) -> older.Names | None:
    """Which tables the part asks for next; None when it is through."""
    try:
        return part.send(models)
    except StopIteration:
        return None
