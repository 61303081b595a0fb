"""One answer to "which version counts?", for review, scoring, judging, export and release."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Task
from judge.gold.transfer.exporting import task_lines
from rubrics.sending.actions import send_to_review
from rubrics.versions.actions import import_version, record_draft
from rubrics.versions.queries import version_that_counts, versions_that_count
from tests.rubrics.walk import drafted_lines

pytestmark = pytest.mark.django_db


def external(domain: Domain, key: str) -> Task:
    return Task.objects.create(
        key=key, origin=Origin.EXTERNAL, domain=domain, stage="approved", requirements="Answer."
    )


def keyed(n: int) -> list[dict[str, Any]]:
    return [{**line, "key": f"c{i}"} for i, line in enumerate(drafted_lines(n), start=1)]


def test_neither_a_draft_nor_the_open_version_of_an_own_task_counts(task: Task) -> None:
    assert version_that_counts(task) is None


def test_what_the_author_sent_counts(task: Task, author: Any) -> None:
    sent = send_to_review(actor=author, task=task)
    assert version_that_counts(task) == sent


def test_a_draft_counts_for_the_task_of_another_benchmark_until_people_bring_lines(
    finance: Domain,
) -> None:
    task = external(finance, "x-1")
    draft = record_draft(task=task, lines=drafted_lines(3), drafted_by="Model D")
    assert version_that_counts(task) == draft
    brought = import_version(task=task, lines=keyed(2))
    record_draft(task=task, lines=drafted_lines(4), drafted_by="Model D")
    assert version_that_counts(task) == brought
    (line,) = task_lines(Task.objects.filter(pk=task.pk))
    assert len(json.loads(line)["rubric"]) == 2


def test_a_version_without_lines_does_not_count(finance: Domain) -> None:
    task = external(finance, "x-1")
    record_draft(task=task, lines=[], drafted_by="Model D")
    assert versions_that_count([task.pk]) == {}


def test_only_the_versions_of_the_tasks_asked_for_are_read(
    finance: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [external(finance, f"x-{n}") for n in range(4)]
    for task in tasks:
        import_version(task=task, lines=keyed(2))
    monkeypatch.setattr("rubrics.versions.queries.AT_ONCE", 2)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        found = versions_that_count(task.pk for task in tasks[:3])
    assert set(found) == {task.pk for task in tasks[:3]}
    assert len(asked) == 2
    assert all('"task_id" IN (' in query["sql"] for query in asked)


def test_an_export_asks_for_each_part_by_name(
    finance: Domain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading every version of the database for each part makes an export quadratic."""
    for n in range(3):
        import_version(task=external(finance, f"x-{n}"), lines=keyed(2))
    monkeypatch.setattr("judge.gold.transfer.exporting.CHUNK", 1)
    with CaptureQueriesContext(connection) as asked:
        assert len(list(task_lines(Task.objects.exclude(stage="withdrawn")))) == 3
    versions = [q["sql"] for q in asked if 'FROM "rubrics_rubricversion"' in q["sql"]]
    assert len(versions) == 3
    assert all('"task_id" IN (' in sql for sql in versions)
    numbers, *texts = [q["sql"] for q in asked if 'FROM "curation_task"' in q["sql"]]
    assert "scenario" not in numbers
    assert len(texts) == 3
    assert all('"curation_task"."id" IN (' in sql and '"stage"' not in sql for sql in texts)
