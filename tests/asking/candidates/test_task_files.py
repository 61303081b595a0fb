"""Orders of answers to tasks with files: who is asked, and what the page says before."""

from html import unescape
from typing import Any

import pytest

from curation.base.file_contents.models import FileContent
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking.candidates.generation_models import GenerationItem
from judge.asking.endpoints.models import ServedModel
from judge.jobs import jobs
from judge.results.registry.actions import control_generation, order_responses
from tests import documents
from tests.asking.candidates.conftest import price, states
from tests.attached import attach, words_in
from tests.markup import one_line

pytestmark = pytest.mark.django_db
WHY = "the task has pictures, and this model takes none"


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def pictured(tasks):
    attach(tasks[0], "plan.png", documents.picture())
    attach(tasks[1], "debt.csv", b"year,debt\n2025,134.5\n")
    ServedModel.objects.create(provider="openai", model="larch-4", pictures=False)
    return tasks


def test_tasks_with_pictures_are_counted_as_skipped_before_the_order(
    stub, pictured, larch, office, staff
):
    page = one_line(office.get(f"/staff/candidates/{larch.pk}/generate/").content.decode())
    assert "2 tasks can be answered." in page
    assert f"1 task is skipped: {WHY}." in page
    made = order_responses(actor=staff, candidate=larch, samples=2, concurrency=1)
    jobs.generate_responses(made.pk)
    assert states(made) == {"done": 4, "failed": 2}
    problems = GenerationItem.objects.filter(state="failed").values_list("problem", flat=True)
    assert set(problems) == {WHY}
    assert stub.calls == 4
    assert any("2025,134.5" in words_in(request) for request in stub.requests)
    assert WHY in office.get(f"/staff/generations/{made.pk}/").content.decode()


def test_asking_again_asks_a_skipped_task_only_when_its_model_takes_pictures(
    stub, pictured, larch, staff
):
    made = order_responses(actor=staff, candidate=larch, concurrency=1)
    jobs.generate_responses(made.pk)
    control_generation(actor=staff, generation=made, step="resume")
    jobs.generate_responses(made.pk)
    assert (states(made), stub.calls) == ({"done": 2, "failed": 1}, 2)
    ServedModel.objects.update(pictures=True)
    made.refresh_from_db()
    control_generation(actor=staff, generation=made, step="resume")
    jobs.generate_responses(made.pk)
    assert (states(made), stub.calls) == ({"done": 3}, 3)


def test_an_order_of_nothing_but_skipped_tasks_is_refused(stub, tasks, larch, office, staff):
    for task in tasks:
        attach(task, "plan.png", documents.picture())
    page = one_line(office.get(f"/staff/candidates/{larch.pk}/generate/").content.decode())
    assert "3 tasks cannot be asked: the task has pictures, and whether this model" in page
    with pytest.raises(BadInput) as refusal:
        order_responses(actor=staff, candidate=larch)
    assert refusal.value.fields["domains"][0].startswith("None of these tasks can be asked")
    assert not GenerationItem.objects.exists()


def test_an_order_waits_for_files_that_nobody_has_read_and_the_page_reads_none(
    stub, tasks, larch, office
):
    row = attach(tasks[0], "debt.csv", b"year,debt\n2025,134.5\n", read=False)
    address = f"/staff/candidates/{larch.pk}/generate/"
    sent = {"samples": 1, "concurrency": 1}
    page = unescape(one_line(office.get(address).content.decode()))
    assert "1 task is skipped: one of the task's files has not been read yet." in page
    refused = office.post(address, sent)
    assert refused.status_code == 400
    said = "1 task has a file that has not been read yet. The worker reads it without being asked"
    assert said in one_line(refused.content.decode())
    assert not FileContent.objects.exists()
    assert not GenerationItem.objects.exists()
    assert (jobs.read_file, row.pk) in jobs.due()
    jobs.read_file(row.pk)
    assert office.post(address, sent).status_code == 302
    assert GenerationItem.objects.count() == 3


def most(office: Any, larch: Any) -> float:
    """What the page says an answer to each task costs at most, in dollars."""
    page = one_line(office.get(f"/staff/candidates/{larch.pk}/generate/").content.decode())
    return float(page.split("costs at most about $")[1].split(",")[0])


def test_the_bound_of_an_orders_cost_counts_its_files(stub, tasks, larch, office):
    price()

    before = most(office, larch)
    attach(tasks[0], "long.txt", b"word " * 20_000)
    assert most(office, larch) >= before + 0.05  # 50,000 tokens at a dollar per million


def test_the_bound_of_an_orders_cost_counts_texts_and_the_longest_reply(stub, tasks, larch, office):
    price()

    before = most(office, larch)
    Task.objects.filter(pk=tasks[0].pk).update(materials="word " * 20_000)
    assert most(office, larch) >= before + 0.05
