"""Parts of the report: one domain alone, self-preference, reliability, and a sheet to read."""

import csv
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.joining.domains.models import Domain
from judge.asking.calls.models import Call
from judge.asking.candidates.models import Candidate, Response
from judge.results.alignment.models import TrustThresholds
from judge.results.alignment.report import align, report
from judge.scoring.sheets.models import Sheet
from tests.conftest import new_domain
from tests.results.alignment.conftest import Bench
from tests.worlds import World

EXPERTS = {"Cedar": (1, 1, 1, 0), "Birch": (1, 1, 0, 0), "Alder": (0, 0, 1, 0)}


@pytest.fixture(scope="module")
def programme_world(world_database):
    """Six tasks in two domains, each with three candidates and one expert; two runs."""
    finance, law = new_domain("finance"), Domain.objects.create(key="law", name="Law")
    bench = Bench(finance)
    kind, strict = {}, {}
    for n in range(6):
        key = f"t{n}"
        bench.task(key, weights=(4, 3, 2, 1), domain=law if n >= 4 else None)
        for candidate, met in EXPERTS.items():
            bench.response(key, candidate)
            bench.sheet(key, candidate, "expert-1", met)
            # The judge gives Cedar its last line too, and turns Birch and Alder in task 4.
            kind[key, candidate] = (1, 1, 1, 1) if candidate == "Cedar" else met
            strict[key, candidate] = (1, 0, 0, 0)
    kind["t4", "Birch"], kind["t4", "Alder"] = (0, 0, 1, 0), (1, 1, 0, 0)
    Candidate.objects.filter(name="Cedar").update(family="openai")
    run, twin = bench.run(kind), bench.run(strict, method="zero_shot")
    return World(finance=finance, law=law, run=run, twin=twin)


@pytest.fixture
def programme(programme_world, bench):
    return bench, programme_world["run"], programme_world["twin"]


def test_one_domain_alone_counts_its_own_responses_only(programme):
    _bench, run, twin = programme
    whole = report(str(run.pk), bootstrap=200)
    law = report(str(run.pk), compare=str(twin.pk), bootstrap=200, domain="law")
    assert (whole["preference"]["agree"], whole["preference"]["reversed"]) == (17, 1)
    assert whole["preference"]["accuracy"] == pytest.approx(17 / 18)
    assert whole["criterion"]["accuracy"] == pytest.approx((72 - 6 - 2 * 3) / 72)
    assert (law["preference"]["agree"], law["preference"]["reversed"]) == (5, 1)
    assert law["preference"] == whole["by"]["domain"]["law"]["preference"]
    assert (law["domain"], law["criterion"]["cells"]) == ("law", 24)
    assert law["compare"]["difference"]["tasks"] == 2
    assert list(law["by"]["domain"]) == ["law"]


def test_a_domain_without_sheets_is_refused_by_name_everywhere(programme, sign_in, staff):
    _bench, run, _twin = programme
    Domain.objects.create(key="music", name="Music")
    with pytest.raises(CommandError, match="no response of this judge in the domain “music”.*law"):
        call_command("alignment", "--judge", str(run.pk), "--domain", "music", stdout=StringIO())
    answer = sign_in(staff).get(f"/staff/alignment/?judge={run.pk}&domain=music")
    assert answer.status_code == 400
    assert "no response of this judge in the domain “music”" in answer.content.decode()


def test_macro_and_bias_have_intervals_and_zero_resamples_have_reasons(programme):
    _bench, run, _twin = programme
    found = report(str(run.pk), bootstrap=500)
    low, high = found["preference"]["macro_ci95"]
    assert low <= found["preference"]["cdr_macro"] <= high
    # Every task has the same bias: Cedar 10 of 100 points too many, a third of the responses.
    assert found["score"]["mean_bias"] == pytest.approx(10 / 3)
    assert found["score"]["mean_bias_ci95"] is None
    assert found["score"]["why"]["mean_bias_ci95"] == "no spread between resamples"
    bare = report(str(run.pk), bootstrap=0)
    assert bare["preference"]["macro_ci95"] is None
    assert bare["score"]["why"]["mean_bias_ci95"] == "no resamples asked for"


