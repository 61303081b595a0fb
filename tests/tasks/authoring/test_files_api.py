"""The files of a task through the API: the pages' rules, nothing about who added them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from curation.base.process.roles import Role
from curation.joining.accounts.api_tokens import make_token
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.holding import take_seat
from tests import documents
from tests.attached import attach

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def program(client):
    """Asks in a person's name."""

    def ask(user, verb, address, **data):
        _token, key = make_token(actor=user, name="tests")
        return getattr(client, verb)(address, data, headers={"Authorization": f"Token {key}"})

    return ask


def test_a_file_is_added_listed_and_downloaded(program, author, draft):
    address = f"/api/v1/tasks/{draft.pk}/files/"
    book = documents.workbook(Debt=[["year", "debt"], [2025, 134.5]])
    made = program(author, "post", address, file=SimpleUploadedFile("debt.xlsx", book))
    assert made.status_code == 201
    item = made.json()
    assert (item["name"], item["characters"], item["unread"]) == ("debt.xlsx", 20, "")
    assert program(author, "get", address).json() == {"results": [item]}
    got = program(author, "get", f"{address}{item['id']}/")
    assert got["Content-Disposition"] == 'attachment; filename="debt.xlsx"'
    assert len(b"".join(got.streaming_content)) == item["size"]


def test_readers_list_files_and_learn_nothing_about_their_author(program, author, peer, draft):
    row = attach(draft, "plan.png", documents.picture())
    address = f"/api/v1/tasks/{draft.pk}/files/"
    assert program(peer, "get", address).status_code == 404
    submit_task(actor=author, task=draft)
    draft.advance("screening", actor=None)
    take_seat(task=draft, user=peer, role=Role.SCREENER)
    answer = program(peer, "get", address)
    assert [item["name"] for item in answer.json()["results"]] == ["plan.png"]
    assert author.email not in answer.content.decode()
    assert set(answer.json()["results"][0]) == {
        "id", "name", "content_type", "size", "sha256", "characters", "pictures", "pages",
        "unread", "cut",
    }  # fmt: skip
    assert program(peer, "get", f"{address}{row.pk}/").status_code == 200
    refused = program(peer, "post", address, file=SimpleUploadedFile("a.txt", b"a"))
    assert refused.status_code == 403


def test_refusals_say_what_to_do(program, author, draft):
    address = f"/api/v1/tasks/{draft.pk}/files/"
    nothing = program(author, "post", address)
    assert (nothing.status_code, nothing.json()["code"]) == (400, "file_refused")
    page = program(author, "post", address, file=SimpleUploadedFile("a.html", b"<html></html>"))
    assert "not accepted" in page.json()["fields"]["file"][0]
    other = attach(draft, "plan.png", documents.picture())
    assert (
        program(author, "get", f"/api/v1/tasks/{draft.pk + 1}/files/{other.pk}/").status_code == 404
    )
    submit_task(actor=author, task=draft)
    closed = program(author, "post", address, file=SimpleUploadedFile("a.txt", b"a"))
    assert (closed.status_code, closed.json()["code"]) == (409, "wrong_stage")


class TestRemoval:
    def test_a_file_is_removed_as_long_as_the_text_can_change(self, program, author, draft):
        row = attach(draft, "plan.png", documents.picture())
        kept = attach(draft, "debt.csv", b"year,debt")
        address = f"/api/v1/tasks/{draft.pk}/files/"
        answer = program(author, "delete", f"{address}{row.pk}/")
        assert (answer.status_code, answer.content) == (204, b"")
        assert [f["id"] for f in program(author, "get", address).json()["results"]] == [kept.pk]
        assert program(author, "get", f"{address}{row.pk}/").status_code == 404
        again = program(author, "delete", f"{address}{row.pk}/")
        assert (again.status_code, again.json()["code"]) == (409, "removed")
        submit_task(actor=author, task=draft)
        closed = program(author, "delete", f"{address}{kept.pk}/")
        assert (closed.status_code, closed.json()["code"]) == (409, "wrong_stage")
        assert Attachment.objects.get(pk=kept.pk).removed_at is None

    def test_only_the_author_removes_a_file_and_only_at_its_own_address(
        self, program, author, peer, staff, draft, finance
    ):
        other = create_task(actor=author, domain=finance, title="Other")
        row = attach(draft, "plan.png", documents.picture())
        address = f"/api/v1/tasks/{draft.pk}/files/{row.pk}/"
        assert program(peer, "delete", address).status_code == 404
        assert program(staff, "delete", address).status_code == 403
        wrong = f"/api/v1/tasks/{other.pk}/files/{row.pk}/"
        assert program(author, "delete", wrong).status_code == 404
        assert Attachment.objects.get(pk=row.pk).removed_at is None
