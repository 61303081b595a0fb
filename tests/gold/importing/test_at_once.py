"""Another import stores the same rows between the look at what is here and the storing."""

from collections.abc import Callable
from typing import Any

import pytest

from curation.joining.domains.models import Domain
from curation.tasks.task.models import Origin, Task
from judge.asking.candidates import families
from judge.asking.candidates.models import Candidate, Response
from judge.gold.transfer.task_checks import Catalogue
from tests.gold.importing.conftest import external

pytestmark = pytest.mark.django_db


def faster(monkeypatch: Any, owner: Any, name: str, act: Callable[[], Any], times: int) -> None:
    """Let `act` happen before the next `times` calls of what `owner` calls `name`."""
    original, left = getattr(owner, name), [times]

    def first(*args: Any, **kwargs: Any) -> Any:
        if left[0]:
            left[0] -= 1
            act()
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, first)


def rival_response() -> None:
    Response.objects.create(
        key="r-1",
        task=Task.objects.get(key="x-1"),
        candidate=Candidate.objects.get_or_create(name="theirs")[0],
        text="Theirs.",
        source=Response.Source.IMPORTED,
    )


def rival_task() -> None:
    domain, _ = Domain.objects.get_or_create(key="rivals", name="Rivals", external=True)
    Task.objects.create(key="x-1", origin=Origin.EXTERNAL, domain=domain, requirements="Theirs.")


RESPONSE = {"task": "x-1", "id": "r-1", "model": "claude-x", "text": "An answer."}


def test_responses_that_another_import_stored_meanwhile_are_looked_up_again(
    write, run, monkeypatch
):
    run("import_tasks", write(external("x-1"), name="tasks.jsonl"), "--external")
    path = write(RESPONSE)
    faster(monkeypatch, families, "candidate_named", rival_response, times=1)
    assert run("import_responses", path) == "1 response added."
    assert Response.objects.get().text == "An answer."
    assert run("import_responses", path) == "1 response already there, unchanged."


def test_responses_that_others_store_each_time_are_refused_in_words_and_nothing_is_kept(
    write, run, refused, monkeypatch
):
    run("import_tasks", write(external("x-1"), name="tasks.jsonl"), "--external")
    faster(monkeypatch, families, "candidate_named", rival_response, times=9)
    (said,) = refused("import_responses", write({**RESPONSE, "id": "r-0"}, RESPONSE))
    assert said.startswith("Somebody else stored rows with the same names meanwhile. Nothing of")
    assert not Response.objects.exists()


def test_tasks_that_another_import_stored_meanwhile_are_looked_up_again(write, run, monkeypatch):
    path = write(external("x-0"), external("x-1"))
    faster(monkeypatch, Catalogue, "domain", rival_task, times=1)
    assert run("import_tasks", path, "--external") == "2 tasks added."
    assert run("import_tasks", path, "--external") == "2 tasks already there, unchanged."


def test_tasks_that_others_store_each_time_are_refused_in_words_and_nothing_is_kept(
    write, refused, monkeypatch
):
    faster(monkeypatch, Catalogue, "domain", rival_task, times=9)
    (said,) = refused("import_tasks", write(external("x-1")), "--external")
    assert said.startswith("Somebody else stored rows")
    assert not Task.objects.exists()
