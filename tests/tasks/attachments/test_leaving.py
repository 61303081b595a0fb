"""Files leave the product with an export, and too much at once does not come in."""

import hashlib
import json

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from curation.tasks.attachments.actions import add_attachment
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.models import Task
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db


def test_an_export_copies_the_files_with_their_hashes(author, draft, tmp_path):
    Task.objects.filter(pk=draft.pk).update(key="../../etc")  # an imported key may be anything
    for n in range(2):
        add_attachment(actor=author, thing=draft, upload=upload("annex.pdf", pdf(b"%d" % n)))
    folder = tmp_path / "materials"
    options = {"stage": "draft", "files": str(folder)}
    call_command("export_tasks", str(tmp_path / "tasks.jsonl"), **options)
    listed = [json.loads(line) for line in (folder / "files.jsonl").read_text().splitlines()]
    assert [row["task"] for row in listed] == ["../../etc"] * 2
    for row in listed:
        file = (folder / row["file"]).resolve()
        assert file.is_relative_to(folder.resolve())
        assert hashlib.sha256(file.read_bytes()).hexdigest() == row["sha256"]
    assert author.email not in (folder / "files.jsonl").read_text()
    with pytest.raises(CommandError, match="exists"):
        call_command("export_tasks", str(tmp_path / "again.jsonl"), **options)


def test_an_export_says_which_file_is_not_what_was_uploaded(author, draft, tmp_path):
    row = add_attachment(actor=author, thing=draft, upload=upload("annex.pdf", pdf()))
    with default_storage.open(str(row.file.name), "wb") as file:
        file.write(b"something else")
    with pytest.raises(CommandError, match=r"not what was uploaded: .*annex\.pdf"):
        call_command(
            "export_tasks", str(tmp_path / "t.jsonl"), stage="draft", files=str(tmp_path / "f")
        )
    assert (tmp_path / "f" / "files.jsonl").read_text() == ""


def test_more_than_any_form_takes_is_refused_unread(sign_in, author, draft, settings):
    settings.ATTACHMENT_MAX_MB = 1
    address = f"/attachments/task/{draft.pk}/"
    answer = sign_in(author).post(address, {"file": upload("a.pdf", pdf(b"x" * 16_000_000))})
    assert answer.status_code == 413
    assert "too large to be accepted at once" in answer.content.decode()
    assert not Attachment.objects.exists()
