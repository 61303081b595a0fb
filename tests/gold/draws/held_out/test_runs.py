"""Tuning and measuring apart: runs on halves, and the pages that plan them."""

import pytest
from django.core.management import CommandError
from django.db import connection
from django.utils import timezone

from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.task_sets import parse
from judge.gold.draws.actions import draw_gold
from judge.gold.releases.draw import DrawSpec
from judge.gold.releases.release import release_gold
from judge.runs.engine.models import HeldOutLook, JudgeRun, RunItem
from judge.runs.engine.planning.plan import plan_run
from judge.runs.pages import actions, lifecycle
from tests.gold.draws.held_out.commands import held_out, judge, look, tasks_of


class TestRuns:
    def test_by_default_no_run_holds_a_held_out_task(self, draw):
        said = judge()
        assert (said["responses"], said["task_set"]) == (12, "open")
        keys = set(held_out().values_list("key", flat=True))
        assert len(keys) == 3
        assert not keys & tasks_of(said["run"])
        assert said["held_out"]["tasks"] == 0

    def test_the_development_half_is_free_to_use_again_and_again(self, draw):
        for model in ("one", "two"):
            said = judge("--tasks", f"draw:{draw.pk}/development", "--model", model)
            assert said["judged"] == 12
        assert not HeldOutLook.objects.exists()
        assert JudgeRun.objects.first().task_set == f"draw:{draw.pk}/development"

    @pytest.mark.parametrize("half", ["", "/held-out"])
    def test_a_held_out_half_is_judged_only_with_a_reason(self, draw, half):
        with pytest.raises(CommandError, match="3 of these tasks are held out"):
            judge("--tasks", f"draw:{draw.pk}{half}")
        with pytest.raises(CommandError, match="is held out|are held out"):
            judge("--tasks", "all")
        assert not JudgeRun.objects.exists()

    def test_keys_of_held_out_tasks_need_a_reason_too(self, draw):
        key = held_out().first().key
        with pytest.raises(CommandError, match="Held out: “" + key):
            judge("--tasks", key)
        assert not JudgeRun.objects.exists()
        assert judge("--tasks", key, "--held-out-reason", "A last look.")["judged"] == 2

    def test_many_tasks_are_judged_again_only_with_a_reason_if_some_are_held_out(
        self, draw, browser
    ):
        like = judge()["run"]
        step, every = "/staff/lists/tasks/judge/", Task.objects.order_by("pk")
        rows = ",".join(str(task.pk) for task in every)
        form = {"rows": rows, "checked": "1", "like": str(like), "held_out_reason": " "}
        page = browser.post(step, form)
        assert {row.pk for row in page.context["cannot"]} == {task.pk for task in held_out()}
        assert "Held out: leave it out, or say why it is judged." in page.content.decode()
        assert browser.post(f"{step}do/", form).status_code == 409
        form["held_out_reason"] = "The last look."
        assert browser.post(f"{step}do/", form).status_code == 302
        recorded = HeldOutLook.objects.get()
        assert recorded.reason == "The last look."
        assert tasks_of(recorded.run_id) == {task.key for task in every}

    def test_a_candidate_of_held_out_tasks_alone_is_judged_only_with_a_reason(
        self, draw, browser, programme
    ):
        like = judge()["run"]
        cid = programme.response(held_out().first(), "cid").candidate
        ada = Candidate.objects.get(name="ada")
        step = "/staff/lists/candidates/judge/"
        form = {"rows": f"{ada.pk},{cid.pk}", "checked": "1", "like": str(like)}
        page = browser.post(step, form)
        assert [(row.pk, row.why) for row in page.context["cannot"]] == [
            (
                cid.pk,
                "It has answered held-out tasks only: leave it out, or say why they are judged.",
            )
        ]
        assert browser.post(f"{step}do/", form).status_code == 409
        form["held_out_reason"] = "The last look."
        assert browser.post(f"{step}do/", form).status_code == 302
        names = RunItem.objects.filter(run__look__isnull=False)
        assert set(names.values_list("response__candidate__name", flat=True)) == {"ada", "cid"}

    def test_looks_and_configurations_are_counted(self, draw):
        assert look(draw)["held_out"] == {
            "tasks": 3, "looks": 1, "configurations": 1, "imported": [], "runs_before": 0,
            "opened": 0,
        }  # fmt: skip
        assert look(draw)["held_out"]["looks"] == 2
        again = look(draw, "Another model.", "--model", "rules-2")
        assert (again["held_out"]["looks"], again["held_out"]["configurations"]) == (3, 2)
        row = HeldOutLook.objects.get(run=again["run"])
        assert row.reason == "Another model."
        assert row.configuration["model"] == "rules-2"
        assert row.configuration["prompt"]

    def test_a_run_that_only_was_planned_is_no_look(self, draw, chief):
        actions.plan_run(
            actor=chief, method="zero_shot", provider="offline",
            tasks=parse(f"draw:{draw.pk}/held-out"), held_out_reason="Later.",
        )  # fmt: skip
        assert look(draw)["held_out"]["looks"] == 1

    def test_runs_of_before_the_split_are_counted_apart(self, draw, chief, programme, finance):
        judge("--tasks", ",".join(held_out().values_list("key", flat=True)),
              "--held-out-reason", "Once.")  # fmt: skip
        with connection.cursor() as cursor:
            cursor.execute("UPDATE judge_goldsplit SET at = %s", [timezone.now()])
        found = look(draw, "Again.", "--model", "rules-2")["held_out"]
        assert (found["looks"], found["runs_before"]) == (1, 1)

    def test_a_run_planned_before_the_split_does_not_go_on_to_what_is_held_out_now(
        self, draw, chief, programme, finance
    ):
        fresh = [programme.task(f"new-{n}", finance, anchored=False) for n in range(4)]
        for task in fresh:
            programme.response(task, "ada")
        run = actions.plan_run(actor=chief, method="zero_shot", provider="offline")
        late = draw_gold(actor=chief, spec=DrawSpec(size=13, seed=2))
        split_in_halves(actor=chief, gold_draw=late, seed=2, percent=30)
        with pytest.raises(Conflict, match="held out after it was planned"):
            actions.start_run(actor=chief, run=run)
        # The twin is planned without what was held out since, or with a reason on all of it.
        with pytest.raises(BadInput, match="Held out"):
            actions.plan_by_other_method(actor=chief, run=run)
        twin = actions.plan_by_other_method(actor=chief, run=run, held_out_reason="Compare.")
        assert tasks_of(twin) == tasks_of(run)

    def test_a_draw_is_not_split_while_a_run_still_judges_its_tasks(
        self, draw, chief, programme, finance
    ):
        for n in range(4):
            task = programme.task(f"new-{n}", finance, anchored=False)
            programme.response(task, "ada")
        late = draw_gold(actor=chief, spec=DrawSpec(size=13, seed=2))
        run = plan_run(actor=chief, method="zero_shot", provider="offline")
        with pytest.raises(Conflict, match=f"Run {run.pk} still judges tasks of this set"):
            split_in_halves(actor=chief, gold_draw=late, seed=2)
        lifecycle.pause_run(actor=chief, run=run)
        split_in_halves(actor=chief, gold_draw=late, seed=2)
        assert not HeldOutLook.objects.exists()

    def test_a_look_goes_on_only_with_the_configuration_it_stated(self, draw, chief):
        run = actions.plan_run(
            actor=chief, method="zero_shot", provider="offline",
            tasks=parse(f"draw:{draw.pk}/held-out"), held_out_reason="Final.",
        )  # fmt: skip
        with connection.cursor() as cursor:  # as after an upgrade with another prompt
            cursor.execute("UPDATE judge_heldoutlook SET configuration_sha256 = 'earlier'")
        with pytest.raises(Conflict, match="instructions were changed"):
            actions.start_run(actor=chief, run=run)

    def test_keys_outside_of_a_set_are_refused_by_name(self, draw, chief):
        release = release_gold(actor=chief, spec=DrawSpec(size=1, seed=3, quotas={"finance": 1}))
        with pytest.raises(BadInput, match="Not in Release"):
            plan_run(
                actor=None, method="zero_shot", provider="offline",
                tasks=parse(f"release:{release.number}"), task_keys=["law-2"],
            )  # fmt: skip


