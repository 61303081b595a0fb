"""Probing of a submitted prompt before its panel: is it new, and is it hard?"""

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.base.web.refusals import BadInput
from curation.screening.panels.actions import fill_panel
from curation.screening.panels.models import ScreeningPolicy
from curation.screening.panels.policy import policy_for
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.authoring.similar_actions import store_missing_fingerprints
from curation.tasks.authoring.similar_queries import similar_prompts
from curation.tasks.task import probe_findings, text_basis
from curation.tasks.task.exact_queries import exact_of
from curation.tasks.task.models import Task
from curation.tasks.task.text_basis import records
from judge.asking.calls import model_client, record
from judge.asking.calls.model_client import Chosen, OverBudgetError, UnusableReplyError
from judge.asking.calls.models import Call
from judge.asking.endpoints import programme
from judge.asking.endpoints.file_rules import readable_text
from judge.asking.endpoints.queries import parameters_for
from judge.asking.prompts import builder, parsing
from judge.asking.providers import inputs
from judge.asking.providers.base import ProviderError, Reply
from judge.base.stats.proportions import wilson
from judge.suggesting.drafts.generate import write_draft
from rubrics.versions.lines import line_for


class ProbeSample(models.Model):
    """One answer of one model to one submission, with how much of the checklist it met.

    The row is written before the model is asked, so that after a crash the next worker knows what
    was asked, answered and graded. An unknown result is a state with its reason, never a 0.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Not asked yet")
        ANSWERED = "answered", _("Answered, not graded yet")
        GRADED = "graded", _("Graded")
        FAILED = "failed", _("Failed")

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="probe_samples")
    round = models.PositiveSmallIntegerField()
    model = models.CharField(max_length=160)  # as the setting names it: "provider:model"
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    answer = models.TextField(blank=True)
    lines = models.PositiveSmallIntegerField(null=True, blank=True)
    met = models.PositiveSmallIntegerField(null=True, blank=True)
    weight = models.PositiveIntegerField(null=True, blank=True)  # of all lines
    met_weight = models.PositiveIntegerField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    problem = models.TextField(blank=True)  # why there is no answer, or no grade
    graded_by = models.CharField(max_length=160, blank=True)
    call = models.ForeignKey(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    grade_call = models.ForeignKey(
        Call, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("task", "round", "model", "number")
        constraints = [
            models.UniqueConstraint(
                fields=["task", "round", "model", "number"], name="a_probe_sample_is_asked_once"
            ),
            models.CheckConstraint(
                condition=~Q(state="graded")
                | Q(
                    passed__isnull=False,
                    lines__isnull=False,
                    met__lte=F("lines"),
                    met_weight__lte=F("weight"),
                ),
                name="a_graded_sample_has_its_counts",
            ),
            models.CheckConstraint(
                condition=~Q(state="failed") | (Q(passed__isnull=True) & ~Q(problem="")),
                name="a_failed_sample_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "answered", "graded", "failed"]),
                name="probe_sample_state_is_known",
            ),
        ]


# Each model is asked several times, and every answer is graded against a checklist cut from the
# reference answer. That tells a trivial prompt from a hard one, not 60 % from 65 %. Each answer
# is a row written before the model is asked, so that after a crash nothing is asked twice.


_FAILURES = (ProviderError, UnusableReplyError, BadInput)
State = ProbeSample.State
BUDGET = "budget"  # why not all was asked
Checklist = list[inputs.Criterion]


def similar_tasks(task: Task) -> list[dict[str, Any]]:
    """Return the three most similar other tasks: key, similarity, number of shared anchors."""
    store_missing_fingerprints()
    return [
        {"task": found.key, "similarity": found.similarity, "shared": found.shared}
        for found in similar_prompts(task)
    ]


def screen(task: Task, *, skip: str = "", heartbeat: Callable[[], None] = lambda: None) -> None:
    """Probe a task, look for duplicates, open its screening and draw the panel.

    Arguments and refusals are those of `probe_and_open_screening`.
    """
    probe_and_open_screening(task, skip=skip, heartbeat=heartbeat)
    fill_panel(task)


def probe_and_open_screening(
    task: Task,
    *,
    skip: str = "",
    models: Sequence[str] | None = None,
    heartbeat: Callable[[], None] = lambda: None,
) -> None:
    """Probe a task, look for duplicates and open its screening, whose panel has no members yet.

    Args:
        skip: the reason to ask no model this time, for staff; graded answers still count.
        models: the models to ask; None for the programme's.
        heartbeat: called between two calls; raises if another worker took over.

    Raises:
        Conflict: the task moved to another stage meanwhile.
    """
    policy = policy_for(task.domain_id)
    problem, detail = ("broke", skip) if skip else probe(task, policy, _chosen(models), heartbeat)
    probing = summary(task, policy, problem, detail)
    finding = (
        probe_findings.Finding.UNKNOWN
        if probing.get("problem")
        else probe_findings.classify(
            probing["passed"], probing["graded"], policy.easy_percent, policy.suspect_percent
        )
    )
    if detail:
        probing["detail"] = detail[:300]  # for staff; authors only read the problem
    open_screening(
        task=task,
        finding=finding,
        probing=probing,
        duplicates=similar_tasks(task),
    )


# --- asking and grading ---------------------------------------------------------------------------
def _chosen(models: Sequence[str] | None) -> list[str]:
    return list(dict.fromkeys(programme.in_use().probes if models is None else models))


def probe(
    task: Task, policy: ScreeningPolicy, models: Sequence[str], heartbeat: Callable[[], None]
) -> tuple[str, str]:
    """Ask for the missing answers and grade the ungraded ones.

    A monthly budget that allows no further call ends the probing: it would cut off the models that
    come last, and not answers at random as failed calls do. What was not asked or graded stays
    open.

    Returns:
        Why not all was asked, as "no_model", "no_lines" or "budget", and a detail for staff; ""
        for each if nothing prevented it.
    """
    if not models:
        return "no_model", ""
    _plan(task, policy, models)
    open_samples = [s for s in samples_of(task) if s.state in (State.WAITING, State.ANSWERED)]
    if not open_samples:
        return "", ""
    checklist = cut_checklist(task)
    if not checklist:
        return "no_lines", ""
    try:
        for sample in open_samples:
            heartbeat()
            if sample.state == State.WAITING:
                _ask(task, sample)
            if sample.state == State.ANSWERED:
                heartbeat()
                _grade(task, sample, checklist, policy)
    except OverBudgetError as refusal:
        return BUDGET, record.reason_of(refusal)
    return "", ""


def samples_of(task: Task) -> Any:
    """Return the samples of a task's present submission, in the order they are asked."""
    return ProbeSample.objects.filter(task=task, round=task.screening_round).order_by("pk")


