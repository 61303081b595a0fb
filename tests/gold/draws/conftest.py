"""A programme with approved tasks in two domains, some with a validated anchor."""

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import AnchorStage, Stage
from curation.joining.domains.models import Category, Domain
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates.models import Candidate, Response
from judge.scoring.anchors.models import Anchor, MetaEvaluation
from judge.scoring.sheets.models import Sheet, SheetLine
from review.rounds.assignment_models import Review, Round
from review.senior_seats.models import SpotCheck
from rubrics.versions.actions import import_version
from rubrics.versions.models import RubricVersion
from tests.conftest import new_domain, new_person
from tests.worlds import World

LINES = 15


class Programme:
    """Writes approved tasks with their reviewed rubrics, anchors and spot checks."""

    def __init__(self, author, peer, senior) -> None:
        self.author, self.peer, self.senior = author, peer, senior

    def task(
        self,
        key: str,
        domain: Domain,
        *,
        anchored: bool = True,
        checked: bool = False,
        external: bool = False,
        **texts: str,
    ) -> Task:
        category, _ = Category.objects.get_or_create(
            domain=domain, key="casework", defaults={"name": "Casework"}
        )
        task = Task.objects.create(
            key=key,
            origin=Origin.EXTERNAL if external else Origin.OWN,
            author=None if external else self.author,
            domain=domain,
            category=category,
            stage=Stage.APPROVED,
            **{
                "title": f"Case {key}",
                "scenario": f"You advise on {key}.",
                "materials": "Net debt is 20.",
                "requirements": f"Write the memorandum on {key}.",
                "reference_answer": "The equity value is 100.",
                **texts,
            },
        )
        version = import_version(
            task=task,
            lines=[
                {
                    "key": f"c{n}",
                    "text": f"States figure {n} of {key}.",
                    "importance": ("essential", "important", "optional")[n % 3],
                    "weight": 1 + n % 10,
                    "dimension": "accuracy",
                }
                for n in range(1, LINES + 1)
            ],
        )
        if not external:
            review = Review.objects.create(
                task=task, reviewer=self.peer, number=1, due_at=timezone.now()
            )
            Round.objects.create(
                review=review, version=version, number=1, finished_at=timezone.now()
            )
        if checked:
            SpotCheck.objects.create(
                task=task, version=version, senior=self.senior, consistent=True, aligned=True,
                evaluable=True, verdict="accept", remarks="Consistent and gradable.",
            )  # fmt: skip
        if anchored:
            self.anchor(task, version)
        return task

    def anchor(self, task: Task, version: RubricVersion) -> Anchor:
        response = self.response(task, "base-model", baseline=True)
        sheet = self.sheet(response, version, purpose="anchor")
        anchor = Anchor.objects.create(
            task=task, stage=AnchorStage.VALIDATED, response=response, sheet=sheet
        )
        anchor.record_start(actor=self.senior)
        MetaEvaluation.objects.create(
            anchor=anchor, number=1, senior=self.senior, verdict="validated", remarks="Fine."
        )
        return anchor

    def response(self, task: Task, candidate: str, *, baseline: bool = False) -> Response:
        who, _ = Candidate.objects.get_or_create(name=candidate)
        return Response.objects.create(
            key=f"{task.key}-{candidate}", task=task, candidate=who, baseline=baseline,
            text=f"{candidate} values the equity of {task.key} at 100.", source="generated",
        )  # fmt: skip

    def sheet(self, response: Response, version: RubricVersion, *, purpose: str) -> Sheet:
        sheet = Sheet.objects.create(
            response=response, version=version, kind="expert", purpose=purpose,
            rater=f"expert-{self.peer.pk}", user=self.peer, state="submitted",
            submitted_at=timezone.now(),
        )  # fmt: skip
        SheetLine.objects.bulk_create(
            SheetLine(sheet=sheet, criterion=line, met=n % 2 == 0, rationale=f"Paragraph {n}.")
            for n, line in enumerate(version.criteria.all())
        )
        return sheet


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    """Releases of one test never meet those of another."""
    settings.MEDIA_ROOT = tmp_path / "files"
    return settings.MEDIA_ROOT


@pytest.fixture
def programme(author, peer, senior) -> Programme:
    return Programme(author, peer, senior)


def fill(programme: Programme, finance: Domain, law: Domain) -> Programme:
    """Six anchored finance tasks (two spot-checked); three law tasks, one of them anchored."""
    for n in range(6):
        programme.task(f"finance-{n}", finance, checked=n < 2)
    for n in range(3):
        programme.task(f"law-{n}", law, anchored=n == 0)
    return programme


@pytest.fixture(scope="module")
def pool_world(world_database) -> World:
    """The programme's tasks, its people and domains."""
    finance, law = new_domain("finance"), new_domain("law")
    people = {
        name: new_person(name, finance, senior=name == "senior")
        for name in ("author", "peer", "senior")
    }
    fill(Programme(**people), finance, law)
    return World(finance=finance, law=law, **people)


@pytest.fixture
def pool(pool_world, programme) -> Programme:
    return programme