def test_self_preference_is_the_bias_of_the_own_house_against_the_others(programme):
    bench, run, _twin = programme
    assert report(str(run.pk), bootstrap=100)["self_preference"] == {
        "house": "offline",
        "difference": None,
        "ci95": None,
        "tasks": 0,
        "why": dict.fromkeys(
            ("difference", "ci95"), "no candidate of the judge's house, or none of another"
        ),
    }
    for (n, candidate), met in {
        (n, c): (1, 1, 1, 1) if c == "Cedar" else EXPERTS[c] for n in range(4) for c in EXPERTS
    }.items():
        bench.sheet(f"t{n}", candidate, "gpt-judge", met, kind="judge")
    own = report("gpt-judge", bootstrap=300)["self_preference"]
    assert (own["house"], own["tasks"]) == ("openai", 4)
    assert own["difference"] == pytest.approx(10)  # 10 points too many for Cedar, 0 for the rest
    assert (own["ci95"], own["why"]["ci95"]) == (None, "too few tasks for an interval")


def test_a_house_is_the_same_in_capitals(programme):
    bench, _run, _twin = programme
    Candidate.objects.filter(name="Cedar").update(family=" OpenAI")
    for n in range(4):
        for candidate, met in EXPERTS.items():
            bench.sheet(f"t{n}", candidate, "gpt-judge", met, kind="judge")
    found = report("gpt-judge", bootstrap=100)
    assert found["self_preference"]["tasks"] == 4
    assert found["by"]["judge_family"]["openai"]["own"] is True


def test_the_ceiling_is_in_the_judges_figures_and_does_not_ask_who_came_first(programme):
    bench, run, _twin = programme
    # A second expert on three tasks agrees on Cedar and turns Birch and Alder around.
    turned = {"Cedar": EXPERTS["Cedar"], "Birch": EXPERTS["Alder"], "Alder": EXPERTS["Birch"]}
    for n in range(3):
        for candidate, met in turned.items():
            bench.sheet(f"t{n}", candidate, "an-expert" if n else "z-expert", met)
    found = report(str(run.pk), bootstrap=300)["expert_agreement"]
    # Of three pairs a task two keep their order: (2 - 1) / 3, the same from either side.
    assert found["cdr_micro"] == pytest.approx(1 / 3)
    assert (found["tasks"], found["units"]) == (3, 36)
    assert (found["ci95"], found["why"]["ci95"]) == (None, "too few tasks for an interval")
    # Of 12 lines a task 6 agree: met both 3, unmet both 3, and 3 one way, 3 the other.
    assert found["j"] == pytest.approx(0.0)
    alone = report(str(run.pk), experts="expert-1", bootstrap=300)["expert_agreement"]
    assert (alone["cdr_micro"], alone["why"]["ci95"]) == (None, "no strict pair")
    assert (alone["j"], alone["why"]["j"]) == (None, "nothing scored twice")


def test_the_file_holds_the_ceiling_that_the_page_and_the_report_have(programme, sign_in, staff):
    bench, run, _twin = programme
    turned = {"Cedar": EXPERTS["Cedar"], "Birch": EXPERTS["Alder"], "Alder": EXPERTS["Birch"]}
    for n in range(6):
        for candidate, met in (turned if n % 2 else EXPERTS).items():
            bench.sheet(f"t{n}", candidate, "expert-2", met)
    query = f"?judge={run.pk}&compare=&bootstrap=1000"
    browser = sign_in(staff)
    own = browser.get(f"/staff/alignment.json{query}").json()["expert_agreement"]
    text = b"".join(browser.get(f"/staff/alignment.csv{query}").streaming_content)
    rows = {
        row["figure"]: row
        for row in csv.DictReader(StringIO(text.decode("utf-8-sig")))
        if row["group"] == "expert_agreement"
    }
    wanted = ["percent", "kappa", "alpha", "units", "raters", "cdr_micro", "accuracy", "tasks", "j"]
    assert list(rows) == wanted
    assert [float(rows[name]["value"]) for name in wanted] == [own[name] for name in wanted]
    assert own["percent"] == 75.0
    assert [float(rows["cdr_micro"][end]) for end in ("low", "high")] == own["ci95"]
    assert [float(rows["j"][end]) for end in ("low", "high")] == own["j_ci95"]


