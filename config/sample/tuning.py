"""How staff of the sample programme try a change of the judge, and doubt one of its verdicts."""

from typing import Any

from django.db import transaction

from judge.base.queue import leases
from judge.methods.variants.actions import make_variant
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.flags.flags import flag_verdict
from judge.results.workshop.actions import plan_experiment
from judge.results.workshop.models import JudgeExperiment
from judge.runs.engine.lease import claim_run
from judge.runs.engine.models import JudgeRun, Verdict
from judge.runs.engine.work import work_on_run
from judge.runs.pages.lifecycle import continue_run

VARIANTS = {
    "One call for a response": "per_response",
    "One call for a line": "per_criterion",
}
QUESTION = "Does the judge decide differently when it is asked about one line at a time?"
# Task, candidate and beginning of a line that the offline judge finds unmet, and why that is wrong.
FLAGGED = {
    (
        "finance-equity-bridge",
        "Elm 2",
        "Keeps the note",
    ): "The note has fewer than 600 words. No sentence of it says so, and the judge looks for one.",
    (
        "finance-equity-bridge",
        "Hazel 1",
        "Presents the bridge as a table",
    ): "The bridge is a table, with one row for each item.",
}


def try_line_by_line(staff: Any, alignment_set: AlignmentSet) -> None:
    """Compare two variants of the offline judge on the responses that experts scored."""
    first, second = (
        make_variant(actor=staff, name=name, provider="offline", calls_mode=calls)
        for name, calls in VARIANTS.items()
    )
    experiment = plan_experiment(
        actor=staff,
        alignment_set=alignment_set,
        first=first,
        second=second,
        measure=JudgeExperiment.Measure.AGREEMENT,
        question=QUESTION,
        concurrency=1,
    )
    for run in (experiment.first_run, experiment.second_run):
        token = leases.new_token()
        with transaction.atomic():  # no worker takes it in between
            continue_run(actor=staff, run=run)
            claim_run(run.pk, token, states=(JudgeRun.State.WAITING,))
        work_on_run(run, token=token)
        run.refresh_from_db()
        assert run.state == JudgeRun.State.FINISHED, run.reason


def flag_verdicts(staff: Any, run: JudgeRun) -> None:
    """Flag verdicts of a run that its experts contradict."""
    for (task, candidate, line), why in FLAGGED.items():
        verdict = Verdict.objects.get(
            judgment__items__run=run,
            judgment__response__task__key=task,
            judgment__response__candidate__name=candidate,
            criterion__text__startswith=line,
        )
        flag_verdict(actor=staff, verdict=verdict, reason=why)
