"""Notices by e-mail: when, how often, once; what happens when the server fails; how they end."""

import re
import smtplib
import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command
from django.db import connection
from django.test import Client

from curation.base.process import periodic_jobs
from curation.joining.notices import email_digest, notify
from curation.joining.notices.models import Mailbox, Notice
from curation.joining.people import User

FRIDAY = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)  # a Friday, six hours after the digest
LOCMEM = "django.core.mail.backends.locmem.EmailBackend"


def tell(person, at=FRIDAY, kind="slot_granted", **data):
    notify.send_notice(person, kind, once=f"{kind}-{Notice.objects.count()}", url="/tasks/", **data)
    notice = Notice.objects.latest("pk")
    Notice.objects.filter(pk=notice.pk).update(at=at)
    return notice


def wants(person, mode):
    User.objects.filter(pk=person.pk).update(notice_mode=mode)


def hours(n):
    return timedelta(hours=n)


class TestWhen:
    def test_at_once_each_notice_is_an_e_mail_of_its_own_and_goes_out_once(self, author):
        tell(author)
        tell(author, kind="task_kept", task="A swap")
        assert email_digest.send_due(FRIDAY) == 2
        assert [m.subject for m in mail.outbox] == [
            "You can submit one more prompt",
            "The panel keeps “A swap”",
        ]
        assert email_digest.send_due(FRIDAY + hours(1)) == 0
        assert Notice.objects.filter(mailed_at__isnull=True).count() == 0

    def test_the_sweep_and_the_work_command_send_what_waits(self, author):
        notify.send_notice(author, "slot_granted", once="x", url="/tasks/")
        call_command("work", verbosity=0)
        assert len(mail.outbox) == 1
        notify.send_notice(author, "slot_granted", once="y", url="/tasks/")
        from judge.jobs.jobs import sweep

        sweep()
        assert len(mail.outbox) == 2

    def test_a_daily_digest_comes_at_its_hour_with_everything_together(self, author):
        wants(author, "daily")
        tell(author)
        tell(author, kind="task_kept", task="A swap")
        assert email_digest.send_due(FRIDAY + hours(1)) == 0
        assert email_digest.send_due(FRIDAY + hours(17)) == 0, "05:00 is before the hour"
        assert email_digest.send_due(FRIDAY + hours(18)) == 1
        [letter] = mail.outbox
        assert letter.subject == "2 notices from Assay"
        assert "one more prompt" in letter.body
        assert "A swap" in letter.body
        assert email_digest.send_due(FRIDAY + hours(19)) == 0

    def test_a_daily_digest_never_comes_twice_on_a_day(self, author):
        wants(author, "daily")
        tell(author, FRIDAY)
        email_digest.send_due(FRIDAY + hours(18))
        tell(author, FRIDAY + hours(19))
        assert email_digest.send_due(FRIDAY + hours(23)) == 0
        assert email_digest.send_due(FRIDAY + hours(42)) == 1

    def test_no_news_is_no_digest(self, author):
        wants(author, "daily")
        assert email_digest.send_due(FRIDAY + hours(48)) == 0

    def test_a_weekly_digest_comes_on_monday(self, author):
        wants(author, "weekly")
        tell(author)
        assert email_digest.send_due(FRIDAY + hours(48)) == 0, "Sunday"
        assert email_digest.send_due(FRIDAY + hours(67)) == 1, "Monday, 07:00"
        tell(author, FRIDAY + hours(70))
        assert email_digest.send_due(FRIDAY + hours(140)) == 0
        assert email_digest.send_due(FRIDAY + hours(67 + 168)) == 1

    def test_never_means_never_and_what_gathered_is_not_sent_afterwards(self, sign_in, author):
        wants(author, "never")
        tell(author)
        assert email_digest.send_due(FRIDAY + hours(200)) == 0
        client = sign_in(author)
        client.post("/preferences/", {"language": "en", "notice_mode": "at_once"})
        assert email_digest.send_due(FRIDAY + hours(200)) == 0
        tell(author)
        assert email_digest.send_due(FRIDAY + hours(200)) == 1

    def test_what_was_read_in_the_product_is_not_sent_any_more(self, sign_in, author):
        notice = tell(author)
        sign_in(author).post(f"/notices/{notice.pk}/open/")
        assert email_digest.send_due(FRIDAY) == 0

    def test_somebody_who_left_gets_nothing(self, author):
        tell(author)
        User.objects.filter(pk=author.pk).update(is_active=False)
        assert email_digest.send_due(FRIDAY) == 0

    def test_one_run_has_an_end_and_the_next_goes_on(self, author, monkeypatch):
        monkeypatch.setattr(email_digest, "MOST_PER_PERSON", 3)
        for _n in range(5):
            tell(author)
        assert email_digest.send_due(FRIDAY) == 3
        assert email_digest.send_due(FRIDAY) == 2

    def test_a_long_digest_says_how_many_more_there_are(self, author, monkeypatch):
        monkeypatch.setattr(email_digest, "MOST_IN_A_DIGEST", 2)
        wants(author, "daily")
        for n in range(3):
            tell(author, kind="task_kept", task=f"Task {n}")
        email_digest.send_due(FRIDAY + hours(18))
        body = mail.outbox[0].body
        assert "1 older one is under Notices." in body
        assert ("Task 0" in body, "Task 2" in body) == (False, True)
        assert not Notice.objects.filter(mailed_at__isnull=True).exists()


