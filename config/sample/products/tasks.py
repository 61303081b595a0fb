"""The tasks of the benchmark of products, each brought to its stage by the real actions."""

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import F
from django.utils import timezone

from config.sample.products import People
from config.sample.products.setting import POOL
from config.sample.tasks import PANEL_REASONS, drawn_key
from curation.joining.domains.models import Category, Domain
from curation.screening.panels.actions import join_panel
from curation.screening.panels.exact_tests import TESTS
from curation.screening.panels.models import Decision, PanelPlace, Solve
from curation.screening.panels.voting_actions import open_screening, vote
from curation.screening.solving.actions import begin_solve, decide_solve, hand_in
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.business.actions import check_deidentified, confirm_deidentified, enter_task
from curation.tasks.business.models import CHECKED, Collection, Deidentification
from curation.tasks.task.exact_actions import save_exact
from curation.tasks.task.exact_checks import Step
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task
from curation.tasks.work_map.models import WorkType
from judge.methods.base.actions import set_demand
from judge.methods.profiles.actions import set_outcome, set_selection
from judge.methods.profiles.models import ProfilePool
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.handover.actions import hand_over_rubric
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import import_version

COLLECTED_AGO = 176  # days
REMARKS = {
    "en": "Found it by the same sources; nothing else fits the question.",
    "zh": "按同样的来源独立查得，没有其他答案符合题意。",
}
TEXTS = ("title", "scenario", "materials", "requirements", "reference_answer")


def add_task(slug: str, data: dict[str, Any], domains: dict[str, Domain], people: People) -> Task:
    """Create a task and bring it to the stage that its file names (approved without one)."""
    return (_exact if data["form"] == "exact" else _collected)(slug, data, domains, people)


def _facts(data: dict[str, Any], domain: Domain) -> dict[str, Any]:
    """Return what a task of either kind says besides its texts."""
    days = data.get("valid_days")
    return {
        "category": Category.objects.get(domain=domain, key=data["category"]),
        "work_type": WorkType.objects.get(domain=domain, key=data["work_type"]),
        "language": "zh-hans" if data["language"] == "zh" else "en",
        "minutes": data["minutes"],
        "rate_band": data.get("rate_band", ""),
        "change": data["change"],
        "valid_until": timezone.localdate() + timedelta(days=days) if days else None,
        "sources": data.get("sources", ""),
    }


# --- tasks from business --------------------------------------------------------------------------
def _collected(slug: str, data: dict[str, Any], domains: dict[str, Domain], people: People) -> Task:
    staff, domain = people["staff"], domains[data["domain"]]
    day = timezone.localdate() - timedelta(days=COLLECTED_AGO)
    task = enter_task(
        actor=staff,
        domain=domain,
        key=drawn_key(slug, False),
        record={
            "owner": data["owner"],
            "permitted_by": data["permitted_by"],
            "permitted_on": day - timedelta(days=4),
            "permission_scope": data["scope"],
            "permission_text": data["permission"],
            "permission_document": data.get("document", ""),
            "collected_on": day,
        },
        hourly_rate=Decimal(data["hourly_rate"]),
        answer_form=data["form"],
        **{name: data[name] for name in TEXTS},
        **_facts(data, domain),
    )
    ticked: dict[str, Any] = dict.fromkeys(CHECKED, True)
    check = check_deidentified(actor=people["staff2"], task=task, version=task.version, **ticked)
    if data.get("state") == "deidentifying":
        return task
    confirm_deidentified(actor=staff, check=check)
    import_version(task=task, lines=_lines(data["rubric"]), actor=staff)
    _demand(task, data, staff)
    submit_task(actor=staff, task=task)
    _give_rubric(task, data, people)
    open_screening(task=task, probing={"problem": "no_model"})
    _keep(task, data, people)
    _review(task, people[data["writer"]])
    return Task.objects.get(pk=task.pk)


