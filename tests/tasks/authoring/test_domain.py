"""The domain of a task: asked where there are several, changeable until the first submission."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from curation.base.process.lifecycle import Stage
from curation.joining.accounts.api_tokens import make_token
from curation.joining.domains.models import Category, Domain
from curation.joining.people import Qualification, User
from curation.screening.panels.voting_actions import vote
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Task
from tests.tasks.authoring.conftest import PARTS, form_of
from tests.tasks.authoring.parallel import in_parallel

JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def both(author: User, law: Domain) -> User:
    """The author, qualified in Finance and in Law."""
    Qualification.objects.create(user=author, domain=law)
    return User.objects.get(pk=author.pk)


@pytest.fixture
def categories(finance: Domain, law: Domain) -> dict[str, Category]:
    """Two in each domain; one key stands in both."""
    return {
        f"{domain.key}-{key}": Category.objects.create(domain=domain, key=key, name=name)
        for domain, key, name in (
            (finance, "credit", "Credit"),
            (finance, "other", "Other finance"),
            (law, "contracts", "Contracts"),
            (law, "other", "Other law"),
        )
    }


@pytest.fixture
def returned(draft: Task, author: User, peer: User, settings: Any) -> Task:
    """The author's task, back from its panel."""
    from curation.screening.panels.actions import join_panel
    from curation.screening.panels.voting_actions import open_screening

    settings.PANEL_QUORUM = 1
    submit_task(actor=author, task=draft)
    open_screening(task=draft)
    join_panel(actor=peer, task=draft)
    vote(
        actor=peer, task=draft, difficult=True, representative=True, gradable=False,
        decision="return", reasons="Say what counts as delivered.",
    )  # fmt: skip
    draft.refresh_from_db()
    assert (draft.stage, draft.screening_round) == (Stage.DRAFT, 1)
    return draft


def choice(page: str, name: str = "domain") -> str:
    """The select of a page, with its options."""
    return re.findall(rf'<select name="{name}".*?</select>', page, re.DOTALL)[0]