class TestTheLetter:
    def test_it_is_in_the_persons_language(self, author):
        User.objects.filter(pk=author.pk).update(language="zh-hans")
        tell(author)
        email_digest.send_due(FRIDAY)
        [letter] = mail.outbox
        assert re.search(r"[\u4e00-\u9fff]", letter.subject)
        assert '<html lang="zh-hans">' in letter.alternatives[0][0]

    def test_links_lead_to_the_public_address(self, author, settings):
        settings.PUBLIC_URL = "https://assay.example.org"
        notice = tell(author)
        email_digest.send_due(FRIDAY)
        [letter] = mail.outbox
        assert f"https://assay.example.org/tasks/#notice-{notice.pk}" in letter.body
        links = re.findall(r'https?://[^\s"<>]+', letter.body + letter.alternatives[0][0])
        assert links
        assert all(link.startswith("https://assay.example.org/") for link in links)

    def test_without_a_public_address_nothing_goes_out_and_nothing_is_lost(self, author, settings):
        settings.PUBLIC_URL = ""
        tell(author)
        assert email_digest.send_due(FRIDAY) == 0
        assert Notice.objects.filter(mailed_at__isnull=True).count() == 1

    def test_a_title_of_several_lines_makes_one_subject(self, author):
        tell(author, kind="task_kept", task="A swap\r\nBcc: everybody@example.test")
        assert email_digest.send_due(FRIDAY) == 1
        assert "\n" not in mail.outbox[0].subject
        assert mail.outbox[0].recipients() == [author.email]


class Broken(BaseEmailBackend):
    """A mail server that misbehaves as told."""

    away = False
    refuses: set[str] = set()
    taken: list[str] = []

    def open(self):
        if Broken.away:
            raise ConnectionRefusedError
        return True

    def send_messages(self, messages):
        for message in messages:
            if message.to[0] in Broken.refuses:
                raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such mailbox")})
            Broken.taken.append(message.to[0])
        return len(messages)


@pytest.fixture
def server(settings):
    settings.EMAIL_BACKEND = "tests.joining.notices.test_mail.Broken"
    Broken.away, Broken.refuses, Broken.taken = False, set(), []
    return Broken


