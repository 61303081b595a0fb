"""A judge asked several times, and several judges: their majority and how far they agree."""

import json

import pytest
from django.core.management import CommandError, call_command

from judge.runs.engine.models import JudgeRun, Verdict
from judge.runs.pages import actions, lifecycle
from judge.runs.pages.repeats import agreement_of_runs, repeats_of
from judge.scoring.sheets.models import Sheet
from tests.markup import words_of
from tests.run_states import in_state
from tests.runs.engine import factory

pytestmark = pytest.mark.django_db


def turned(run, lines):
    """Let a run have said the opposite on some lines of its first response."""
    pks = list(
        Verdict.objects.filter(judgment__items__run=run)
        .order_by("judgment", "criterion")
        .values_list("pk", flat=True)[:lines]
    )
    for verdict in Verdict.objects.filter(pk__in=pks):
        verdict.outcome = "unmet" if verdict.outcome == "met" else "met"
        verdict.save()


def test_a_repeat_asks_anew_and_the_majority_can_be_measured_like_a_judge(
    stub, judge, tmp_path, capsys
):
    factory.benchmark(2, 3)
    first, _result = judge()
    repeats = [actions.plan_repeat(actor=None, run=first)]
    repeats.append(actions.plan_repeat(actor=None, run=repeats[0]))
    assert [run.repeat for run in repeats] == [1, 2]
    for run in repeats:
        run.state = "waiting"
        run.save()
        _run, result = judge(run)
        assert (result["calls"], result["reused"]) == (6, 0)
    assert stub.calls == 18
    pks = [first.pk, *(run.pk for run in repeats)]
    before = agreement_of_runs(pks)
    assert (before.unanimous, before.tied, before.agreement.percent) == (6 * 17, 0, 1)
    turned(repeats[1], 4)
    found = agreement_of_runs(pks)
    assert found.majority == before.majority
    assert (found.unanimous, found.tied) == (6 * 17 - 4, 0)
    # On each of four lines one of three pairs agrees.
    assert found.agreement.percent == pytest.approx(1 - 4 * (2 / 3) / (6 * 17))
    assert agreement_of_runs([first.pk, repeats[1].pk]).tied == 4
    out = tmp_path / "majority.jsonl"
    names = ",".join(map(str, pks))
    call_command("judge_majority", "--runs", names, "--out", str(out), "--json")
    facts = json.loads(capsys.readouterr().out)
    assert (facts["lines"], facts["unanimous"]) == (102, 98)
    call_command("import_scores", str(out))
    sheets = Sheet.objects.filter(
        kind=Sheet.Kind.JUDGE, rater=f"majority-{names.replace(',', '-')}"
    )
    assert sheets.count() == 6


@pytest.mark.parametrize(
    ("wanted", "words"), [("1", "at least two"), ("8998,8999", "no run 8998"), ("a,b", "number")]
)
def test_fewer_than_two_runs_are_refused(wanted, words):
    with pytest.raises(CommandError, match=words):
        call_command("judge_majority", "--runs", wanted)


def test_a_run_without_a_verdict_or_still_under_way_makes_no_majority(
    stub, judge, tmp_path, capsys
):
    factory.benchmark(1, 2)
    first, _result = judge()
    repeat = actions.plan_repeat(actor=None, run=first)
    names, out = f"{first.pk},{repeat.pk}", tmp_path / "majority.jsonl"
    with pytest.raises(CommandError, match=f"Run {repeat.pk} has judged nothing yet"):
        call_command("judge_majority", "--runs", names, "--out", str(out))
    repeat.state = "waiting"
    repeat.save()
    judge(repeat)
    JudgeRun.objects.filter(pk=repeat.pk).update(**in_state("running"))
    with pytest.raises(CommandError, match=f"Run {repeat.pk} is still under way"):
        call_command("judge_majority", "--runs", names, "--out", str(out))
    assert not out.exists()
    call_command("judge_majority", "--runs", names)
    assert "34 lines" in capsys.readouterr().out


def test_self_consistency_is_of_the_fullest_run_of_each_number_and_of_no_empty_one(
    stub, judge, sign_in, staff
):
    factory.benchmark(2, 3)
    cut_off, _result = judge(max_calls=2)
    lifecycle.cancel_run(actor=staff, run=cut_off, reason=lifecycle.CANCELLED)
    factory.benchmark(1, 3)
    whole, result = judge()
    assert (result["judged"], result["reused"]) == (9, 2)
    repeat = actions.plan_repeat(actor=staff, run=whole)
    office = sign_in(staff)
    assert repeats_of(repeat) == []
    assert "Self-consistency" not in office.get(f"/staff/runs/{repeat.pk}/").content.decode()
    repeat.state = "waiting"
    repeat.max_calls = 3
    repeat.save()
    judge(repeat)
    assert repeats_of(repeat) == repeats_of(whole) == [whole.pk, repeat.pk]
    assert repeats_of(cut_off) == [cut_off.pk, repeat.pk]
    page = office.get(f"/staff/runs/{repeat.pk}/").content.decode()
    assert "51 of 51 lines that two or more decided" in page


def test_a_cancelled_run_waits_for_nothing_and_what_was_reused_is_no_rate(
    stub, judge, sign_in, staff
):
    factory.benchmark(2, 3)
    judge()
    again, result = judge(max_calls=1)
    assert result["reused"] == 6
    JudgeRun.objects.filter(pk=again.pk).update(**in_state("running"))
    office = sign_in(staff)
    page = office.get(f"/staff/runs/{again.pk}/").content.decode()
    assert "0 responses per minute" in words_of(page)
    planned, _result = judge(method="zero_shot", max_calls=2)
    assert "waiting" in office.get(f"/staff/runs/{planned.pk}/").content.decode()
    lifecycle.cancel_run(actor=staff, run=planned, reason=lifecycle.CANCELLED)
    page = office.get(f"/staff/runs/{planned.pk}/").content.decode()
    assert "4 not judged" in page
    assert "waiting</li>" not in page
