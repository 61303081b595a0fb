"""The pages of judge runs that stopped, were killed or rested, and go on."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.base.queue import leases
from judge.base.queue.alive import process_name
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.llm_stub import Stub
from tests.run_states import in_state
from tests.runs.pages.conftest import plan

pytestmark = pytest.mark.django_db


def test_a_limit_that_is_used_up_already_is_refused_on_the_page_and_the_run_rests(
    browser, responses
):
    plan(browser)
    run = JudgeRun.objects.get()
    Price.objects.create(provider="openai", model="m", input_micro=2_000_000,
                         cached_micro=2_000_000, output_micro=2_000_000)  # fmt: skip
    JudgeRun.objects.filter(pk=run.pk).update(
        provider="openai", model="m", state="stopped", started_at=timezone.now(),
        budget_micro=20_000,
    )  # fmt: skip
    for _call in range(2):
        Call.objects.create(
            purpose="judge", provider="openai", model="m", run=run, prompt_sha256="0" * 64,
            request={}, input_tokens=4000, cached_tokens=0, output_tokens=1000, cost_micro=10_000,
        )  # fmt: skip
    address = f"/staff/runs/{run.pk}/"
    assert "Now: $0.02. No limit in calls." in browser.get(address).content.decode()
    for limits, words in (
        ({"budget_usd": "0.01"}, "has cost $0.02 already"),
        ({"max_calls": "2"}, "has made 2 calls already"),
        ({"budget_usd": "x"}, "Type a number."),
    ):
        answer = browser.post(address + "resume/", limits)
        page = answer.content.decode()
        assert answer.status_code == 400
        assert words in page
        assert f'value="{next(iter(limits.values()))}"' in page  # nothing typed is cleared
        run.refresh_from_db()
        assert (run.state, run.budget_micro, run.max_calls) == ("stopped", 20_000, None)
    assert browser.post(address + "resume/", {"budget_usd": "0.03"}).status_code == 302
    run.refresh_from_db()
    assert (run.state, run.budget_micro) == ("waiting", 30_000)


@pytest.fixture
def stub(monkeypatch):
    with Stub() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-engine")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        yield server


def test_going_on_after_a_stop_at_the_budget_asks_for_one_that_suffices(browser, responses, stub):
    Price.objects.create(provider="openai", model="judge-1", input_micro=2_000_000,
                         cached_micro=2_000_000, output_micro=100_000_000)  # fmt: skip
    plan(browser, provider="openai", model="judge-1", concurrency=1, budget_usd="0.10")
    run = JudgeRun.objects.get()
    address = f"/staff/runs/{run.pk}/"
    assert browser.post(address + "resume/", {}).status_code == 302
    assert work_on_run(run)
    asked = stub.calls
    assert run.state == "stopped"
    assert 0 < asked < 4
    spent = f"${lifecycle.summary(run)['cost_usd']:.4f} counts as spent"
    assert spent in browser.get(address).content.decode()  # said before anything is pressed
    for limits, now in (
        ({}, "$0.10"),
        ({"budget_usd": "0.05"}, "$0.05"),
        ({"max_calls": 9}, "$0.10"),
    ):
        answer = browser.post(address + "resume/", limits)
        page = answer.content.decode()
        assert answer.status_code == 400
        assert f"With a budget of {now} the run would stop again at once: {spent}" in page
        run.refresh_from_db()
        assert (run.state, run.budget_micro, run.max_calls) == ("stopped", 100_000, None)
    enough = re.search(r"\$([\d.]+) is enough for the rest", browser.get(address).content.decode())
    assert browser.post(address + "resume/", {"budget_usd": enough[1]}).status_code == 302
    run.refresh_from_db()
    assert work_on_run(run)
    assert (run.state, lifecycle.summary(run)["judged"]) == ("finished", 4)


def test_going_on_after_the_last_call_asks_for_more_of_them(browser, responses):
    plan(browser, max_calls=1, concurrency=1)
    run = JudgeRun.objects.get()
    address = f"/staff/runs/{run.pk}/"
    browser.post(address + "resume/", {})
    assert work_on_run(run)
    answer = browser.post(address + "resume/", {"concurrency": 2})
    assert answer.status_code == 400
    assert "With a limit on calls of 1 the run would stop again at once" in answer.content.decode()
    assert "4 are enough for the rest" in answer.content.decode()
    run.refresh_from_db()
    assert (run.state, run.concurrency) == ("stopped", 1)
    assert browser.post(address + "resume/", {"max_calls": 4}).status_code == 302
    run.refresh_from_db()
    assert work_on_run(run)
    assert run.state == "finished"


def test_a_run_just_resumed_stands_as_starting_and_its_page_soon_says_that_it_runs(
    browser, responses
):
    plan(browser)
    run = JudgeRun.objects.get()
    JudgeRun.objects.filter(pk=run.pk).update(state="paused", started_at=timezone.now())
    browser.post(f"/staff/runs/{run.pk}/resume/", {})
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "Starting" in page
    assert "Waiting" not in page
    assert "a worker starts it in a moment" in page
    assert 'data-refresh-every="1"' in page
    JudgeRun.objects.filter(pk=run.pk).update(state="running", working_since=timezone.now())
    assert browser.get(f"/staff/runs/{run.pk}/progress/?state=waiting")["X-Reload"] == "1"
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "Running" in page
    assert "Starting" not in page


def test_the_time_left_counts_no_pause(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    now = timezone.now()
    asked = list(run.items.filter(state="waiting").values_list("pk", flat=True))
    assert len(asked) == 4

    def page(*, worked: int, through: int) -> str:
        """The page of a run that went on so many minutes ago and has judged so much since."""
        JudgeRun.objects.filter(pk=run.pk).update(
            state="running",
            started_at=now - timedelta(minutes=9),
            working_since=now - timedelta(minutes=worked),
        )
        run.items.filter(pk__in=asked).update(state="waiting", finished_at=None)
        run.items.filter(pk__in=asked[:through]).update(state="failed", finished_at=now)
        return browser.get(f"/staff/runs/{run.pk}/").content.decode()

    assert "About 2 minutes left" in page(worked=5, through=3)  # one more, at three in five
    assert "known when a few are through" in page(worked=1, through=2)
    assert "known when a few are through" in page(worked=1, through=0)
    assert "Under one response a minute" in page(worked=8, through=0)


def dead_lease() -> str:
    """The token of a process of this machine that is no more."""
    process_name()  # so that there is a folder
    (settings.VAR_DIR / "processes" / "1-dead").touch()  # nobody has it locked
    return "1-dead-abcdef"


def test_the_head_of_a_run_whose_worker_was_killed_says_what_happened(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    address = f"/staff/runs/{run.pk}/"
    died = datetime(2026, 3, 2, 10, 4, tzinfo=UTC)
    held = in_state("running") | {"lease": dead_lease(), "lease_until": died + leases.LEASE}
    JudgeRun.objects.filter(pk=run.pk).update(started_at=died, **held)
    page = browser.get(address).content.decode()
    assert re.search(r"On <time[^>]*>[^<]+10:04</time> the worker stopped while judging\.", page)
    assert "The next one goes on where it left off" in page
    assert "known when a few are through" in page  # nobody works on it: no time can be told
    assert jobs.run_judge(run.pk)
    taken = run.takeovers.get()
    assert taken.ended_at == died
    page = browser.get(address).content.decode()
    assert "4 of 4 responses judged" in page
    assert "10:04</time> the worker stopped while judging; another took over at" in page
    assert "Nothing was judged twice." in page
    assert "This happened" not in page
    # Killed once more, and gone on with by hand.
    JudgeRun.objects.filter(pk=run.pk).update(**held)
    lifecycle.continue_run(actor=None, run=run)
    assert "This happened 2 times." in browser.get(address).content.decode()


def test_a_run_that_nobody_took_over_tells_of_no_end(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    # Held by whoever planned it, who then went away; and paused, gone on with, through.
    JudgeRun.objects.filter(pk=run.pk).update(lease=dead_lease(), lease_until=timezone.now())
    browser.post(f"/staff/runs/{run.pk}/resume/", {})
    assert work_on_run(run)
    assert not run.takeovers.exists()
    # A process that lost its connection goes on by itself.
    own = leases.new_token()
    JudgeRun.objects.filter(pk=run.pk).update(
        lease=own, lease_until=timezone.now(), **in_state("running")
    )
    assert work_on_run(run)
    assert not run.takeovers.exists()
    assert "the worker stopped" not in browser.get(f"/staff/runs/{run.pk}/").content.decode()


def test_a_finished_run_is_continued_by_nobody(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    address = f"/staff/runs/{run.pk}/"
    assert browser.post(address + "resume/", {}).status_code == 302
    jobs.drain()
    acts = run.acts.count()
    for sent in ({}, {"failed_again": "1"}, {"concurrency": "2"}):
        assert browser.post(address + "resume/", sent).status_code == 409
    with pytest.raises(CommandError, match="has finished: nothing is left to ask"):
        call_command("judge", resume=run.pk)
    run.refresh_from_db()
    assert (run.state, run.acts.count()) == ("finished", acts)


def test_what_failed_in_a_finished_run_is_asked_again_by_its_own_button_only(
    browser, responses, stub
):
    stub.script(*["malformed"] * 3)
    plan(browser, provider="openai", model="judge-1", concurrency=1)
    run = JudgeRun.objects.get()
    address = f"/staff/runs/{run.pk}/"
    assert browser.post(address + "resume/", {}).status_code == 302
    jobs.drain()
    run.refresh_from_db()
    failed = run.items.filter(state="failed").count()
    assert (run.state, failed) == ("finished", 1)
    assert browser.post(address + "resume/", {}).status_code == 409  # "Start", pressed once more
    assert 'name="failed_again"' in browser.get(address).content.decode()
    assert browser.post(address + "resume/", {"failed_again": "1"}).status_code == 302
    run.refresh_from_db()
    assert (run.state, run.finished_at) == ("waiting", None)
    jobs.drain()
    assert run.items.filter(state="failed").count() == 0


@pytest.mark.parametrize(
    ("state", "ended"), [("finished", False), ("cancelled", False), ("paused", True)]
)
def test_the_database_holds_that_a_run_has_an_end_once_it_is_over(browser, responses, state, ended):
    plan(browser)
    with pytest.raises(IntegrityError):
        JudgeRun.objects.update(state=state, finished_at=timezone.now() if ended else None)
