"""Tasks are imported by those who edit, responses and scores by those who score."""

from typing import Any

import pytest
from django.urls import reverse

from curation.base.access.duties import columns_of
from judge.gold.transfer.import_models import DataImport, KeptMapping
from tests.gold.importing.conftest import external
from tests.gold.imports.conftest import NEW, Desk, lines, table, words

pytestmark = pytest.mark.django_db
TASKS = ("external", "drafts")
SCORES = ("responses", "scores")
STEPS = ("columns", "encoding", "options", "check", "start", "discard")


@pytest.fixture
def desk_of(person: Any, sign_in: Any, desk: Desk) -> Any:
    """The pages as a member of staff with these duties uses them: `desk_of("editing")`."""

    def make(*duties: str) -> Desk:
        name = "-".join(duties) or "reader"
        return Desk(sign_in(person(name, is_staff=True, **columns_of(duties))))

    return make


def offered(desk: Desk) -> tuple[str, ...]:
    return tuple(key for key, _label in desk.client.get(NEW).context["form"].fields["kind"].choices)


def test_only_what_a_person_may_import_is_offered(desk_of):
    assert offered(desk_of("editing")) == TASKS
    assert offered(desk_of("scoring")) == SCORES
    assert offered(desk_of("editing", "scoring")) == TASKS + SCORES


def test_a_person_who_scores_imports_no_tasks_and_one_who_edits_no_scores(desk_of):
    tasks = lines(external("x-1"))
    assert desk_of("scoring").upload(tasks, name="tasks.jsonl").status_code == 400
    answer = desk_of("editing").upload(table(("task", "id"), ("x-1", "r-1")), kind="responses")
    assert answer.status_code == 400
    assert not DataImport.objects.exists()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize(
    ("kind", "needed", "other"),
    [("external", "editing", "scoring"), ("responses", "scoring", "editing")],
)
def test_no_step_of_an_upload_is_taken_with_the_other_duty(
    desk, desk_of, kind, needed, other, step
):
    desk.upload(table(("id", "domain"), ("x-1", "puzzles")), kind=kind)
    before = DataImport.objects.values().get()
    answer = desk_of(other).do(step)
    assert answer.status_code == 403
    assert f"This needs the duty “{needed.capitalize()}”" in words(answer)
    assert DataImport.objects.values().get() == before
    assert desk_of(needed).do(step).status_code != 403


@pytest.mark.parametrize(("kind", "other"), [("external", "scoring"), ("responses", "editing")])
def test_an_upload_is_shown_without_steps_to_those_with_the_other_duty(desk, desk_of, kind, other):
    desk.upload(table(("id", "domain"), ("x-1", "puzzles")), kind=kind)
    pk = DataImport.objects.get().pk
    browser = desk_of(other).client
    for name in ("staff-import-columns", "staff-import"):
        answer = browser.get(reverse(name, args=[pk]), follow=True)
        page = answer.content.decode()
        assert "This needs the duty" in page
        assert 'action="/staff/imports/' not in page


def test_a_kept_mapping_is_removed_by_those_who_import_its_kind(desk, desk_of, staff):
    kept = KeptMapping.objects.create(kind="scores", name="Lab", heads={}, by=staff)
    at = reverse("kept-mapping-remove", args=[kept.pk])
    assert desk_of("editing").client.post(at).status_code == 403
    assert desk_of("scoring").client.post(at).status_code == 302
    assert not KeptMapping.objects.exists()