class TestRunPages:
    def test_a_run_is_planned_on_a_half_from_the_page_of_its_draw(self, browser, draw):
        name = f"draw:{draw.pk}/development"
        page = browser.get(f"/staff/runs/new/?task_set={name}").content.decode()
        assert f'<option value="{name}" selected>' in page
        sent = {"method": "zero_shot", "provider": "offline", "calls_mode": "per_response",
                "concurrency": 2, "task_set": name}  # fmt: skip
        answer = browser.post("/staff/runs/new/", sent)
        page = browser.get(answer.url).content.decode()
        assert f"Draw {draw.pk}, development half" in page
        assert f'href="/staff/gold/draws/{draw.pk}/"' in page

    def test_without_a_reason_the_form_comes_back_with_what_to_do(self, browser, draw):
        sent = {"method": "zero_shot", "provider": "offline", "calls_mode": "per_response",
                "concurrency": 2, "task_set": f"draw:{draw.pk}/held-out"}  # fmt: skip
        answer = browser.post("/staff/runs/new/", sent)
        assert answer.status_code == 400
        assert "To tune a judge, choose a development half" in answer.content.decode()
        answer = browser.post("/staff/runs/new/", {**sent, "held_out_reason": "It is final."})
        page = browser.get(answer.url).content.decode()
        assert "Held-out half (3 tasks): not looked at yet." in page
        assert "It is final." in page

    def test_domains_and_keys_narrow_a_set_and_never_widen_it(self, browser, draw, law):
        sent = {"method": "zero_shot", "provider": "offline", "calls_mode": "per_response",
                "concurrency": 2, "task_set": f"draw:{draw.pk}/development"}  # fmt: skip
        key = held_out().first().key
        answer = browser.post("/staff/runs/new/", {**sent, "tasks": key})
        assert answer.status_code == 400
        assert f"Not in Draw {draw.pk}, development half: “{key}”." in answer.content.decode()
        answer = browser.post("/staff/runs/new/", {**sent, "domains": ["law"]})
        keys = tasks_of(JudgeRun.objects.get())
        assert keys
        assert all(key.startswith("law-") for key in keys)
        assert not keys & set(held_out().values_list("key", flat=True))

    def test_an_unknown_set_is_refused(self, browser, draw):
        for name in ("draw:999", "planet"):
            sent = {"method": "zero_shot", "provider": "offline", "calls_mode": "per_response",
                    "concurrency": 2, "task_set": name}  # fmt: skip
            assert browser.post("/staff/runs/new/", sent).status_code == 400
        assert not JudgeRun.objects.exists()

    def test_a_repeat_and_a_twin_are_further_looks(self, browser, draw):
        run = look(draw)["run"]
        page = browser.get(f"/staff/runs/{run}/").content.decode()
        assert "looked at 1 time, with 1 configuration" in page
        assert "is another look at the held-out half" in page
        twin = f"/staff/runs/{run}/twin/"
        assert browser.post(twin, {"number": 1}).status_code == 400
        assert browser.post(twin, {"kind": "repeat", "number": 1}).status_code == 400
        assert JudgeRun.objects.count() == 1
        sent = {"kind": "repeat", "number": 1, "held_out_reason": "How steady is it?"}
        assert browser.post(twin, sent).status_code == 302
        assert JudgeRun.objects.first().look.reason == "How steady is it?"
        assert JudgeRun.objects.first().task_set == f"draw:{draw.pk}/held-out"
