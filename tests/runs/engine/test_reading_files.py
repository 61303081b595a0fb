"""Files are stored first, then read by the worker, one of each person at a time."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from curation.base.file_contents import reading
from curation.base.file_contents.models import FileContent
from curation.base.process.lifecycle import Stage
from curation.base.web.refusals import BadInput
from curation.tasks.attachments.actions import remove_attachment
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.file_views import read_files
from judge.base.queue import leases
from judge.base.queue.failing import failing_work
from judge.base.queue.models import MachineWork
from judge.base.queue.send import READ
from judge.jobs import alone, files, jobs
from tests.attached import attach
from tests.tasks.authoring.conftest import PARTS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slow_worker")]


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture
def draft(author, finance):
    return create_task(actor=author, domain=finance, **PARTS)


@pytest.fixture
def heavy(author, draft, person, finance):
    """Eight files of one expert, then one of a colleague."""
    colleague = person("colleague", finance)
    other = create_task(actor=colleague, domain=finance, **PARTS)
    rows = [attach(draft, f"{n}.txt", b"heavy %d" % n, read=False) for n in range(8)]
    return rows, attach(other, "light.txt", b"light", read=False)


def waiting():
    """The files that the worker would take now."""
    return [pk for job, pk in jobs.due() if job is jobs.read_file]


def add(browser, task, name, data):
    file = SimpleUploadedFile(name, data)
    return browser.post(f"/attachments/task/{task.pk}/", {"file": file}, headers={"X-Parts": "1"})


def test_an_upload_reads_nothing_and_the_page_says_so_until_the_worker_has_read_it(
    sign_in, author, draft, monkeypatch
):
    browser = sign_in(author)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "_started", lambda *_: pytest.fail("read within the request"))
        said = add(browser, draft, "plan.txt", b"Plan").content.decode()
    assert "It is being read." in said
    assert "What was found appears here by itself." in said
    assert f'data-refresh="/attachments/task/{draft.pk}/"' in said
    address = f"/attachments/task/{draft.pk}/"
    assert "data-refresh" in browser.get(address, headers={"X-Parts": "1"}).content.decode()
    (pk,) = waiting()
    assert jobs.read_file(pk)
    said = browser.get(address, headers={"X-Parts": "1"}).content.decode()
    assert "Models get its text: 4 characters." in said
    assert "data-refresh" not in said
    assert browser.get(address).status_code == 302, "without scripts it leads to the page"


def test_nobody_but_who_may_change_the_files_gets_their_list(sign_in, peer, draft):
    address = f"/attachments/task/{draft.pk}/"
    assert sign_in(peer).get(address, headers={"X-Parts": "1"}).status_code == 404


def test_eight_files_of_one_expert_hold_up_only_that_expert(heavy):
    rows, light = heavy
    assert waiting() == [rows[0].pk, light.pk], "the next of each person"
    work = leases.claim_work(READ, rows[0].pk, leases.new_token())
    assert waiting() == [light.pk], "one of a person at a time"
    assert not jobs.read_file(rows[1].pk), "also when a message comes early"
    assert jobs.read_file(light.pk)
    assert FileContent.objects.filter(sha256=light.sha256).exists()
    leases.finish_work(work)
    assert waiting() == [rows[0].pk]
    for row in rows:
        assert waiting() == [row.pk]
        assert jobs.read_file(row.pk)
    assert waiting() == []


def test_a_file_whose_reader_died_holds_up_nothing(heavy, monkeypatch):
    rows, light = heavy
    leases.claim_work(READ, rows[0].pk, leases.new_token())
    monkeypatch.setattr(leases, "has_ended", lambda name: True)
    assert waiting() == [rows[0].pk, light.pk]


def test_with_a_broker_each_file_that_was_read_calls_the_next_of_its_person(heavy, monkeypatch):
    rows, light = heavy
    sent = []
    monkeypatch.setattr(jobs, "send", lambda name, pk: sent.append((name, pk)))
    jobs.read_file(rows[0].pk)
    jobs.read_file(light.pk)
    assert sent == [("read_file", rows[1].pk)]


def test_with_a_broker_a_file_that_is_put_aside_calls_the_next_of_its_person_too(
    heavy, monkeypatch
):
    rows, _light = heavy
    leases.claim_work(READ, rows[0].pk, "0123456789ab-1-1-abcdef")
    MachineWork.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    sent = []
    monkeypatch.setattr(jobs, "send", lambda name, pk: sent.append((name, pk)))
    monkeypatch.setattr(alone, "do", lambda work: -9)
    assert not jobs.read_file(rows[0].pk)
    assert sent == [("read_file", rows[1].pk)]


def test_a_file_that_is_gone_when_its_turn_comes_breaks_nothing(draft, monkeypatch):
    row = attach(draft, "plan.txt", b"Plan", read=False)
    taken = files.take_lock

    def late(lock):
        taken(lock)
        Attachment.objects.filter(pk=row.pk).delete()

    monkeypatch.setattr(files, "take_lock", late)
    assert not jobs.read_file(row.pk)
    assert not MachineWork.objects.exists()


def test_a_file_whose_reading_breaks_is_tried_again_and_then_given_up(author, draft, monkeypatch):
    row = attach(draft, "plan.txt", b"Plan", read=False)
    after = attach(draft, "after.txt", b"After", read=False)

    def breaks(_row):
        raise RuntimeError("the storage is away")

    with monkeypatch.context() as patched:
        patched.setattr(read_files, "read_file", breaks)
        for _again in range(jobs.MOST_ATTEMPTS):
            jobs.read_file(row.pk)
    assert [one.name for one in failing_work()] == ["Reading a file"]
    assert waiting() == [after.pk], "what waits for its next attempt holds up nothing"
    jobs.read_file(row.pk)
    assert FileContent.objects.get(sha256=row.sha256).reason == "gave_up"
    assert not list(failing_work())
    assert MachineWork.objects.filter(kind=READ).count() == 1


def test_a_task_is_submitted_once_all_its_files_are_read_or_removed(author, draft):
    row = attach(draft, "plan.txt", b"Plan", read=False)
    gone = attach(draft, "gone.txt", b"Gone", read=False)
    remove_attachment(actor=author, attachment=gone)
    with pytest.raises(BadInput) as refused:
        submit_task(actor=author, task=draft)
    (sentence,) = refused.value.fields["files"]
    assert sentence.startswith("“plan.txt” is still being read.")
    jobs.read_file(row.pk)
    assert submit_task(actor=author, task=draft).stage == Stage.SUBMITTED


@pytest.mark.parametrize("reason", ["missing", "too_slow", "unreadable", "gave_up"])
def test_adding_a_file_again_that_could_not_be_read_has_it_read_again(
    sign_in, author, draft, reason
):
    row = attach(draft, "plan.txt", b"Plan")
    FileContent.objects.update(reason=reason, sections=[], characters=0)
    add(sign_in(author), draft, "plan.txt", b"Plan")
    assert Attachment.objects.count() == 1
    assert waiting() == [row.pk]
    jobs.read_file(row.pk)
    assert FileContent.objects.get().reason == ""


class TestAFileThatEndsItsWorker:
    @pytest.fixture
    def aside(self, draft, monkeypatch):
        """A file that ended two processes that read it."""
        row = attach(draft, "plan.txt", b"Plan", read=False)
        leases.claim_work(READ, row.pk, "0123456789ab-1-1-abcdef")
        MachineWork.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
        with monkeypatch.context() as patched:
            patched.setattr(alone, "do", lambda work: -9)
            assert not jobs.read_file(row.pk)
        assert waiting() == []
        return row

    def said(self, browser, task):
        address = f"/attachments/task/{task.pk}/"
        return browser.get(address, headers={"X-Parts": "1"}).content.decode()

    def test_its_author_reads_that_it_could_not_be_read_and_what_to_do(
        self, sign_in, author, draft, aside
    ):
        page = self.said(sign_in(author), draft)
        assert "It could not be read: each attempt broke." in page
        assert "Remove it, or add another version of it." in page
        assert "data-refresh" not in page
        submitted = submit_task(actor=author, task=draft)
        assert submitted.stage == Stage.SUBMITTED, "as with any file that cannot be read"

    def test_staff_have_it_tried_again_alone_and_the_page_is_right_again(
        self, sign_in, author, staff, draft, aside
    ):
        office, work = sign_in(staff), MachineWork.objects.get()
        jobs_page = office.get("/staff/jobs/").content.decode()
        assert f"Try again now: Reading a file, {aside.pk}" in jobs_page
        assert office.post(f"/staff/jobs/{work.pk}/again/").status_code == 302
        assert office.post(f"/staff/jobs/{work.pk}/again/").status_code == 409
        browser = sign_in(author)
        assert "It is being read." in self.said(browser, draft)
        assert waiting() == [aside.pk]
        work.refresh_from_db()
        assert (work.put_aside, work.workers_ended) == ("", 1), "so it is tried alone"
        jobs.read_file(aside.pk)
        assert "Models get its text: 4 characters." in self.said(browser, draft)
        assert not list(failing_work())

    def test_another_file_of_the_same_content_is_not_listed_as_tried_again_soon(
        self, sign_in, staff, draft, aside
    ):
        same = attach(draft, "same.txt", b"Plan", read=False)
        MachineWork.objects.create(kind=READ, object_id=same.pk, attempts=1)
        (listed,) = failing_work()
        assert (listed.number, listed.next_at) == (aside.pk, None)

    def test_adding_it_again_has_it_tried_again_alone(self, sign_in, author, draft, aside):
        add(sign_in(author), draft, "plan.txt", b"Plan")
        assert waiting() == [aside.pk]
        assert MachineWork.objects.get().workers_ended == 1
        jobs.read_file(aside.pk)
        assert FileContent.objects.get().reason == ""

    @pytest.fixture
    def read_where(self, monkeypatch):
        """Which files are read in the worker itself, and which alone, ending that process too."""
        where = {"worker": [], "alone": []}
        monkeypatch.setattr(read_files, "read_file", lambda row: where["worker"].append(row.pk))
        monkeypatch.setattr(alone, "do", lambda work: where["alone"].append(work.object_id) or -9)
        return where

    def test_removed_and_added_again_it_is_tried_alone(
        self, sign_in, author, draft, aside, read_where
    ):
        remove_attachment(actor=author, attachment=aside)
        add(sign_in(author), draft, "plan.txt", b"Plan")
        (again,) = waiting()
        assert again != aside.pk
        jobs.read_file(again)
        assert read_where == {"worker": [], "alone": [again]}
        assert waiting() == []

    def test_tried_again_by_staff_it_is_tried_alone_as_somebody_elses_file_too(
        self, sign_in, staff, person, finance, draft, aside, read_where
    ):
        other = create_task(actor=person("colleague", finance), domain=finance, **PARTS)
        same = attach(other, "same.txt", b"Plan", read=False)
        sign_in(staff).post(f"/staff/jobs/{MachineWork.objects.get().pk}/again/")
        assert waiting() == [aside.pk, same.pk]
        jobs.read_file(same.pk)
        assert read_where == {"worker": [], "alone": [same.pk]}

    def test_while_its_worker_is_known_to_have_ended_the_same_content_is_not_read_beside_it(
        self, person, finance, draft, read_where, monkeypatch
    ):
        other = create_task(actor=person("colleague", finance), domain=finance, **PARTS)
        row = attach(draft, "plan.txt", b"Plan", read=False)
        same = attach(other, "same.txt", b"Plan", read=False)
        leases.claim_work(READ, row.pk, "0123456789ab-1-1-abcdef")
        MachineWork.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
        jobs.read_file(same.pk)
        assert read_where == {"worker": [], "alone": [same.pk]}
