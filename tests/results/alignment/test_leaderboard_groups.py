"""The leaderboard of one group, what a candidate costs, and why a response has no score."""

import csv
import io
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judge.asking.candidates.models import Response
from judge.results.alignment.raters import find_judge
from judge.results.leaderboard.ranking import board
from judge.runs.engine.models import Judgment, RunItem


def run(*options):
    out = StringIO()
    call_command("leaderboard", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def eight(bench, law):
    """Eight tasks of finance and eight of law: Cedar wins in law by far, and loses in finance."""
    verdicts = {}
    for n in range(16):
        key = f"t{n}"
        bench.task(
            key,
            weights=(3, 1),
            dimensions=("accuracy", "safety"),
            domain=law if n % 2 else None,
        )
        for candidate in ("Cedar", "Alder"):
            bench.response(key, candidate)
        better, worse = ("Cedar", "Alder") if n % 2 else ("Alder", "Cedar")
        verdicts[key, better] = (1, n % 3 == 0)
        verdicts[key, worse] = (0, 1)
    return bench, verdicts


def test_overall_nobody_wins_and_each_group_has_a_winner_of_its_own(eight):
    bench, verdicts = eight
    judge = bench.run(verdicts)
    whole = json.loads(run("--json"))
    assert whole["group"] is None
    assert {s["best_place"] for s in whole["standings"]} == {1}
    for group, winner in (("law", "Cedar"), ("finance", "Alder")):
        found = json.loads(run("--by", "domain", "--group", group, "--json"))
        assert (found["group"], found["tasks"], found["run"]) == (group, 8, judge.pk)
        first, second = found["standings"]
        assert (first["candidate"], first["best_place"], first["worst_place"]) == (winner, 1, 1)
        assert (second["best_place"], second["worst_place"]) == (2, 2)
        assert found["brackets"] == []
        assert first["mean"] == pytest.approx(first["by"][group])
        assert first["ci95"] == first["by_ci95"][group]  # the same tasks, the same draws
    assert "Law alone" in run("--group", "law")


def test_a_group_of_lines_ranks_by_those_lines_alone(eight):
    bench, verdicts = eight
    bench.run(verdicts)
    found = json.loads(run("--by", "dimension", "--group", "safety", "--json"))
    means = {s["candidate"]: s["mean"] for s in found["standings"]}
    # Who loses a task meets its line of safety; who wins meets it in every third task.
    won = {"Cedar": range(1, 16, 2), "Alder": range(0, 16, 2)}
    for candidate, tasks in won.items():
        met = 8 + sum(n % 3 == 0 for n in tasks)
        assert means[candidate] == pytest.approx(met / 16)


def test_a_group_that_has_no_score_is_refused_by_name(eight, sign_in, staff):
    bench, verdicts = eight
    bench.run(verdicts)
    with pytest.raises(
        CommandError, match="no score in the group “music”. Available: finance, law"
    ):
        run("--group", "music")
    assert sign_in(staff).get("/leaderboard/?group=music").status_code == 400
    assert sign_in(staff).get("/leaderboard.json?by=dimension&group=law").status_code == 400


def test_price_and_time_stand_beside_quality_and_unknown_is_none(eight):
    bench, verdicts = eight
    judge = bench.run(verdicts)
    cedars = Response.objects.filter(candidate__name="Cedar").order_by("pk")
    for n, response in enumerate(cedars):
        if n < 3:  # 10, 20 and 60 thousandths; 1, 2 and 9 seconds
            response.cost_micro, response.latency_ms = (10_000, 20_000, 60_000)[n], (1, 2, 9)[n]
            response.latency_ms *= 1000
            response.save(update_fields=["cost_micro", "latency_ms"])
    found = {
        row.standing.candidate: row
        for row in board(find_judge(str(judge.pk)), resamples=100).candidates
    }
    assert (found["Cedar"].cost_usd, found["Cedar"].latency_s) == (pytest.approx(0.03), 2.0)
    assert (found["Alder"].cost_usd, found["Alder"].latency_s) == (None, None)


def test_gaps_are_explained_by_candidate_and_reason_in_page_and_files(eight, sign_in, staff):
    bench, verdicts = eight
    verdicts["t0", "Cedar"] = verdicts["t2", "Cedar"] = (1, None)
    judge = bench.run(verdicts)
    Judgment.objects.filter(score_numerator=None).update(reason="truncated")
    bench.response("t1", "Birch")
    RunItem.objects.create(
        run=judge,
        response=Response.objects.get(key="t1-Birch"),
        state="skipped",
        reason="empty_response",
    )
    browser = sign_in(staff)
    found = browser.get(f"/leaderboard.json?run={judge.pk}").json()
    gaps = {s["candidate"]: s["gaps"] for s in found["standings"]}
    assert gaps == {"Cedar": {"truncated": 2}, "Alder": {}, "Birch": {"empty_response": 1}}
    page = browser.get(f"/leaderboard/?run={judge.pk}").content.decode()
    assert "2 responses of Cedar have no score (Needs more output tokens: 2)" in page
    assert "1 response of Birch has no score (empty response: 1)" in page
    answer = browser.get(f"/leaderboard.csv?run={judge.pk}")
    rows = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    cedar = next(row for row in rows if row["candidate"] == "Cedar")
    assert cedar["gaps"] == "truncated=2"
    (standing,) = [s for s in found["standings"] if s["candidate"] == "Cedar"]
    assert float(cedar["domain:law:low"]) == pytest.approx(100 * standing["by_ci95"]["law"][0])


def test_the_page_links_each_group_and_lists_every_comparison(eight, sign_in, staff):
    bench, verdicts = eight
    bench.run(verdicts)
    browser = sign_in(staff)
    page = browser.get("/leaderboard/").content.decode()
    assert "group=law" in page
    assert "cannot be told apart" in page
    law = browser.get("/leaderboard/?by=domain&group=law").content.decode()
    assert "This ranks <b>Law</b> alone." in law
    assert "Cedar is better" in law
    assert "group=law" in law.split("leaderboard.csv")[1][:60]  # the files hold the same group
    assert "style=" not in law
