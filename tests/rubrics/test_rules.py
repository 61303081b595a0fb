"""The staff's rules of rubrics: who sets them, on what record, and what they do to a sending."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from curation.joining.people import User
from curation.tasks.task.models import Task
from rubrics.policy.policy import RubricPolicy, RubricPolicyChange, policy_for
from tests.markup import one_line
from tests.rubrics.desk import send, url

RULES = {"fewest": "10", "most": "20", "beyond": "reason", "reference": "open"}


def rule(key: str) -> str:
    return reverse("staff-rubric-rule", args=[key])


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    client: Client = sign_in(staff)
    return client


def test_staff_set_the_rules_of_a_domain_and_the_record_says_so(
    office: Client, task: Task, staff: User
) -> None:
    page = office.get(reverse("staff-rubric-rules")).content.decode()
    assert "come from the installation's settings" in page.replace("&#x27;", "'")
    answer = office.post(rule(task.domain.key), RULES)
    assert answer.status_code == 302
    page = one_line(office.get(answer["Location"]).content.decode())
    assert "Possible with a reason" in page
    assert "<del><span class" in page
    assert (policy_for(task.domain_id).fewest, policy_for(None).fewest) == (10, 15)
    change = RubricPolicyChange.objects.get()
    assert (change.actor, change.before["fewest"], change.after["fewest"]) == (staff, 15, 10)
    office.post(rule(task.domain.key), RULES)  # the same once more is no change
    assert RubricPolicyChange.objects.count() == 1


def test_a_domain_without_its_own_follows_all_others(office: Client, task: Task) -> None:
    office.post(rule("all-others"), RULES | {"fewest": "12"})
    assert policy_for(task.domain_id).fewest == 12
    assert "This domain follows the rules" in office.get(rule(task.domain.key)).content.decode()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"fewest": "0"}, "A whole number from 1 to 500."),
        ({"most": "501"}, "A whole number from 1 to 500."),
        ({"fewest": "21"}, "The maximum cannot be less than the minimum."),
        ({"fewest": "many"}, "Enter a whole number."),
        ({"beyond": "never"}, "never"),
        ({"reference": ""}, "Please fill this in."),
    ],
)
def test_rules_that_cannot_hold_are_refused_at_their_field(
    office: Client, wrong: dict[str, str], sentence: str
) -> None:
    page = office.post(rule("all-others"), RULES | wrong)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert not RubricPolicy.objects.exists()


def test_only_staff_read_and_set_them(task: Task, browser: Client) -> None:
    for address in (reverse("staff-rubric-rules"), rule("all-others"), rule(task.domain.key)):
        assert browser.get(address).status_code == 403
    assert browser.post(rule("all-others"), RULES).status_code == 403
    assert not RubricPolicy.objects.exists()


def test_the_database_keeps_the_limits_in_order(task: Task) -> None:
    RubricPolicy.objects.create(domain=None)
    for wrong in ({"fewest": 9, "most": 8}, {"fewest": 0}, {"most": 501}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RubricPolicy.objects.create(domain=task.domain, **wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        RubricPolicy.objects.create(domain=None)


def test_the_limits_of_the_domain_decide_and_the_page_shows_them(
    refining: Callable[..., Task], browser: Client
) -> None:
    task = refining(lines=12)
    assert send(browser, task).status_code == 400
    RubricPolicy.objects.create(domain=task.domain, fewest=10, most=20)
    page = " ".join(browser.get(url("rubric", task)).content.decode().split())
    assert "of 10 to 20" in page
    assert send(browser, task).status_code == 302


def test_beyond_the_limits_a_reason_decides_where_the_rules_say_so(
    refining: Callable[..., Task], browser: Client, office: Client
) -> None:
    task = refining(lines=12)
    policy = RubricPolicy.objects.create(domain=task.domain, beyond="refuse")
    why = "The form has twelve boxes; there is nothing else to check."
    refused = send(browser, task, limits_reason=why)
    assert refused.status_code == 400  # the rules refuse, whatever the reason
    assert "limits_reason" not in refused.content.decode()
    policy.beyond = "reason"
    policy.save()
    for reason in ("", "  ", "x" * 501):
        answer = send(browser, task, limits_reason=reason)
        assert answer.status_code == 400
    asked = send(browser, task).content.decode()
    assert "Add 3 more." in asked
    assert "Or say why this rubric needs another number of lines" in asked
    assert send(browser, task, limits_reason=why).status_code == 302
    task.refresh_from_db()
    assert task.stage == "in_review"
    assert task.history.latest("id").reason == why


def test_by_default_twelve_lines_pass_with_a_reason(
    refining: Callable[..., Task], browser: Client
) -> None:
    task = refining(lines=12)
    asked = send(browser, task)
    assert asked.status_code == 400
    assert "A rubric has at least 15 lines; yours has 12." in asked.content.decode()
    assert send(browser, task, limits_reason="There is nothing else to check.").status_code == 302


def test_a_reason_opens_the_limits_only(refining: Callable[..., Task], browser: Client) -> None:
    task = refining(lines=12)
    RubricPolicy.objects.create(domain=task.domain, beyond="reason")
    version = task.rubric_versions.get(frozen_at=None)
    first, second = version.criteria.all()[:2]
    version.criteria.filter(pk=second.pk).update(text=first.text)
    answer = send(browser, task, limits_reason="Twelve will do.")
    assert answer.status_code == 400
    assert "say the same" in answer.content.decode()
