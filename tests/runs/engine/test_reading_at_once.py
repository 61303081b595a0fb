"""Several workers claim the files of one person at the same moment, from real connections."""

import threading

import pytest
from django.db import connection

from curation.base.file_contents.models import FileContent
from curation.tasks.authoring.actions import create_task
from curation.tasks.file_views import read_files
from judge.jobs import jobs
from tests.attached import attach
from tests.tasks.authoring.conftest import PARTS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("slow_worker")]

WORKERS = 6


def test_workers_that_claim_files_of_one_person_at_once_read_one_and_leave_the_rest(
    author, finance, settings, tmp_path, monkeypatch
):
    settings.MEDIA_ROOT = tmp_path / "files"
    draft = create_task(actor=author, domain=finance, **PARTS)
    rows = [attach(draft, f"{n}.txt", b"heavy %d" % n, read=False) for n in range(WORKERS)]
    start, decided = threading.Barrier(WORKERS), threading.Semaphore(0)
    everybody_decided = threading.Event()
    began, answers, sound = [], [], read_files.read_file

    def read_file(row):
        began.append(row.pk)
        decided.release()
        everybody_decided.wait(timeout=60)
        sound(row)

    def work(pk):
        try:
            connection.ensure_connection()
            start.wait(timeout=60)
            answers.append(jobs.read_file(pk))
            decided.release()
        finally:
            connection.close()

    monkeypatch.setattr(read_files, "read_file", read_file)
    threads = [threading.Thread(target=work, args=(row.pk,), daemon=True) for row in rows]
    for thread in threads:
        thread.start()
    for _worker in threads:  # each of them reads, or was sent away
        assert decided.acquire(timeout=60)
    everybody_decided.set()
    for thread in threads:
        thread.join(timeout=120)
    assert len(began) == 1
    assert sorted(answers) == [False] * (WORKERS - 1) + [True]
    assert FileContent.objects.count() == 1
