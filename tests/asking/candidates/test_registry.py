"""Staff keep the register of candidates, on pages and through the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from judge.asking.calls.price_models import Price
from judge.asking.candidates import families
from judge.asking.candidates.models import Candidate, CandidateEvent, Response
from tests.runs.engine.factory import external_task

pytestmark = pytest.mark.django_db
URL = "/staff/candidates/"
FACTS = {
    "name": "Larch 4",
    "version": "2026-03",
    "kind": "model",
    "family": "",
    "provider": "openai",
    "model": "larch-4",
    "price": "",
    "released_on": "2026-03-02",
    "retired_on": "",
    "note": "Long context.",
}


@pytest.fixture
def office(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


@pytest.fixture
def program(staff: Any) -> APIClient:
    client = APIClient()
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_tools_and_licence_are_kept_and_an_unknown_licence_is_refused(office, program):
    sent = FACTS | {"licence": "open_weights", "tools": "web search, code"}
    assert office.post(f"{URL}new/", sent).status_code == 302
    row = Candidate.objects.get(name="Larch 4")
    assert (row.licence, row.tools) == ("open_weights", "web search, code")
    refused = office.post(f"{URL}{row.pk}/", sent | {"licence": "free", "revision": row.revision})
    assert refused.status_code == 400
    answer = program.post("/api/v1/candidates/", {"name": "Pine 1", "tools": "a\nb"}, format="json")
    assert answer.status_code == 400
    assert "tools" in answer.json()["fields"]
    answer = program.post(
        "/api/v1/candidates/", {"name": "Pine 1", "licence": "proprietary"}, format="json"
    )
    assert (answer.status_code, answer.json()["licence"]) == (201, "proprietary")


def test_staff_enter_change_and_retire_a_candidate_and_every_change_is_on_record(office, staff):
    Price.objects.create(
        provider="openai", model="larch-4", input_micro=2_500_000, cached_micro=0,
        output_micro=10_000_000,
    )  # fmt: skip
    assert office.post(f"{URL}new/", FACTS).status_code == 302
    row = Candidate.objects.get(name="Larch 4")
    assert (row.version, row.provider, str(row.released_on)) == ("2026-03", "openai", "2026-03-02")
    page = office.get(URL).content.decode()
    assert "$2.5 / $10" in page
    assert "OpenAI larch-4" in page
    page = office.get(f"{URL}{row.pk}/").content.decode()
    assert "Have it answer" in page
    sent = FACTS | {"family": row.family, "version": "2026-06", "revision": row.revision}
    assert office.post(f"{URL}{row.pk}/", sent).status_code == 302
    assert office.post(f"{URL}{row.pk}/retire/").status_code == 302
    row.refresh_from_db()
    assert row.version == "2026-06"
    assert row.retired_on is not None
    events = list(CandidateEvent.objects.order_by("pk"))
    assert [event.actor for event in events] == [staff] * 3
    assert events[1].changes == {"version": ["2026-03", "2026-06"]}
    assert set(events[2].changes) == {"retired_on"}
    page = office.get(f"{URL}{row.pk}/").content.decode()
    assert "2026-03" in page
    assert "Have it answer" not in page
    assert office.post(f"{URL}{row.pk}/retire/").status_code == 409


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"name": "Taken"}, "name", "There is already a candidate with this name."),
        ({"name": "\u200b"}, "name", "This is empty."),
        ({"name": "a\tb"}, "name", "control characters are not allowed here"),
        ({"family": "open\u202eai"}, "family", "control characters are not allowed here"),
        ({"model": ""}, "model", "both a provider and a model"),
        ({"provider": ""}, "provider", "both a provider and a model"),
        ({"retired_on": "2020-01-01"}, "retired_on", "That is before its release."),
    ],
)
def test_what_cannot_be_is_refused_alike_on_the_page_and_in_the_api(
    office, program, change, field, sentence
):
    families.candidate_named("Taken")
    refused = office.post(f"{URL}new/", FACTS | change)
    assert refused.status_code == 400
    assert sentence in refused.content.decode()
    sent = {name: value for name, value in (FACTS | change).items() if value}
    reply = program.post("/api/v1/candidates/", sent, format="json")
    assert reply.status_code == 400
    assert sentence in str(reply.json()["fields"][field])
    assert list(Candidate.objects.values_list("name", flat=True)) == ["Taken"]


def test_a_program_lists_enters_and_changes_candidates(program):
    made = program.post("/api/v1/candidates/", {"name": "Cedar 9"}, format="json")
    assert made.status_code == 201
    address = f"/api/v1/candidates/{made.json()['id']}/"
    changed = program.patch(address, {"retired_on": "2026-11-01"}, format="json")
    assert changed.json()["retired_on"] == "2026-11-01"
    assert changed.json()["name"] == "Cedar 9"
    assert program.get("/api/v1/candidates/").json()["results"] == [changed.json()]
    assert program.patch(address, {"family_": "x"}, format="json").status_code == 400
    assert program.patch(address, {"kind": "robot"}, format="json").status_code == 400
    assert program.get("/api/v1/candidates/99999999/").status_code == 404


def test_two_people_who_change_a_candidate_at_once_do_not_undo_each_other(office):
    row = families.candidate_named("Larch 4")
    sent = FACTS | {"revision": row.revision}
    assert office.post(f"{URL}{row.pk}/", sent).status_code == 302
    stale = office.post(f"{URL}{row.pk}/", sent | {"note": "Mine."})
    assert stale.status_code == 409
    row.refresh_from_db()
    assert row.note == "Long context."


def test_experts_read_nothing_of_candidates(sign_in, author, senior, finance):
    for user in (author, senior):
        client = sign_in(user)
        for address in (URL, f"{URL}new/", "/staff/responses/", "/api/v1/candidates/"):
            assert client.get(address).status_code == 403


HARD = (
    "中文回答。\n\n"
    "\u202eevil\u202c and \u200bhidden\u2060 and <script>alert(1)</script>\n"
    "شروط العقد واضحة.\n" + "x" * 60_000 + "\n" + "word " * 20_000
)


def test_a_long_response_in_any_script_is_shown_whole_and_safely(office):
    row = Response.objects.create(
        key="hard",
        task=external_task(baseline=False),
        candidate=families.candidate_named("a"),
        text=HARD,
        source="imported",
    )
    page = office.get(f"/staff/responses/{row.pk}/").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    for sign in ("\u202e", "\u202c", "\u200b", "\u2060"):
        assert sign not in page
    for name in ("U+202E", "U+200B", "U+2060"):
        assert name in page
    assert "x" * 60_000 in page
    assert 'dir="auto"' in page
    assert f"{len(HARD):,}" in page


def test_the_list_never_loads_a_text(office, django_assert_max_num_queries):
    task = external_task(baseline=False)
    for n in range(4):
        Response.objects.create(
            key=f"r{n}", task=task, candidate=families.candidate_named(f"c{n}"), text=HARD,
            source="imported",
        )  # fmt: skip
    with django_assert_max_num_queries(12) as queries:
        page = office.get("/staff/responses/").content.decode()
    assert f"{len(HARD):,}" in page
    assert not any(
        '"judge_response"."text"' in q["sql"].replace('LENGTH("judge_response"."text")', "")
        for q in queries.captured_queries
    )
    with django_assert_max_num_queries(14):
        office.get(URL)


def test_providers_are_offered_by_the_names_people_know(office):
    page = office.get(f"{URL}new/").content.decode()
    for value, name in (("openai", "OpenAI"), ("anthropic", "Anthropic")):
        assert f'<option value="{value}">{name}</option>' in page
