"""Times are told by the clock of who reads them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(author, finance):
    """A draft saved at 22:40:45 UTC, two days ago."""
    task = create_task(actor=author, domain=finance, title="Covenant headroom")
    at = (timezone.now() - timedelta(days=2)).replace(hour=22, minute=40, second=45)
    Task.objects.filter(pk=task.pk).update(updated_at=at)
    return Task.objects.get(pk=task.pk)


def editor(client, task):
    return client.get(f"/tasks/{task.pk}/edit/").content.decode()


@pytest.mark.parametrize(
    ("zone", "clock", "days"),
    [
        ("Asia/Shanghai", "06:40:45", 1),
        ("Asia/Kolkata", "04:10:45", 1),
        ("Pacific/Pago_Pago", "11:40:45", 0),
    ],
)
def test_the_last_save_is_told_by_the_clock_the_browser_names(
    sign_in, author, draft, zone, clock, days
):
    client = sign_in(author)
    client.cookies["zone"] = zone
    page = editor(client, draft)
    day = draft.updated_at + timedelta(days=days)
    assert f"Saved {day:%a} {day.day} {day:%b}, {clock}" in page


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Asia", "a" * 5000, "\x00"]
)
def test_a_zone_nobody_knows_leaves_the_clock_at_utc(sign_in, author, draft, name):
    client = sign_in(author)
    client.cookies["zone"] = name
    assert ", 22:40:45" in editor(client, draft)


def test_one_readers_clock_is_not_the_next_ones(sign_in, author, draft):
    far, near = sign_in(author), sign_in(author)
    far.cookies["zone"] = "Asia/Shanghai"
    assert ", 06:40:45" in editor(far, draft)
    assert ", 22:40:45" in editor(near, draft)
