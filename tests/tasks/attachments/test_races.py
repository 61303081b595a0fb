"""Uploads and decisions at the same moment, from real connections."""

import threading
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client

from curation.qualifying.applications.models import Application, ApplicationEvent
from curation.tasks.attachments.actions import add_attachment
from curation.tasks.attachments.models import Attachment
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(posts: list[tuple[Any, str, Any]]) -> list[int]:
    """Send these at the same moment; `data` is made again for each, a file is read once."""
    start, codes = threading.Barrier(len(posts)), []

    def send(client: Client, address: str, data: Any) -> None:
        try:
            start.wait(timeout=60)
            headers = {"X-Parts": "1"}
            codes.append(client.post(address, data, headers=headers).status_code)
        finally:
            connection.close()

    threads = []
    for user, address, data in posts:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        threads.append(threading.Thread(target=send, args=(client, address, data)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return codes


def stored() -> int:
    """Contents in the storage."""
    if not default_storage.exists("attachments"):
        return 0
    folders = default_storage.listdir("attachments")[0]
    return sum(len(default_storage.listdir(f"attachments/{name}")[1]) for name in folders)


def test_uploads_at_the_same_moment_never_pass_the_number_of_files(author, draft):
    for n in range(8):
        add_attachment(actor=author, thing=draft, upload=upload(f"{n}.pdf", pdf()))
    address = f"/attachments/task/{draft.pk}/"
    codes = at_once(
        [(author, address, {"file": upload(f"late-{n}.pdf", pdf(b"%d" % n))}) for n in range(8)]
    )
    assert sorted(codes) == [200] * 2 + [422] * 6
    assert Attachment.objects.count() == stored() == 10


def test_uploads_to_two_things_never_pass_the_room_of_a_person(author, draft, finance, settings):
    from curation.tasks.authoring.actions import create_task

    settings.ATTACHMENT_TOTAL_MB = 1
    second = create_task(actor=author, domain=finance, title="Another")
    posts = [
        (
            author,
            f"/attachments/task/{(draft, second)[n % 2].pk}/",
            {"file": upload(f"{n}.pdf", pdf(b"x" * 400_000))},
        )
        for n in range(6)
    ]
    codes = at_once(posts)
    assert sorted(codes) == [200] * 2 + [422] * 4
    assert Attachment.objects.count() == stored() == 2


def test_two_members_of_staff_decide_on_the_same_rows_and_each_applicant_is_told_once(
    person, finance, staff
):
    from curation.qualifying.applications.actions import apply
    from tests.qualifying.qualification.conftest import PROFILE

    other = person("other-staff", is_staff=True)
    rows = [apply(actor=person(f"p{n}"), domain=finance, **PROFILE) for n in range(6)]
    data = {"rows": ",".join(str(row.pk) for row in rows), "reason": "full", "words": ""}
    address = "/staff/lists/applications/reject/do/"
    codes = at_once([(staff, address, data), (other, address, data)])
    assert sorted(codes) == [302, 409]
    assert set(Application.objects.values_list("stage", flat=True)) == {"rejected"}
    assert ApplicationEvent.objects.filter(to_stage="rejected").count() == 6