# --- a new task -----------------------------------------------------------------------------------
def test_somebody_with_several_domains_chooses_one(sign_in, both):
    client = sign_in(both)
    page = client.get("/tasks/new/").content.decode()
    assert re.findall(r'<button[^>]*name="domain" value="(\w+)"', page) == ["finance", "law"]
    assert "Working title" not in page
    answer = client.post("/tasks/new/", {"title": "Typed", "language": "en"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Choose the domain the work belongs to." in page
    assert 'value="Typed"' in page
    assert not Task.objects.exists()
    client.post("/tasks/new/", {"domain": "law", "title": "Typed", "language": "en"})
    assert Task.objects.get().domain.key == "law"


def test_somebody_with_one_domain_is_not_asked_for_it(sign_in, author):
    page = sign_in(author).get("/tasks/new/").content.decode()
    assert '<input type="hidden" name="domain" value="finance">' in page
    assert "To which domain" not in page


# --- the editor -----------------------------------------------------------------------------------
def test_a_draft_moves_to_another_domain_and_loses_its_category(
    sign_in, both, draft, law, categories
):
    Task.objects.filter(pk=draft.pk).update(category=categories["finance-credit"])
    client = sign_in(both)
    page = client.get(f"/tasks/{draft.pk}/edit/").content.decode()
    assert '<option value="finance" selected>' in choice(page)
    assert 'value="law"' in choice(page)
    assert "Contracts" in choice(page, "category")
    sent = form_of(draft, domain="law", title="The same text")
    assert client.post(f"/tasks/{draft.pk}/save/", sent, **JSON).status_code == 200
    draft.refresh_from_db()
    assert (draft.domain, draft.category, draft.title) == (law, None, "The same text")
    page = client.get(f"/tasks/{draft.pk}/edit/").content.decode()
    assert '<option value="law" selected>' in choice(page)


def test_domain_and_category_can_be_chosen_in_one_step(sign_in, both, draft, categories):
    client = sign_in(both)
    for key, wanted in (("contracts", "law-contracts"), ("other", "law-other")):
        sent = form_of(draft, domain="law", category=key)
        assert client.post(f"/tasks/{draft.pk}/edit/", sent).status_code == 302
        draft.refresh_from_db()
        assert draft.category == categories[wanted]
    refused = client.post(f"/tasks/{draft.pk}/edit/", form_of(draft, domain="law", category="xyz"))
    assert refused.status_code == 400
    assert "has no category with this key" in refused.content.decode()


def test_a_stale_change_of_the_domain_shows_both(sign_in, both, draft):
    client = sign_in(both)
    stale = form_of(draft, domain="finance", title="Of this tab")
    client.post(f"/tasks/{draft.pk}/save/", form_of(draft, domain="law"), **JSON)
    answer = client.post(f"/tasks/{draft.pk}/save/", stale, **JSON)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "stale")
    assert (body["yours"]["domain"], body["theirs"]["domain"]) == ("finance", "law")
    page = client.post(f"/tasks/{draft.pk}/edit/", stale)
    assert page.status_code == 409
    assert "Saved version: Law" in page.content.decode()


def test_a_foreign_domain_is_no_choice(sign_in, author, draft, law):
    client = sign_in(author)
    page = client.get(f"/tasks/{draft.pk}/edit/").content.decode()
    assert '<select name="domain"' not in page
    answer = client.post(f"/tasks/{draft.pk}/edit/", form_of(draft, domain="law"))
    assert answer.status_code == 400
    assert "Choose one of your domains." in answer.content.decode()
    draft.refresh_from_db()
    assert draft.domain.key == "finance"


def test_after_a_submission_the_domain_stays_and_the_page_says_why(sign_in, both, returned):
    client = sign_in(both)
    page = client.get(f"/tasks/{returned.pk}/edit/").content.decode()
    assert '<select name="domain"' not in page
    sent = form_of(returned, domain="law", scenario="Typed in an old tab.")
    for step in ("edit", "submit"):
        answer = client.post(f"/tasks/{returned.pk}/{step}/", sent)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "The domain stays Finance, because you have submitted this task" in page
        assert "Typed in an old tab." in page
    saved = client.post(f"/tasks/{returned.pk}/save/", sent, **JSON)
    assert (saved.status_code, saved.json()["code"]) == (409, "domain_fixed")
    assert list(saved.json()["fields"]) == ["domain"]
    returned.refresh_from_db()
    assert (returned.domain.key, returned.stage) == ("finance", Stage.DRAFT)


def test_a_moved_draft_goes_to_the_panel_of_its_new_domain(sign_in, both, draft, law):
    client = sign_in(both)
    answer = client.post(f"/tasks/{draft.pk}/submit/", form_of(draft, domain="law"), follow=True)
    assert "the panel of Law reads it" in answer.content.decode()
    draft.refresh_from_db()
    assert (draft.domain, draft.stage) == (law, Stage.SUBMITTED)


@pytest.mark.django_db(transaction=True)
def test_a_change_and_a_submission_at_once_never_leave_a_foreign_category(
    both, finance, law, categories
):
    for _n in range(3):
        task = create_task(
            actor=both, domain=finance, **PARTS, category=categories["finance-credit"]
        )
        moved = form_of(task, domain="law", category="contracts")
        codes = in_parallel(
            [(both, f"/tasks/{task.pk}/submit/"), (both, f"/tasks/{task.pk}/save/", moved)]
        )
        assert set(codes) <= {200, 302, 409}, codes
        task.refresh_from_db()
        assert task.stage == Stage.SUBMITTED
        assert task.category.domain_id == task.domain_id
        assert (task.domain == law) == (409 not in codes)


# --- programs -------------------------------------------------------------------------------------
@pytest.fixture
def program(client: Any) -> Callable[..., Any]:
    def patch(user: User, task: Task, **body: Any) -> Any:
        _token, key = make_token(actor=user, name="script")
        return client.patch(
            f"/api/v1/tasks/{task.pk}/",
            body,
            content_type="application/json",
            HTTP_AUTHORIZATION=f"Token {key}",
        )

    return patch


def test_a_program_moves_a_draft_and_its_category_is_reset(program, both, draft, law, categories):
    Task.objects.filter(pk=draft.pk).update(category=categories["finance-other"])
    answer = program(both, draft, domain="law")
    body = answer.json()
    assert answer.status_code == 200
    assert (body["domain"], body["category"], body["version"]) == ("law", None, 2)
    body = program(both, draft, category="other", title="Renamed").json()
    assert (body["category"], body["title"], body["scenario"]) == (
        "other",
        "Renamed",
        PARTS["scenario"],
    )
    draft.refresh_from_db()
    assert draft.category == categories["law-other"]
    both_at_once = program(both, draft, domain="finance", category="credit")
    assert both_at_once.json()["category"] == "credit"


def test_a_program_is_refused_where_the_domain_cannot_change(
    program, both, author, returned, stranger
):
    answer = program(both, returned, domain="law", title="Not written")
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "domain_fixed")
    assert "because you have submitted this task to its panel" in body["detail"]
    assert program(both, returned, domain="finance").status_code == 200
    submit_task(actor=author, task=returned)
    assert program(both, returned, domain="law").json()["code"] == "domain_fixed"
    assert program(both, returned, title="Late").json()["code"] == "wrong_stage"
    assert program(stranger, returned, domain="law").status_code == 404
    returned.refresh_from_db()
    assert (returned.title, returned.domain.key) == (PARTS["title"], "finance")


@pytest.mark.parametrize(
    ("body", "status", "named"),
    [
        ({"domain": "nowhere"}, 400, "domain"),
        ({"domain": None}, 400, "domain"),
        ({"category": "contracts"}, 400, "category"),
        ({"stage": "approved"}, 400, "stage"),
        ({"version": 0}, 400, "version"),
        ({"title": "a\x00b"}, 400, "title"),
        ({"version": 7, "title": "Stale"}, 409, None),
    ],
)
def test_a_change_that_cannot_be_made_is_named(
    program, author, draft, categories, body, status, named
):
    answer = program(author, draft, **body)
    assert answer.status_code == status
    if named:
        assert list(answer.json()["fields"]) == [named]
    draft.refresh_from_db()
    assert draft.version == 1


def test_a_program_cannot_move_a_draft_to_a_foreign_domain(program, author, draft, law):
    answer = program(author, draft, domain="law")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_qualified")
    assert program(author, draft).json()["version"] == 1  # nothing sent, nothing written
