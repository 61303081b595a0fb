"""Who may add, read and remove a file; and what happens at the limits."""

import re
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from curation.base.file_contents.models import FileContent
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.qualifying.trials.models import Trial
from curation.screening.panels.actions import join_panel
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.attachments.actions import add_attachment, carry_over, clean_removed
from curation.tasks.attachments.models import Attachment
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db


def kept(actor, thing, name="annex.pdf", data=None) -> Attachment:
    return add_attachment(actor=actor, thing=thing, upload=upload(name, data or pdf()))


def test_a_file_is_given_out_as_a_download_that_no_browser_opens(sign_in, author, draft):
    row = kept(author, draft, "Größe, 大小.pdf")
    answer = sign_in(author).get(f"/attachments/{row.pk}/")
    assert answer["Content-Disposition"] == (
        "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe%2C%20%E5%A4%A7%E5%B0%8F.pdf"
    )
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"] == "private, no-store"
    assert "Last-Modified" not in answer
    assert "ETag" not in answer
    assert (
        sign_in(author).get(f"/attachments/{row.pk}/", headers={"Range": "bytes=0-3"}).getvalue()
        == pdf()
    )


def test_evidence_is_for_its_owner_and_the_staff_only(
    sign_in, applicant, application, staff, peer, senior, client
):
    row = kept(applicant, application)
    address = f"/attachments/{row.pk}/"
    for user, status in ((applicant, 200), (staff, 200), (peer, 404), (senior, 404)):
        assert sign_in(user).get(address).status_code == status, user
    assert client.get(address).status_code == 302


