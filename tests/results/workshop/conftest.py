"""An alignment set that experts scored, two variants, and answers written as the engine does."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.utils import timezone

from judge.asking.candidates.models import Response
from judge.asking.prompts import load
from judge.asking.prompts.judge_template import text_of
from judge.methods.variants.actions import make_variant, write_prompt
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.workshop.actions import plan_experiment
from judge.runs.engine.models import JudgeRun, Judgment, Verdict
from rubrics.versions.models import RubricVersion
from tests.results.alignment.conftest import Bench, bench, fill_three
from tests.run_states import in_state

__all__ = ["bench"]

STRICTER = "Where you are unsure whether a line is met, it is not met."


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


@pytest.fixture
def scored(bench: Bench) -> AlignmentSet:
    """Two tasks of four lines with three candidates each in a set; one expert scored all.

    Weights 4, 3, 2, 1. Experts: Cedar 1111, Birch 1100, Alder 0011 on both tasks. Each task has a
    scored baseline, so that one-shot runs can be planned.
    """
    return score(bench, ("one", "two"))


def score(bench: Bench, keys: Sequence[str]) -> AlignmentSet:
    """Make tasks as `scored` says, and a set of all responses there are then."""
    fill_three(bench, keys)
    for key in keys:
        bench.response(key, "Base", baseline=True)
        bench.sheet(key, "Base", "expert-1", (1, 0, 1, 0))
    return set_of(Response.objects.filter(baseline=False))


def set_of(responses: Any, *, flagged: Sequence[str] = ()) -> AlignmentSet:
    """Put responses into a new set, some of them for a flag alone."""
    made = AlignmentSet.objects.create(
        seed=1,
        quota=3,
        domains=["finance"],
        candidates=["Alder", "Birch", "Cedar"],
        flagged=bool(flagged),
    )
    for response in responses:
        version = RubricVersion.objects.filter(task=response.task).latest("number")
        made.items.create(
            response=response,
            version=version,
            domain="finance",
            flagged=response.key in flagged,
        )
    return made


@pytest.fixture
def variants(staff: Any) -> tuple[Any, Any]:
    """As it is, and with a stricter prompt."""
    built_in = text_of(load("judge"))
    prompt = write_prompt(
        actor=staff,
        instructions=f"{built_in.instructions}\n- {STRICTER}",
        example=built_in.example,
        note="Stricter where the judge is unsure.",
    )
    rules = {"actor": staff, "provider": "offline", "calls_mode": "per_response"}
    return (
        make_variant(**rules, name="As it is"),
        make_variant(**rules, name="Stricter", prompt=prompt),
    )


@pytest.fixture
def plan(staff: Any, scored: AlignmentSet, variants: Any) -> Any:
    def plan(**changes: Any) -> Any:
        wanted = {
            "actor": staff,
            "alignment_set": scored,
            "first": variants[0],
            "second": variants[1],
            "measure": "agreement",
            "question": "Is a stricter judge nearer to the experts?",
        }
        return plan_experiment(**wanted | changes)

    return plan


def answer(run: JudgeRun, verdicts: Mapping[tuple[str, str], Sequence[int | None]]) -> None:
    """Write these verdicts per (task, candidate) to a planned run and end it."""
    for item in run.items.select_related("response__task", "response__candidate", "version"):
        met = verdicts[item.response.task.key, item.response.candidate.name]
        lines = list(item.version.criteria.all())
        whole = None not in met
        judgment = Judgment.objects.create(
            key=f"{run.pk}-{item.response_id}",
            run=run,
            response=item.response,
            version=item.version,
            exemplar=item.exemplar,
            method=run.method,
            provider=run.provider,
            model=run.model,
            prompt_sha256="0" * 64,
            state="complete" if whole else "incomplete",
            score_numerator=sum(line.weight for line, m in zip(lines, met, strict=True) if m)
            if whole
            else None,
            score_denominator=sum(line.weight for line in lines) if whole else None,
            lines_total=len(lines),
        )
        Verdict.objects.bulk_create(
            Verdict(
                judgment=judgment,
                criterion=line,
                outcome="failed" if m is None else "met" if m else "unmet",
                reason="missing" if m is None else "",
                why=f"Run {run.pk} on {line.key}",
            )
            for line, m in zip(lines, met, strict=True)
        )
        type(item).objects.filter(pk=item.pk).update(
            judgment=judgment,
            state="judged" if whole else "failed",
            reason="" if whole else "missing",
        )
    JudgeRun.objects.filter(pk=run.pk).update(started_at=timezone.now(), **in_state("finished"))


FIRST = {
    (task, who): met
    for task in ("one", "two")
    for who, met in {
        "Cedar": (1, 1, 0, 1),
        "Birch": (1, 0, 0, 0),
        "Alder": (0, 0, 1, 1),
    }.items()
}
# On "one" Cedar's third line is fixed and Alder's first broken; on "two" Birch's second is fixed
# and Cedar's fourth has no verdict any more.
SECOND = {
    **FIRST,
    ("one", "Cedar"): (1, 1, 1, 1),
    ("one", "Alder"): (1, 0, 1, 1),
    ("two", "Birch"): (1, 1, 0, 0),
    ("two", "Cedar"): (1, 1, 0, None),
}


@pytest.fixture
def compared(plan: Any) -> Any:
    experiment = plan()
    answer(experiment.first_run, FIRST)
    answer(experiment.second_run, SECOND)
    return type(experiment).objects.get(pk=experiment.pk)
