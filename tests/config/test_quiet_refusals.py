"""Refusals of background requests: quiet for our own scripts, plain HTTP for everybody else."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.authoring.actions import create_task
from curation.tasks.task.models import Task

pytestmark = pytest.mark.django_db
JSON = {"HTTP_ACCEPT": "application/json"}
QUIET = JSON | {"HTTP_X_QUIET": "1"}


@pytest.fixture
def draft(author: User, finance: Domain) -> Task:
    return create_task(actor=author, domain=finance, title="Covenant headroom")


def test_our_scripts_get_the_refusal_with_status_200_and_its_own_beside_it(
    author: User, draft: Task, sign_in: Any
) -> None:
    save = reverse("task-save", args=[draft.pk])
    Task.objects.filter(pk=draft.pk).update(version=7, title="From elsewhere")
    stale = {"title": "Mine", "language": "en", "version": "6"}
    plain = sign_in(author).post(save, stale, **JSON)
    quiet = sign_in(author).post(save, stale, **QUIET)
    assert (plain.status_code, "X-Status" in plain) == (409, False)
    assert (quiet.status_code, quiet["X-Status"]) == (200, "409")
    assert quiet["Cache-Control"] == "no-store"
    assert quiet.json()["theirs"] == plain.json()["theirs"]


def test_a_missing_session_token_page_or_verb_is_quiet_as_well(
    author: User, peer: User, draft: Task, sign_in: Any
) -> None:
    save = reverse("task-save", args=[draft.pk])
    checked = Client(enforce_csrf_checks=True)
    checked.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    answers = {
        Client().post(save, {}, **QUIET)["X-Status"],
        checked.post(save, {}, **QUIET)["X-Status"],
        sign_in(peer).post(save, {}, **QUIET)["X-Status"],
        sign_in(author).get(save, **QUIET)["X-Status"],
    }
    assert answers == {"401", "403", "404", "405"}


def test_what_succeeds_and_the_api_are_left_alone(author: User, draft: Task, sign_in: Any) -> None:
    browser = sign_in(author)
    page = browser.get(reverse("task-edit", args=[draft.pk]), **QUIET)
    assert page.status_code == 200
    assert "X-Status" not in page
    missing = browser.get("/api/v1/tasks/999999/", **QUIET)
    assert (missing.status_code, "X-Status" in missing) == (404, False)