def test_reliability_says_what_experts_give_where_the_judge_gives_so_much(programme):
    _bench, run, _twin = programme
    bands = report(str(run.pk), bootstrap=300)["reliability"]
    # Alder 20 of 100, Birch 70, Cedar 90 by the experts and 100 by the judge; task 4 turned.
    assert [(b["low"], b["responses"]) for b in bands] == [(0.2, 6), (0.6, 6), (0.8, 6)]
    assert bands[0]["experts"] == pytest.approx((5 * 20 + 70) / 600)
    assert bands[2]["judge"] == pytest.approx(1)
    assert bands[2]["experts"] == pytest.approx(0.9)
    # Six tasks say 90 each; as many as 1 - 0.025 ** (1 / 6) of all, 46 %, may say anything.
    assert bands[2]["ci95"] == pytest.approx([0.9 - 0.4593 * 0.9, 0.9 + 0.4593 * 0.1], abs=1e-4)
    few = report(str(run.pk), bootstrap=300, domain="law")["reliability"]
    assert {(b["ci95"], b["why"]["ci95"]) for b in few} == {(None, "too few tasks for an interval")}


def test_a_changed_threshold_and_another_statistic_ask_no_model(programme, sign_in, staff):
    _bench, run, _twin = programme
    before = align(str(run.pk), bootstrap=200)
    assert not before.trust.ranking.answer
    calls = Call.objects.count()
    values = {"cdr_lower": 0, "tasks": 2, "strict_pairs": 4, "coverage": 0.9, "j_lower": 0}
    TrustThresholds.objects.create(**values, mean_bias=50, set_by=staff)
    after = align(str(run.pk), bootstrap=200)
    assert after.trust.ranking.answer
    assert after.judge.overall == before.judge.overall
    assert report(str(run.pk), bootstrap=500, seed=3)["bootstrap"] == 500
    assert sign_in(staff).get(f"/leaderboard/?run={run.pk}").status_code == 200
    assert Call.objects.count() == calls


def test_the_page_draws_reliability_and_what_more_labels_would_settle(programme, sign_in, staff):
    _bench, run, twin = programme
    page = sign_in(staff).get(f"/staff/alignment/?judge={run.pk}").content.decode()
    pictures = re.findall(r'role="img" aria-label="([^"]+)"', page)
    assert len(pictures) == len(set(pictures)) + 1  # the forest is drawn twice, for the phone too
    assert any("bands the judge’s mean lies outside" in words for words in pictures)
    assert any("has an interval" in words and "required" in words for words in pictures)
    assert "Self-preference cannot be determined" in page
    assert f"judge={run.pk}&amp;compare={twin.pk}" in page
    assert "domain=law" in page
    law = sign_in(staff).get(f"/staff/alignment/?judge={run.pk}&domain=law").content.decode()
    assert "This is about <b>Law</b> alone." in law


def test_fewer_than_six_tasks_have_no_interval_and_page_file_and_command_say_so(
    programme, sign_in, staff
):
    _bench, run, _twin = programme
    browser, query = sign_in(staff), f"?judge={run.pk}&domain=finance"
    page = browser.get(f"/staff/alignment/{query}").content.decode()
    assert "The CDR has no interval yet: an interval needs at least 6 tasks." in page
    assert "No band has an interval yet" in page
    assert "CDR 1.00 (no interval: an interval needs at least 6 tasks)" in page
    found = browser.get(f"/staff/alignment.json{query}").json()["preference"]
    assert (found["ci95"], found["why"]["ci95"]) == (None, "too few tasks for an interval")
    text = b"".join(browser.get(f"/staff/alignment.csv{query}").streaming_content)
    rows = [
        row
        for row in csv.DictReader(StringIO(text.decode("utf-8-sig")))
        if row["figure"] == "preference.cdr_micro" and row["group"] == "all"
    ]
    assert {(row["low"], row["why"]) for row in rows} == {("", "too few tasks for an interval")}
    out = StringIO()
    call_command("alignment", "--judge", str(run.pk), "--domain", "finance", stdout=out)
    assert "(no interval: an interval needs at least 6 tasks)" in out.getvalue()


