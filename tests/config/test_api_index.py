"""The first address an engineer types lists the others; a list says how its parts are chosen."""

from typing import Any

import pytest
from django.test import Client

from curation.joining.accounts.api_tokens import make_token
from curation.joining.people import User

pytestmark = pytest.mark.django_db
BEGIN = "/api/v1/"


def asked(user: User) -> Any:
    _token, key = make_token(actor=user, name="script")
    return Client().get(BEGIN, headers={"authorization": f"Token {key}"}).json()


def listed(user: User) -> dict[str, set[str]]:
    return {row["name"]: set(row["methods"]) for row in asked(user)["addresses"]}


def test_nobody_signed_in_learns_where_the_documentation_is_and_how_to_get_a_token():
    answer = Client().get(BEGIN)
    assert answer.status_code == 200
    told = answer.json()
    assert told["addresses"] == []
    assert told["documentation"] == "http://testserver/api/docs/"
    assert "Authorization: Token" in told["detail"]


def test_an_expert_sees_the_addresses_an_expert_may_use(author):
    assert listed(author) == {
        "tasks": {"GET", "POST"},
        "task": {"GET", "PATCH"},
        "task-files": {"GET", "POST"},
        "task-file": {"DELETE", "GET"},
        "task-submit": {"POST"},
        "rubric": {"GET", "POST"},
        "sheets": {"GET"},
        "sheet": {"GET"},
        "sheet-submit": {"POST"},
        "sheet-line": {"PUT"},
        "graded-sheets": {"GET"},
        "graded-sheet": {"GET", "PUT"},
        "graded-sheet-submit": {"POST"},
    }


def test_staff_see_the_candidates_and_no_sheet_of_experts(staff):
    found = listed(staff)
    assert found["candidates"] == {"GET", "POST"}
    assert found["candidate"] == {"GET", "PATCH"}
    assert "sheets" not in found


def test_every_address_stands_with_its_url_and_a_sentence_for_each_method(author):
    rows = {row["name"]: row for row in asked(author)["addresses"]}
    assert rows["task-submit"] == {
        "name": "task-submit",
        "url": "http://testserver/api/v1/tasks/{id}/submit/",
        "methods": {
            "POST": "Submit a complete draft. "
            "409 with code `prompt_limit` when all slots are taken."
        },
    }
    assert all(sentence for row in rows.values() for sentence in row["methods"].values())


def test_a_token_that_is_none_is_refused():
    answer = Client().get(BEGIN, headers={"authorization": "Token nonsense"})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("page", "There are no pages here: “limit” (at most 500) and “offset” choose a part."),
        ("colour", "Known fields: stage, domain, origin, mine, limit, offset."),
    ],
)
def test_what_a_list_does_not_know_is_answered_with_what_it_does(sign_in, author, name, said):
    answer = sign_in(author).get("/api/v1/tasks/", {name: "99"})
    assert answer.status_code == 400
    assert said in answer.json()["fields"][name][0]


def test_the_pages_that_programs_and_staff_need_are_linked_where_they_look(sign_in, staff, author):
    menu = sign_in(staff).get("/").content.decode()
    assert 'href="/staff/settings/"' in menu
    assert 'href="/api/docs/"' in menu
    browser = sign_in(author)
    assert 'href="/staff/settings/"' not in browser.get("/").content.decode()
    assert 'href="/api/docs/"' in browser.get("/preferences/").content.decode()


def test_whoever_opens_the_documentation_signed_out_is_asked_to_sign_in():
    answer = Client().get("/api/docs/", HTTP_ACCEPT="text/html")
    assert (answer.status_code, answer.url) == (302, "/account/login/?next=/api/docs/")
