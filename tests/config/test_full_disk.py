"""A full disk, here a database that refuses to write: people read, sign in and lose no text."""

import pytest
from django.conf import settings as given
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.joining.accounts import adapter, session_store
from curation.joining.accounts.models import CacheRow, SignIn
from curation.joining.people import User

pytestmark = pytest.mark.django_db(transaction=True)

WORD = "a-long-word-of-its-own-9"


@pytest.fixture
def disk():
    """`disk.full()` lets nothing be written any more, `disk.free()` everything again."""

    class Disk:
        @staticmethod
        def _allow(writing: bool) -> None:
            if connection.vendor == "sqlite":
                statement = f"PRAGMA query_only = {0 if writing else 1}"
            else:
                kind = "WRITE" if writing else "ONLY"
                statement = f"SET SESSION CHARACTERISTICS AS TRANSACTION READ {kind}"
            with connection.cursor() as cursor:
                cursor.execute(statement)

        def full(self) -> None:
            self._allow(writing=False)

        def free(self) -> None:
            self._allow(writing=True)

    disk = Disk()
    yield disk
    disk.free()
    cache.clear()


@pytest.fixture
def who(author):
    author.set_password(WORD)
    author.save()
    return author


def type_in(who, word=WORD):
    browser = Client()
    answer = browser.post("/account/login/", {"login": who.email, "password": word})
    return browser, answer


def key_of(browser):
    return browser.cookies[given.SESSION_COOKIE_NAME].value


def test_a_page_is_read_though_the_visit_cannot_be_recorded(who, sign_in, disk):
    browser = sign_in(who)
    session = browser.session
    session[adapter.SEEN] = 0
    session.save()
    disk.full()
    assert browser.get("/tasks/").status_code == 200
    disk.free()
    assert browser.get("/tasks/").status_code == 200
    assert browser.session[adapter.SEEN] > 0


def test_people_sign_in_and_read_and_their_session_moves_into_the_database_with_room(who, disk):
    disk.full()
    browser, answer = type_in(who)
    assert answer.status_code == 302
    assert key_of(browser).startswith(session_store.PREFIX)
    page = browser.get("/tasks/")
    assert page.context["user"] == who
    disk.free()
    assert not SignIn.objects.exists()
    session = browser.session
    session["anything"] = 1
    session.save()
    assert Session.objects.filter(session_key=session.session_key).exists()


@pytest.mark.parametrize("end", ["password", "time", "forged", "everywhere", "closed"])
def test_a_session_that_is_only_signed_ends_like_every_other(who, disk, monkeypatch, end):
    disk.full()
    browser, _answer = type_in(who)
    disk.free()
    if end == "password":
        who.set_password("another-word-of-mine-7")
        who.save()
    elif end == "time":
        monkeypatch.setattr(session_store, "MAX_AGE", -1)
    elif end == "everywhere":
        adapter.end_sessions(who)
    elif end == "closed":
        User.objects.update(is_active=False)
    else:
        browser.cookies[given.SESSION_COOKIE_NAME] = key_of(browser)[:-1] + "~"
    assert browser.get("/tasks/").status_code == 302


def test_no_change_of_a_signed_session_begins_a_new_hour_nor_does_the_database(who, disk):
    disk.full()
    browser, _answer = type_in(who)
    session = browser.session
    session[session_store.SINCE] = began = session[session_store.SINCE] - 3000
    session.save()
    again = session_store.SessionStore(session.session_key)
    again["anything"] = 1
    again.save()
    assert session_store.is_signed(again.session_key)
    assert session_store.SessionStore(again.session_key)[session_store.SINCE] == began
    disk.free()
    again["anything"] = 2
    again.save()
    browser.cookies[given.SESSION_COOKIE_NAME] = again.session_key
    assert browser.get("/tasks/").status_code == 200
    again[session_store.SINCE] = began - 700
    again.save()
    assert Session.objects.filter(session_key=again.session_key).exists()
    assert browser.get("/tasks/").status_code == 302


def test_a_sign_out_ends_the_session_and_its_row_goes_as_soon_as_there_is_room(who, disk):
    browser, _answer = type_in(who)
    key = key_of(browser)
    disk.full()
    answer = browser.post("/account/logout/", follow=True)
    assert answer.status_code == 200
    said = answer.content.decode()
    assert "the session could not be deleted yet" in said
    assert "end it under Where you are signed in if it is still there" in said
    assert "accepts it no more" not in said, "another process may"
    assert not key_of(browser)
    browser.cookies[given.SESSION_COOKIE_NAME] = key
    assert browser.get("/tasks/").status_code == 302
    disk.free()
    browser.cookies[given.SESSION_COOKIE_NAME] = key
    assert browser.get("/tasks/").status_code == 302
    type_in(who)
    assert not Session.objects.filter(session_key=key).exists()


