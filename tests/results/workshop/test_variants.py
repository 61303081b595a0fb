"""Variants: what is stored, what a run takes from one, and what the model is then sent."""

import json
from typing import Any

import pytest

from curation.base.web.refusals import BadInput, Conflict
from judge.base.gold_sets.halves import split_in_halves
from judge.base.gold_sets.models import GoldDraw, GoldDrawItem
from judge.methods.variants.actions import choose_default, make_variant, write_prompt
from judge.methods.variants.models import JudgeDefault, JudgeVariant
from judge.runs.engine.held_out import configuration_of
from judge.runs.engine.models import Judgment
from judge.runs.engine.planning.plan import plan_run
from judge.runs.pages import actions as run_actions
from judge.runs.pages.estimate import estimate_of
from judge.runs.pages.repeats import repeats_of
from judge.scoring.sheets.models import Sheet
from tests.results.workshop.conftest import STRICTER
from tests.runs.engine import factory
from tests.runs.engine.conftest import judge, plan, stub

__all__ = ["judge", "plan", "stub"]

pytestmark = pytest.mark.django_db
OPENAI = {"provider": "openai", "model": "judge-1", "calls_mode": "per_response"}


@pytest.fixture
def prompt(staff: Any) -> Any:
    return write_prompt(
        actor=staff, instructions=f"Decide.\n- {STRICTER}", example="Look.", note="Shorter."
    )


def asked(stub: Any) -> list[str]:
    return [json.dumps(request.body, ensure_ascii=False) for request in stub.requests]


class TestWhatAModelIsSent:
    def test_the_text_of_the_variant_and_its_parameters(self, stub, judge, staff, prompt):
        factory.benchmark(1, 2)
        variant = make_variant(
            actor=staff, name="Strict", prompt=prompt, parameters={"temperature": 0.5}, **OPENAI
        )
        run, result = judge(**variant.settings())
        assert (run.variant, result["judged"]) == (variant, 2)
        for body in asked(stub):
            assert STRICTER in body
            assert "Take each line alone" not in body
            assert '"temperature": 0.5' in body
        versions = set(run.calls.values_list("prompt_version", flat=True))
        assert versions == {prompt.sha256}

    def test_another_text_is_another_judgment_and_the_same_settings_are_not(
        self, stub, judge, staff, prompt
    ):
        factory.benchmark(1, 2)
        judge()
        same = make_variant(actor=staff, name="As it is", **OPENAI)
        _run, result = judge(**same.settings())
        assert (result["calls"], result["reused"]) == (0, 2)
        other = make_variant(actor=staff, name="Strict", prompt=prompt, **OPENAI)
        _run, result = judge(**other.settings())
        assert (result["calls"], result["reused"]) == (2, 0)
        assert Judgment.objects.count() == 4

    def test_the_estimate_counts_only_what_was_asked_with_the_same_text(
        self, stub, judge, plan, staff, prompt
    ):
        factory.benchmark(1, 2)
        judge()
        other = make_variant(actor=staff, name="Strict", prompt=prompt, **OPENAI)
        assert estimate_of(plan(**other.settings())).known == 0
        assert estimate_of(plan()).known == 2

    def test_no_example_is_a_zero_shot_run(self, stub, judge, staff):
        factory.benchmark(1, 1)
        none = make_variant(actor=staff, name="None", example="none", **OPENAI)
        run, _result = judge(**none.settings())
        assert run.method == "zero_shot"
        assert "EXAMPLE" not in asked(stub)[0]

    def test_the_example_of_another_task_comes_with_that_task(self, stub, judge, staff):
        first, second = factory.external_task("first"), factory.external_task("second")
        factory.respond(first, "Cedar")
        other = make_variant(actor=staff, name="Other", example="other", **OPENAI)
        run, result = judge(**other.settings())
        assert result["judged"] == 1
        item = run.items.get(response__baseline=False)
        assert item.exemplar.response.task == second
        (body,) = asked(stub)
        assert second.scenario in body
        assert first.scenario in body
        assert "OTHERCHECKLIST" in body
        # Its own baseline, whose labels the run may be measured by one day, is not in the prompt.
        own = Sheet.objects.get(response__task=first).response
        assert own.text.split("\n")[0] not in body

    def test_a_task_alone_in_its_domain_is_skipped(self, plan, staff):
        task = factory.external_task()
        factory.respond(task, "Cedar")
        other = make_variant(
            actor=staff, name="Other", example="other", provider="offline",
            calls_mode="per_response",
        )  # fmt: skip
        run = plan(**other.settings())
        assert run.items.get(response__baseline=False).reason == "no_exemplar"

    def test_the_example_of_a_held_out_task_is_never_shown(self, plan, staff):
        tasks = [factory.external_task(f"t{n}") for n in range(3)]
        for task in tasks:
            factory.respond(task, "Cedar")
        draw = GoldDraw.objects.create(size=3, seed=1, allocation="proportional")
        for task in tasks:
            GoldDrawItem.objects.create(draw=draw, task=task, stratum="finance")
        split_in_halves(actor=staff, seed=1, percent=34, gold_draw=draw)
        (held,) = [t for t in tasks if t.half.half == "held-out"]
        other = make_variant(
            actor=staff, name="Other", example="other", provider="offline",
            calls_mode="per_response",
        )  # fmt: skip
        run = plan(**other.settings())
        shown = {item.exemplar.response.task for item in run.items.filter(exemplar__isnull=False)}
        assert held not in shown
        assert shown == set(tasks) - {held}

    def test_a_raters_example_is_used_where_several_scored_the_baseline(self, plan, staff):
        task = factory.external_task()
        factory.respond(task, "Cedar")
        factory.sheet(task.responses.get(baseline=True), task.rubric_versions.get(), "expert-2")
        rater = make_variant(
            actor=staff, name="Second", example="rater", rater="expert-2", provider="offline",
            calls_mode="per_response",
        )  # fmt: skip
        run = plan(**rater.settings())
        assert run.items.get(response__baseline=False).exemplar.rater == "expert-2"


