"""Orders, runs and reports on a release and its halves."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from curation.tasks.task.models import Task
from judge.asking.candidates.generation_models import Generation
from judge.asking.candidates.models import Candidate
from judge.gold.releases.release import release_draw
from judge.runs.engine.models import JudgeRun
from tests.gold.draws.held_out.commands import alignment, held_out, judge, tasks_of


@pytest.fixture
def release(draw, chief):
    """The release of the split draw: its seven anchored tasks, two left out by name."""
    return release_draw(actor=chief, draw=draw, exceptions={"law-1": "Late.", "law-2": "Late."})


@pytest.fixture
def keys(release):
    """The keys of the tasks by the name of the set."""
    every = set(release.items.values_list("task__key", flat=True))
    out = every & set(held_out().values_list("key", flat=True))
    assert len(every) == 7
    assert out
    assert every - out
    name = f"release:{release.number}"
    return {name: every, f"{name}/held-out": out, f"{name}/development": every - out}


def test_a_run_judges_a_release_or_a_half_of_it(keys):
    for name, wanted in keys.items():
        said = judge("--tasks", name, "--held-out-reason", "It is final.")
        assert said["task_set"] == name
        assert tasks_of(said["run"]) == wanted


def test_the_page_plans_a_run_on_a_half_of_a_release(keys, browser):
    for name in [name for name in keys if name.endswith("/development")]:
        assert f'<option value="{name}"' in browser.get("/staff/runs/new/").content.decode()
        sent = {"method": "zero_shot", "provider": "offline", "calls_mode": "per_response",
                "concurrency": 2, "task_set": name}  # fmt: skip
        assert browser.post("/staff/runs/new/", sent).status_code == 302
        assert tasks_of(JudgeRun.objects.get()) == keys[name]


def test_answers_are_ordered_for_a_release(keys, browser):
    candidate = Candidate.objects.create(name="larch", provider="offline", model="rules-1")
    for name, wanted in keys.items():
        sent = {"samples": 1, "concurrency": 1, "tasks": name}
        answer = browser.post(f"/staff/candidates/{candidate.pk}/generate/", sent)
        assert answer.status_code == 302
        made = Generation.objects.order_by("-pk").first()
        assert made.task_set == name
        assert set(made.items.values_list("task__key", flat=True)) <= wanted
        Generation.objects.filter(pk=made.pk).update(state="cancelled")


def test_alignment_and_leaderboard_are_narrowed_to_a_release(keys):
    run = str(judge("--tasks", "all", "--held-out-reason", "All.")["run"])
    for name, wanted in keys.items():
        found = json.loads(alignment("--judge", run, "--tasks", name, "--json"))
        assert found["task_set"] == {
            "set": name, "total": len(wanted), "measured": len(wanted), "missing": {},
        }  # fmt: skip
        text = StringIO()
        call_command("leaderboard", "--run", run, "--tasks", name, "--json", stdout=text)
        board = json.loads(text.getvalue())
        assert (board["task_set"]["set"], board["tasks"]) == (name, len(wanted))


def test_the_pages_of_a_release_say_what_was_drawn_and_not_anchored(release, browser):
    page = browser.get(f"/staff/gold/releases/{release.number}/").content.decode()
    assert "law-1" in page
    assert "Late." in page
    assert release.items.count() == Task.objects.count() - 2
    name = f"release:{release.number}"
    run = judge("--tasks", name, "--held-out-reason", "All.")["run"]
    for address in ("/staff/alignment/?judge=", "/leaderboard/?run="):
        words = browser.get(f"{address}{run}").content.decode()
        assert f"Tasks: Release {release.number}, all 7 of them." in words