def _plan(task: Task, policy: ScreeningPolicy, models: Sequence[str]) -> None:
    """Create the rows to ask; only one for the offline rules, which always answer the same."""
    rows = [
        ProbeSample(task=task, round=task.screening_round, model=spec[:160], number=number)
        for spec in models
        for number in range(1, (1 if _is_offline(spec) else policy.samples) + 1)
    ]
    ProbeSample.objects.bulk_create(rows, ignore_conflicts=True)


def _is_offline(spec: str) -> bool:
    return spec.partition(":")[0].strip() == "offline"


def cut_checklist(task: Task) -> Checklist:
    """Return the lines to grade answers by, cut from the reference answer by the offline rules.

    An exact answer has one line: that the answer is right.
    """
    exact = exact_of(task)
    lines = [line_for(task, exact)] if exact else write_draft(task, model_client.offline()).lines
    return [
        inputs.Criterion(
            f"c{n}", line["text"], line["importance"], line["weight"], line["dimension"]
        )
        for n, line in enumerate(lines, start=1)
    ]


def _ask(task: Task, sample: ProbeSample) -> None:
    """Ask for one answer, and store it together with its call. Raises OverBudgetError."""

    def keep(call: Call, reply: Reply) -> None:
        sample.answer, sample.call = record.storable(reply.text), call
        if sample.answer.strip():
            _store(sample, State.ANSWERED)
        else:
            _store(sample, State.FAILED, problem="the answer is empty")

    try:
        who = model_client.chosen(sample.model)
        model_client.ask(
            who,
            builder.answer_prompt(readable_text(task, who)),
            purpose=Call.Purpose.PROBE,
            task=task,
            parameters=_given(who),
            keep=keep,
        )
    except OverBudgetError:
        raise
    except _FAILURES as problem:
        _store(sample, State.FAILED, problem=record.reason_of(problem))


def grader() -> Chosen:
    """Return the grader that staff have chosen, or the offline rules."""
    return model_client.chosen(programme.in_use().grader)


