"""The same release asked for many times at the same moment."""

import threading
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.gold.releases.checking import content_sha256, verify
from tests.gold.draws.conftest import fill

NEW = "/staff/gold/releases/new/"
WISH = {
    "size": "4", "seed": "11", "allocation": "proportional", "redistribute": "1",
    "formats": "jsonl",
}  # fmt: skip
TIMES = 10


@pytest.fixture
def pool(programme, finance, law):
    return fill(programme, finance, law)


def at_once(clients: list[Client], wishes: list[dict[str, str]]) -> list[str]:
    """Where each POST leads; the status where it leads nowhere."""
    start, answers = threading.Barrier(len(clients)), []

    def send(client: Client, wish: dict[str, str]) -> None:
        try:
            start.wait(timeout=60)
            answer = client.post(NEW, wish)
            answers.append(answer.headers.get("Location", str(answer.status_code)))
        finally:
            connection.close()

    threads = [
        threading.Thread(target=send, args=pair) for pair in zip(clients, wishes, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return answers


def frozen(**values) -> GoldRelease:
    return GoldRelease.objects.create(
        **{
            "number": 1, "size": 4, "seed": 11, "strata": "domain", "allocation": "proportional",
            "manifest": {}, "sha256": "a" * 64, **values,
        }
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_ten_equal_requests_at_once_freeze_one_release_and_all_lead_to_it(
    sign_in, staff, pool, files, monkeypatch
):
    """All have written their files before the first of them is given its number."""
    written = threading.Barrier(TIMES)

    def together(manifest):
        written.wait(timeout=60)
        return content_sha256(manifest)

    monkeypatch.setattr("judge.gold.releases.release.content_sha256", together)
    answers = at_once([sign_in(staff) for _ in range(TIMES)], [WISH] * TIMES)
    assert answers == ["/staff/gold/releases/1/"] * TIMES
    release = GoldRelease.objects.get()
    assert GoldItem.objects.filter(release=release).count() == 4
    assert [path.name for path in Path(files, "gold").iterdir()] == ["1"]
    assert all(file.fine for file in verify(release))


@pytest.mark.django_db(transaction=True)
def test_different_releases_at_once_get_a_number_each(sign_in, staff, pool, files):
    wishes = [{**WISH, "seed": str(seed)} for seed in range(6)]
    answers = at_once([sign_in(staff) for _ in wishes], wishes)
    assert set(answers) == {f"/staff/gold/releases/{n}/" for n in range(1, 7)}
    assert all(file.fine for release in GoldRelease.objects.all() for file in verify(release))


@pytest.mark.django_db
def test_the_database_refuses_a_second_release_with_the_same_hash():
    frozen()
    with pytest.raises(IntegrityError), transaction.atomic():
        frozen(number=2)
    assert GoldRelease.objects.get().number == 1