class TestRunsOfAVariant:
    def test_repeats_belong_to_one_variant_and_keep_its_responses(self, stub, judge, staff, prompt):
        responses = factory.benchmark(2, 2)
        strict = make_variant(actor=staff, name="Strict", prompt=prompt, **OPENAI)
        chosen = {responses[0].pk, responses[3].pk}
        run, _result = judge(**strict.settings(), responses=chosen)
        assert set(run.items.values_list("response", flat=True)) == chosen
        judge()
        again = run_actions.plan_repeat(actor=staff, run=run)
        assert (again.variant, again.repeat) == (strict, 1)
        assert set(again.items.values_list("response", flat=True)) == chosen
        assert repeats_of(run) == [run.pk]
        judge(run=run_actions.start_run(actor=staff, run=again))
        assert repeats_of(run) == [run.pk, again.pk]

    def test_the_method_is_settled_by_the_variant(self, stub, judge, staff, prompt):
        factory.benchmark(1, 1)
        strict = make_variant(actor=staff, name="Strict", prompt=prompt, **OPENAI)
        run, _result = judge(**strict.settings())
        with pytest.raises(Conflict, match="settles the method"):
            run_actions.plan_by_other_method(actor=staff, run=run)

    def test_a_look_at_a_held_out_half_counts_the_prompt_of_the_variant(self, plan, staff, prompt):
        task = factory.external_task()
        factory.respond(task, "Cedar")
        rules = {"actor": staff, "provider": "offline", "calls_mode": "per_response"}
        variants = [
            make_variant(**rules, name="As it is"),
            make_variant(**rules, name="Strict", prompt=prompt),
            make_variant(**rules, name="Other", example="other"),
        ]
        plain = configuration_of(plan(provider="offline", model="rules-1"))
        found = [configuration_of(plan(**variant.settings())) for variant in variants]
        assert found[0] == plain
        assert found[1]["prompt"] == prompt.sha256
        assert found[2] == plain | {"example": "other"}