def test_the_worst_disagreement_is_one_click_from_both_reasons(programme, sign_in, staff):
    _bench, run, _twin = programme
    browser = sign_in(staff)
    page = browser.get(f"/staff/alignment/?judge={run.pk}").content.decode()
    response = Response.objects.get(key="t4-Birch")
    address = f"/staff/verdicts/{response.pk}/?judge={run.pk}&amp;only=experts&amp;lines=differ"
    assert f'href="{address}"' in page
    with CaptureQueriesContext(connection) as asked:
        beside = browser.get(address.replace("&amp;", "&")).content.decode()
    assert len(asked) <= 27  # one is for the files of the task, five for whom a set could ask
    assert "they differ on 3 of 4 lines" in beside
    assert "because" in beside
    assert "The judge on c0" in beside


def test_seniors_and_experts_do_not_read_sheets_beside_a_judge(programme, sign_in, senior, author):
    sheet = Sheet.objects.first()
    for person in (senior, author):
        assert sign_in(person).get(f"/staff/alignment/sheets/{sheet.pk}/").status_code in (403, 404)
    _bench, run, _twin = programme
    found = sign_in(senior).get(f"/staff/alignment.json?judge={run.pk}").json()
    assert "self_preference" not in found
    assert b"Self-preference" not in sign_in(senior).get("/staff/alignment/").content


def test_the_ceiling_of_single_scores_and_grades_is_that_of_lines(bench, sign_in, staff):
    """Two experts give one number each; on six tasks they agree, on two the second turns a pair."""
    for n in range(8):
        bench.task(f"s{n}")
        for place, candidate in enumerate(("A", "B", "C")):
            bench.response(f"s{n}", candidate)
            second = {0: 2, 1: 1, 2: 0}[place] if n >= 2 else (1, 2, 0)[place]
            bench.sheet(f"s{n}", candidate, "one", score=2 - place)
            bench.sheet(f"s{n}", candidate, "two", score=second)
            bench.sheet(f"s{n}", candidate, "rating", kind="judge", score=place)
    found = report("rating", bootstrap=300)["expert_agreement"]
    # 24 pairs, 2 turned: (22 - 2) / 24. Labels of both: 22 of 24 alike; "one" always says 1.
    assert found["cdr_micro"] == pytest.approx(20 / 24)
    assert (found["tasks"], found["ci95"][0] < 20 / 24 < found["ci95"][1]) == (8, True)
    preferences = found["preferences"]
    assert (preferences["units"], preferences["raters"]) == (24, 2)
    assert preferences["percent"] == pytest.approx(100 * 22 / 24)
    assert preferences["kappa"] == pytest.approx(0)
    # Krippendorff: observed 2 · 2 of 48, expected 2 · 46 · 2 / (48 · 47).
    assert preferences["alpha"] == pytest.approx(1 - (4 / 48) / (2 * 46 * 2 / (48 * 47)))
    assert found["why"]["alpha"] == "no cells", "there are no lines, which is no lack of a second"
    page = sign_in(staff).get("/staff/alignment/?judge=rating").content.decode()
    assert "Experts among themselves, α of preferences" in page
    assert "CDR −1.00" in page  # of the 22 pairs on which the means differ
    assert "accuracy 0" in page
    assert "of 24 pairs of responses compared by several experts agree" in page
    text = b"".join(sign_in(staff).get("/staff/alignment.csv?judge=rating").streaming_content)
    rows = csv.DictReader(StringIO(text.decode("utf-8-sig")))
    kept = {row["figure"]: row["value"] for row in rows if row["group"] == "expert_preferences"}
    assert float(kept["alpha"]) == preferences["alpha"]
