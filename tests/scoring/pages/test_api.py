"""Scoring by token: the same rules, few queries, and errors a program can read."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.joining.accounts.api_tokens import make_token
from judge.scoring.sheets.models import SheetLine
from tests.scoring.pages.conftest import ANSWER, LINES

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(scorer) -> Client:
    """A program with the scorer's token."""
    _token, key = make_token(actor=scorer, name="tests")
    return Client(headers={"Authorization": f"Token {key}"})


def put(client, sheet, line, body, **kwargs):
    return client.put(
        reverse("api-sheet-line", args=[sheet.pk, line]),
        body,
        content_type="application/json",
        **kwargs,
    )


def test_a_program_lists_reads_scores_and_submits_a_sheet(program, sheet):
    listed = program.get(reverse("api-sheets")).json()["results"]
    assert [(s["id"], s["state"], s["scored"], s["lines"]) for s in listed] == [
        (sheet.pk, "open", 0, LINES)
    ]
    full = program.get(reverse("api-sheet", args=[sheet.pk])).json()
    assert full["text"] == ANSWER
    assert full["task"]["title"] == "Covenant headroom"
    assert "author" not in str(full)
    for line in full["lines"]:
        answer = put(program, sheet, line["id"], {"met": True, "rationale": "Yes."})
        assert answer.status_code == 200
        assert answer.json()["met"] is True
    answer = program.post(reverse("api-sheet-submit", args=[sheet.pk]))
    assert (answer.status_code, answer.json()["state"]) == (200, "submitted")
    again = program.post(reverse("api-sheet-submit", args=[sheet.pk]))
    assert (again.status_code, again.json()["code"]) == (409, "submitted")


def test_a_number_that_no_sheet_can_have_is_not_found(program, sheet):
    assert program.get(f"/api/v1/sheets/{10**30}/").status_code == 404
    answer = program.put(
        f"/api/v1/sheets/{10**30}/lines/1/", {"met": True}, content_type="application/json"
    )
    assert answer.status_code == 404


def test_a_line_may_be_named_by_its_key(program, sheet):
    key = sheet.version.criteria.first().key
    assert not key.isdecimal()
    assert put(program, sheet, key, {"met": False, "rationale": "No."}).status_code == 200
    assert put(program, sheet, "c99", {"met": False, "rationale": "No."}).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"met": True}, "rationale"),
        ({"rationale": "x"}, "met"),
        ({"met": None, "rationale": "x"}, "met"),
        ({"met": "true", "rationale": "x"}, "met"),
        ({"met": 1, "rationale": "x"}, "met"),
        ({"met": True, "rationale": "x", "sheet": 3}, "sheet"),
        ({"met": True, "rationale": ["x"]}, "rationale"),
        ({"met": True, "rationale": "x" * 5001}, "rationale"),
        ({"met": True, "rationale": "\u200b"}, "rationale"),
    ],
)
def test_a_refusal_names_the_field(program, sheet, body, field):
    line = sheet.version.criteria.first().pk
    answer = put(program, sheet, line, body)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not SheetLine.objects.exists()


def test_a_stale_change_is_answered_with_both_texts(program, sheet):
    line = sheet.version.criteria.first().pk
    first = put(program, sheet, line, {"met": True, "rationale": "One.", "version": 0}).json()
    answer = put(program, sheet, line, {"met": True, "rationale": "Two.", "version": 0})
    assert answer.status_code == 409
    assert answer.json()["theirs"]["rationale"] == "One."
    put(program, sheet, line, {"met": True, "rationale": "Two.", "version": first["version"]})
    assert SheetLine.objects.get().rationale == "Two."


def test_an_incomplete_submission_names_the_open_lines(program, sheet):
    answer = program.post(reverse("api-sheet-submit", args=[sheet.pk]))
    assert answer.status_code == 400
    assert answer.json()["code"] == "lines_open"
    assert len(answer.json()["lines"]) == LINES


def test_others_and_nobody_get_nothing(sheet, peer, sign_in, client):
    line = sheet.version.criteria.first().pk
    body = {"met": True, "rationale": "x"}
    assert put(sign_in(peer), sheet, line, body).status_code == 404
    assert put(client, sheet, line, body).status_code == 401
    assert client.get(reverse("api-sheets")).status_code == 401


def test_a_signed_in_browser_needs_its_csrf_token(sheet, scorer):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(scorer, backend="django.contrib.auth.backends.ModelBackend")
    line = sheet.version.criteria.first().pk
    assert put(strict, sheet, line, {"met": True, "rationale": "x"}).status_code == 403


def test_scoring_a_line_takes_few_queries(program, sheet):
    lines = list(sheet.version.criteria.values_list("pk", flat=True))
    put(program, sheet, lines[0], {"met": True, "rationale": "x"})
    with CaptureQueriesContext(connection) as made:
        put(program, sheet, lines[1], {"met": True, "rationale": "x"})
    real = [q for q in made.captured_queries if "SAVEPOINT" not in q["sql"]]
    assert len(real) <= 7, [q["sql"][:90] for q in real]
