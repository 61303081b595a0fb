"""A benchmark made on the spot: tasks, lines, responses, sheets and a judge run."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates.models import Candidate, Response
from judge.runs.engine.models import JudgeRun, Judgment, RunItem, Verdict
from judge.scoring.sheets.models import Sheet, SheetLine
from rubrics.versions.models import Criterion, RubricVersion
from tests.run_states import in_state

Verdicts = Sequence[int | None]


class Bench:
    """Writes rows as the imports and the engine do, with one method per kind of thing."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        rows = RubricVersion.objects.select_related("task")
        self.versions = {version.task.key: version for version in rows}

    def task(
        self,
        key: str,
        *,
        weights: Sequence[int] = (),
        domain: Domain | None = None,
        dimensions: Sequence[str] = (),
        importances: Sequence[str] = (),
    ) -> Task:
        task = Task.objects.create(
            key=key,
            origin=Origin.EXTERNAL,
            domain=domain or self.domain,
            title=key.title(),
            requirements="Write it.",
            stage=Stage.APPROVED,
        )
        if weights:
            self.versions[key] = version = RubricVersion.objects.create(
                task=task, number=1, origin="import", frozen_at=timezone.now(), sha256="0" * 64
            )
            Criterion.objects.bulk_create(
                Criterion(
                    version=version,
                    key=f"c{n}",
                    position=n,
                    text=f"Line {n} of {key}",
                    importance=importances[n] if importances else "important",
                    weight=weight,
                    dimension=dimensions[n] if dimensions else "accuracy",
                    external=True,
                )
                for n, weight in enumerate(weights)
            )
        return task

    def response(self, task: str, candidate: str, *, baseline: bool = False) -> Response:
        who, _ = Candidate.objects.get_or_create(name=candidate)
        return Response.objects.create(
            key=f"{task}-{candidate}",
            task=Task.objects.get(key=task),
            candidate=who,
            text=f"{candidate} on {task}",
            baseline=baseline,
            source="imported",
        )

    def sheet(
        self,
        task: str,
        candidate: str,
        rater: str,
        met: Verdicts = (),
        *,
        kind: str = "expert",
        score: float | None = None,
        why: str = "because",
    ) -> Sheet:
        sheet = Sheet.objects.create(
            response=Response.objects.get(key=f"{task}-{candidate}"),
            version=self.versions.get(task) if met else None,
            kind=kind,
            purpose="imported",
            rater=rater,
            state="submitted",
            submitted_at=timezone.now(),
            score=score,
        )
        lines = self.versions[task].criteria.all() if met else []
        SheetLine.objects.bulk_create(
            SheetLine(
                sheet=sheet, criterion=line, met=None if m is None else bool(m), rationale=why
            )
            for line, m in zip(lines, met, strict=True)
        )
        return sheet

    def run(
        self,
        verdicts: Mapping[tuple[str, str], Verdicts],
        *,
        method: str = "one_shot",
        state: str = "finished",
        skipped: Mapping[tuple[str, str], str] | None = None,
        model: str = "judge-1",
    ) -> JudgeRun:
        """A run with these verdicts per (task, candidate); None is a line that failed."""
        run = JudgeRun.objects.create(
            method=method,
            provider="offline",
            model=model,
            started_at=timezone.now(),
            **in_state(state),
        )  # fmt: skip
        for (task, candidate), met in verdicts.items():
            version = self.versions[task]
            lines = list(version.criteria.all())
            whole = None not in met
            response = Response.objects.get(key=f"{task}-{candidate}")
            judgment = Judgment.objects.create(
                key=f"{run.pk}-{response.pk}",
                run=run,
                response=response,
                version=version,
                method=method,
                provider="offline",
                model=model,
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
                    why=f"The judge on {line.key}",
                )
                for line, m in zip(lines, met, strict=True)
            )
            RunItem.objects.create(
                run=run,
                response=response,
                version=version,
                judgment=judgment,
                state="judged" if whole else "failed",
                reason="" if whole else "missing",
            )
        for (task, candidate), reason in (skipped or {}).items():
            response = Response.objects.get(key=f"{task}-{candidate}")
            RunItem.objects.create(run=run, response=response, state="skipped", reason=reason)
        return run


@pytest.fixture
def bench(finance: Domain) -> Bench:
    return Bench(finance)


def fill_three(bench: Bench, keys: Sequence[str] = ("one", "two")) -> None:
    """Tasks of four lines with three candidates each, scored by one expert.

    Weights 4, 3, 2, 1. Experts: Cedar 10 of 10, Birch 7, Alder 3 on each task.
    """
    for key in keys:
        bench.task(
            key,
            weights=(4, 3, 2, 1),
            dimensions=("accuracy", "accuracy", "safety", "depth"),
            importances=("essential", "important", "important", "optional"),
        )
        for candidate, met in (
            ("Cedar", (1, 1, 1, 1)),
            ("Birch", (1, 1, 0, 0)),
            ("Alder", (0, 0, 1, 1)),
        ):
            bench.response(key, candidate)
            bench.sheet(key, candidate, "expert-1", met)


@pytest.fixture
def three(bench: Bench) -> Callable[..., SimpleNamespace]:
    """Make two tasks with three candidates each (`fill_three`)."""

    def make(**options: Any) -> SimpleNamespace:
        fill_three(bench)
        return SimpleNamespace(bench=bench, **options)

    return make
