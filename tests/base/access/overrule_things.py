"""A judgment in the sample programme of which staff overruled an item, and the form for another."""

from typing import Any

from curation.joining.people import User
from judge.methods.base import registry
from judge.methods.base.overruling import Said
from judge.results.flags.overrule_actions import overrule_finding
from judge.results.flags.overrules import Overrule, findings_of
from judge.runs.engine.models import Judgment
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run

OTHER = {"yes": "partly", "partly": "no", "no": "yes"}


def overrule_things(people: dict[str, User], task: str) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of overrules, by the name the matrix uses.

    Args:
        task: key of one with a checklist in use.
    """
    run = plan_run(
        actor=None, method="jade_skills", provider="offline", model="rules-1", task_keys=[task]
    )
    work_on_run(run)
    judgment = Judgment.objects.filter(run=run).earliest("pk")
    made = overrule_finding(
        actor=people["staff"],
        judgment=judgment,
        finding="item:q1",
        said=_another(judgment, "item:q1"),
        reason="planted reason of an overruled finding",
    )
    return {
        "overruled_response": (judgment.response_id,),
        "overruled_finding": (made.pk,),
        "overruled_run": (run.pk,),
        "judgment": (judgment.pk,),
    }


def overrule_body() -> dict[str, Any]:
    """The form that overrules the same item again."""
    made = Overrule.objects.latest("pk")
    return {
        "judgment": made.judgment_id,
        "finding": made.finding,
        "answer": _another(made.judgment, made.finding).answer,
        "reason": "Its table says more.",
    }


def _another(judgment: Judgment, name: str) -> Said:
    """Another answer than the judge's."""
    method = registry.get(judgment.method)
    said = method.overrulable(findings_of(judgment.pk))[name].said
    assert said is not None
    return Said(OTHER[said.answer])