def test_a_sign_out_says_that_a_copy_of_a_signed_session_lasts_an_hour_at_most(who, disk):
    disk.full()
    browser, _answer = type_in(who)
    answer = browser.post("/account/logout/", follow=True)
    assert "an hour after it began at the latest" in answer.content.decode()
    assert not key_of(browser)
    assert browser.get("/tasks/").status_code == 302


def test_a_session_signed_meanwhile_ends_with_its_row_and_goes_back_into_it(who, disk):
    browser, _answer = type_in(who)
    row = key_of(browser)
    disk.full()
    session = browser.session
    session["anything"] = 1
    session.save()
    browser.cookies[given.SESSION_COOKIE_NAME] = signed = session.session_key
    assert session_store.is_signed(signed)
    assert browser.get("/tasks/").status_code == 200
    disk.free()
    session = browser.session
    session["anything"] = 2
    session.save()
    assert (session.session_key, Session.objects.count()) == (row, 1)
    browser.post("/account/logout/")
    for key in (row, signed):
        browser.cookies[given.SESSION_COOKIE_NAME] = key
        assert browser.get("/tasks/").status_code == 302


def test_a_session_signed_meanwhile_is_the_current_one_and_stays_when_all_others_end(who, disk):
    type_in(who)
    browser, _answer = type_in(who)
    browser.get("/tasks/")
    row = key_of(browser)
    disk.full()
    session = browser.session
    session["anything"] = 1
    session.save()
    browser.cookies[given.SESSION_COOKIE_NAME] = session.session_key
    disk.free()
    address = reverse("sessions")
    listed = browser.get(address).context["sessions"]
    assert [one.current for one in listed] == [True, False]
    assert browser.post(address, {"end": listed[0].pk}).status_code == 409
    assert browser.post(address, {"end": "others"}).status_code == 302
    assert browser.get("/tasks/").status_code == 200
    assert [one.session_key for one in Session.objects.all()] == [row]


def test_wrong_passwords_are_counted_all_the_same(who, disk):
    disk.full()
    words = []
    for _ in range(30):
        _browser, answer = type_in(who, "wrong")
        words.append("Too many attempts" in answer.content.decode())
    assert words.index(True) > 1
    assert not SignIn.objects.exists()
    disk.free()
    cache.clear()
    _browser, answer = type_in(who, "wrong")
    assert "Too many attempts" not in answer.content.decode()


def test_what_cannot_be_stored_is_said_and_the_text_is_given_back(who, sign_in, disk, finance):
    browser = sign_in(who)
    disk.full()
    sent = {"title": "A title that I typed", "domain": finance.key, "language": "en"}
    answer = browser.post("/tasks/new/", sent)
    page = answer.content.decode()
    assert answer.status_code == 507
    assert "no room to store anything" in page
    assert "A title that I typed" in page
    api = browser.post("/tasks/new/", sent, headers={"Accept": "application/json"})
    assert (api.status_code, api.json()["code"]) == (507, "no_room")


def test_a_file_is_refused_that_would_use_up_the_reserve(who, sign_in, settings):
    browser = sign_in(who)
    file = SimpleUploadedFile("notes.txt", b"x" * 100_000)
    settings.DISK_RESERVE_MB = 10**9
    settings.FILE_UPLOAD_HANDLERS = ["no.handler.may.be.asked"]
    assert browser.post("/tasks/new/", {"file": file}).status_code == 507
    settings.FILE_UPLOAD_HANDLERS = []
    small = browser.post("/tasks/new/", {"title": "A title that I typed"})
    assert small.status_code != 507


def test_readiness_writes_names_what_is_missing_and_logs_why(disk, settings, tmp_path, caplog):
    ready = Client().get("/readyz").json()
    assert (ready["checks"]["database"], ready["checks"]["storage"]) == ("ok", "ok")
    assert CacheRow.objects.filter(cache_key="readyz").count() == 1
    disk.full()
    settings.VAR_DIR = "/proc"
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert {"database", "storage"} <= set(answer.json()["missing"])
    assert "Not ready: database. There is no room to write" in caplog.text
    disk.free()
    settings.VAR_DIR = tmp_path
    settings.DISK_RESERVE_MB = 10**9
    answer = Client().get("/readyz")
    assert "storage" in answer.json()["missing"]
    assert "MB are free" in caplog.text
    assert "free" not in answer.content.decode()
