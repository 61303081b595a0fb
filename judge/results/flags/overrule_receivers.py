"""A judgment that was judged further keeps what people overruled; its score is computed again."""

from collections.abc import Collection
from typing import Any

from judge.results.flags.overrule_actions import store
from judge.results.flags.overrules import findings_of, overrules_of
from judge.runs.engine.models import Judgment
from judge.runs.engine.signals import judgments_ended


def connect() -> None:
    """Connect the receiver to the engine's signal."""
    judgments_ended.connect(follow_the_judge, dispatch_uid="judge.overrules.follow_the_judge")


def follow_the_judge(sender: Any, judgments: Collection[int], **_: Any) -> None:
    """Compute the scores with overrules of judgments that ended again. One query without any."""
    rows = overrules_of(judgments)
    for judgment in Judgment.objects.filter(pk__in=rows) if rows else ():
        store(judgment, findings_of(judgment.pk), rows[judgment.pk])