def test_a_hidden_file_and_a_missing_one_look_the_same(sign_in, applicant, application, peer):
    row = kept(applicant, application)
    browser = sign_in(peer)
    hidden, missing = (browser.get(f"/attachments/{n}/") for n in (row.pk, 987_654))
    assert hidden.status_code == missing.status_code == 404
    pages = [
        re.sub(rb'"[A-Za-z0-9]{64}"', b"a token", answer.content).replace(
            answer.request["PATH_INFO"].encode(), b"the address"
        )
        for answer in (hidden, missing)
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("role", [Role.SCREENER, Role.REVIEWER, Role.SCORER, Role.CHECKER])
def test_whoever_has_a_seat_on_the_task_reads_its_files(sign_in, author, peer, draft, role):
    row = kept(author, draft)
    assert sign_in(peer).get(f"/attachments/{row.pk}/").status_code == 404
    Task.objects.filter(pk=draft.pk).update(stage=Stage.SCREENING)
    take_seat(task=draft, user=peer, role=role)
    assert sign_in(peer).get(f"/attachments/{row.pk}/").status_code == 200


def test_a_trials_files_are_for_its_author_the_seniors_of_the_domain_and_the_staff(
    sign_in, applicant, application, senior, staff, peer, stranger
):
    type(application).objects.filter(pk=application.pk).update(stage="trial")
    trial = Trial.objects.create(application=application, number=1)
    row = kept(applicant, trial)
    address = f"/attachments/{row.pk}/"
    assert sign_in(senior).get(address).status_code == 404  # not handed in yet
    Trial.objects.filter(pk=trial.pk).update(submitted_at=timezone.now())
    for user, status in ((applicant, 200), (senior, 200), (staff, 200), (peer, 404)):
        assert sign_in(user).get(address).status_code == status, user
    assert sign_in(stranger).get(address).status_code == 404


def test_a_returned_trial_keeps_its_files_for_the_next_version(
    sign_in, applicant, application, senior
):
    type(application).objects.filter(pk=application.pk).update(stage="trial")
    first = Trial.objects.create(application=application, number=1)
    kept(applicant, first)
    Trial.objects.filter(pk=first.pk).update(submitted_at=timezone.now())
    sign_in(senior).post(
        f"/seniors/trials/{first.pk}/",
        {"verdict": "returned", "remark_materials": "Name the source of the table."},
    )
    second = Trial.objects.get(application=application, number=2)
    assert [row.name for row in second.attachments.all()] == ["annex.pdf"]
    assert first.attachments.count() == 1


def test_the_author_of_a_trial_is_told_why_a_file_cannot_be_read(sign_in, applicant, application):
    type(application).objects.filter(pk=application.pk).update(stage="trial")
    trial = Trial.objects.create(application=application, number=1)
    row = kept(applicant, trial)
    for reason, said in (
        ("gave_up", "Remove it, or add another version of it."),
        ("protected", "It is protected by a password, so it cannot be read."),
    ):
        FileContent.objects.filter(sha256=row.sha256).delete()
        FileContent.objects.create(sha256=row.sha256, ending=".pdf", reason=reason)
        files = sign_in(applicant).get(f"/attachments/trial/{trial.pk}/", headers={"X-Parts": "1"})
        assert said in files.content.decode()


def test_only_the_owner_adds_and_removes(sign_in, author, draft, staff, peer):
    row = kept(author, draft)
    for user, status in ((staff, 403), (peer, 404)):
        browser = sign_in(user)
        add = browser.post(f"/attachments/task/{draft.pk}/", {"file": upload("b.pdf", pdf())})
        assert add.status_code == status, user
        for step in ("remove", "restore"):
            assert browser.post(f"/attachments/{row.pk}/{step}/").status_code == status, user
    assert list(Attachment.objects.filter(removed_at__isnull=True)) == [row]


def test_nothing_is_added_to_a_thing_of_an_unknown_kind(sign_in, author, draft):
    for address in (f"/attachments/user/{author.pk}/", "/attachments/task/987654/"):
        assert sign_in(author).post(address).status_code == 404


def test_a_submitted_task_keeps_its_files_as_they_are(sign_in, author, draft):
    row = kept(author, draft)
    Task.objects.filter(pk=draft.pk).update(stage=Stage.SUBMITTED)
    browser = sign_in(author)
    browser.post(f"/attachments/task/{draft.pk}/", {"file": upload("b.pdf", pdf())})
    assert browser.post(f"/attachments/{row.pk}/remove/").status_code == 409
    assert Attachment.objects.filter(removed_at__isnull=True).count() == 1


def test_a_removed_file_is_gone_for_readers_and_can_be_brought_back(sign_in, author, draft, staff):
    row = kept(author, draft)
    browser = sign_in(author)
    page = browser.post(f"/attachments/{row.pk}/remove/", {"next": "/preferences/"}, follow=True)
    assert page.request["PATH_INFO"] == "/preferences/"
    assert f"/attachments/{row.pk}/restore/" in page.content.decode()
    assert sign_in(staff).get(f"/attachments/{row.pk}/").status_code == 404
    assert browser.post(f"/attachments/{row.pk}/remove/").status_code == 409
    browser.post(f"/attachments/{row.pk}/restore/")
    assert sign_in(staff).get(f"/attachments/{row.pk}/").status_code == 200


def test_the_way_back_never_leaves_the_site(sign_in, author, draft):
    for wanted in ("https://evil.test/", "//evil.test/", "/\\evil.test", "javascript:alert(1)"):
        answer = sign_in(author).post(f"/attachments/task/{draft.pk}/", {"next": wanted})
        assert answer["Location"] == f"/tasks/{draft.pk}/edit/", wanted


def test_adding_without_choosing_a_file_says_so(sign_in, author, draft):
    answer = sign_in(author).post(f"/attachments/task/{draft.pk}/", {}, headers={"X-Parts": "1"})
    assert answer.status_code == 422
    assert "Choose a file first" in answer.content.decode()


def test_ten_files_fit(sign_in, author, draft):
    for n in range(10):
        kept(author, draft, f"{n}.pdf")
    answer = sign_in(author).post(
        f"/attachments/task/{draft.pk}/",
        {"file": upload("eleventh.pdf", pdf())},
        headers={"X-Parts": "1"},
    )
    assert answer.status_code == 422
    assert "already 10 files" in answer.content.decode()
    assert Attachment.objects.count() == 10


def test_one_person_cannot_fill_the_disk(sign_in, author, draft, settings):
    settings.ATTACHMENT_TOTAL_MB = 1
    first = kept(author, draft, data=pdf(b"x" * 600_000))
    browser = sign_in(author)
    browser.post(f"/attachments/{first.pk}/remove/")  # what was removed still lies there
    answer = browser.post(
        f"/attachments/task/{draft.pk}/",
        {"file": upload("b.pdf", pdf(b"y" * 600_000))},
        headers={"X-Parts": "1"},
    )
    assert "can take up 1 MB" in answer.content.decode()
    assert Attachment.objects.count() == 1


def test_the_content_of_a_removed_file_goes_after_thirty_days(author, draft):
    row, other = kept(author, draft), kept(author, draft, "other.pdf")
    shared = Attachment.objects.create(
        task=draft, uploaded_by=author, file=row.file.name, name="c.pdf",
        content_type="application/pdf", size=1, sha256=row.sha256,
    )  # fmt: skip
    now = timezone.now()
    Attachment.objects.filter(pk=row.pk).update(removed_at=now - timedelta(days=31))
    Attachment.objects.filter(pk=other.pk).update(removed_at=now - timedelta(days=29))
    assert clean_removed() == 1
    assert default_storage.exists(str(row.file.name))  # another row needs it
    assert default_storage.exists(str(other.file.name))
    Attachment.objects.filter(pk=shared.pk).update(removed_at=now - timedelta(days=31))
    assert clean_removed() == 1
    assert not default_storage.exists(str(row.file.name))
    assert clean_removed() == 0


def test_a_file_whose_content_is_gone_cannot_be_brought_back(sign_in, author, draft):
    row = kept(author, draft)
    Attachment.objects.update(removed_at=timezone.now() - timedelta(days=31))
    clean_removed()
    assert sign_in(author).post(f"/attachments/{row.pk}/restore/").status_code == 409


def test_a_content_missing_on_the_disk_is_said_to_be_missing(sign_in, author, draft):
    row = kept(author, draft)
    default_storage.delete(str(row.file.name))
    answer = sign_in(author).get(f"/attachments/{row.pk}/")
    assert answer.status_code == 410
    assert "missing from the storage" in answer.content.decode()


def test_a_new_version_has_the_files_of_the_one_before(applicant, application):
    type(application).objects.filter(pk=application.pk).update(stage="trial")
    first = Trial.objects.create(application=application, number=1)
    kept(applicant, first)
    Trial.objects.filter(pk=first.pk).update(verdict="")
    second = Trial(application=application, number=2)
    first.verdict, first.submitted_at = "returned", timezone.now()
    first.senior = applicant
    first.save()
    second.save()
    carry_over(source=first, target=second)
    assert [f.name for f in second.attachments.all()] == ["annex.pdf"]
    assert second.attachments.get().file.read() == pdf()


def test_a_screener_finds_the_files_beside_the_text_without_who_added_them(
    sign_in, author, peer, person, finance, draft
):
    row = kept(author, draft, "Author-cash-flows.pdf")
    Task.objects.filter(pk=draft.pk).update(stage=Stage.SUBMITTED)
    open_screening(task=Task.objects.get(pk=draft.pk))
    join_panel(actor=peer, task=Task.objects.get(pk=draft.pk))
    page = sign_in(peer).get(f"/screening/{draft.pk}/").content.decode()
    assert f"/attachments/{row.pk}/" in page
    assert "cash-flows.pdf" in page
    assert "Author-cash" not in page
    assert sign_in(peer).get(f"/attachments/{row.pk}/").status_code == 200
