"""Lines that two people judged: reviews written row by row, sheets as the imports write them."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Seat, Task
from review.rounds.assignment_models import Comment, LineReview, Review, Round
from rubrics.versions.models import Criterion, RubricVersion
from tests.results.alignment.conftest import Bench


@pytest.fixture
def bench(finance: Domain) -> Bench:
    return Bench(finance)


class Desk:
    """Writes versions and finished rounds as the reviews do."""

    def __init__(self, author: User) -> None:
        self.author = author

    def task(self, key: str, domain: Domain) -> Task:
        task = Task.objects.create(
            key=key, domain=domain, title=key.title(), author=self.author, stage=Stage.APPROVED
        )
        Seat.objects.create(task=task, user=self.author, role=Role.AUTHOR)
        return task

    def version(
        self, task: Task, texts: Sequence[str], dimension: str = "accuracy"
    ) -> RubricVersion:
        version = RubricVersion.objects.create(
            task=task,
            number=task.rubric_versions.count() + 1,
            origin="expert",
            frozen_at=timezone.now(),
            sha256="0" * 64,
        )
        Criterion.objects.bulk_create(
            Criterion(
                version=version,
                key=f"c{n}",
                position=n,
                text=text,
                importance="important",
                weight=5,
                dimension=dimension,
            )
            for n, text in enumerate(texts)
        )
        return version

    def round(
        self,
        version: RubricVersion,
        reviewer: User,
        verdicts: str,
        *,
        finished: bool = True,
        remark: str = "",
    ) -> Round:
        """A round with a verdict per line: 1 approved, 0 a change requested, c carried over."""
        review, new = Review.objects.get_or_create(
            task=version.task,
            reviewer=reviewer,
            defaults={"number": version.task.reviews.count() + 1, "due_at": timezone.now()},
        )
        if new:
            Seat.objects.create(task=version.task, user=reviewer, role=Role.REVIEWER)
        now = timezone.now()
        made = Round.objects.create(
            review=review,
            version=version,
            number=review.rounds.count() + 1,
            opened_at=now - timedelta(hours=1),
            finished_at=now if finished else None,
        )
        lines = list(version.criteria.order_by("position"))
        LineReview.objects.bulk_create(
            LineReview(
                round=made,
                criterion=line,
                verdict="change" if said == "0" else "approve",
                aspect="clarity" if said == "0" else "",
                carried_over=said == "c",
            )
            for line, said in zip(lines, verdicts, strict=True)
        )
        Comment.objects.bulk_create(
            Comment(
                task=version.task,
                line_key=line.key,
                criterion=line,
                round=made,
                side="reviewer",
                person=reviewer,
                text=remark or f"{line.key} names no figure.",
            )
            for line, said in zip(lines, verdicts, strict=True)
            if said == "0"
        )
        return made


@pytest.fixture
def desk(author: User) -> Desk:
    return Desk(author)


@pytest.fixture
def readers(person: Any, finance: Domain) -> tuple[User, User]:
    return person("ruth", finance), person("rolf", finance)


@pytest.fixture
def ten(desk: Desk, readers: tuple[User, User], finance: Domain) -> Callable[..., Task]:
    """A task of ten lines that two reviewers read; the verdicts of the design's test vector."""

    def make(key: str = "headroom", one: str = "1111110000", other: str = "1111101000") -> Task:
        task = desk.task(key, finance)
        version = desk.version(task, [f"States figure {n} of {key}." for n in range(10)])
        desk.round(version, readers[0], one)
        desk.round(version, readers[1], other, remark="Two requirements in one line.")
        return task

    return make
