"""The pages of judge runs: planned with an estimate, started, watched, stopped."""

import re

import pytest
from django.utils import timezone

from judge.asking.calls.models import Call
from judge.asking.calls.price_models import Price
from judge.jobs import jobs
from judge.runs.engine.models import JudgeRun, Judgment, RunItem
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.llm_stub import Stub
from tests.markup import one_line, words_of
from tests.run_states import in_state
from tests.runs.engine.factory import external_task, respond
from tests.runs.pages.conftest import plan

pytestmark = pytest.mark.django_db


def test_a_planned_run_rests_and_shows_its_estimate_before_anything_is_asked(browser, responses):
    answer = plan(browser, max_calls=50)
    run = JudgeRun.objects.get()
    assert answer.status_code == 302
    assert answer.url == f"/staff/runs/{run.pk}/"
    assert (run.state, run.started_at, run.max_calls) == ("paused", None, 50)
    assert Call.objects.count() == 0
    page = browser.get(answer.url).content.decode()
    assert "4 responses, about 4 calls" in page
    assert "Start the run" in page
    assert "Paused" not in page  # nobody has started it, so there is nothing to go on with
    listed = browser.get("/staff/runs/").content.decode()
    assert "Paused" not in listed[listed.index("<tbody") :]
    assert "$0.00" in listed[listed.index("<tbody") :]  # no call, so nothing was spent
    for state, rows in (("planned", [str(run)]), ("paused", [])):
        shown = browser.get(f"/staff/runs/?state={state}").context["list"].rows
        assert [row.title for row in shown] == rows


@pytest.mark.parametrize("tasks", ["elsewhere", "task-1, tsak-0"])
def test_a_key_outside_the_chosen_domains_is_named_and_nothing_is_planned(
    browser, responses, law, tasks
):
    other = external_task("elsewhere", lines=4)
    type(other).objects.filter(pk=other.pk).update(domain=law)
    respond(other, "Cedar 3")
    answer = plan(browser, domains=["finance"], tasks=tasks)
    assert answer.status_code == 400
    assert "in these domains: " + tasks.split(", ")[-1] in answer.content.decode()
    assert not JudgeRun.objects.exists()


