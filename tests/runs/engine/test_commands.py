"""`judge`, `draft_rubrics` and `set_price` as scripts use them."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.asking.calls.price_models import Price
from judge.runs.engine.models import JudgeRun
from rubrics.versions.models import RubricVersion
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db

CONTRACT = {
    "run",
    "responses",
    "judged",
    "failed",
    "skipped",
    "calls",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost_usd",
    "seconds",
}


def run(name, *arguments):
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_last_line_of_judge_is_the_summary(stub):
    factory.benchmark(2, 3)
    out = run("judge", "--method=one_shot", "--provider=openai", "--model=m", "--json")
    summary = json.loads(out.splitlines()[-1])
    assert set(summary) >= CONTRACT
    assert (summary["responses"], summary["judged"], summary["calls"]) == (6, 6, 6)


def test_a_run_resumed_by_its_number_goes_on(stub):
    factory.benchmark(1, 4)
    first = json.loads(
        run(
            "judge",
            "--method=one_shot",
            "--provider=openai",
            "--model=m",
            "--max-calls=2",
            "--json",
        )
    )
    assert first["state"] == "stopped"
    again = json.loads(run("judge", f"--resume={first['run']}", "--max-calls=9", "--json"))
    assert (again["judged"], again["calls"], stub.calls) == (4, 4, 4)


def test_tasks_without_a_rubric_are_counted_and_the_next_step_is_said():
    task = factory.external_task(lines=0)
    for n in range(3):
        factory.respond(task, f"s{n}")
    out = run("judge", "--method=one_shot", "--provider=offline")
    assert (
        "3 responses skipped: their tasks have no rubric. Draft one first: "
        "manage.py draft_rubrics" in out
    )
    summary = json.loads(run("judge", "--method=one_shot", "--provider=offline", "--json"))
    assert (summary["judged"], summary["skipped"]) == (0, 3)


def test_a_drafted_external_task_can_be_judged():
    task = factory.external_task(lines=0)
    factory.respond(task, "fine")
    summary = json.loads(run("draft_rubrics", "--json"))
    assert (summary["drafted"], summary["skipped"]) == (1, 0)
    version = RubricVersion.objects.get(task=task)
    assert (version.origin, version.frozen, version.drafted_by) == (
        "draft",
        True,
        "offline rules-1",
    )
    summary = json.loads(run("judge", "--method=zero_shot", "--provider=offline", "--json"))
    assert summary["judged"] == 1
    assert json.loads(run("draft_rubrics", "--json"))["drafted"] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--provider=offline"], "--method"),
        (["--method=one_shot"], "--provider"),
        (["--method=guess", "--provider=offline"], "invalid choice"),
        (["--method=one_shot", "--provider=offline", "--tasks=nope"], "“nope”"),
        (["--method=one_shot", "--provider=offline", "--candidates=me,you"], "“me” and “you”"),
        (["--method=one_shot", "--provider=offline", "--budget-usd=lots"], "amount of dollars"),
        (["--method=one_shot", "--provider=offline", "--concurrency=0"], "Between 1 and"),
        (["--method=one_shot", "--provider=openai", "--model=m"], "OPENAI_API_KEY"),
        (["--resume=99"], "no run 99"),
        (["--resume=1", "--model=m"], "leave out --model"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(monkeypatch, arguments, sentence):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    factory.benchmark(1, 1)
    with pytest.raises(CommandError, match=sentence):
        run("judge", *arguments)
    assert not JudgeRun.objects.exists()


def test_a_refused_key_ends_with_an_error_after_the_summary(stub):
    factory.benchmark(1, 2)
    stub.script("401", "401")
    out = StringIO()
    with pytest.raises(CommandError, match="OpenAI refuses the calls"):
        call_command(
            "judge", "--method=one_shot", "--provider=openai", "--model=m", "--json", stdout=out
        )
    assert json.loads(out.getvalue().splitlines()[-1])["waiting"] == 2


def test_a_price_makes_a_budget_possible(stub):
    factory.benchmark(1, 2)
    arguments = ["--method=one_shot", "--provider=openai", "--model=m", "--budget-usd=1", "--json"]
    with pytest.raises(CommandError, match="set_price"):
        run("judge", *arguments)
    run("set_price", "openai", "m", "--input=2.50", "--output=10", "--cached=0.25")
    assert Price.objects.get().cached_micro == 250_000
    summary = json.loads(run("judge", *arguments))
    assert 0 < summary["cost_usd"] < 1


def test_drafting_names_unknown_tasks_and_missing_models():
    with pytest.raises(CommandError, match="“nope”"):
        run("draft_rubrics", "--tasks=nope")
    with pytest.raises(CommandError, match="Name the model"):
        run("draft_rubrics", "--provider=openai")


HUGE = "9" * 25


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["judge", "--method=zero_shot", "--provider=openai", "--model=m", f"--max-calls={HUGE}"],
         "between 0 and 10,000,000"),
        (["judge", "--method=zero_shot", "--provider=openai", "--model=a\udc80"],
         "half of a character pair"),
        (["judge", "--method=zero_shot", "--provider=openai", "--model=m", "--tasks=a\udc80"],
         "half of a character pair"),
        (["judge", "--method=one_shot", "--provider=openai", "--model=m", "--experts=a\udc80"],
         "No expert sheets"),
        (["judge", "--resume=0"], "There is no run 0"),
        (["alignment", "--judge=a\udc80"], "no judge run and no rater"),
        (["judge_majority", "--runs=²,3"], "named by its number"),
        (["judge_majority", f"--runs={HUGE},3"], "named by its number"),
        (["judge_majority", "--runs=3"], "at least two"),
        (["set_price", "openai", "m", "--input=1000000", "--output=1"], "at most"),
        (["set_price", "openai", "a\udc80", "--input=1", "--output=1"], "half of a character pair"),
    ],
)  # fmt: skip
def test_what_no_column_can_hold_is_refused_in_words(stub, command, said):
    factory.benchmark(1, 1)
    with pytest.raises(CommandError, match=said):
        run(*command)
    assert not JudgeRun.objects.exists()
    assert not Price.objects.exists()


def test_a_majority_is_written_whole_into_a_new_file_or_not_at_all(stub, tmp_path):
    factory.benchmark(1, 2)
    for model in ("a", "b"):
        run("judge", "--method=zero_shot", "--provider=openai", f"--model={model}", "--json")
    runs = ",".join(str(pk) for pk in JudgeRun.objects.values_list("pk", flat=True))
    out = tmp_path / "majority.jsonl"
    run("judge_majority", f"--runs={runs}", f"--out={out}")
    before = out.read_bytes()
    assert len(before.splitlines()) == 2
    for path, said in ((out, "exists"), (tmp_path / "no" / "x", "no folder"), (tmp_path, "exists")):
        with pytest.raises(CommandError, match=said):
            run("judge_majority", f"--runs={runs}", f"--out={path}")
    assert out.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["majority.jsonl"]


@pytest.mark.parametrize("option", ["--calls=per_criterion", "--batch", "--allow-same-family"])
def test_a_resumed_run_says_what_it_will_not_change(stub, option):
    factory.benchmark(1, 2)
    first = json.loads(
        run("judge", "--method=zero_shot", "--provider=openai", "--model=m", "--json")
    )
    with pytest.raises(CommandError, match=f"leave out {option.partition('=')[0]}"):
        run("judge", f"--resume={first['run']}", option)


def test_a_run_is_begun_and_resumed_with_no_limit_that_is_impossible(stub):
    factory.benchmark(1, 2)
    settings = ("--method=zero_shot", "--provider=openai", "--model=m")
    first = json.loads(run("judge", *settings, "--json"))
    for given in (settings, [f"--resume={first['run']}"]):
        with pytest.raises(CommandError, match="between 0 and 10,000,000"):
            run("judge", *given, f"--max-calls={HUGE}")
        with pytest.raises(CommandError, match="Between 1 and 256 calls"):
            run("judge", *given, "--concurrency=257")
    assert JudgeRun.objects.count() == 1


def test_a_configuration_that_was_asked_once_has_one_voice_in_a_majority(stub):
    factory.benchmark(1, 2)
    for model in ("a", "a", "b"):
        run("judge", "--method=zero_shot", "--provider=openai", f"--model={model}", "--json")
    one, same, other = sorted(JudgeRun.objects.values_list("pk", flat=True))
    with pytest.raises(CommandError, match=f"Runs {one}, {same} have the same configuration"):
        run("judge_majority", f"--runs={other},{same},{one}")
    found = json.loads(run("judge_majority", f"--runs={one},{other}", "--json"))
    assert found["runs"] == [one, other]
