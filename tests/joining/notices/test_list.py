"""The list of notices, the number in the top bar, and opening one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.notices import notify
from curation.joining.notices.models import Notice


def told(person, n=1, kind="slot_granted", url="/tasks/", **data):
    """Tell a person n things; the notices, oldest first."""
    for number in range(n):
        once = f"{kind}-{Notice.objects.count()}-{number}"
        notify.send_notice(person, kind, once=once, url=url, **data)
    return list(Notice.objects.filter(recipient=person).order_by("pk"))


def read(client, address="/notices/", **query):
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.content.decode()[:400]
    return answer.content.decode()


def test_nothing_told_says_what_will_appear(sign_in, author):
    page = read(sign_in(author))
    assert "No notices yet" in page
    assert "Mark all read" not in page


def test_unread_ones_come_first_and_days_are_headings(sign_in, author):
    old, new = told(author, 2, kind="task_kept", task="Old one")[0], None
    new = told(author, kind="task_kept", task="New one")[-1]
    Notice.objects.filter(pk=new.pk).update(read_at=timezone.now())
    Notice.objects.filter(pk=old.pk).update(at="2025-03-04T08:30:00Z")
    page = read(sign_in(author))
    assert page.index("Old one") < page.index("New one")
    assert "Tue 4 Mar 2025" in page
    assert "2 notices are unread" in page


def test_opening_one_marks_it_read_and_goes_to_its_place(sign_in, author):
    [notice] = told(author)
    client = sign_in(author)
    answer = client.post(f"/notices/{notice.pk}/open/")
    assert (answer.status_code, answer["Location"]) == (302, "/tasks/")
    notice.refresh_from_db()
    first = notice.read_at
    assert first is not None
    client.post(f"/notices/{notice.pk}/open/")
    notice.refresh_from_db()
    assert notice.read_at == first, "the first reading counts"


def test_only_a_post_marks_anything_read(sign_in, author):
    [notice] = told(author)
    client = sign_in(author)
    for address in (f"/notices/{notice.pk}/open/", f"/notices/{notice.pk}/read/", "/notices/read/"):
        assert client.get(address).status_code == 405
    read(client)
    notice.refresh_from_db()
    assert notice.read_at is None


def test_somebody_elses_notice_looks_like_a_missing_one(sign_in, author, peer, staff):
    [notice] = told(author)
    for person in (peer, staff):
        for step in ("open", "read"):
            assert sign_in(person).post(f"/notices/{notice.pk}/{step}/").status_code == 404
        assert "slot" not in read(sign_in(person))
    notice.refresh_from_db()
    assert notice.read_at is None


def test_marking_all_read_spares_what_came_after_the_page_and_what_is_others(sign_in, author, peer):
    seen = told(author, 3)[-1]
    told(peer)
    client = sign_in(author)
    assert f'value="{seen.pk}"' in read(client)
    later = told(author)[-1]
    assert client.post("/notices/read/", {"upto": seen.pk}).status_code == 302
    unread = Notice.objects.filter(read_at__isnull=True)
    assert {n.pk for n in unread.filter(recipient=author)} == {later.pk}
    assert unread.filter(recipient=peer).count() == 1


@pytest.mark.parametrize("upto", ["", "x", "-1", "9" * 40, "²"])
def test_nonsense_marks_nothing_read(sign_in, author, upto):
    told(author)
    assert sign_in(author).post("/notices/read/", {"upto": upto}).status_code == 302
    assert Notice.objects.filter(read_at__isnull=True).count() == 1


def test_the_list_can_be_narrowed_and_refuses_what_it_does_not_know(sign_in, author):
    told(author, kind="task_kept", task="A kept one")
    told(author, kind="senior_made", domain="Finance")
    Notice.objects.filter(kind="senior_made").update(read_at=timezone.now())
    client = sign_in(author)
    assert "A kept one" not in read(client, topic="qualification")
    assert "senior of Finance" in read(client, topic="qualification")
    assert "senior of Finance" not in read(client, show="unread")
    assert "No notices match" in read(client, topic="scoring")
    for wrong in ({"topic": "elsewhere"}, {"recipient__email": "a"}, {"ordering": "password"}):
        assert client.get("/notices/", wrong).status_code == 400


def test_the_number_of_unread_ones_stands_in_the_top_bar_of_every_page(sign_in, author):
    told(author, 3)
    client = sign_in(author)
    for address in ("/", "/tasks/", "/notices/"):
        assert '<span class="count is-new">3' in read(client, address)
    client.post("/notices/read/", {"upto": Notice.objects.latest("pk").pk})
    assert "is-new" not in read(client, "/")


def queries_of(client, address):
    with CaptureQueriesContext(
        connection,
    ) as found:
        read(client, address)
    return len(found)


def test_the_list_takes_a_fixed_number_of_queries(sign_in, author, staff):
    told(author, 3, kind="task_kept", task="x")
    client = sign_in(author)
    few = queries_of(client, "/notices/")
    home = queries_of(client, "/")
    told(author, 200, kind="task_kept", task="x")
    assert queries_of(client, "/notices/") == few <= 9
    assert queries_of(client, "/") == home


def test_a_page_holds_fifty(sign_in, author):
    told(author, 60)
    client = sign_in(author)
    assert read(client).count('class="notice is-unread"') == 50
    assert read(client, page=2).count('class="notice is-unread"') == 10


def test_what_people_wrote_is_shown_as_text(sign_in, author):
    told(author, kind="suspended", domain="Finance", reason="<script>alert(1)</script>\nline two")
    page = read(sign_in(author))
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
