"""The audit beyond tasks: runs, prices, roles, releases and sign-ins."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.accounts.models import SignIn
from curation.joining.accounts.sign_ins import KEPT, forget_old_sign_ins
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.leaving.closed_accounts.actions import close_account, open_account, remove_name
from curation.qualifying.experts.views import set_senior
from judge.asking.calls.price_actions import set_price
from judge.base.gold_sets.models import GoldRelease
from judge.results.product_index.collecting_actions import set_operator
from judge.runs.engine.models import JudgeRun, RunAct
from judge.runs.pages.actions import plan_run, start_run
from judge.runs.pages.lifecycle import cancel_run, continue_run, pause_run
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db
AUDIT = "/staff/audit/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def told(office: Client, query: str = "") -> list[dict[str, str]]:
    reply = office.get(f"{AUDIT}?format=csv&{query}")
    assert reply.status_code == 200
    text = b"".join(reply.streaming_content).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def office(sign_in: Any, staff: User) -> Client:
    return sign_in(staff)


@pytest.fixture
def run(staff: User) -> JudgeRun:
    factory.benchmark(1, 1)
    return plan_run(actor=staff, method="zero_shot", provider="offline", model="rules-1")


def test_each_step_with_a_run_is_told_with_who_took_it(
    office: Client, run: JudgeRun, staff: User, person: Any
) -> None:
    colleague = person("colleague", is_staff=True)
    start_run(actor=staff, run=run)
    pause_run(actor=colleague, run=run)
    continue_run(actor=None, run=run)
    cancel_run(actor=staff, run=run)
    rows = told(office, "kind=run")
    assert [(row["Event"], row["Person"]) for row in rows] == [
        ("cancelled", "Staff"),
        ("continued", ""),
        ("paused", "Colleague"),
        ("started", "Staff"),
        ("planned", "Staff"),
    ]
    assert {row["Name"] for row in rows} == {str(run)}
    page = office.get(f"{AUDIT}?kind=run").content.decode()
    assert f'href="/staff/runs/{run.pk}/"' in page
    assert "the command line" in page
    assert [row["Event"] for row in told(office, f"person={colleague.pk}&kind=run")] == ["paused"]


def test_a_step_that_is_refused_leaves_no_row(run: JudgeRun, staff: User) -> None:
    from curation.base.web.refusals import Conflict

    cancel_run(actor=staff, run=run)
    for step in (pause_run, cancel_run):
        with pytest.raises(Conflict):
            step(actor=staff, run=run)
    assert list(RunAct.objects.values_list("kind", flat=True)) == ["planned", "cancelled"]


def test_prices_and_releases_are_told(office: Client, staff: User) -> None:
    set_price(
        actor=staff, provider="openai", model="larch-2", input_micro=2_500_000,
        output_micro=10_000_000,
    )  # fmt: skip
    GoldRelease.objects.create(
        number=4, size=3, seed=1, strata="domain", allocation="equal", manifest={},
        sha256="a" * 64, created_by=staff,
    )  # fmt: skip
    page = office.get(AUDIT).content.decode()
    assert "$2.50 in, $10.00 out for a million tokens" in page
    assert "openai larch-2" in page
    assert 'href="/staff/gold/releases/4/"' in page
    (release,) = told(office, "kind=release")
    assert (release["Name"], release["Person"]) == ("Release 4", "Staff")


def test_roles_are_told_by_who_gave_and_by_who_got_them(
    office: Client, staff: User, author: User, applicant: User, finance: Domain
) -> None:
    set_senior(actor=staff, person=author, domain=finance, senior=True, reason="Knows it all.")
    set_operator(actor=staff, person=applicant, operator=True, reason="Has the devices.")
    rows = told(office, "kind=role")
    assert [(row["Event"], row["Name"], row["Reason"]) for row in rows] == [
        ("operator", "Applicant", "Has the devices."),
        ("senior", "Author", "Knows it all."),
    ]
    assert [row["Event"] for row in told(office, f"kind=role&person={author.pk}")] == ["senior"]
    assert "Became an operator" in office.get(f"{AUDIT}?kind=role").content.decode()


def test_accounts_closed_opened_and_without_their_names_are_told(
    office: Client, staff: User, author: User
) -> None:
    close_account(actor=staff, person=author, reason="Left the programme.")
    open_account(actor=staff, person=author, reason="Came back.")
    close_account(actor=staff, person=author, reason="Left for good.")
    remove_name(actor=staff, person=author, reason="Asked for it.")
    rows = told(office, "kind=account")
    assert [(row["Event"], row["Reason"]) for row in rows] == [
        ("name-removed", "Asked for it."),
        ("closed", "Left for good."),
        ("opened", "Came back."),
        ("closed", "Left the programme."),
    ]
    assert "Account opened again" in office.get(f"{AUDIT}?person={author.pk}").content.decode()


def test_sign_ins_are_told_only_if_asked_for(office: Client, author: User) -> None:
    browser = Client(HTTP_USER_AGENT=FIREFOX)
    author.set_password("a long enough secret")
    author.save()
    SignIn.objects.all().delete()
    for typed, secret in (
        (author.email.upper(), "wrong"),
        ("nobody@example.test", "wrong"),
        (author.email, "a long enough secret"),
    ):
        browser.post("/account/login/", {"login": typed, "password": secret})
    assert list(SignIn.objects.order_by("id").values_list("user", "outcome", "device")) == [
        (author.pk, "refused", "Firefox on Linux"),
        (None, "refused", "Firefox on Linux"),
        (author.pk, "done", "Firefox on Linux"),
    ]
    rows = told(office, "kind=sign-in")
    assert [(row["Event"], row["Person"], row["Reason"]) for row in rows] == [
        ("done", "Author", "Firefox on Linux"),
        ("refused", "", "Firefox on Linux"),
        ("refused", "Author", "Firefox on Linux"),
    ]
    page = office.get(f"{AUDIT}?kind=sign-in").content.decode()
    assert "an address that nobody has" in page
    assert "nobody@example.test" not in page
    assert not [row for row in told(office) if row["Kind"] == "sign-in"]
    assert len(told(office, f"kind=sign-in&person={author.pk}")) == 2


def test_sign_ins_are_forgotten_after_half_a_year(author: User) -> None:
    now = timezone.now()
    old, kept = (
        SignIn.objects.create(user=author, outcome="done", at=at)
        for at in (now - KEPT - timedelta(hours=1), now - KEPT + timedelta(hours=1))
    )
    assert forget_old_sign_ins() == 1
    assert SignIn.objects.get() == kept
    assert old != kept


def test_all_kinds_are_merged_by_time_and_narrowed_by_it(
    office: Client, run: JudgeRun, staff: User, applicant: User
) -> None:
    set_operator(actor=staff, person=applicant, operator=True, reason="Has the devices.")
    RunAct.objects.bulk_create(
        RunAct(run=run, kind="paused", actor=staff, at=timezone.now() - timedelta(days=n))
        for n in (3, 5)
    )
    rows = told(office)
    assert [row["Time (UTC)"] for row in rows] == sorted(
        (row["Time (UTC)"] for row in rows), reverse=True
    )
    assert {row["Kind"] for row in rows} >= {"run", "role"}
    before = timezone.localdate() - timedelta(days=2)
    assert [row["Event"] for row in told(office, f"before={before}")] == ["paused", "paused"]


def test_a_page_of_the_audit_asks_the_same_however_much_happened(
    office: Client, run: JudgeRun, staff: User
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert office.get(AUDIT).status_code == 200
        return len(queries)

    before = asked()
    RunAct.objects.bulk_create(RunAct(run=run, kind="paused", actor=staff) for _n in range(30))
    assert asked() == before


def test_the_audit_of_a_task_tells_nothing_of_runs(office: Client, run: JudgeRun) -> None:
    key = run.items.first().response.task.key
    assert {row["Kind"] for row in told(office, f"task={key}")} <= {"task"}
    assert told(office, f"task={key}&kind=run") == []


def test_going_on_twice_with_nothing_changed_is_told_once(run: JudgeRun, staff: User) -> None:
    start_run(actor=staff, run=run)
    pause_run(actor=staff, run=run)
    for limit in (500, 500, 700):
        continue_run(actor=staff, run=run, max_calls=limit)
    kinds = run.acts.order_by("pk").values_list("kind", flat=True)
    assert list(kinds)[-3:] == ["paused", "continued", "continued"]
