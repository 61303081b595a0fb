"""Rows for these tests, made without going through screens: tasks, rubrics, responses, sheets."""

from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates.models import Candidate, Response
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.actions import import_version
from rubrics.versions.models import RubricVersion

WORDS = ("cash", "margin", "debt", "covenant", "growth", "discount", "lease", "dilution", "bridge")


def external_task(key: str = "", *, lines: int = 17, baseline: bool = True, **fields) -> Task:
    """A task of another benchmark with its rubric and, by default, a scored baseline."""
    number = Task.objects.count() + 1  # the same in whatever order the tests run
    domain, _created = Domain.objects.get_or_create(
        key="finance", defaults={"name": "Finance", "external": True}
    )
    task = Task.objects.create(
        key=key or f"task-{number}",
        origin=Origin.EXTERNAL,
        domain=domain,
        stage="approved",
        title=f"Bridge the equity of company {number}",
        scenario=f"Company {number} is for sale and its owner wants a price.",
        requirements="State the equity value and each step of the bridge.",
        reference_answer="The enterprise value is 120. Net debt is 20. The equity value is 100.",
        **fields,
    )
    if lines:
        version = rubric(task, lines)
        if baseline:
            scored_baseline(task, version)
    return task


def rubric(task: Task, lines: int = 17) -> RubricVersion:
    return import_version(
        task=task,
        lines=[
            {
                "key": f"c{n}",
                "text": f"States the {WORDS[n % len(WORDS)]} in line {n}.",
                "importance": ("essential", "important", "optional")[n % 3],
                "weight": 1 + n % 10,
                "dimension": "accuracy",
            }
            for n in range(1, lines + 1)
        ],
    )


def scored_baseline(task: Task, version: RubricVersion, rater: str = "expert-1") -> Sheet:
    response = task.responses.filter(baseline=True).first() or respond(
        task, "base-model", baseline=True
    )
    return sheet(response, version, rater)


def sheet(response: Response, version: RubricVersion, rater: str) -> Sheet:
    made = Sheet.objects.create(
        response=response,
        version=version,
        kind=Sheet.Kind.EXPERT,
        purpose=Sheet.Purpose.IMPORTED,
        rater=rater,
        state=Sheet.State.SUBMITTED,
        submitted_at=timezone.now(),
    )
    SheetLine.objects.bulk_create(
        SheetLine(sheet=made, criterion=line, met=n % 2 == 0, rationale=f"Reason {n}.")
        for n, line in enumerate(version.criteria.all())
    )
    return made


def respond(task: Task, name: str, text: str = "", **fields) -> Response:
    candidate, _created = Candidate.objects.get_or_create(name=name)
    return Response.objects.create(
        key=fields.pop("key", f"r{Response.objects.count() + 1}"),
        task=task,
        candidate=candidate,
        text=text or "\n".join([f"{name} says about {task.title}: the equity value is 100."] * 5),
        source=Response.Source.IMPORTED,
        **fields,
    )


def benchmark(tasks: int, candidates: int, *, lines: int = 17) -> list[Response]:
    """`tasks` tasks with a scored baseline each, answered by `candidates` candidates."""
    return [
        respond(task, f"system-{c}")
        for task in [external_task(lines=lines) for _ in range(tasks)]
        for c in range(1, candidates + 1)
    ]
