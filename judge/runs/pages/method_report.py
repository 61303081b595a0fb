"""The figures that a run's method has of its own, over the responses that the run judged."""

from judge.base.gold_sets.task_sets import EVERY_TASK, TaskSet
from judge.methods.base import registry
from judge.methods.base.values import Judged, Part
from judge.runs.engine.models import Finding, JudgeRun, Judgment, RunItem


def method_report(run: JudgeRun, tasks: TaskSet = EVERY_TASK) -> Part | None:
    """Return what the run's method reports over judged responses; None if it reports nothing.

    Two queries where the method has findings, else none.
    """
    method = registry.get(run.method)
    if not method.has_findings:
        return None
    rows = (
        tasks.within(RunItem.objects.filter(run=run), "response__task")
        .exclude(judgment=None)
        .exclude(judgment__state=Judgment.State.WAITING)
        .order_by("response_id")
        .values_list(
            "judgment_id",
            "response__candidate__name",
            "judgment__score_numerator",
            "judgment__score_denominator",
            "response__candidate__kind",
            "response__candidate__tools",
            "response__candidate__licence",
        )
    )
    said: dict[int, dict[str, object]] = {}
    for judgment, name, data in Finding.objects.filter(
        judgment__items__run=run, reason=""
    ).values_list("judgment_id", "name", "data"):
        said.setdefault(judgment, {})[name] = data
    return method.report(
        [
            Judged(
                candidate,
                above / below if above is not None and below else None,
                said.get(judgment, {}),
                about=(kind, tools, licence),
            )
            for judgment, candidate, above, below, kind, tools, licence in rows
        ]
    )
