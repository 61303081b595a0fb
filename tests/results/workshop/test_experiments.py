"""Two variants on the same alignment set: planned, started, compared, chosen."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem
from judge.methods.variants.models import JudgeDefault
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.workshop.actions import start_experiment, usable_responses
from judge.results.workshop.compare import compare
from judge.results.workshop.models import JudgeExperiment
from judge.results.workshop.words import changed, headline, more_tasks
from judge.runs.engine.models import JudgeRun
from tests.markup import words_of
from tests.results.workshop.conftest import FIRST, SECOND, answer, score, set_of

pytestmark = pytest.mark.django_db


def page(desk: Any, experiment: JudgeExperiment, query: str = "") -> Any:
    reply = desk.get(f"{reverse('judge-experiment', args=[experiment.pk])}?{query}")
    assert reply.status_code == 200, reply.content[:400]
    return reply


def split(staff: Any, *keys: str, percent: int) -> GoldDraw:
    draw = GoldDraw.objects.create(size=len(keys), seed=1, allocation="proportional")
    for key in keys:
        GoldDrawItem.objects.create(draw=draw, task=Task.objects.get(key=key), stratum="finance")
    split_in_halves(actor=staff, seed=1, percent=percent, gold_draw=draw)
    return draw


class TestPlanning:
    def test_both_runs_hold_the_same_responses_and_ask_nothing_yet(self, plan, variants):
        experiment = plan()
        runs = (experiment.first_run, experiment.second_run)
        assert [run.variant for run in runs] == list(variants)
        held = [set(run.items.values_list("response", flat=True)) for run in runs]
        assert held[0] == held[1]
        assert len(held[0]) == 6
        assert {run.state for run in runs} == {"paused"}
        assert not any(run.calls.exists() for run in runs)

    def test_responses_without_a_sheet_or_for_a_flag_are_left_out_and_counted(
        self, plan, bench, scored
    ):
        late = bench.response("one", "Late")
        mixed = set_of(Response.objects.filter(baseline=False), flagged=["two-Alder"])
        experiment = plan(alignment_set=mixed)
        assert (experiment.unscored, experiment.flagged, experiment.held_out) == (1, 1, 0)
        asked = set(experiment.first_run.items.values_list("response__key", flat=True))
        assert len(asked) == 5
        assert not asked & {late.key, "two-Alder"}

    def test_what_rests_on_an_earlier_text_is_left_out(self, plan, scored):
        Task.objects.filter(key="one").update(version=9, prompt_since=9)
        experiment = plan()
        assert experiment.unscored == 3
        tasks = set(experiment.first_run.items.values_list("response__task__key", flat=True))
        assert tasks == {"two"}

    def test_held_out_tasks_are_left_out(self, plan, staff, scored):
        split(staff, "one", "two", percent=50)
        held = Task.objects.get(half__half="held-out")
        experiment = plan()
        assert experiment.held_out == 3
        tasks = set(experiment.first_run.items.values_list("response__task", flat=True))
        assert held.pk not in tasks

    def test_a_set_of_held_out_tasks_alone_is_refused_with_a_sentence(self, plan, staff, scored):
        split(staff, "one", "two", percent=50)
        held = Response.objects.filter(task__half__half="held-out", baseline=False)
        with pytest.raises(BadInput, match="tuned on the development half alone"):
            plan(alignment_set=set_of(held))
        assert not JudgeExperiment.objects.exists()
        assert not JudgeRun.objects.exists()

    def test_what_makes_no_experiment_is_refused(self, plan, variants, scored, bench):
        for changes, field in (
            ({"second": variants[0]}, "second"),
            ({"measure": "luck"}, "measure"),
            ({"question": " "}, "question"),
        ):
            with pytest.raises(BadInput) as refused:
                plan(**changes)
            assert list(refused.value.fields) == [field]
        bench.response("one", "Late")
        unscored = set_of(Response.objects.filter(key="one-Late"))
        with pytest.raises(BadInput, match="No expert has handed in a sheet"):
            plan(alignment_set=unscored)
        assert not JudgeExperiment.objects.exists()
        assert usable_responses(unscored).unscored == 1

    def test_the_form_plans_and_the_page_names_the_cost(self, desk, scored, variants):
        sent = {
            "question": "Is stricter better?",
            "first": variants[0].pk,
            "second": variants[1].pk,
            "set": scored.pk,
            "measure": "cdr",
            "concurrency": 4,
        }
        address = "/staff/workshop/experiments/new/"
        assert desk.post(address, sent | {"first": variants[1].pk}).status_code == 400
        reply = desk.post(address, sent)
        assert reply.status_code == 302
        experiment = JudgeExperiment.objects.get()
        assert (experiment.measure, experiment.first_run.concurrency) == ("cdr", 4)
        shown = page(desk, experiment)
        said = words_of(shown.content.decode())
        assert "6 responses, each judged twice: about 12 calls, at most about $0.00" in said
        assert shown.context["differences"] == [
            ("Prompt", "The built-in prompt", "Prompt 1"),
        ]


class TestComparing:
    def test_every_line_that_changed_is_fixed_broken_or_neither(self, compared):
        found = compare(compared)
        assert (found.lines, found.tasks, len(found.responses)) == (24, 2, 6)
        rows = found.truth.responses
        said = {
            (rows[c.response].key, c.first, c.second, c.expert, c.kind.value) for c in found.changes
        }
        assert said == {
            ("one-Cedar", False, True, True, "fixed"),
            ("one-Alder", False, True, False, "broken"),
            ("two-Birch", False, True, True, "fixed"),
            ("two-Cedar", True, None, True, "broken"),
        }
        assert changed(found) == "4 of 24 lines have another verdict: 2 fixed, 2 broken, 0 neither."

    def test_the_figures_by_hand(self, compared):
        found = compare(compared)
        # First: wrong on Cedar's third and Birch's second line on both tasks: 20 of 24. Second: on
        # "one" wrong on Alder's first and Birch's second; on "two" wrong on Cedar's third and
        # without a verdict on its fourth: 20 of 24 too.
        figure = found.paired.agreement
        assert (float(figure.first), float(figure.second)) == (20 / 24, 20 / 24)
        # Experts: Cedar 10, Birch 7, Alder 3 on both tasks. First: 8, 4, 3: all three pairs agree.
        # Second: 10, 4, 7 on "one", so Birch and Alder are reversed; on "two" Cedar has no score.
        assert found.cdr.first == 1
        assert float(found.cdr.second) == pytest.approx((2 - 1 + 1) / 6)
        assert found.as_dict()["figures"]["cdr"]["difference"] == pytest.approx(1 / 3 - 1)

    def test_pages_show_a_run_of_an_experiment_only_where_there_is_no_other(
        self, desk, compared, bench
    ):
        address = reverse("leaderboard-json")
        assert desk.get(address).json()["run"] == compared.second_run_id
        whole = bench.run(FIRST, method="zero_shot")
        assert desk.get(address).json()["run"] == whole.pk
        asked_for = desk.get(address, {"run": compared.first_run_id}).json()
        assert asked_for["run"] == compared.first_run_id

    def test_two_experts_who_differ_on_a_line_settle_nothing(self, compared, bench):
        bench.sheet("one", "Cedar", "expert-2", (1, 1, 0, 1))
        kinds = {
            (compare(compared).truth.responses[c.response].key, c.expert, c.kind.value)
            for c in compare(compared).changes
        }
        assert ("one-Cedar", None, "neither") in kinds

    def test_the_headline_says_which_is_better_or_that_nobody_can_tell(self, plan, compared):
        found = compare(compared)
        assert "cannot be compared yet: an interval needs at least 6 tasks" in headline(found)
        assert more_tasks(found, "agreement") == ""

    def test_six_tasks_that_differ_both_ways_cannot_tell_them_apart(self, plan, bench, scored):
        tasks = [f"t{n}" for n in range(4)]
        experiment = plan(alignment_set=score(bench, tasks))
        more = [{(t, who): met for t in tasks for (one, who), met in given.items() if one == "one"}
                for given in (FIRST, SECOND)]  # fmt: skip
        answer(experiment.first_run, FIRST | more[0])
        answer(experiment.second_run, SECOND | more[1])
        found = compare(JudgeExperiment.objects.get())
        # Each task has one line fixed and one broken, so the agreement of no task changes.
        assert "cannot tell <b>As it is</b> and <b>Stricter</b> apart" in headline(found)
        assert more_tasks(found, "agreement") == (
            "So far there is no difference that more tasks could confirm."
        )
        assert "more scored task" in more_tasks(found, "j")

    def test_a_clear_difference_is_said(self, plan, staff, bench, scored):
        tasks = [f"t{n}" for n in range(10)]
        experiment = plan(alignment_set=score(bench, tasks))
        right = {
            (task, who): met
            for task in ("one", "two", *tasks)
            for who, met in {
                "Cedar": (1, 1, 1, 1),
                "Birch": (1, 1, 0, 0),
                "Alder": (0, 0, 1, 1),
            }.items()
        }
        wrong = {key: tuple(1 - m for m in met) for key, met in right.items()}
        answer(experiment.first_run, wrong)
        answer(experiment.second_run, right)
        found = compare(JudgeExperiment.objects.get())
        assert "<b>Stricter</b> agrees with the experts more often" in headline(found)
        assert "on 100\u00a0% of the lines instead of 0\u00a0%" in headline(found)
        assert more_tasks(found, "agreement") == ""

    def test_the_same_verdicts_are_said_to_be_the_same(self, plan):
        experiment = plan()
        answer(experiment.first_run, FIRST)
        answer(experiment.second_run, FIRST)
        found = compare(JudgeExperiment.objects.get())
        assert "gave the same verdict on every line" in headline(found)

    def test_a_name_cannot_bring_markup(self, plan, staff, variants):
        from judge.methods.variants.actions import make_variant

        odd = make_variant(
            actor=staff, name="<i>Odd</i>", provider="offline", calls_mode="per_criterion"
        )
        experiment = plan(second=odd)
        answer(experiment.first_run, FIRST)
        answer(experiment.second_run, SECOND)
        assert "&lt;i&gt;Odd" in headline(compare(JudgeExperiment.objects.get()))

    def test_a_task_that_was_held_out_since_is_hidden_until_its_half_is_open(
        self, compared, staff, desk
    ):
        split(staff, "one", "two", percent=50)
        found = compare(compared)
        assert (found.tasks, found.hidden) == (1, 3)
        held = Task.objects.get(half__half="held-out")
        assert held.key not in {row.task for row in page(desk, compared).context["page"]}


class TestThePage:
    def test_changes_lead_to_all_verdicts(self, compared, desk):
        shown = page(desk, compared)
        rows = list(shown.context["page"])
        assert [(row.task, row.candidate, row.number, row.kind) for row in rows] == [
            ("one", "Alder", 1, "Broken"),
            ("one", "Cedar", 3, "Fixed"),
            ("two", "Birch", 2, "Fixed"),
            ("two", "Cedar", 4, "Broken"),
        ]
        assert rows[0].second_why == f"Run {compared.second_run_id} on c0"
        first = rows[0].change.response
        html = shown.content.decode()
        assert f"/staff/verdicts/{first}/?judge={compared.second_run_id}#line-1" in html

    @pytest.mark.parametrize("query", ["colour=red", "page=x"])
    def test_what_cannot_be_shown_is_refused(self, compared, desk, query):
        address = reverse("judge-experiment", args=[compared.pk])
        assert desk.get(f"{address}?{query}").status_code == 400

    def test_the_number_of_queries_is_bounded(self, compared, desk):
        with CaptureQueriesContext(connection) as queries:
            page(desk, compared)
        assert len(queries) <= 34

    def test_many_experiments_on_one_set_are_a_warning(self, compared, plan, desk):
        plan()
        said = words_of(page(desk, compared).content.decode())
        assert "2 experiments used set" in said
        assert "held out" in said

    def test_the_workshop_lists_what_there_is(self, compared, desk):
        shown = desk.get("/staff/workshop/")
        (row,) = shown.context["page"].object_list
        assert (row.label, row.judged, row.responses) == ("Finished", 11, 12)
        assert [variant.name for variant in shown.context["variants"]] == ["Stricter", "As it is"]

    def test_an_empty_workshop_says_what_to_do(self, desk):
        said = words_of(desk.get("/staff/workshop/").content.decode())
        assert "Draw an alignment set first" in said
        said = words_of(desk.get("/staff/workshop/experiments/new/").content.decode())
        assert "Two variants are needed" in said


class TestChoosing:
    def test_the_winner_is_chosen_on_the_page_with_a_reason(self, compared, desk, variants):
        form = page(desk, compared).context["default_form"]
        sent = {
            "variant": variants[1].pk,
            "experiment": compared.pk,
            "read": form["read"].value(),
            "reason": "",
        }
        assert desk.post("/staff/workshop/default/", sent).status_code == 400
        reply = desk.post("/staff/workshop/default/", sent | {"reason": "It fixes more."})
        assert reply.status_code == 302
        chosen = JudgeDefault.objects.get()
        assert (chosen.variant, chosen.experiment) == (variants[1], compared)
        assert "It fixes more." in desk.get("/staff/workshop/").content.decode()
        stale = desk.post("/staff/workshop/default/", sent | {"reason": "Once more."})
        assert stale.status_code == 409


class TestStarting:
    def test_both_runs_judge_and_the_page_shows_the_result(self, plan, desk):
        experiment = plan()
        address = reverse("judge-experiment-start", args=[experiment.pk])
        assert desk.post(address).status_code == 302
        call_command("work")
        states = JudgeRun.objects.values_list("state", flat=True)
        assert set(states) == {"finished"}
        shown = page(desk, JudgeExperiment.objects.get())
        # The offline rules read no instructions, so nothing differs.
        assert "gave the same verdict on every line" in words_of(shown.content.decode())
        assert desk.post(address).status_code == 409

    def test_what_is_over_is_not_started_again(self, compared, staff):
        with pytest.raises(Conflict, match="under way or over"):
            start_experiment(actor=staff, experiment=compared)


class TestTheCommands:
    def test_an_experiment_is_printed_in_words_and_as_json(self, compared):
        out = io.StringIO()
        call_command("judge_experiment", str(compared.pk), stdout=out)
        text = out.getvalue()
        assert text.startswith(
            "As it is and Stricter cannot be compared yet: an interval needs at least 6 tasks."
        )
        assert "4 of 24 lines have another verdict" in text
        out = io.StringIO()
        call_command("judge_experiment", str(compared.pk), "--json", stdout=out)
        found = json.loads(out.getvalue())
        assert found["changes"] == {"fixed": 2, "broken": 2, "neither": 0}
        assert found["first"] == {"variant": "As it is", "run": compared.first_run_id}
        with pytest.raises(CommandError, match="no experiment 99"):
            call_command("judge_experiment", "99")

    def test_a_run_is_planned_with_a_variant_by_its_name(self, scored, variants):
        out = io.StringIO()
        call_command("judge", "--variant", "Stricter", "--json", stdout=out)
        run = JudgeRun.objects.get(pk=json.loads(out.getvalue().splitlines()[-1])["run"])
        assert run.variant == variants[1]
        assert run.items.filter(state="judged").count() == 6
        with pytest.raises(CommandError, match="leave out --method, --provider"):
            call_command(
                "judge", "--variant", "Stricter", "--method", "zero_shot", "--provider", "offline"
            )
        with pytest.raises(CommandError, match="leave out --verify-provider, --verify-model"):
            call_command(
                "judge", variant="Stricter", verify_provider="offline", verify_model="rules-1"
            )
        with pytest.raises(CommandError, match="Variants: Stricter, As it is"):
            call_command("judge", "--variant", "Laxer")


def test_a_set_is_left_as_it_is(compared):
    assert AlignmentSet.objects.get().items.count() == 6
