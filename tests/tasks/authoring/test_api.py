"""Tasks through the API: the same rules, clear refusals, few queries."""

import json
from typing import Any

import pytest
from django.test import Client

from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.joining.accounts.api_tokens import make_token
from curation.joining.domains.models import Category
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Slot, Task
from curation.tasks.work_map.models import WorkType
from tests.tasks.authoring.conftest import PARTS

LIST = "/api/v1/tasks/"


@pytest.fixture
def api() -> Any:
    """A program with a person's token."""

    class Program(Client):
        def send(self, address: str, body: Any = None, **options: Any) -> Any:
            data = body if isinstance(body, (str, bytes)) else json.dumps(body or {})
            return self.post(address, data, content_type="application/json", **options)

    def make(user: Any = None) -> Program:
        headers = {}
        if user is not None:
            _token, key = make_token(actor=user, name="tests")
            headers = {"Authorization": f"Token {key}"}
        return Program(headers=headers)

    return make


def test_without_a_token_or_a_session_nothing_is_told(api, screened):
    for answer in (
        api().get(LIST),
        api().send(LIST, {"domain": "finance"}),
        api().get(f"{LIST}{screened.pk}/"),
        api().send(f"{LIST}{screened.pk}/submit/"),
    ):
        assert answer.status_code == 401
        assert set(answer.json()) == {"code", "detail"}
    wrong = Client(headers={"Authorization": "Token nonsense"}).get(LIST)
    assert wrong.status_code == 401


def test_a_session_needs_its_csrf_token(author, finance):
    client = Client(enforce_csrf_checks=True)
    client.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(LIST, '{"domain": "finance"}', content_type="application/json")
    assert answer.status_code == 403
    assert not Task.objects.exists()


def test_experts_see_their_own_tasks_and_those_with_a_seat(
    api, author, peer, stranger, staff, screened
):
    def ids(user: Any) -> list[int]:
        return [row["id"] for row in api(user).get(LIST).json()["results"]]

    assert ids(author) == [screened.pk]
    assert ids(staff) == [screened.pk]
    assert ids(peer) == ids(stranger) == []
    take_seat(task=screened, user=peer, role=Role.REVIEWER)
    assert ids(peer) == [screened.pk]


def test_the_author_is_told_to_staff_only(api, author, peer, staff, seated):
    for address in (LIST, f"{LIST}{seated.pk}/"):
        for person, known in ((author, False), (peer, False), (staff, True)):
            body = api(person).get(address).json()
            row = body["results"][0] if "results" in body else body
            assert ("author" in row) is known
            assert row["mine"] is (person == author)
            assert author.email not in json.dumps(body)


def test_the_list_is_narrowed_and_cut(api, author, staff, finance, law, screened, draft):
    Task.objects.bulk_create(
        Task(key=f"k{n}", title=f"T{n}", domain=law, author=author) for n in range(5)
    )
    client = api(staff)

    def found(query: str) -> dict[str, Any]:
        answer = client.get(f"{LIST}?{query}")
        assert answer.status_code == 200
        return answer.json()

    assert found("stage=screening")["count"] == 1
    assert found("domain=law")["count"] == 5
    assert found("domain=nowhere")["count"] == 0
    assert found("origin=external")["count"] == 0
    assert found("mine=true")["count"] == 0
    body = found("limit=2&offset=4")
    assert (body["count"], len(body["results"]), body["limit"], body["offset"]) == (6, 2, 2, 4)
    assert [row["id"] for row in found("")["results"]] == sorted(
        Task.objects.values_list("pk", flat=True), reverse=True
    )
    assert "scenario" not in found("")["results"][0]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("author__password__startswith=a", "author__password__startswith"),
        ("ordering=password", "ordering"),
        ("limit=501", "limit"),
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("offset=-1", "offset"),
        ("stage=nowhere", "stage"),
        ("origin=mars", "origin"),
        ("mine=perhaps", "mine"),
    ],
)
def test_unknown_parameters_and_values_are_named(api, staff, query, field):
    answer = api(staff).get(f"{LIST}?{query}")
    assert answer.status_code == 400
    body = answer.json()
    assert body["code"] == "bad_input"
    assert list(body["fields"]) == [field]


def test_a_draft_is_created_and_read_back(api, author, finance):
    Category.objects.create(domain=finance, key="credit", name="Credit")
    answer = api(author).send(
        LIST, {"domain": "finance", "category": "credit", "language": "zh-hans", **PARTS}
    )
    assert answer.status_code == 201
    body = answer.json()
    assert (body["stage"], body["domain"], body["category"]) == ("draft", "finance", "credit")
    whole = api(author).get(f"{LIST}{body['id']}/").json()
    assert {part: whole[part] for part in PARTS} == PARTS
    assert whole["rubric"] is None
    assert not Slot.objects.exists()


