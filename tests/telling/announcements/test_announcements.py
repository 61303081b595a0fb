"""Staff announce, correct and end; people read it on Home until they say so."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from curation.joining.notices.models import Notice
from curation.telling.guidelines.announcement_actions import announce, tell_due_announcements
from curation.telling.guidelines.announcements import Announcement, AnnouncementReading
from tests.markup import words_of

pytestmark = pytest.mark.django_db
WORDS = {"title": "The office is closed on Friday", "text": "Write to us **on Monday**."}


def made(staff: Any, *domains: Any, **more: Any) -> Announcement:
    given = {"shown_from": None, "shown_until": None, **WORDS, **more}
    return announce(actor=staff, for_everybody=not domains, domains=domains, **given)


def home(client: Any) -> str:
    return words_of(client.get("/").content.decode())


def told() -> set[str]:
    rows = Notice.objects.filter(kind="announcement").select_related("recipient")
    return {row.recipient.email.split("@")[0] for row in rows}


class TestReading:
    def test_it_stands_on_home_until_it_is_read_and_staff_see_by_how_many(
        self, author, applicant, staff, sign_in
    ):
        sent = {**WORDS, "for_everybody": "1"}
        reply = sign_in(staff).post(reverse("staff-announcement-new"), sent)
        one = Announcement.objects.get()
        assert reply.url == reverse("staff-announcement", args=[one.pk])
        assert told() == {"author", "applicant"}
        client = sign_in(author)
        page = client.get("/").content.decode()
        assert WORDS["title"] in page
        assert "<strong>on Monday</strong>" in page
        assert client.post(reverse("announcement-read", args=[one.pk])).url == "/"
        assert client.post(reverse("announcement-read", args=[one.pk])).status_code == 302
        assert WORDS["title"] not in home(client)
        assert AnnouncementReading.objects.count() == 1
        assert WORDS["title"] in home(sign_in(applicant))
        page = words_of(sign_in(staff).get(reply.url).content.decode())
        assert "1 of 3" in page
        table = words_of(sign_in(staff).get(reverse("staff-announcements")).content.decode())
        assert "Shown now" in table

    def test_an_announcement_for_experts_is_for_those_of_all_domains_and_for_nobody_else(
        self, author, stranger, applicant, staff, sign_in
    ):
        sent = {**WORDS, "for_everybody": "0"}
        reply = sign_in(staff).post(reverse("staff-announcement-new"), sent)
        assert told() == {"author", "stranger"}
        assert WORDS["title"] in home(sign_in(stranger))
        assert WORDS["title"] not in home(sign_in(applicant))
        page = words_of(sign_in(staff).get(reply.url).content.decode())
        assert "For whom All experts" in page
        assert "1 of 2" not in page
        assert "0 of 2" in page

    def test_a_text_in_another_language_than_the_page_says_so(self, author, staff, sign_in):
        made(staff)
        client = sign_in(author)
        assert "Written in English." not in home(client)
        client.cookies["django_language"] = "zh-hans"
        assert "用英文写成。" in home(client)

    def test_an_announcement_for_a_domain_is_for_its_experts(
        self, author, stranger, applicant, staff, finance, sign_in
    ):
        one = made(staff, finance)
        assert told() == {"author"}
        assert WORDS["title"] in home(sign_in(author))
        address = reverse("announcement", args=[one.pk])
        assert sign_in(author).get(address).status_code == 200
        for user in (stranger, applicant):
            client = sign_in(user)
            assert WORDS["title"] not in home(client)
            assert client.get(address).status_code == 404
            assert client.post(reverse("announcement-read", args=[one.pk])).status_code == 404

    def test_it_waits_for_its_first_day_and_is_told_once(self, author, staff, sign_in):
        tomorrow = timezone.localdate() + timedelta(days=1)
        one = made(staff, shown_from=tomorrow)
        assert told() == set()
        client = sign_in(author)
        assert WORDS["title"] not in home(client)
        assert client.get(reverse("announcement", args=[one.pk])).status_code == 404
        Announcement.objects.filter(pk=one.pk).update(shown_from=timezone.localdate())
        assert tell_due_announcements() == 1
        assert tell_due_announcements() == 0
        assert told() == {"author"}
        assert WORDS["title"] in home(client)

    def test_after_its_last_day_home_shows_it_no_more(self, author, staff, sign_in):
        one = made(staff, shown_until=timezone.localdate())
        assert WORDS["title"] in home(sign_in(author))
        yesterday = timezone.localdate() - timedelta(days=1)
        Announcement.objects.filter(pk=one.pk).update(shown_from=yesterday, shown_until=yesterday)
        assert WORDS["title"] not in home(sign_in(author))


class TestChanging:
    def test_a_correction_is_told_to_nobody_and_keeps_the_earlier_words(
        self, author, staff, sign_in
    ):
        one = made(staff)
        client, url = sign_in(staff), reverse("staff-announcement", args=[one.pk])
        sent = {"version": 1, "title": "The office is closed on Thursday", "text": "Sorry."}
        assert client.post(url, sent).status_code == 302
        assert Notice.objects.filter(kind="announcement").count() == 1
        page = home(sign_in(author))
        assert "closed on Thursday" in page
        assert "closed on Friday" not in page
        assert "closed on Friday" in words_of(client.get(url).content.decode())
        assert client.post(url, {**sent, "text": "Again."}).status_code == 409

    def test_what_is_ended_is_shown_no_more_and_not_corrected(self, author, staff, sign_in):
        one = made(staff)
        url = reverse("staff-announcement-end", args=[one.pk])
        assert sign_in(staff).post(url).status_code == 302
        assert sign_in(staff).post(url).status_code == 409
        assert WORDS["title"] not in home(sign_in(author))
        sent = {"version": 1, **WORDS}
        reply = sign_in(staff).post(reverse("staff-announcement", args=[one.pk]), sent)
        assert reply.status_code == 409

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"title": " "}, "Give the announcement a title."),
            ({"text": " "}, "Write what you announce."),
            ({"text": "a\x00b"}, "Null characters"),
            ({"domains": ["finance"]}, "It is for everybody."),
            ({"shown_from": "2020-01-01"}, "Choose today or a later day."),
            ({"shown_until": "2020-01-01"}, "The last day lies before the first one."),
        ],
    )
    def test_what_cannot_be_announced_is_refused(self, staff, finance, sign_in, changed, said):
        sent = {**WORDS, "for_everybody": "1", **changed}
        reply = sign_in(staff).post(reverse("staff-announcement-new"), sent)
        assert reply.status_code == 400
        assert said in words_of(reply.content.decode())
        assert not Announcement.objects.exists()


def test_who_was_told_can_read_it_although_the_day_begins_later_where_they_are(
    author, staff, sign_in
):
    one = made(staff)
    assert "author" in told()
    Announcement.objects.filter(pk=one.pk).update(
        shown_from=timezone.localdate() + timedelta(days=1)  # as it is west of here
    )
    client = sign_in(author)
    assert client.get(reverse("announcement", args=[one.pk])).status_code == 200
    assert WORDS["title"] in home(client)
