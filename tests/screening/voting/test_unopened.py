"""A member of the panel reads the task on the panel's page, which notes it; nowhere else before."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.attachments.actions import add_attachment
from curation.tasks.authoring.actions import submit_task
from curation.tasks.task.models import Seat
from tests.screening.voting.test_voting import KEEP, url


@pytest.fixture
def with_file(author, draft, settings, tmp_path):
    """The author's task with a file, waiting for its panel; and the address of the file."""
    settings.MEDIA_ROOT = tmp_path
    data = SimpleUploadedFile("annex.csv", b"year;debt\n2026;134.4\n")
    kept = add_attachment(actor=author, thing=draft, upload=data)
    submit_task(actor=author, task=draft)
    return open_screening(task=draft), f"/attachments/{kept.pk}/"


def listed(client):
    return [row["id"] for row in client.get("/api/v1/tasks/").json()["results"]]


def elsewhere(task, file):
    return (f"/tasks/{task.pk}/", f"/api/v1/tasks/{task.pk}/", file)


def test_an_unopened_place_opens_the_task_on_the_panels_page_only(sign_in, peer, with_file):
    task, file = with_file
    join_panel(actor=peer, task=task)
    client = sign_in(peer)
    for address in elsewhere(task, file):
        assert client.get(address).status_code == 404, address
    assert listed(client) == []
    assert PanelPlace.objects.get(member=peer).opened_at is None
    client.get(url(task))
    assert client.get(f"/tasks/{task.pk}/").status_code == 200
    assert client.get(file).status_code == 200
    assert listed(client) == [task.pk]
    client.post(url(task, "skip/"), {"reason": "No time."})
    assert Seat.objects.filter(task=task, user=peer).exists()
    assert client.get(f"/tasks/{task.pk}/").status_code == 200


def test_a_checker_reads_the_files_once_the_check_is_on_the_screen(sign_in, peer, with_file):
    task, file = with_file
    task.reference_checks.create(round=task.screening_round)
    join_panel(actor=peer, task=task, kind="check")
    client = sign_in(peer)
    assert client.get(file).status_code == 404
    client.get(url(task, "check/"))
    assert client.get(file).status_code == 200
    # Its own page holds the reference answer, so the list does not lead there either.
    assert client.get(f"/tasks/{task.pk}/").status_code == 404
    assert listed(client) == []


def test_a_returned_draft_is_not_listed_for_its_former_panel(sign_in, author, peer, seated):
    client = sign_in(peer)
    client.get(url(seated))
    assert listed(client) == [seated.pk]
    client.post(url(seated), {**KEEP, "decision": "return", "gradable": "no"})
    seated.refresh_from_db()
    assert seated.stage == "draft"
    assert client.get(f"/tasks/{seated.pk}/").status_code == 404
    assert listed(client) == []
    assert listed(sign_in(author)) == [seated.pk]
