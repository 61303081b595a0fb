"""Texts that are kept while an author writes, and bringing one back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from curation.tasks.authoring import versions
from curation.tasks.authoring.actions import save_draft, submit_task
from curation.tasks.task.models import Task, TextVersion
from tests.tasks.authoring.conftest import form_of
from tests.tasks.authoring.parallel import in_parallel


def url(task: Task, rest: str = "") -> str:
    return f"/tasks/{task.pk}/versions/{rest}"


@pytest.fixture
def later(monkeypatch: Any) -> Any:
    """Let minutes pass: `later(11)`."""
    passed = {"minutes": 0}
    real = timezone.now

    def go(minutes: int) -> None:
        passed["minutes"] += minutes

    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(minutes=passed["minutes"]))
    return go


def write(task: Task, **fields: Any) -> Task:
    now = Task.objects.get(pk=task.pk)
    return save_draft(actor=now.author, task=now, version=now.version, **fields)


def scenarios(task: Task) -> list[tuple[int, str, str]]:
    rows = TextVersion.objects.filter(task=task).order_by("number")
    return [(row.number, row.why, row.parts["scenario"]) for row in rows]


def test_a_text_is_kept_about_every_ten_minutes_of_writing(draft, later):
    write(draft, scenario="One.")
    assert scenarios(draft) == []
    later(11)
    write(draft, scenario="Two.")
    write(draft, scenario="Three.")
    later(5)
    write(draft, scenario="Four.")
    assert scenarios(draft) == [(1, "writing", "One.")]
    later(6)
    write(draft, scenario="Five.")
    assert scenarios(draft)[1:] == [(2, "writing", "Four.")]


def test_saving_facts_alone_keeps_no_text(draft, later):
    later(11)
    write(draft, minutes=90)
    assert scenarios(draft) == []


def test_what_is_submitted_is_kept(draft, author):
    submit_task(actor=author, task=draft)
    assert [why for _n, why, _text in scenarios(draft)] == ["submitted"]


def test_the_oldest_texts_of_writing_go_and_submitted_ones_stay(draft, author, later, monkeypatch):
    monkeypatch.setattr(versions, "AT_MOST", 3)
    versions.keep_submitted_text(draft)
    for n in range(6):
        later(11)
        write(draft, scenario=f"Text {n}.")
    assert [why for _n, why, _text in scenarios(draft)] == ["submitted"] + ["writing"] * 3
    assert scenarios(draft)[-1] == (6, "writing", "Text 4.")


def test_the_page_shows_the_differences_and_restores(sign_in, author, draft, later):
    later(11)
    write(draft, scenario="The committee meets on Friday.")
    client = sign_in(author)
    assert "See the differences" in client.get(url(draft)).content.decode()
    page = client.get(url(draft, "1/")).content.decode()
    assert "<del>" in page
    assert "<ins>" in page
    answer = client.post(url(draft, "1/"), {"version": 2}, follow=True)
    assert "Restored." in answer.content.decode()
    before = draft.scenario
    draft.refresh_from_db()
    assert (draft.scenario, draft.version) == (before, 3)
    assert scenarios(draft)[-1] == (2, "restored", "The committee meets on Friday.")


def test_restoring_after_another_save_changes_nothing(sign_in, author, draft, later):
    later(11)
    write(draft, scenario="Second.")
    client = sign_in(author)
    write(draft, scenario="Third, from another tab.")
    answer = client.post(url(draft, "1/"), {"version": 2})
    assert answer.status_code == 409
    assert "look at the differences again" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.scenario == "Third, from another tab."


@pytest.mark.parametrize("version", ["", "x", "-1", "²", "9" * 30])
def test_restoring_without_the_drafts_version_is_refused(sign_in, author, draft, version):
    versions.keep_submitted_text(draft)
    assert sign_in(author).post(url(draft, "1/"), {"version": version}).status_code == 400


def test_a_submitted_tasks_texts_can_be_read_but_not_restored(sign_in, author, draft):
    submit_task(actor=author, task=draft)
    client = sign_in(author)
    page = client.get(url(draft, "1/"))
    assert page.status_code == 200
    assert "Restore" not in page.content.decode()
    assert client.post(url(draft, "1/"), {"version": 1}).status_code == 409


def test_nobody_else_sees_earlier_texts(sign_in, peer, stranger, staff, draft):
    versions.keep_submitted_text(draft)
    for person, status in ((peer, 404), (stranger, 404), (staff, 403)):
        client = sign_in(person)
        assert client.get(url(draft)).status_code == status
        assert client.get(url(draft, "1/")).status_code == status
        assert client.post(url(draft, "1/"), {"version": 1}).status_code == status


def test_a_text_that_was_never_kept_is_not_found(sign_in, author, draft):
    client = sign_in(author)
    assert client.get(url(draft, "7/")).status_code == 404
    assert client.post(url(draft, "7/"), {"version": 1}).status_code == 404
    assert "Nothing is kept yet" in client.get(url(draft)).content.decode()


def test_a_list_of_fifty_costs_as_many_queries_as_a_list_of_three(
    sign_in, author, draft, django_assert_max_num_queries
):
    for _n in range(50):
        versions.keep_submitted_text(draft)
    client = sign_in(author)
    client.get(url(draft))
    with django_assert_max_num_queries(9):
        client.get(url(draft))


@pytest.mark.django_db(transaction=True)
def test_parallel_restorations_give_each_text_its_own_number(author, draft):
    versions.keep_submitted_text(draft)
    write(draft, scenario="Now.")
    codes = in_parallel([(author, url(draft, "1/"))] * 8, data={"version": 2})
    assert sorted(codes) == [302] + [409] * 7
    assert [n for n, _why, _text in scenarios(draft)] == [1, 2]


def test_a_stale_save_is_no_kept_text(sign_in, author, draft, later):
    stale = form_of(draft, scenario="Mine.")
    later(11)
    write(draft, scenario="Theirs.")
    assert sign_in(author).post(f"/tasks/{draft.pk}/save/", stale).status_code == 409
    assert len(scenarios(draft)) == 1
