"""Tuning and measuring apart: runs, reports and verdict pages where a draw was split."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from curation.tasks.models import Task
from curation.web.refusals import BadInput, Conflict
from judge.calls.models import Call
from judge.candidates.models import Candidate, Response
from judge.engine.models import HeldOutLook, JudgeRun, RunItem, Verdict
from judge.engine.planning.plan import plan_run
from judge.flags.actions import flag_verdict
from judge.generation.models import Generation
from judge.gold.actions import draw_gold
from judge.gold_sets.halves import open_held_out_half, split_in_halves
from judge.gold_sets.models import Half
from judge.gold_sets.task_sets import parse
from judge.releases.draw import DrawSpec
from judge.releases.release import release_gold
from judge.runs import actions
from judge.sheets.models import Sheet, SheetLine
from rubrics.versions.models import RubricVersion
from tests.conftest import new_person
from tests.gold.conftest import Programme
from tests.worlds import World

CANDIDATES = ("ada", "bea")


@pytest.fixture(scope="module")
def halves_world(pool_world) -> World:
    """Nine drawn tasks with two answers each, all scored by an expert; three are held out."""
    people = {name: pool_world[name] for name in ("author", "peer", "senior")}
    programme = Programme(**people)
    staff = new_person("chief", is_staff=True)
    for task in Task.objects.order_by("key"):
        version = RubricVersion.objects.get(task=task)
        for n, name in enumerate(CANDIDATES):
            response = programme.response(task, name)
            sheet = programme.sheet(response, version, purpose="alignment")
            sheet.lines.filter(criterion__position__lt=4 * n).update(met=False)
    draw = draw_gold(actor=staff, spec=DrawSpec(size=9, seed=1))
    split = split_in_halves(actor=staff, gold_draw=draw, seed=1, percent=33)
    return World(**pool_world.things, chief=staff, draw=draw, split=split)


@pytest.fixture
def chief(halves_world):
    return halves_world["chief"]


@pytest.fixture
def draw(halves_world):
    return halves_world["draw"]


@pytest.fixture
def browser(sign_in, chief):
    return sign_in(chief)


def held_out():
    return Task.objects.filter(half__half=Half.HELD_OUT)


def judge(*options):
    text = StringIO()
    call_command(
        "judge", "--method", "zero_shot", "--provider", "offline", "--json", *options, stdout=text
    )
    return json.loads(text.getvalue().splitlines()[-1])


def look(draw, reason="The judge is final.", *options):
    return judge("--tasks", f"draw:{draw.pk}/held-out", "--held-out-reason", reason, *options)


def tasks_of(run):
    return set(RunItem.objects.filter(run=run).values_list("response__task__key", flat=True))


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

    def test_looks_and_configurations_are_counted(self, draw):
        assert look(draw)["held_out"] == {
            "tasks": 3, "looks": 1, "configurations": 1, "runs_before": 0, "opened": 0,
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


def alignment(*options):
    text = StringIO()
    call_command("alignment", "--bootstrap", "50", *options, stdout=text)
    return text.getvalue()


class TestReports:
    def test_a_report_names_its_set_and_counts_what_is_missing_by_reason(self, draw, chief):
        Sheet.objects.filter(response__task__key="finance-0", purpose="alignment").update(
            state="open"
        )
        Candidate.objects.create(name="nobody")
        run = str(judge("--method", "one_shot", "--tasks", f"draw:{draw.pk}",
                        "--held-out-reason", "All of it.")["run"])  # fmt: skip
        found = json.loads(alignment("--judge", run, "--json"))
        assert found["task_set"] == {
            "set": f"draw:{draw.pk}", "total": 9, "measured": 6,
            "missing": {"put_aside": 2, "no_sheet": 1},
        }  # fmt: skip
        assert found["held_out"]["looks"] == 1
        said = alignment("--judge", run)
        assert f"Tasks: Draw {draw.pk}, 6 of 9; 3 missing (2: the plan put its responses" in said
        assert "looked at 1 time, with 1 configuration" in said

    def test_a_report_can_be_narrowed_to_a_half(self, draw):
        run = str(judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        whole = json.loads(alignment("--judge", run, "--json"))
        assert whole["task_set"]["measured"] == 9
        half = json.loads(
            alignment("--judge", run, "--tasks", f"draw:{draw.pk}/development", "--json")
        )
        assert (half["task_set"]["measured"], half["held_out"]["tasks"]) == (6, 0)
        with pytest.raises(CommandError, match="names no set of tasks"):
            alignment("--judge", run, "--tasks", "half")

    def test_a_run_is_reported_on_the_set_it_was_planned_on(self, draw, browser):
        run = judge("--tasks", f"draw:{draw.pk}/development")["run"]
        page = browser.get(f"/staff/alignment/?judge={run}").content.decode()
        assert f"Tasks: Draw {draw.pk}, development half, all 6 of them." in page
        page = browser.get(f"/leaderboard/?run={run}").content.decode()
        assert f"Tasks: Draw {draw.pk}, development half, all 6 of them." in page
        assert browser.get(f"/staff/alignment/?judge={run}&tasks=draw:999").status_code == 400

    def test_a_set_in_which_nothing_was_judged_is_refused(self, draw, chief):
        run = str(judge("--tasks", f"draw:{draw.pk}/development")["run"])
        with pytest.raises(CommandError, match="scored no response of this judge in: Draw"):
            alignment("--judge", run, "--tasks", f"draw:{draw.pk}/held-out")

    def test_an_imported_judge_is_measured_on_what_is_not_held_out_unless_named(self, draw):
        for response in Response.objects.filter(baseline=False).select_related("task"):
            version = RubricVersion.objects.get(task=response.task)
            sheet = Sheet.objects.create(
                response=response, version=version, kind="judge", purpose="imported",
                rater="other-judge", state="submitted", submitted_at=timezone.now(),
            )  # fmt: skip
            SheetLine.objects.bulk_create(
                SheetLine(sheet=sheet, criterion=line, met=True) for line in version.criteria.all()
            )
        found = json.loads(alignment("--judge", "other-judge", "--json"))
        assert found["task_set"] == {"set": "open", "total": None, "measured": 6, "missing": {}}
        every = json.loads(alignment("--judge", "other-judge", "--tasks", "all", "--json"))
        assert every["task_set"]["measured"] == 9

    def test_a_leaderboard_ranks_over_a_set(self, draw):
        run = str(judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        text = StringIO()
        call_command("leaderboard", "--run", run, "--tasks", f"draw:{draw.pk}/held-out",
                     "--json", stdout=text)  # fmt: skip
        found = json.loads(text.getvalue())
        assert found["tasks"] == 3
        assert found["task_set"]["set"] == f"draw:{draw.pk}/held-out"
        assert found["held_out"]["tasks"] == 3
        with pytest.raises(CommandError, match="There is no draw 999"):
            call_command("leaderboard", "--run", run, "--tasks", "draw:999", stdout=StringIO())


class TestClosed:
    @pytest.fixture
    def judged(self, draw):
        run = JudgeRun.objects.get(pk=judge("--tasks", "all", "--held-out-reason", "All.")["run"])
        items = RunItem.objects.filter(run=run, state="judged")
        closed = items.filter(response__task__in=held_out()).first()
        return run, closed

    def opened(self, draw, chief):
        open_held_out_half(actor=chief, split=draw.split, reason="The judge is final.")

    def test_the_page_of_a_response_shows_no_verdict_until_the_half_is_opened(
        self, judged, draw, chief, browser
    ):
        run, item = judged
        address = f"/staff/verdicts/{item.response_id}/?judge={run.pk}"
        line = item.version.criteria.first().text
        page = browser.get(address).content.decode()
        assert "held-out half that is closed" in page
        assert line not in page
        self.opened(draw, chief)
        page = browser.get(address).content.decode()
        assert line in page
        assert "held-out half that is closed" not in page

    def test_the_list_shows_neither_scores_nor_counts(self, judged, draw, chief, browser):
        run, _item = judged
        page = browser.get(f"/staff/verdicts/?judge={run.pk}").content.decode()
        assert page.count("Held out, not shown") == 6
        self.opened(draw, chief)
        page = browser.get(f"/staff/verdicts/?judge={run.pk}").content.decode()
        assert "Held out, not shown" not in page

    def test_downloads_leave_its_verdicts_out_and_say_so(
        self, judged, draw, chief, browser, tmp_path
    ):
        run, item = judged
        lines = b"".join(browser.get(f"/staff/verdicts.jsonl?judge={run.pk}").streaming_content)
        assert len(lines.splitlines()) == 12
        assert item.response.key.encode() not in lines
        said = StringIO()
        call_command("export_scores", str(run.pk), "--out", str(tmp_path / "a.jsonl"),
                     stdout=StringIO(), stderr=said)  # fmt: skip
        assert "Left out as they are held out: 6." in said.getvalue()
        self.opened(draw, chief)
        lines = b"".join(browser.get(f"/staff/verdicts.jsonl?judge={run.pk}").streaming_content)
        assert len(lines.splitlines()) == 18

    def test_a_run_on_held_out_tasks_alone_has_nothing_to_export(self, draw):
        run = look(draw)["run"]
        with pytest.raises(CommandError, match="Left out as they are held out: 6"):
            call_command("export_scores", str(run), stdout=StringIO())

    def test_a_call_shows_its_question_and_not_its_reply(self, judged, browser):
        run, item = judged
        verdict = Verdict.objects.filter(judgment=item.judgment).exclude(why="").first()
        call = Call.objects.filter(judgment=item.judgment).first()
        page = browser.get(f"/staff/calls/{call.pk}/").content.decode()
        assert "held-out half that is closed" in page
        assert verdict.why not in page

    def test_nothing_is_flagged_on_it(self, judged, chief, draw):
        _run, item = judged
        verdict = Verdict.objects.filter(judgment=item.judgment, outcome="met").first()
        with pytest.raises(Conflict, match="held-out half that is closed"):
            flag_verdict(actor=chief, verdict=verdict, reason="Wrong.")

    def test_a_report_lists_no_disagreement_on_it(self, judged, browser, draw, chief):
        run, _item = judged
        keys = list(held_out().values_list("key", flat=True))
        address = f"/staff/alignment/?judge={run.pk}&compare=&tasks=draw:{draw.pk}/held-out"
        page = browser.get(address).content.decode()
        assert "Responses to tasks of a closed held-out half are never listed." in page
        self.opened(draw, chief)
        page = browser.get(address).content.decode()
        assert any(f"<span>{key} · " in page for key in keys)

    def test_a_release_with_responses_waits_until_it_is_open(self, judged, draw, chief):
        spec = DrawSpec(size=7, seed=1, redistribute=True)
        with pytest.raises(BadInput, match="in a held-out half that is closed"):
            release_gold(actor=chief, spec=spec, with_responses=True)
        release_gold(actor=chief, spec=spec)
        self.opened(draw, chief)
        assert release_gold(actor=chief, spec=spec, with_responses=True).number == 2


class TestOrdersAndSets:
    def test_answers_are_ordered_for_a_set(self, browser, draw):
        candidate = Candidate.objects.create(name="larch", provider="offline", model="rules-1")
        address = f"/staff/candidates/{candidate.pk}/generate/"
        sent = {"samples": 1, "concurrency": 1, "tasks": f"draw:{draw.pk}/held-out"}
        answer = browser.post(address, sent)
        assert answer.status_code == 302
        made = Generation.objects.get()
        assert made.task_set == f"draw:{draw.pk}/held-out"
        assert set(made.items.values_list("task", flat=True)) == set(
            held_out().values_list("pk", flat=True)
        )
        assert f"Draw {draw.pk}, held-out half" in browser.get(answer.url).content.decode()
        assert browser.post(address, {**sent, "tasks": "draw:999"}).status_code == 400

    def test_an_order_without_a_set_is_for_every_task(self, browser, draw):
        candidate = Candidate.objects.create(name="larch", provider="offline", model="rules-1")
        sent = {"samples": 1, "concurrency": 1}
        browser.post(f"/staff/candidates/{candidate.pk}/generate/", sent)
        assert Generation.objects.get().items.count() == 9
