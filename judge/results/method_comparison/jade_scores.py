"""The scores of a JADE run, response by response, with what people overruled."""

from collections import defaultdict
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.base.gold_sets.task_sets import closed_of
from judge.methods.base import registry
from judge.methods.jade.as_dict import scores_as_dict
from judge.methods.jade.method import Jade
from judge.results.flags.overrules import laid_over, overrules_of, standing
from judge.runs.engine.models import Finding, JudgeRun, RunItem


def jade_scores(run: JudgeRun) -> list[dict[str, Any]]:
    """Return the rows of `scores_as_dict` for each response a run was asked about. Three queries.

    Each row also has the keys of response, task and candidate, and how many findings people
    overruled; the scores follow what they say. Skipped responses and those of a closed held-out
    half are left out.

    Raises:
        BadInput: the run is by another method.
    """
    method = registry.METHODS.get(run.method)
    if not isinstance(method, Jade):
        raise BadInput(
            _("Run %(run)s judged by “%(method)s”, which is not JADE.")
            % {"run": run.pk, "method": registry.label_of(run.method)}
        )
    asked = (
        RunItem.objects.filter(run=run)
        .exclude(state=RunItem.State.SKIPPED)
        .exclude(closed_of("response__task"))
        .order_by("response__task__key", "response__key")
        .values_list(
            "judgment", "response__key", "response__task__key", "response__candidate__name"
        )
    )
    rows = list(asked)
    judgments = [pk for pk, *_names in rows if pk is not None]
    findings: dict[int, dict[str, Any]] = defaultdict(dict)
    found = Finding.objects.filter(judgment__items__run=run, reason="").order_by("pk")
    for pk, name, data in found.values_list("judgment_id", "name", "data"):
        findings[pk][name] = data
    overrules = overrules_of(judgments)
    scores = []
    for pk, response, task, candidate in rows:
        mine = findings[pk] if pk is not None else {}
        now = standing(overrules.get(pk, {})) if pk is not None else {}
        scores.append(
            {
                "response": response,
                "task": task,
                "candidate": candidate,
                "overruled": len(now),
                **scores_as_dict(laid_over(method, mine, now), verified=method.with_claims),
            }
        )
    return scores