class TestMaking:
    def make(self, staff: Any, **changes: Any) -> JudgeVariant:
        wanted = {"name": "New", "provider": "offline", "calls_mode": "per_response"}
        return make_variant(actor=staff, **wanted | changes)

    def test_the_same_settings_are_stored_once(self, staff, prompt):
        self.make(staff, prompt=prompt)
        with pytest.raises(Conflict, match="“New” has exactly these settings"):
            self.make(staff, name="Newer", prompt=prompt)
        self.make(staff, name="Newer")
        assert JudgeVariant.objects.count() == 2

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"name": " "}, "name"),
            ({"provider": "nobody", "model": "m"}, "provider"),
            ({"provider": "openai", "model": ""}, "model"),
            ({"example": "best"}, "example"),
            ({"example": "rater"}, "rater"),
            ({"rater": "expert-1"}, "rater"),
            ({"calls_mode": "per_word"}, "calls_mode"),
            ({"parameters": {"temperature": 0}}, "parameters"),
            ({"provider": "openai", "model": "m", "parameters": {"top_k": 3}}, "parameters"),
            ({"provider": "anthropic", "model": "m", "parameters": {"seed": 3}}, "parameters"),
            (
                {"provider": "openai", "model": "m", "parameters": {"top_p": float("nan")}},
                "parameters",
            ),
        ],
    )
    def test_what_cannot_judge_is_refused_at_its_field(self, staff, changes, field):
        with pytest.raises(BadInput) as refused:
            self.make(staff, **changes)
        assert list(refused.value.fields) == [field]
        assert not JudgeVariant.objects.exists()

    def test_a_name_is_taken_once(self, staff, prompt):
        self.make(staff)
        with pytest.raises(BadInput) as refused:
            self.make(staff, prompt=prompt)
        assert refused.value.fields == {"name": ["Another variant has this name."]}


class TestTheDefault:
    def test_the_newest_choice_counts_and_earlier_ones_stay(self, staff, desk_page, prompt):
        variant = TestMaking().make(staff, prompt=prompt)
        choose_default(actor=staff, variant=variant, reason="It fixed more.", read=0)
        with pytest.raises(Conflict):
            choose_default(actor=staff, variant=None, reason="Stale.", read=0)
        with pytest.raises(BadInput):
            choose_default(actor=staff, variant=None, reason=" ", read=1)
        shown = desk_page("/staff/runs/new/")
        assert shown.context["variant"] == variant
        assert "provider" not in shown.context["form"].fields
        by_hand = desk_page("/staff/runs/new/?variant=")
        assert by_hand.context["variant"] is None
        choose_default(actor=staff, variant=None, reason="Back to hand.", read=1)
        assert desk_page("/staff/runs/new/").context["variant"] is None
        assert JudgeDefault.objects.count() == 2

    def test_a_run_is_planned_with_a_variant_from_its_page(self, staff, sign_in, prompt):
        task = factory.external_task()
        factory.respond(task, "Cedar")
        variant = TestMaking().make(staff, prompt=prompt)
        desk = sign_in(staff)
        reply = desk.post(f"/staff/runs/new/?variant={variant.pk}", {"concurrency": 2})
        assert reply.status_code == 302, reply.content[:500]
        shown = desk.get(reply["Location"]).content.decode()
        assert "Prompt 1" in shown
        assert "Plan the zero-shot twin" not in shown
        assert desk.get("/staff/runs/new/?variant=99").status_code == 404
        assert desk.get("/staff/runs/new/?variant=x").status_code == 404


@pytest.fixture
def desk_page(sign_in: Any, staff: Any) -> Any:
    desk = sign_in(staff)

    def shown(address: str) -> Any:
        reply = desk.get(address)
        assert reply.status_code == 200
        return reply

    return shown


def test_a_plan_without_a_variant_has_none(db):
    task = factory.external_task()
    factory.respond(task, "Cedar")
    run = plan_run(actor=None, method="one_shot", provider="offline")
    assert run.variant is None
