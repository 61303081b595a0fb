"""How many drafts one person may keep open."""

import json

import pytest
from django.core.management import call_command

from curation.base.process.lifecycle import Stage
from curation.tasks.authoring.actions import withdraw_task
from curation.tasks.task.models import Task
from tests.tasks.authoring.parallel import in_parallel

NEW = "/tasks/new/"
LIST = "/api/v1/tasks/"
WORDS = "You have 2 open drafts, which is the limit. Submit or withdraw one first"


@pytest.fixture(autouse=True)
def _two(settings):
    settings.DRAFTS_PER_AUTHOR = 2


def drafts(author) -> int:
    return Task.objects.filter(author=author, stage=Stage.DRAFT).count()


@pytest.mark.django_db
def test_one_draft_more_is_refused_on_the_page_and_what_was_typed_stays(
    sign_in, author, finance, make_draft
):
    make_draft(author)
    make_draft(author)
    answer = sign_in(author).post(
        NEW, {"domain": "finance", "title": "Typed for the third", "language": "en"}
    )
    page = answer.content.decode()
    assert answer.status_code == 409
    assert WORDS in page
    assert "Typed for the third" in page
    assert drafts(author) == 2


@pytest.mark.django_db
def test_one_draft_more_is_refused_by_the_api_with_a_code(sign_in, author, make_draft):
    browser = sign_in(author)
    for status in (201, 201, 409):
        answer = browser.post(LIST, {"domain": "finance"}, content_type="application/json")
        assert answer.status_code == status
    assert answer.json()["code"] == "draft_limit"
    assert WORDS in answer.json()["detail"]
    assert drafts(author) == 2


@pytest.mark.django_db
def test_withdrawing_one_makes_room_and_colleagues_have_their_own(
    sign_in, author, peer, finance, make_draft
):
    first, _second = make_draft(author), make_draft(author)
    assert (
        sign_in(peer)
        .post(NEW, {"domain": "finance", "title": "Mine", "language": "en"})
        .status_code
        == 302
    )
    withdraw_task(actor=author, task=first, reason="No longer mine to write.")
    assert (
        sign_in(author)
        .post(NEW, {"domain": "finance", "title": "Next", "language": "en"})
        .status_code
        == 302
    )
    assert drafts(author) == 2


@pytest.mark.django_db
def test_what_staff_import_is_not_held_to_the_limit(author, finance, tmp_path):
    path = tmp_path / "tasks.jsonl"
    lines = [
        {
            "id": f"t{n}", "domain": "finance", "scenario": "You advise.", "materials": "Cash: 2.",
            "requirements": f"Write memo {n}.", "reference_answer": "The cash is 2.",
        }
        for n in range(4)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    call_command("import_tasks", str(path), "--author", author.email)
    assert drafts(author) == 4


@pytest.mark.django_db(transaction=True)
def test_ten_drafts_started_at_once_end_in_as_many_as_fit(author, finance):
    codes = in_parallel(
        [(author, NEW)] * 10, {"domain": "finance", "title": "At once", "language": "en"}
    )
    assert sorted(codes) == [302] * 2 + [409] * 8
    assert drafts(author) == 2