def _lines(rubric: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    names = ("text", "importance", "weight", "dimension")
    return [
        {"key": f"g{n}", **{name: row[name] for name in names}}
        for n, row in enumerate(rubric, start=1)
    ]


def _demand(task: Task, data: dict[str, Any], staff: Any) -> None:
    """Say how many entries a list or selection has, and whom the client really chose."""
    if "demand" in data:
        number, what = data["demand"]
        set_demand(actor=staff, task=task.key, number=number, what=what)
    if data["form"] == "selection":
        pool = ProfilePool.objects.get(key=POOL)
        set_selection(actor=staff, task=task, pool=pool, number=data["number"], what=data["what"])
        set_outcome(
            actor=staff, task=task, chosen=data["chosen"], reason="The owner's booking list."
        )


def _give_rubric(task: Task, data: dict[str, Any], people: People) -> None:
    hand_over_rubric(
        actor=people["staff"],
        task=task,
        taker=people[data["writer"]],
        reason="Knows this kind of work from practice.",
    )


def _keep(task: Task, data: dict[str, Any], people: People) -> None:
    """Cast the vote that keeps a task."""
    member = people[data["panel"]]
    join_panel(actor=member, task=task)
    tests = [test.name for test in TESTS] if data["form"] == "exact" else []
    vote(
        actor=member,
        task=task,
        decision=Decision.KEEP,
        reasons=PANEL_REASONS[data["language"]],
        **dict.fromkeys(("difficult", "representative", "gradable", *tests), True),
    )


def _review(task: Task, writer: Any) -> None:
    """Send the rubric that came with the task, and have its reviewer approve every line."""
    task.refresh_from_db()
    send_to_review(actor=writer, task=task)
    current = Review.objects.select_related("reviewer").get(task=task)
    round_1 = current.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=current.reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=current.reviewer, round=round_1)


# --- exact answers --------------------------------------------------------------------------------
def _exact(slug: str, data: dict[str, Any], domains: dict[str, Domain], people: People) -> Task:
    author, domain = people[data["author"]], domains[data["domain"]]
    task = create_task(
        actor=author,
        domain=domain,
        key=slug,
        answer_form="exact",
        title=data["title"],
        requirements=data["question"],
        **_facts(data, domain),
    )
    save_exact(
        actor=author,
        task=task,
        revision=ExactAnswer.objects.get(task=task).revision,
        steps=[Step(text, page, _day(on)) for text, page, on in data["steps"]],
        answer=data["answer"],
        kind=data["kind"],
        unit=data["unit"],
        tolerance=None,
        tolerance_is_percent=False,
        alternatives=[],
        level=data["level"],
        cutoff=_day(data["cutoff"]),
        why_unique=data["why_unique"],
        why_stable=data["why_stable"],
    )
    task.refresh_from_db()
    submit_task(actor=author, task=task)
    open_screening(task=task, probing={"problem": "no_model"})
    for n, name in enumerate(data["solvers"], start=1):
        join_panel(actor=people[name], task=task, kind=PanelPlace.Kind.SOLVE)
        if data["state"] == "solved":
            _solve(task, people[name], data, minutes=data["minutes"] + 3 * n)
    if data["state"] == "solved":
        _keep(task, data, people)
    return Task.objects.get(pk=task.pk)


def _day(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def _solve(task: Task, solver: Any, data: dict[str, Any], minutes: int) -> None:
    """Solve a question in so many minutes and find its answer right."""
    begin_solve(actor=solver, task=task)
    mine = Solve.objects.filter(task=task, solver=solver)
    mine.update(started_at=F("started_at") - timedelta(minutes=minutes))
    hand_in(actor=solver, task=task, answer=data["answer"])
    decide_solve(
        actor=solver, task=task, verdict=Solve.Verdict.RIGHT, remarks=REMARKS[data["language"]]
    )


# --- dates ----------------------------------------------------------------------------------------
def date_collection(task: Task, *, days: int) -> None:
    """Move the record of a collected task and its check of de-identification into the past."""
    age = timedelta(days=days)
    Collection.objects.filter(task=task).update(entered_at=F("entered_at") - age)
    checks = Deidentification.objects.filter(task=task)
    checks.update(done_at=F("done_at") - age)
    checks.filter(second_at__isnull=False).update(second_at=F("second_at") - age)
    Solve.objects.filter(task=task, started_at__isnull=False).update(
        started_at=F("started_at") - age
    )
    for name in ("ended_at", "decided_at"):
        Solve.objects.filter(task=task, **{f"{name}__isnull": False}).update(
            **{name: F(name) - age}
        )
