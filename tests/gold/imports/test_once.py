"""An upload is imported once: pressed twice, by two people, or by a worker after a killed one."""

import threading
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from curation.base.process import periodic_jobs
from curation.base.web.refusals import Conflict
from curation.joining.notices.models import Notice
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.queue.locks import Lock, is_taken, take_lock
from judge.base.queue.models import MachineWork
from judge.gold.transfer import import_actions as actions
from judge.gold.transfer import import_views as views
from judge.gold.transfer import import_work as work
from judge.gold.transfer.import_models import DataImport
from judge.jobs import jobs
from tests.gold.importing.conftest import external
from tests.gold.imports.conftest import Desk, lines, table, words

HEAD = ("id", "domain", "requirements")


def checked(desk: Desk, *keys: str) -> DataImport:
    desk.upload(lines(*(external(key) for key in keys or ("x-1",))), name="tasks.jsonl")
    assert desk.row().state == "checked"
    return desk.row()


@pytest.mark.django_db(transaction=True)
def test_two_members_of_staff_at_once_import_once(desk, sign_in, person):
    row = checked(desk)
    people = [person(f"staff-{n}", is_staff=True) for n in range(6)]
    clients = [sign_in(one) for one in people]
    start, answers = threading.Barrier(len(clients)), []

    def press(client):
        try:
            start.wait(timeout=60)
            answer = client.post(f"/staff/imports/{row.pk}/start/", {"revision": row.revision})
            answers.append(answer.status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(answers) == [302] + [409] * 5
    workers = [threading.Thread(target=_work, args=(row.pk,)) for _ in range(3)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join(timeout=60)
    assert DataImport.objects.get().state == "done"
    assert Task.objects.count() == 1
    assert Notice.objects.filter(kind="import_done").count() == 1


def _work(pk: int) -> None:
    try:
        jobs.work_on_import(pk)
    finally:
        connection.close()


@pytest.mark.django_db
def test_the_second_press_of_the_same_person_is_a_conflict_and_changes_nothing(desk):
    row = checked(desk)
    at, sent = f"/staff/imports/{row.pk}/start/", {"revision": row.revision}
    assert desk.client.post(at, sent).status_code == 302
    again = desk.client.post(at, sent)
    assert again.status_code == 409
    assert "Somebody changed this import meanwhile, or it is under way." in words(again)
    assert desk.row().state == "waiting"


@pytest.mark.django_db
def test_a_worker_killed_in_the_middle_leaves_nothing_and_the_next_one_imports_all(
    desk, monkeypatch
):
    checked(desk, "x-1", "x-2")
    desk.do("start")

    def killed(row, counts):
        assert Task.objects.count() == 2  # stored, in a transaction that will not end
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(work, "tell", killed)
        with pytest.raises(KeyboardInterrupt):
            jobs.work_on_import(desk.row().pk)
    assert not Task.objects.exists()
    assert desk.row().state == "waiting"
    MachineWork.objects.update(attempts=0)  # its next attempt is due
    jobs.drain()
    assert (desk.row().state, desk.row().counts["added"]) == ("done", 2)


@pytest.mark.django_db
def test_a_worker_that_has_lost_its_lease_stores_nothing(desk, monkeypatch):
    checked(desk)
    desk.do("start")
    stale = desk.row()
    DataImport.objects.update(revision=99)  # as if somebody else had taken it over
    with pytest.raises(work.Conflict):
        work.work_on(stale)
    assert not Task.objects.exists()


@pytest.mark.django_db
def test_an_upload_on_which_the_worker_breaks_again_and_again_is_given_up_with_a_notice(
    desk, staff, monkeypatch
):
    checked(desk)
    desk.do("start")

    def broken(*_args, **_kwargs):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(work, "carry_out", broken)
    for _attempt in range(jobs.MOST_ATTEMPTS + 1):
        jobs.work_on_import(desk.row().pk)
    row = desk.row()
    assert row.state == "failed"
    assert "the disk is full" in desk.preview()
    assert Notice.objects.filter(recipient=staff, kind="import_failed").count() == 1


@pytest.mark.django_db
def test_what_has_changed_since_the_check_stops_the_import_and_is_named(desk):
    checked(desk, "x-1", "x-2")
    desk.do("start")
    first = desk.row()
    checked_before = DataImport.objects.get(pk=first.pk)
    desk.upload(lines(external("x-2", requirements="Other.")), name="other.jsonl")
    desk.do("start")
    jobs.work_on_import(desk.row().pk)
    jobs.work_on_import(checked_before.pk)
    row = DataImport.objects.get(pk=first.pk)
    assert row.state == "failed"
    assert Task.objects.count() == 1
    page = words(desk.client.get(f"/staff/imports/{row.pk}/"))
    assert "What is stored here has changed since the check." in page
    assert '"Other." there, "Solve x-2." here' in page
    sent = {"revision": row.revision}
    assert desk.client.post(f"/staff/imports/{row.pk}/check/", sent).status_code == 302


@pytest.mark.django_db
def test_a_stale_page_cannot_start_what_somebody_changed(desk):
    desk.upload(table(HEAD, ("x-1", "p", "Solve.")))
    desk.columns()
    seen = desk.row().revision
    desk.columns(**{"f-language": "en"})
    answer = desk.client.post(f"/staff/imports/{desk.row().pk}/start/", {"revision": seen})
    assert answer.status_code == 409


@pytest.mark.django_db
def test_nothing_with_faults_can_be_marked_as_imported(desk, staff):
    row = checked(desk)
    with pytest.raises(IntegrityError), transaction.atomic():
        DataImport.objects.filter(pk=row.pk).update(state="waiting", fault_count=1)


@pytest.mark.django_db
def test_a_large_file_is_checked_and_imported_by_the_worker_with_progress(desk, settings):
    settings.IMPORT_CHECKED_AT_ONCE_KB = 0
    desk.upload(lines(*(external(f"x-{n}") for n in range(300))), name="tasks.jsonl")
    assert desk.row().state == "checking"
    assert "The file is being checked." in desk.preview()
    at = f"/staff/imports/{desk.row().pk}/progress/"
    assert "X-Reload" not in desk.client.get(f"{at}?state=checking", headers={"X-Parts": "1"})
    jobs.drain()
    assert desk.client.get(f"{at}?state=checking", headers={"X-Parts": "1"})["X-Reload"] == "1"
    assert "300 new" in desk.preview()
    desk.do("start")
    DataImport.objects.update(lines_read=120)
    assert "Read up to line 120." in desk.preview()
    jobs.drain()
    assert Task.objects.count() == 300


@pytest.mark.django_db
def test_a_small_file_is_left_to_the_worker_while_an_import_is_under_way(desk, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(views, "is_taken", lambda lock: lock == Lock.IMPORT)
        desk.upload(lines(external("x-1")), name="tasks.jsonl")
        assert desk.row().state == "checking"
    jobs.drain()
    assert desk.row().state == "checked"


@pytest.mark.django_db(transaction=True)
def test_the_lock_of_imports_is_seen_by_others_without_waiting():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no such locks")
    seen = []

    def look():
        seen.append(is_taken(Lock.IMPORT))
        connection.close()

    def elsewhere():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join(timeout=60)

    with transaction.atomic():
        take_lock(Lock.IMPORT)
        elsewhere()
    elsewhere()
    assert seen == [True, False]


@pytest.mark.django_db
@pytest.mark.parametrize(("owner", "step"), [(DataImport, "save"), (actions, "ask_for_check")])
def test_the_files_of_an_upload_that_is_taken_back_are_gone_too(
    desk, monkeypatch, settings, owner, step
):
    def broken(*_args, **_kwargs):
        raise Conflict("It broke.")

    monkeypatch.setattr(owner, step, broken)
    answer = desk.upload(lines(external("x-1")), name="tasks.jsonl")
    assert answer.status_code == 409
    assert not DataImport.objects.exists()
    assert [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()] == []


@pytest.mark.django_db
def test_an_upload_that_nobody_imports_is_deleted_after_a_week(desk):
    checked(desk)
    stored = desk.row().file.name
    work.forget_uploads()
    assert default_storage.exists(stored)
    DataImport.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    assert work.forget_uploads in periodic_jobs.JOBS
    assert work.forget_uploads() == 1
    assert not DataImport.objects.exists()
    assert not default_storage.exists(stored)


@pytest.mark.django_db
def test_the_same_file_again_changes_nothing_and_says_so(desk):
    checked(desk)
    desk.start()
    checked(desk)
    assert "0 new · 1 already there, unchanged" in desk.preview()
    assert desk.start().counts == {"added": 0, "unchanged": 1, "revised": 0}
    assert not Response.objects.exists()


@pytest.mark.django_db
def test_a_file_that_is_gone_from_the_storage_is_said_in_words(desk):
    row = checked(desk)
    default_storage.delete(row.file.name)
    assert desk.do("check").status_code == 302
    assert "The file is no longer stored. Upload it again." in desk.preview()
