"""What a browser may keep: nothing of what somebody who is signed in was sent."""

import re

import pytest
from django.contrib.staticfiles import finders

from curation.joining.accounts.api_tokens import make_token

pytestmark = pytest.mark.django_db
NOTHING = "private, no-store"


def test_pages_and_json_are_kept_by_nobody(sign_in, staff, author, client):
    browser = sign_in(staff)
    for path in ("/", "/staff/people/", "/staff/audit/?format=csv", "/api/v1/tasks/", "/api/docs/"):
        answer = browser.get(path)
        assert (answer.status_code, answer["Cache-Control"]) == (200, NOTHING), path
    _token, key = make_token(actor=author, name="script")
    answer = client.get("/api/v1/tasks/", HTTP_AUTHORIZATION=f"Token {key}")
    assert (answer.status_code, answer["Cache-Control"]) == (200, NOTHING)


def test_refusals_are_kept_by_nobody_either(sign_in, author):
    browser = sign_in(author)
    for path, status in (("/staff/people/", 403), ("/tasks/999/", 404), ("/nowhere/", 404)):
        answer = browser.get(path)
        assert (answer.status_code, answer["Cache-Control"]) == (status, NOTHING), path


def test_the_admin_says_the_same_in_its_own_words(sign_in, staff):
    staff.is_superuser = True
    staff.save()
    told = sign_in(staff).get("/admin/")["Cache-Control"]
    assert {"no-store", "private"} <= set(re.split(r",\s*", told))


def test_static_files_may_be_kept(sign_in, staff):
    assert finders.find("js/main.js")
    answer = sign_in(staff).get("/static/js/main.js")
    assert answer.status_code == 200
    assert "no-store" not in answer.get("Cache-Control", "")