class TestAFailingServer:
    def test_a_server_that_is_away_loses_nothing(self, author, peer, server, caplog):
        tell(author)
        tell(peer)
        server.away = True
        assert email_digest.send_due(FRIDAY) == 0
        assert Notice.objects.filter(mailed_at__isnull=True).count() == 2
        assert "example.test" not in caplog.text
        server.away = False
        assert email_digest.send_due(FRIDAY) == 2, "the next sweep, at once"

    def test_one_refused_address_does_not_stop_the_others_and_rests(
        self, author, peer, server, caplog
    ):
        tell(author)
        tell(peer)
        server.refuses = {author.email}
        assert email_digest.send_due(FRIDAY) == 1
        assert server.taken == [peer.email]
        assert author.email not in caplog.text
        assert "SMTPRecipientsRefused" in caplog.text
        assert email_digest.send_due(FRIDAY) == 0, "it rests"
        box = Mailbox.objects.get(user=author)
        assert (box.failures, box.problem) == (1, "SMTPRecipientsRefused")
        server.refuses = set()
        assert email_digest.send_due(FRIDAY + hours(1)) == 1
        box.refresh_from_db()
        assert (box.failures, box.held_until) == (0, None)

    def test_a_server_that_refuses_everybody_is_left_alone(self, person, finance, server):
        people = [person(f"p{n}", finance) for n in range(6)]
        for one in people:
            tell(one)
        server.refuses = {p.email for p in people}
        email_digest.send_due(FRIDAY)
        assert Mailbox.objects.filter(failures__gt=0).count() == email_digest.MOST_FAILURES

    def test_a_failing_chore_stops_neither_the_others_nor_the_sweep(self, monkeypatch):
        done = []

        def breaks():
            raise RuntimeError

        monkeypatch.setattr(periodic_jobs, "JOBS", [breaks, lambda: done.append(1) or 1])
        assert periodic_jobs.run() == 1
        assert done == [1]

    def test_a_worker_that_died_lets_go(self, author):
        tell(author)
        Mailbox.objects.create(user=author, held_until=FRIDAY + hours(0.2))
        assert email_digest.send_due(FRIDAY) == 0
        assert email_digest.send_due(FRIDAY + hours(0.3)) == 1


@pytest.mark.django_db(transaction=True)
def test_workers_at_the_same_moment_send_each_notice_once(person, finance):
    people = [person(f"p{n}", finance) for n in range(5)]
    wants(people[0], "daily")
    for one in people:
        for _n in range(3):
            tell(one)
    start, sent = threading.Barrier(4), []

    def work():
        try:
            start.wait(timeout=60)
            sent.append(email_digest.send_due(FRIDAY + hours(18)))
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert len(sent) == 4
    assert email_digest.send_due(FRIDAY + hours(18)) + sum(sent) == len(mail.outbox) == 13
    assert Notice.objects.filter(mailed_at__isnull=True).count() == 0


class TestEndingThem:
    def stop_link(self, author):
        tell(author)
        email_digest.send_due(FRIDAY)
        letter = mail.outbox[-1]
        assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        found = re.fullmatch(
            r"<http://127\.0\.0\.1:8000(/notices/stop/\S+/)>",
            letter.extra_headers["List-Unsubscribe"],
        )
        assert found
        return found.group(1)

    def test_a_mail_program_ends_them_with_one_post(self, author):
        link = self.stop_link(author)
        stranger = Client(enforce_csrf_checks=True)
        answer = stranger.post(link, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        author.refresh_from_db()
        assert author.notice_mode == "never"

    def test_opening_the_link_changes_nothing_and_asks(self, author):
        link = self.stop_link(author)
        page = Client().get(link).content.decode()
        assert "Stop the e-mails" in page
        author.refresh_from_db()
        assert author.notice_mode == "at_once"

    def test_the_link_names_nobody_and_another_signature_is_refused(self, author):
        link = self.stop_link(author)
        page = Client().get(link).content.decode()
        assert author.email not in page
        assert author.display_name not in page
        for wrong in (link[:-3] + "x/", "/notices/stop/1/", "/notices/stop/MQ:1xU:abc/"):
            assert Client().get(wrong).status_code == 404
            assert Client().post(wrong).status_code == 404

    def test_it_signs_nobody_in(self, author):
        link = self.stop_link(author)
        browser = Client()
        browser.post(link)
        assert browser.get("/").status_code == 302


class TestPreferences:
    def test_a_person_chooses_how_often(self, sign_in, author):
        client = sign_in(author)
        for mode in ("daily", "weekly", "never", "at_once"):
            answer = client.post("/preferences/", {"language": "en", "notice_mode": mode})
            assert answer.status_code == 302
            author.refresh_from_db()
            assert author.notice_mode == mode

    def test_an_unknown_choice_is_refused_and_none_leaves_it(self, sign_in, author):
        wants(author, "weekly")
        client = sign_in(author)
        refused = client.post("/preferences/", {"language": "en", "notice_mode": "hourly"})
        assert refused.status_code == 400
        assert client.post("/preferences/", {"language": "en"}).status_code == 302
        author.refresh_from_db()
        assert author.notice_mode == "weekly"