def test_mass_assignment_is_refused_naming_each_field(api, author, finance):
    greedy = {
        "is_staff": True,
        "author": 1,
        "stage": "approved",
        "score": 100,
        "qualified": True,
        "slot": 9,
        "origin": "external",
        "version": 7,
    }
    answer = api(author).send(LIST, {"domain": "finance", "title": "x", **greedy})
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == set(greedy)
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "domain"),
        ({"domain": "nowhere"}, "domain"),
        ({"domain": None}, "domain"),
        ({"domain": ["finance"]}, "domain"),
        ({"domain": "finance", "category": "nowhere"}, "category"),
        ({"domain": "finance", "title": 7}, "title"),
        ({"domain": "finance", "title": None}, "title"),
        ({"domain": "finance", "title": "x" * 201}, "title"),
        ({"domain": "finance", "scenario": ["a"]}, "scenario"),
        ({"domain": "finance", "scenario": "x" * 1_000_000}, "scenario"),
        ({"domain": "finance", "scenario": "a\x00b"}, "scenario"),
        ({"domain": "finance", "language": "../../etc"}, "language"),
    ],
)
def test_unusable_fields_are_named(api, author, finance, body, field):
    answer = api(author).send(LIST, body)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]
    assert not Task.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        "{",
        "[]",
        '"text"',
        "null",
        "\xff\xfe".encode("latin-1"),
        '{"domain": "finance", "title": "\\ud800"}',
        '{"domain": "finance", "\\ud800": 1}',
        '{"domain": NaN}',
        "[" * 100_000,
        '{"domain": "finance", "scenario": "' + "x" * 6_000_000 + '"}',
    ],
)
def test_what_is_no_usable_json_is_a_clear_refusal(api, author, finance, raw):
    answer = api(author).send(LIST, raw)
    assert answer.status_code == 400
    assert {"code", "detail"} <= set(answer.json())
    assert not Task.objects.exists()


def test_a_refusal_within_a_field_names_its_path_and_says_why(api, author, draft):
    sent = {"demand": {"number": "x", "zz": 1}}
    told = api(author).patch(f"{LIST}{draft.pk}/", sent, content_type="application/json").json()
    assert set(told["fields"]) == {"demand.number", "demand.zz"}
    assert all(sentence for sentences in told["fields"].values() for sentence in sentences)


def test_keys_in_any_script_are_taken_and_given_back(api, author, draft, finance):
    category = Category.objects.create(domain=finance, key="信贷", name="Credit")
    work_type = WorkType.objects.create(
        domain=finance,
        category=category,
        key="信贷审批",
        name="Loan approval",
        feasible=True,
        evaluable=True,
    )
    sent = {"work_type": work_type.key}
    client = api(author)
    told = client.patch(f"{LIST}{draft.pk}/", sent, content_type="application/json")
    assert told.status_code == 200, told.content
    assert told.json()["work_type"] == "信贷审批"
    assert client.get(f"{LIST}{draft.pk}/").json()["work_type"] == "信贷审批"


def test_other_media_types_are_refused(api, author, finance):
    answer = api(author).post(LIST, {"domain": "finance"})
    assert answer.status_code == 415