def test_a_started_run_is_worked_on_and_its_page_says_how_it_went(
    browser, responses, django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    monkeypatch.setattr("judge.runs.pages.actions.send", lambda job, pk: sent.append((job, pk)))
    plan(browser)
    run = JudgeRun.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        browser.post(f"/staff/runs/{run.pk}/resume/", {})
    assert sent == [("run_judge", run.pk)]
    for _job, pk in sent:
        jobs.run_judge(pk)
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "4 of 4 responses judged" in page
    assert "Nothing has failed." in page
    assert "data-refresh" not in page  # nothing moves any more
    assert RunItem.objects.filter(run=run, state="judged").count() == 4


def test_filters_narrow_what_is_judged(browser, responses):
    plan(browser, candidates=["Cedar 3"], tasks="task-1")
    run = JudgeRun.objects.get()
    waiting = run.items.filter(state="waiting").values_list("response__key", flat=True)
    assert len(waiting) == 1
    plan(browser, domains=["finance"])
    assert JudgeRun.objects.first().items.filter(state="waiting").count() == 4


def test_what_cannot_be_planned_keeps_everything_typed(browser, responses):
    answer = plan(browser, tasks="task-1, task-9", budget_usd="12.50", experts="somebody")
    page = answer.content.decode()
    assert answer.status_code == 400
    assert JudgeRun.objects.count() == 0
    assert "There is no task “task-9”" in page
    for typed in ('value="12.50"', "task-1, task-9", 'value="somebody"'):
        assert typed in page
    assert plan(browser, concurrency=0).status_code == 400


def test_the_zero_shot_twin_is_the_same_run_without_the_example(browser, responses):
    plan(browser, candidates=["Cedar 3"])
    run = JudgeRun.objects.get()
    answer = browser.post(f"/staff/runs/{run.pk}/twin/")
    twin = JudgeRun.objects.first()
    assert answer.url == f"/staff/runs/{twin.pk}/"
    assert (twin.method, twin.state) == ("zero_shot", "paused")

    def asked(one):
        return set(one.items.filter(state="waiting").values_list("response_id", flat=True))

    assert asked(run) == asked(twin)


def test_a_repeat_is_planned_with_one_click_and_both_pages_show_how_far_they_agree(
    browser, responses
):
    plan(browser)
    first = JudgeRun.objects.get()
    lifecycle.continue_run(actor=None, run=first)
    assert work_on_run(first)
    assert "Self-consistency" not in browser.get(f"/staff/runs/{first.pk}/").content.decode()
    answer = browser.post(f"/staff/runs/{first.pk}/twin/", {"kind": "repeat", "number": 1})
    again = JudgeRun.objects.first()
    assert answer.url == f"/staff/runs/{again.pk}/"
    assert (again.repeat, again.method, again.state) == (1, "one_shot", "paused")
    lifecycle.continue_run(actor=None, run=again)
    assert work_on_run(again)
    for run in (first, again):
        page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
        assert "Self-consistency" in page
        assert "16 of 16 lines" in page
        assert "100" in page


def test_a_batch_run_shows_its_batches_and_what_is_with_the_provider(
    browser, responses, monkeypatch
):
    with Stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-engine")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.openai_url)
        plan(browser, provider="openai", model="judge-1", batch="on")
        run = JudgeRun.objects.get()
        assert run.batch
        lifecycle.continue_run(actor=None, run=run)
        assert work_on_run(run)
        page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
        assert "4 responses are with the provider" in page
        assert "half the price" in page
        assert "batch_1" in page
        for _ in range(2):
            assert work_on_run(run)
        page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
        assert "Collected" in page
        assert "4 of 4 responses judged" in page
    answer = plan(browser, provider="offline", batch="on")
    assert answer.status_code == 400
    assert "does not support batches" in answer.content.decode()


def test_a_batch_refused_as_a_whole_is_a_failure_with_its_reason_and_a_way_on(
    browser, responses, monkeypatch
):
    with Stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-engine")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.openai_url)
        stub.desk.script.append("failed")
        plan(browser, provider="openai", model="judge-1", batch="on")
        run = JudgeRun.objects.get()
        lifecycle.continue_run(actor=None, run=run)
        for _ in range(2):
            assert work_on_run(run)
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "1 batch was refused as a whole" in page
    assert "Continuing the run sends its questions in a new batch." in page
    assert "Nothing has failed." not in page


def test_a_run_can_be_paused_and_cancelled_and_a_cancelled_one_stays_so(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    JudgeRun.objects.filter(pk=run.pk).update(state="running", started_at=timezone.now())
    assert browser.post(f"/staff/runs/{run.pk}/pause/").status_code == 302
    assert browser.post(f"/staff/runs/{run.pk}/pause/").status_code == 409
    assert browser.post(f"/staff/runs/{run.pk}/cancel/").status_code == 302
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert browser.post(f"/staff/runs/{run.pk}/resume/").status_code == 409
    assert browser.post(f"/staff/runs/{run.pk}/cancel/").status_code == 409


def test_a_plan_says_what_was_judged_before_and_costs_nothing(browser, responses):
    plan(browser, candidates=["Cedar 3"])
    first = JudgeRun.objects.get()
    page = browser.get(f"/staff/runs/{first.pk}/").content.decode()
    assert "in the same way" not in page
    browser.post(f"/staff/runs/{first.pk}/resume/", {})
    work_on_run(first)
    plan(browser)
    again = JudgeRun.objects.first()
    page = browser.get(f"/staff/runs/{again.pk}/").content.decode()
    assert "2 of the 4 were judged before in the same way." in page
    plan(browser, candidates=["Cedar 3"])
    whole = JudgeRun.objects.first()
    Price.objects.create(provider="openai", model="m", input_micro=2_000_000,
                         cached_micro=2_000_000, output_micro=2_000_000)  # fmt: skip
    Judgment.objects.update(provider="openai", model="m")
    JudgeRun.objects.filter(pk__in=[again.pk, whole.pk]).update(
        provider="openai", model="m", budget_micro=1
    )
    assert "More than the budget." in browser.get(f"/staff/runs/{again.pk}/").content.decode()
    page = browser.get(f"/staff/runs/{whole.pk}/").content.decode()
    assert "2 of the 2 were judged before in the same way." in page
    assert "More than the budget." not in page  # nothing will be asked
    for other in ({"kind": "repeat", "number": 1}, {}):  # asked again, and the other method
        address = browser.post(f"/staff/runs/{first.pk}/twin/", other).url
        assert "in the same way" not in browser.get(address).content.decode()


def test_a_run_under_way_is_followed_by_a_fragment(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    JudgeRun.objects.filter(pk=run.pk).update(state="running", started_at=timezone.now())
    assert 'data-refresh-every="2"' in browser.get(f"/staff/runs/{run.pk}/").content.decode()
    same = browser.get(f"/staff/runs/{run.pk}/progress/?state=running")
    assert "X-Reload" not in same
    assert b"<html" not in same.content
    changed = browser.get(f"/staff/runs/{run.pk}/progress/?state=waiting")
    assert changed["X-Reload"] == "1"


def test_failures_are_shown_by_kind_with_what_is_lost(browser, three):
    bench = three().bench
    run = bench.run({("one", "Cedar"): (1, 1, None, 1), ("one", "Birch"): (1, 1, 0, 0)})
    RunItem.objects.filter(run=run, state="failed").update(reason="timeout")
    for error in ("timeout", "timeout", "rate_limited", ""):
        Call.objects.create(
            purpose="judge", provider="offline", model="judge-1", run=run, error=error,
            prompt_sha256="0" * 64, request={"messages": ["<script>alert(1)</script>"]},
            reply="<b>bold</b>", cost_micro=2_000,
        )  # fmt: skip
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "Timed out" in page
    assert "waited as told" in page
    assert "Ask the failed one again" in page
    failed = browser.get(f"/staff/runs/{run.pk}/?calls=failed").content.decode()
    assert len(re.findall(r"/staff/calls/\d", failed)) == 3
    call = Call.objects.filter(error="").get()
    shown = browser.get(f"/staff/calls/{call.pk}/").content.decode()
    assert "&lt;b&gt;bold" in shown
    assert "<script>alert" not in shown


def test_an_unknown_price_is_said_and_never_counted_as_nothing(browser, responses, settings):
    assert Price.objects.count() == 0
    plan(browser)
    run = JudgeRun.objects.get()
    JudgeRun.objects.filter(pk=run.pk).update(provider="openai", model="model-x")
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "The price of OpenAI model-x is not known." in page
    assert "<dd>OpenAI model-x</dd>" in page


def test_the_list_costs_the_same_for_three_runs_and_for_eight(
    browser, three, django_assert_max_num_queries
):
    bench = three().bench
    for n in range(8):
        bench.run({("one", "Cedar"): (1, 1, 1, 1)}, model=f"judge-{n}")
    with django_assert_max_num_queries(12):
        page = browser.get("/staff/runs/").content.decode()
    assert page.count("/staff/runs/") >= 8


def test_runs_are_narrowed_sorted_and_exported(browser, three):
    bench = three().bench
    dear = bench.run({("one", "Cedar"): (1, 1, 1, 1)}, model="dear")
    cheap = bench.run({("one", "Birch"): (1, 1, 1, 1)}, model="cheap")
    JudgeRun.objects.filter(pk=dear.pk).update(budget_micro=9_000_000)
    JudgeRun.objects.filter(pk=cheap.pk).update(budget_micro=2_000_000, **in_state("cancelled"))

    def shown(query):
        return [row.pk for row in browser.get(f"/staff/runs/?{query}").context["list"].rows]

    assert shown("sort=budget")[:2] == [cheap.pk, dear.pk]
    assert shown("sort=-budget")[:2] == [dear.pk, cheap.pk]  # those without one come last
    assert shown("state=cancelled") == [cheap.pk]
    assert shown("q=DEAR") == [dear.pk]
    assert "No runs match" in browser.get("/staff/runs/?q=nothing").content.decode()
    reply = browser.get("/staff/runs/?q=dear&format=csv")
    lines = b"".join(reply.streaming_content).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Run,State,Model,Responses,Judged,Failed,Cost,Budget,Planned")
    assert ",dear,1,1,0," in lines[1]


def test_a_run_page_says_which_tasks_and_candidates_it_covers(browser, three):
    run = three().bench.run({("one", name): (1, 1, 1, 1) for name in ("Cedar", "Birch")})
    page = words_of(browser.get(f"/staff/runs/{run.pk}/").content.decode())
    assert "Tasks 1: Finance" in page
    assert "Candidates Birch, Cedar" in page


def test_a_run_page_costs_a_fixed_number_of_queries(browser, three, django_assert_max_num_queries):
    run = three().bench.run({("one", name): (1, 1, 1, 1) for name in ("Cedar", "Birch", "Alder")})
    with django_assert_max_num_queries(23):
        browser.get(f"/staff/runs/{run.pk}/")


def test_a_run_page_names_the_first_tasks_that_were_put_aside(browser, three):
    bench = three().bench
    run = bench.run({("one", "Cedar"): (1, 1, 1, 1)})
    tasks = [bench.task(f"aside-{n}") for n in range(7)]
    for task in tasks:
        response = respond(task, "Cedar")
        run.items.create(response=response, state="skipped", reason="no_pictures")
    page = one_line(browser.get(f"/staff/runs/{run.pk}/").content.decode())
    assert "7 responses put aside: the task has pictures, and this model takes none." in page
    shown = [task for task in tasks if f'href="/staff/tasks/{task.pk}/"' in page]
    assert shown == tasks[:5]
    assert "and 2 more tasks" in page


def test_candidates_are_listed_with_their_house_and_what_they_answered(browser, responses):
    respond(responses[0], "gpt-9")
    page = browser.get("/staff/candidates/").content.decode()
    assert "gpt-9" in page
    assert "openai" in page
    assert "Cedar 3" in page


def test_empty_pages_say_what_comes_next(browser):
    assert "Import the responses" in browser.get("/staff/runs/").content.decode()
    assert "import_responses" in browser.get("/staff/candidates/").content.decode()
    assert "first run has finished" in browser.get("/leaderboard/").content.decode()
    assert "No expert sheet" in browser.get("/staff/alignment/").content.decode()
    assert browser.get("/leaderboard.csv").status_code == 404


GETS = [
    "/staff/runs/", "/staff/runs/new/", "/staff/runs/{run}/", "/staff/runs/{run}/progress/",
    "/staff/calls/1/", "/staff/candidates/", "/staff/alignment/thresholds/", "/leaderboard/",
    "/leaderboard.csv", "/leaderboard.json", "/staff/gold/", "/staff/gold/draw/",
    "/staff/gold/releases/new/", "/staff/gold/releases/1/",
    "/staff/gold/releases/1/tasks-jsonl/",
]  # fmt: skip
POSTS = [
    "/staff/runs/new/", "/staff/runs/{run}/pause/", "/staff/runs/{run}/resume/",
    "/staff/runs/{run}/cancel/", "/staff/runs/{run}/twin/", "/staff/alignment/thresholds/",
    "/staff/gold/draw/", "/staff/gold/releases/new/",
]  # fmt: skip


@pytest.mark.parametrize("who", ["author", "senior", "applicant"])
def test_these_pages_are_for_staff_alone(request, sign_in, client, three, who):
    run = three().bench.run({("one", "Cedar"): (1, 1, 1, 1)})
    person = sign_in(request.getfixturevalue(who))
    for path in GETS:
        assert person.get(path.format(run=run.pk)).status_code == 403, path
        assert client.get(path.format(run=run.pk)).status_code == 302, path
    for path in POSTS:
        assert person.post(path.format(run=run.pk)).status_code == 403, path
    assert JudgeRun.objects.count() == 1


def test_what_does_not_exist_is_not_found(browser):
    for path in ("/staff/runs/99/", "/staff/calls/99/", "/staff/gold/releases/99/"):
        assert browser.get(path).status_code == 404
    for path in ("/staff/runs/99/pause/", "/staff/runs/99/twin/"):
        assert browser.post(path).status_code == 404


def test_a_planned_run_shows_no_empty_figures_and_a_finished_one_no_rate(browser, responses):
    plan(browser)
    run = JudgeRun.objects.get()
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "Start the run" in page
    assert "Cost against budget" not in page
    assert "Failures by kind" not in page
    run.state, run.started_at, run.finished_at = "finished", timezone.now(), timezone.now()
    run.save()
    RunItem.objects.filter(run=run, state="waiting").update(state="failed", reason="timeout")
    page = browser.get(f"/staff/runs/{run.pk}/").content.decode()
    assert "Cost against budget" in page
    assert "Rate, last 10 minutes" not in page
    assert page.index("4 responses have no score") < page.index("Ask the 4 failed ones again")
