"""The alignment report: what is compared with what, and what stays out."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.asking.candidates.models import Response
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.report import report
from judge.scoring.anchors.models import Anchor
from tests.results.alignment.conftest import fill_three

TRUE_TO_THE_EXPERTS = {
    ("one", "Cedar"): (1, 1, 1, 1),
    ("one", "Birch"): (1, 1, 0, 0),
    ("one", "Alder"): (0, 0, 1, 1),
    ("two", "Cedar"): (1, 1, 1, 1),
    ("two", "Birch"): (1, 1, 0, 0),
    ("two", "Alder"): (0, 0, 1, 1),
}


def run(*options):
    out = StringIO()
    call_command("alignment", *options, stdout=out)
    return out.getvalue()


def test_a_judge_that_repeats_the_experts_agrees_in_every_pair_and_cell(three):
    judge = three().bench.run(TRUE_TO_THE_EXPERTS)
    found = report(str(judge.pk), bootstrap=200)
    pairs, lines, score = found["preference"], found["criterion"], found["score"]
    assert (pairs["agree"], pairs["reversed"], pairs["missing"]) == (6, 0, 0)
    assert (pairs["cdr_micro"], pairs["cdr_macro"], pairs["ci95"]) == (1.0, 1.0, None)
    assert pairs["why"]["ci95"] == "too few tasks for an interval"
    assert (lines["cdr"], lines["j"], lines["cells"]) == (1.0, 1.0, 24)
    assert (score["mean_bias"], score["responses"]) == (0.0, 6)
    assert set(found["by"]) == {"domain", "dimension", "importance", "judge_family"}
    assert found["by"]["dimension"]["accuracy"]["criterion"]["cells"] == 12
    assert found["by"]["importance"]["optional"]["criterion"]["cells"] == 6
    assert found["by"]["domain"]["finance"]["may_rank"] is False  # two tasks prove little


def test_errors_are_counted_in_both_directions_and_by_dimension(three):
    verdicts = dict(TRUE_TO_THE_EXPERTS)
    verdicts["one", "Alder"] = (1, 1, 1, 1)  # too kind on both lines of accuracy
    verdicts["two", "Cedar"] = (1, 1, 0, 1)  # too strict on safety
    judge = three().bench.run(verdicts)
    found = report(str(judge.pk), bootstrap=0)
    dimension = found["by"]["dimension"]
    assert (found["criterion"]["too_kind"], found["criterion"]["too_strict"]) == (2, 1)
    assert dimension["accuracy"]["criterion"]["too_kind"] == 2
    assert dimension["safety"]["criterion"]["too_strict"] == 1
    # Cedar and Alder tie at 10 of 10 in the first task.
    assert found["preference"]["judge_ties"] == 1
    assert found["preference"]["ci95"] is None
    assert found["preference"]["why"]["ci95"] == "no resamples asked for"


def test_a_failed_line_leaves_no_score_and_counts_as_neither(three):
    verdicts = dict(TRUE_TO_THE_EXPERTS)
    verdicts["one", "Cedar"] = (1, 1, 1, None)
    judge = three().bench.run(verdicts)
    found = report(str(judge.pk), bootstrap=0)
    assert (found["preference"]["missing"], found["preference"]["agree"]) == (2, 4)
    assert found["criterion"]["cdr"] == pytest.approx(23 / 24)
    assert found["criterion"]["coverage"] == pytest.approx(23 / 24)
    assert (found["score"]["responses"], found["score"]["missing"]) == (5, 1)


def test_the_expert_score_is_the_mean_of_the_sheets_and_each_sheet_has_its_cells(three):
    bench = three().bench
    # A second expert turns Birch (7) and Alder (3) around: means 5 and 5, a tie.
    bench.sheet("one", "Birch", "expert-2", (0, 0, 1, 1))
    bench.sheet("one", "Alder", "expert-2", (1, 1, 0, 0))
    judge = bench.run(TRUE_TO_THE_EXPERTS)
    found = report(str(judge.pk), bootstrap=0)
    assert (found["preference"]["agree"], found["preference"]["expert_ties"]) == (5, 1)
    assert found["criterion"]["cells"] == 32
    assert found["raters"] == ["expert-1", "expert-2"]
    assert found["expert_agreement"]["percent"] == 0.0
    one = report(str(judge.pk), experts="expert-1", bootstrap=0)
    assert (one["preference"]["agree"], one["preference"]["expert_ties"]) == (6, 0)


def test_the_anchors_response_and_the_baseline_are_never_among_the_pairs(three):
    bench = three().bench
    bench.response("one", "Base", baseline=True)
    bench.sheet("one", "Base", "expert-1", (1, 0, 0, 0))
    anchored = Response.objects.get(key="two-Cedar")
    sheet = anchored.sheets.get()
    Anchor.objects.create(task=anchored.task, response=anchored, sheet=sheet, stage="validated")
    judge = bench.run({**TRUE_TO_THE_EXPERTS, ("one", "Base"): (1, 0, 0, 0)})
    found = report(str(judge.pk), bootstrap=0)
    assert found["preference"]["agree"] == 3 + 1  # Cedar is out of the second task
    assert found["criterion"]["cells"] == 20


def test_what_the_plan_put_aside_is_no_gap_but_an_empty_response_is(three):
    bench = three().bench
    verdicts = {key: met for key, met in TRUE_TO_THE_EXPERTS.items() if key[0] == "one"}
    skipped = {("two", name): "no_exemplar" for name in ("Cedar", "Birch")}
    judge = bench.run(verdicts, skipped={**skipped, ("two", "Alder"): "same_family"})
    assert report(str(judge.pk), bootstrap=0)["preference"]["missing"] == 0
    judge = bench.run({**TRUE_TO_THE_EXPERTS, ("two", "Alder"): (None,) * 4}, model="judge-2")
    assert report(str(judge.pk), bootstrap=0)["preference"]["missing"] == 2


def test_single_scores_take_part_in_preference_alone(bench):
    for n in range(3):
        bench.task(f"t{n}")
        for candidate, expert, judge in (("A", 1, 9.0), ("B", 0, 4.0 if n else 9.0)):
            bench.response(f"t{n}", candidate)
            bench.sheet(f"t{n}", candidate, "people", score=expert)
            bench.sheet(f"t{n}", candidate, "rating", kind="judge", score=judge)
    found = json.loads(run("--experts", "people", "--judge", "rating", "--json"))
    assert (found["judge"], found["experts"]) == ("rating", "people")
    assert (found["preference"]["agree"], found["preference"]["judge_ties"]) == (2, 1)
    assert found["preference"]["cdr_micro"] == pytest.approx(2 / 3)
    assert (found["criterion"]["cells"], found["criterion"]["cdr"]) == (0, None)
    assert found["criterion"]["why"]["cdr"] == "no cells"
    assert (found["score"]["pearson"], found["score"]["why"]["pearson"]) == (None, "no scores")


def test_constant_judges_are_told_apart_by_their_sign_alone(three):
    bench = three().bench
    for task in ("one", "two"):
        for candidate in ("Cedar", "Birch", "Alder"):
            bench.sheet(task, candidate, "all-met", (1, 1, 1, 1), kind="judge")
            bench.sheet(task, candidate, "all-unmet", (0, 0, 0, 0), kind="judge")
    kind, strict = report("all-met", bootstrap=0), report("all-unmet", bootstrap=0)
    assert kind["criterion"]["cdr"] == -strict["criterion"]["cdr"] == pytest.approx(8 / 24)
    assert kind["criterion"]["j"] == strict["criterion"]["j"] == 0.0
    assert kind["preference"]["judge_ties"] == 6


def test_a_judge_that_is_clearly_worse_is_called_worse(bench):
    good, bad = {}, {}
    for n in range(12):
        bench.task(f"t{n}", weights=(5, 5))
        for candidate, met in (("Ash", (1, 1)), ("Elm", (0, 0))):
            bench.response(f"t{n}", candidate)
            bench.sheet(f"t{n}", candidate, "people", met)
            good[f"t{n}", candidate] = met
            bad[f"t{n}", candidate] = (1, 0) if n % 3 == 0 else (1 - met[0], 1 - met[1])
    first, second = bench.run(good), bench.run(bad, model="judge-2")
    said = run("--judge", second.pk, "--compare", first.pk)
    assert "It is worse than the judge it is compared with" in said
    assert "so it may be chance" not in said
    said = run("--judge", first.pk, "--compare", second.pk)
    assert "It is better than the judge it is compared with" in said


def test_two_judges_are_compared_on_the_tasks_both_were_asked_about(three):
    bench = three().bench
    one_shot = bench.run(TRUE_TO_THE_EXPERTS)
    turned = {
        ("one", "Cedar"): (0, 0, 1, 1),
        ("one", "Birch"): (1, 1, 0, 0),
        ("one", "Alder"): (1, 1, 1, 1),
    }
    zero_shot = bench.run(turned, method="zero_shot")
    found = report(str(one_shot.pk), compare=str(zero_shot.pk), bootstrap=100)
    other = found["compare"]
    assert (found["preference"]["agree"], other["preference"]["reversed"]) == (6, 3)
    assert other["difference"]["cdr_micro"] == 2.0
    assert other["difference"]["tasks"] == 1
    assert other["difference"]["why"] == {"ci95": "too few tasks for an interval"}
    assert set(other["by"]) == set(found["by"])


def test_what_only_one_of_two_judges_was_asked_about_is_no_gap_of_the_other(three):
    """Each puts its own house aside; on the one pair both were asked about they say the same."""
    bench = three().bench
    said = TRUE_TO_THE_EXPERTS.items()
    one = bench.run(
        {k: v for k, v in said if k[1] != "Cedar"},
        skipped={(task, "Cedar"): "same_family" for task in ("one", "two")},
    )
    other = bench.run(
        {k: v for k, v in said if k[1] != "Alder"},
        skipped={(task, "Alder"): "same_family" for task in ("one", "two")},
    )
    whole = bench.run(TRUE_TO_THE_EXPERTS)
    for first, second, pairs in ((whole, one, 2), (one, whole, 2), (one, other, 0)):
        found = report(str(first.pk), compare=str(second.pk), bootstrap=100)["compare"]
        assert (found["preference"]["agree"], found["preference"]["missing"]) == (pairs, 0)
        assert found["difference"]["cdr_micro"] == (0.0 if pairs else None)


def test_a_response_the_other_judge_failed_on_is_its_gap(three):
    bench = three().bench
    one_shot = bench.run(TRUE_TO_THE_EXPERTS)
    failed = bench.run({**TRUE_TO_THE_EXPERTS, ("one", "Cedar"): (1, 1, 1, None)})
    found = report(str(one_shot.pk), compare=str(failed.pk), bootstrap=0)["compare"]
    # Of six pairs the two with that response are missing: 1 - 4/6.
    assert found["preference"]["missing"] == 2
    assert found["difference"]["cdr_micro"] == pytest.approx(1 / 3)


def test_single_scores_that_differ_by_rounding_are_a_tie_of_the_experts(bench):
    """The mean of 0.1 and 0.2 is 0.15, whatever the floats say."""
    bench.task("one")
    for candidate, marks in (("Cedar", (0.1, 0.2)), ("Birch", (0.15, 0.15)), ("Alder", (1, 2))):
        bench.response("one", candidate)
        for n, mark in enumerate(marks, start=1):
            bench.sheet("one", candidate, f"rater-{n}", score=mark)
        bench.sheet("one", candidate, "the-judge", kind="judge", score=marks[0])
    pairs = report("the-judge", bootstrap=0)["preference"]
    assert (pairs["expert_ties"], pairs["agree"], pairs["missing"]) == (1, 2, 0)


def test_a_judge_is_never_among_its_own_experts(three):
    bench = three().bench
    for candidate, met in (("Cedar", (1, 1, 0, 0)), ("Birch", (0, 0, 1, 1))):
        bench.sheet("one", candidate, "expert-2", met)
    found = report("expert-2", bootstrap=0)
    assert found["raters"] == ["expert-1"]
    assert found["preference"]["agree"] == 1


def test_a_line_with_the_same_words_is_the_same_line_in_a_newer_version(three):
    from django.utils import timezone

    from rubrics.versions.models import Criterion, RubricVersion

    bench = three().bench
    old = bench.versions["one"]
    new = RubricVersion.objects.create(
        task=old.task, number=2, origin="import", frozen_at=timezone.now(), sha256="1" * 64
    )
    for line in old.criteria.all():
        changed = line.key == "c3"
        Criterion.objects.create(
            version=new, key=line.key, position=line.position, weight=line.weight,
            text="Quite another line" if changed else line.text,
            importance=line.importance, dimension=line.dimension, external=True,
        )  # fmt: skip
    bench.versions["one"] = new
    judge = bench.run(TRUE_TO_THE_EXPERTS)
    found = report(str(judge.pk), bootstrap=0)
    assert found["criterion"]["coverage"] == pytest.approx(21 / 24)
    assert found["criterion"]["cdr"] == pytest.approx(21 / 24)


def test_a_rater_whose_name_is_a_number_is_reached_beside_the_run_of_that_number(three):
    bench = three().bench
    judge = bench.run(dict.fromkeys(TRUE_TO_THE_EXPERTS, (0, 0, 0, 0)))
    for task in ("one", "two"):
        for candidate in ("Cedar", "Birch", "Alder"):
            met = TRUE_TO_THE_EXPERTS[task, candidate]
            bench.sheet(task, candidate, str(judge.pk), met)
    assert report(str(judge.pk), bootstrap=0)["preference"]["agree"] == 0
    found = report(f"rater:{judge.pk}", bootstrap=0)
    assert (found["preference"]["agree"], found["raters"]) == (6, ["expert-1"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--judge", "nobody"], "Raters: expert-1."),
        (["--judge", "99999"], "no judge run and no rater"),
        (["--judge", "expert-1", "--experts", "nobody"], "Raters: expert-1."),
        (["--judge", "expert-1", "--compare", "nobody"], "nobody"),
        (["--judge", "expert-1", "--bootstrap", "-1"], "between 0 and"),
        (["--judge", "expert-1", "--seed", "-1"], "at least 0"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_what_there_is(three, options, words):
    three()
    with pytest.raises(CommandError, match=words):
        run(*options)


def test_the_table_opens_with_a_plain_sentence_and_names_what_is_missing(three):
    judge = three().bench.run(TRUE_TO_THE_EXPERTS)
    text = run("--judge", str(judge.pk), "--bootstrap", "100")
    assert text.startswith("Do not use this judge for ranking candidates yet")
    assert "<b>" not in text
    assert "tasks on which the experts have a preference: 2; at least 20 are required" in text
    assert "About 18 more labelled tasks would settle it" in text
    assert "NaN" not in text


def test_staffs_thresholds_change_the_answer_and_not_the_numbers(three):
    bench = three().bench
    more = [f"t{n}" for n in range(10)]
    fill_three(bench, more)
    right = {
        (task, who): TRUE_TO_THE_EXPERTS["one", who]
        for task in ("one", "two", *more)
        for who in ("Cedar", "Birch", "Alder")
    }
    judge = bench.run(right)
    assert report(str(judge.pk), bootstrap=100)["trust"]["ranking"]["answer"] is False
    TrustThresholds.objects.create(tasks=12, strict_pairs=36)
    found = report(str(judge.pk), bootstrap=100)
    assert found["trust"]["ranking"]["answer"] is True
    assert found["by"]["domain"]["finance"]["may_rank"] is True
    assert found["trust"]["better_than_zero_shot"]["checks"][0]["why"] == "nothing to compare with"


def test_the_same_seed_gives_the_same_bytes(three):
    verdicts = {**TRUE_TO_THE_EXPERTS, ("one", "Alder"): (1, 1, 1, 1)}
    judge = three().bench.run(verdicts)
    first = run("--judge", str(judge.pk), "--seed", "7", "--json")
    assert first == run("--judge", str(judge.pk), "--seed", "7", "--json")


def test_the_number_of_queries_does_not_depend_on_the_amount(
    three, bench, django_assert_max_num_queries
):
    judge = three().bench.run(TRUE_TO_THE_EXPERTS)
    with django_assert_max_num_queries(18):
        report(str(judge.pk), compare=str(judge.pk), bootstrap=0)
