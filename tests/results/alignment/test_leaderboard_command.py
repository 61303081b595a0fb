"""The leaderboard of a run, from its rows to the command's output."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def run(*options):
    out = StringIO()
    call_command("leaderboard", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def ten(bench, law):
    """Ten tasks in two domains: Cedar always beats Alder; Birch is as good as Cedar."""
    verdicts = {}
    for n in range(10):
        key = f"t{n}"
        bench.task(
            key,
            weights=(3, 1),
            dimensions=("accuracy", "safety"),
            domain=law if n % 2 else None,
        )
        for candidate in ("Cedar", "Birch", "Alder"):
            bench.response(key, candidate)
        verdicts[key, "Cedar"] = (1, n % 3 == 0)
        verdicts[key, "Birch"] = (1, n % 3 == 1)
        verdicts[key, "Alder"] = (0, n % 3 == 2)
    return bench, verdicts


def test_places_are_ranges_and_a_bracket_joins_what_cannot_be_told_apart(ten):
    bench, verdicts = ten
    judge = bench.run(verdicts)
    found = json.loads(run("--json"))
    assert (found["run"], found["tasks"], found["by"]) == (judge.pk, 10, "domain")
    ranges = {s["candidate"]: (s["best_place"], s["worst_place"]) for s in found["standings"]}
    assert ranges == {"Cedar": (1, 2), "Birch": (1, 2), "Alder": (3, 3)}
    assert found["brackets"] == [["Cedar", "Birch"]]
    cedar = found["standings"][0]
    assert cedar["mean"] == pytest.approx((4 * 1.0 + 6 * 0.75) / 10)
    assert cedar["by"].keys() == {"finance", "law"}
    assert cedar["ci95"][0] < cedar["mean"] < cedar["ci95"][1]


def test_a_response_without_a_score_lowers_coverage_and_not_the_mean(ten):
    bench, verdicts = ten
    verdicts["t0", "Cedar"] = (1, None)
    bench.run(verdicts)
    cedar = next(s for s in json.loads(run("--json"))["standings"] if s["candidate"] == "Cedar")
    assert (cedar["coverage"], cedar["tasks"]) == (0.9, 9)
    assert cedar["mean"] == pytest.approx((3 * 1.0 + 6 * 0.75) / 9)


def test_by_dimension_holds_the_score_over_the_lines_of_that_dimension(ten):
    bench, verdicts = ten
    bench.run(verdicts)
    found = json.loads(run("--by", "dimension", "--json"))
    by = {s["candidate"]: s["by"] for s in found["standings"]}
    assert by["Cedar"] == {"accuracy": 1.0, "safety": 0.4}
    assert by["Alder"] == {"accuracy": 0.0, "safety": 0.3}
    assert set(json.loads(run("--by", "importance", "--json"))["standings"][0]["by"]) == {
        "important"
    }


def test_the_default_is_the_newest_finished_one_shot_run(ten):
    bench, verdicts = ten
    wanted = bench.run(verdicts)
    bench.run(verdicts, method="zero_shot", model="judge-2")
    bench.run(verdicts, state="paused", model="judge-3")
    assert json.loads(run("--json"))["run"] == wanted.pk


def test_candidates_put_aside_by_the_plan_are_named(ten):
    bench, verdicts = ten
    verdicts = {key: met for key, met in verdicts.items() if key[1] != "Alder"}
    bench.run(verdicts, skipped={(f"t{n}", "Alder"): "same_family" for n in range(10)})
    found = json.loads(run("--json"))
    assert [s["candidate"] for s in found["standings"]] == ["Cedar", "Birch"]
    assert found["left_out"] == {"Alder": 10}


def test_the_table_prints_ranges_and_points(ten):
    bench, verdicts = ten
    bench.run(verdicts)
    text = run()
    assert "1–2" in text
    assert "85.0" in text


def test_without_a_run_the_command_says_what_to_do(db):
    for options in ((), ("--run", "7")):
        with pytest.raises(CommandError, match=r"There is no (judge )?run yet"):
            run(*options)


def test_a_run_that_has_not_finished_is_named_with_the_option_that_shows_it(ten):
    bench, verdicts = ten
    judge = bench.run(verdicts, state="paused")
    with pytest.raises(CommandError) as refusal:
        run()
    assert str(refusal.value) == (
        f"No run has finished yet. The newest is run {judge.pk}, at “Paused”; --run {judge.pk} "
        "shows what it has judged so far."
    )
    assert "1–2" in run("--run", str(judge.pk))


def test_a_zero_shot_run_is_shown_where_no_other_has_finished_and_said_to_be_one(
    ten, sign_in, staff
):
    bench, verdicts = ten
    judge = bench.run(verdicts, method="zero_shot")
    said = f"Run {judge.pk} is zero-shot: its judge saw no scored example."
    assert run().splitlines()[1] == said
    found = json.loads(run("--json"))
    assert (found["run"], found["method"]) == (judge.pk, "zero_shot")
    browser = sign_in(staff)
    page = browser.get("/leaderboard/").content.decode()
    assert said in page
    assert browser.get("/leaderboard.json").json() == found
    shown = bench.run(verdicts, model="judge-2")
    assert said not in run()
    assert json.loads(run("--json"))["run"] == shown.pk
    assert said not in browser.get("/leaderboard/").content.decode()


def test_an_unknown_run_is_refused_with_those_there_are(ten):
    bench, verdicts = ten
    judge = bench.run(verdicts)
    with pytest.raises(CommandError, match=f"Runs: {judge.pk}"):
        run("--run", "no such run")