def test_a_draft_in_a_foreign_domain_is_refused(api, author, applicant, law):
    answer = api(author).send(LIST, {"domain": "law"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_qualified")
    assert api(applicant).send(LIST, {"domain": "law"}).status_code == 403
    assert not Task.objects.exists()


def test_submitting_answers_with_stage_and_slot(api, author, draft):
    answer = api(author).send(f"{LIST}{draft.pk}/submit/")
    assert answer.status_code == 200
    assert answer.json() == {
        "id": draft.pk,
        "stage": "submitted",
        "slot": 1,
        "screening_round": 1,
    }


def test_the_fourth_prompt_is_a_conflict_with_its_own_code(api, author, make_draft):
    client = api(author)
    for _n in range(3):
        assert client.send(f"{LIST}{make_draft(author).pk}/submit/").status_code == 200
    fourth = make_draft(author)
    answer = client.send(f"{LIST}{fourth.pk}/submit/")
    body = answer.json()
    assert (answer.status_code, body["code"], body["limit"]) == (409, "prompt_limit", 3)
    fourth.refresh_from_db()
    assert fourth.stage == Stage.DRAFT


def test_the_limit_comes_before_completeness_and_says_that_a_withdrawn_prompt_counts(
    api, sign_in, author, make_draft
):
    client = api(author)
    drafts = [make_draft(author) for _n in range(3)]
    for draft in drafts:
        assert client.send(f"{LIST}{draft.pk}/submit/").status_code == 200
    Task.objects.filter(pk=drafts[0].pk).update(stage=Stage.DRAFT)  # the panel returned it
    sign_in(author).post(f"/tasks/{drafts[0].pk}/withdraw/", {"reason": "Out of date."})
    drafts[0].refresh_from_db()
    assert drafts[0].stage == Stage.WITHDRAWN
    answer = client.send(f"{LIST}{make_draft(author, requirements='').pk}/submit/")
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "prompt_limit")
    assert "All 3 of your slots are used; a withdrawn prompt keeps its slot." in body["detail"]
    assert "submitted" not in body["detail"]


def test_an_incomplete_draft_names_its_missing_parts(api, author, make_draft):
    draft = make_draft(author, materials=" ")
    answer = api(author).send(f"{LIST}{draft.pk}/submit/")
    assert answer.status_code == 400
    assert (answer.json()["code"], list(answer.json()["fields"])) == ("incomplete", ["materials"])


def test_submitting_twice_is_a_wrong_stage(api, author, draft):
    client = api(author)
    client.send(f"{LIST}{draft.pk}/submit/")
    answer = client.send(f"{LIST}{draft.pk}/submit/")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_stage")


def test_another_persons_task_looks_like_a_missing_one(api, peer, stranger, staff, draft):
    for person in (peer, stranger):
        hidden = api(person).get(f"{LIST}{draft.pk}/")
        missing = api(person).get(f"{LIST}999999/")
        assert hidden.status_code == missing.status_code == 404
        assert hidden.content == missing.content
        assert api(person).send(f"{LIST}{draft.pk}/submit/").status_code == 404
    assert api(staff).send(f"{LIST}{draft.pk}/submit/").status_code == 403


@pytest.mark.parametrize("verb", ["put", "patch", "delete"])
def test_verbs_without_a_row_are_refused(api, author, draft, verb):
    closed = [LIST, f"{LIST}{draft.pk}/submit/"]
    if verb != "patch":
        closed.append(f"{LIST}{draft.pk}/")
    for address in closed:
        answer = getattr(api(author), verb)(address)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_a_list_of_five_hundred_costs_as_many_queries_as_a_list_of_three(
    api, author, staff, finance, django_assert_max_num_queries
):
    for person in (author, staff):
        client = api(person)
        Task.objects.all().delete()
        Task.objects.bulk_create(Task(key=f"a{n}", domain=finance, author=author) for n in range(3))
        client.get(LIST)  # a token's use is noted with its first call
        with django_assert_max_num_queries(4) as few:
            client.get(LIST)
        Task.objects.bulk_create(
            Task(key=f"b{n}", domain=finance, author=author) for n in range(600)
        )
        with django_assert_max_num_queries(4) as many:
            assert len(client.get(f"{LIST}?limit=500").json()["results"]) == 500
        assert len(few) == len(many)


def test_one_task_costs_few_queries(api, author, peer, seated, django_assert_max_num_queries):
    for person in (author, peer):
        client = api(person)
        client.get(LIST)  # a token's use is noted with its first call
        with django_assert_max_num_queries(5):
            assert client.get(f"{LIST}{seated.pk}/").status_code == 200


def test_the_rubric_comes_with_the_task(api, author, staff, screened, peer, settings):
    from curation.screening.panels.actions import join_panel
    from curation.screening.panels.voting_actions import vote
    from rubrics.policy.dimensions import Dimension, Importance
    from rubrics.versions.actions import record_draft

    settings.PANEL_QUORUM = 1
    join_panel(actor=peer, task=screened)
    vote(
        actor=peer,
        task=screened,
        difficult=True,
        representative=True,
        gradable=True,
        decision="keep",
        reasons="Good.",
    )
    screened.refresh_from_db()
    record_draft(
        task=screened,
        lines=[
            {
                "text": "States that the covenant holds.",
                "importance": Importance.ESSENTIAL,
                "weight": 9,
                "dimension": Dimension.ACCURACY,
                "quote": "",
            }
        ],
        drafted_by="offline",
    )
    rubric = api(author).get(f"{LIST}{screened.pk}/").json()["rubric"]
    assert (rubric["frozen"], rubric["lines"][0]["weight"]) == (False, 9)
    # colleagues read closed versions only, and a machine's draft is none
    assert api(peer).get(f"{LIST}{screened.pk}/").json()["rubric"] is None


def test_a_program_is_not_told_that_what_it_typed_is_kept(api, author):
    answer = api(author).send(LIST, {"colour": "red"})
    assert answer.status_code == 400
    assert answer.json()["detail"] == "Some fields need a change. Nothing was stored."
