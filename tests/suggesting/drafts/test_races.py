"""The same button pressed at the same moment, and two workers at one draft."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.jobs import jobs
from judge.suggesting.drafts.models import DraftRequest
from rubrics.versions.models import LineChange, RubricVersion
from tests.rubrics.walk import lines_of, open_version, to_refining
from tests.tasks.authoring.parallel import in_parallel

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def refining(author: User, person: Any, finance: Domain, monkeypatch: Any) -> Task:
    monkeypatch.setattr("judge.suggesting.drafts.actions.send", lambda *args, **options: True)
    return to_refining(author, person("screener", finance), finance)


def test_a_draft_asked_for_in_four_tabs_is_asked_for_once_and_written_once(
    author: User, refining: Task
) -> None:
    address = reverse("rubric-drafts", args=[refining.pk])
    codes = in_parallel([(author, address)] * 4, {"remarks": "More on the lender."})
    assert sorted(codes) == [302, 409, 409, 409]
    request = DraftRequest.objects.get()
    done: list[bool] = []

    def worker() -> None:
        try:
            done.append(jobs.further_draft(request.pk))
        finally:
            connection.close()

    workers = [threading.Thread(target=worker) for _n in range(3)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(timeout=120)
    request.refresh_from_db()
    assert (done.count(True), request.state) == (1, "done")
    assert RubricVersion.objects.filter(task=refining, origin="draft").count() == 2


def test_a_file_confirmed_in_four_tabs_is_taken_once(author: User, refining: Task) -> None:
    sent = {
        "lines": '{"id": "c1", "text": "Names the lender.", "importance": "essential", '
        '"weight": 9, "dimension": "depth"}',
        "revision": str(open_version(refining).revision),
    }
    codes = in_parallel([(author, reverse("rubric-import", args=[refining.pk]))] * 4, sent)
    assert sorted(codes) == [302, 409, 409, 409]
    assert LineChange.objects.filter(kind="imported").count() == 1
    assert lines_of(refining)[0].text == "Names the lender."