def _given(who: Chosen) -> dict[str, Any]:
    return parameters_for(who.provider.name, who.model, Call.Purpose.PROBE)


def _grade(task: Task, sample: ProbeSample, checklist: Checklist, policy: ScreeningPolicy) -> None:
    nonce = builder.nonce_for(
        settings.SECRET_KEY, "probe", str(sample.pk), sample.model, sample.answer
    )
    try:
        who = grader()
        sample.graded_by = who.label

        def keep(call: Call, reply: Reply) -> None:
            sample.grade_call = call
            _count(sample, checklist, reply.text, policy.solved_percent)

        model_client.ask(
            who,
            builder.judge_prompt(
                readable_text(task, who), checklist, None, sample.answer, nonce=nonce
            ),
            purpose=Call.Purpose.PROBE,
            task=task,
            parameters=_given(who),
            keep=keep,
        )
    except OverBudgetError:
        raise
    except _FAILURES as problem:
        _store(sample, State.FAILED, problem=f"not graded: {record.reason_of(problem)}")


def _count(sample: ProbeSample, checklist: Checklist, reply: str, solved_percent: int) -> None:
    """Store the grade that a grader's reply gives.

    Lines without a verdict do not matter if the answer passes without them or fails even with
    them; otherwise the sample fails without a grade.
    """
    verdicts = parsing.parse_verdicts(reply, [line.id for line in checklist]).verdicts
    outcome = {line.id: verdicts.get(line.id, (None, ""))[0] for line in checklist}
    total = sum(line.weight for line in checklist)
    met = sum(line.weight for line in checklist if outcome[line.id] is True)
    left = sum(line.weight for line in checklist if outcome[line.id] is None)
    required = solved_percent * total
    sample.lines, sample.weight = len(checklist), total
    sample.met, sample.met_weight = sum(o is True for o in outcome.values()), met
    if 100 * met >= required:
        sample.passed = True
    elif 100 * (met + left) < required:
        sample.passed = False
    else:
        missing = sum(o is None for o in outcome.values())
        _store(sample, State.FAILED, problem=f"the grader left {missing} lines open")
        return
    _store(sample, State.GRADED)


def _store(sample: ProbeSample, state: str, *, problem: str = "") -> None:
    sample.state, sample.problem, sample.at = state, problem, timezone.now()
    if state == State.FAILED:
        sample.passed = None
    sample.save()


# --- the counts -----------------------------------------------------------------------------------
def summary(task: Task, policy: ScreeningPolicy, problem: str, detail: str = "") -> dict[str, Any]:
    """Return the counts of a submission as stored with its screening.

    `curation.tasks.task.probe_findings` turns them into sentences.

    Args:
        problem: why not all was asked; "" if all was. Graded answers count nevertheless, unless a
            budget cut some off.
        detail: why some answers are open, for staff.
    """
    rows = list(samples_of(task))
    graded = [row for row in rows if row.state == State.GRADED]
    if not graded or problem == BUDGET:
        return {
            "problem": problem or "no_answer",
            "models": _by_model(rows, detail),
            "asked": len(rows),
            "graded": len(graded),
        }
    passed = sum(bool(row.passed) for row in graded)
    interval = wilson(passed, len(graded))
    assert interval is not None, "there is a count"
    offline = [_is_offline(row.model) for row in graded]
    return {
        "asked": len(rows),
        "graded": len(graded),
        "passed": passed,
        "low": round(interval[0], 4),
        "high": round(interval[1], 4),
        "solved": policy.solved_percent,
        "easy": policy.easy_percent,
        "suspect": policy.suspect_percent,
        "by_rules": any(row.graded_by.startswith("offline ") for row in graded),
        "offline_only": all(offline),
        "offline_too": any(offline),
        "models": _by_model(rows, detail),
    }


def _by_model(rows: list[ProbeSample], why_open: str) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        entry = found.setdefault(row.model, {"model": row.model, "passed": 0, "graded": 0})
        if row.state == State.GRADED:
            entry["graded"] += 1
            entry["passed"] += bool(row.passed)
        elif row.problem:
            entry["problem"] = row.problem[:300]
        elif row.state != State.FAILED and why_open:
            entry["problem"] = why_open[:300]
    return list(found.values())


text_basis.register(
    *records(
        text_basis.ASKED_A_MODEL,
        "judge.ProbeSample",
    ),
)
