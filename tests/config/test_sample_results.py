"""The results of the sample programme fill the pages on which a programme ends."""

import html
import json

import pytest

from config.sample import FOLDER, read_file
from config.sample.checklists import load_checklists
from config.sample.dates import spread_verdicts
from config.sample.results import DOMAINS, HOUSES, SUBMITTED, load_results
from config.sample.skills import load_skills
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.tasks.task.models import Task
from judge.base.gold_sets.models import GoldRelease
from judge.gold.releases.checking import verify
from judge.results.alignment.raters import find_judge
from judge.results.alignment_sets.models import AlignmentSet
from judge.results.flags.error_code_queries import report
from judge.results.leaderboard.ranking import board
from judge.results.method_comparison.jade_scores import jade_scores
from judge.runs.engine.models import JudgeRun
from judge.scoring.scorers.practice_models import PracticeAttempt
from judge.scoring.scorers.readiness import held_up
from judge.scoring.sheets.models import Sheet
from review.rounds import pace
from review.rounds.assignment_models import Round
from tests.conftest import browser_of
from tests.programme import sample_programme
from tests.worlds import World


@pytest.fixture(scope="module")
def results_world(world_database: None) -> World:
    """The sample programme with its results, without the benchmark of products."""
    sample_programme()
    people = {user.email.split("@")[0]: user for user in User.objects.all()}
    load_skills(people["staff"])
    load_checklists(people["staff"], people["senior"])
    load_results(people)
    spread_verdicts()
    return World(staff=people["staff"], begun=people["expert.engineering"])


def shown(person: User, address: str) -> str:
    answer = browser_of(person).get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return " ".join(html.unescape(answer.content.decode()).split())


def test_the_pair_of_runs_is_finished_and_the_one_with_examples_is_the_newest(results_world):
    newest = JudgeRun.objects.first()
    runs = [(run.method, run.variant is not None) for run in JudgeRun.objects.all()]
    pair, tried = [("one_shot", False), ("zero_shot", False)], [("one_shot", True)] * 2
    assert runs == [*pair, *tried, ("jade", False)]
    assert {run.state for run in JudgeRun.objects.all()} == {JudgeRun.State.FINISHED}
    assert newest is not None
    assert newest.items.filter(response__candidate__name__in=HOUSES).count() == 35


def test_jade_tells_three_reports_apart_by_what_their_sources_say(results_world):
    rows = {row["candidate"]: row for row in jade_scores(JudgeRun.objects.get(method="jade"))}
    scores = {name: row["s"] for name, row in rows.items()}
    assert scores["Elm 2"] > 2 * scores["Ginkgo 2"] > scores["Ironwood 3"] > 0
    outcomes = {name: [one["outcome"] for one in row["claims"]] for name, row in rows.items()}
    assert outcomes["Elm 2"].count("supported") >= 5
    assert "refuted" in outcomes["Ginkgo 2"]
    assert set(outcomes["Ironwood 3"]) == {"unverifiable"}


def test_eight_candidates_stand_on_the_leaderboard_and_differ_from_domain_to_domain(results_world):
    rows = board(find_judge("", field="run"), by="domain").as_dict()["standings"]
    assert len(rows) == 8
    scores = {row["candidate"]: list(row["by"].values()) for row in rows}
    assert all(max(each) - min(each) > 0.25 for each in scores.values()), scores
    best = {max(scores, key=lambda name: scores[name][n]) for n in range(6)}
    assert len(best) >= 4


def test_the_alignment_set_is_scored_in_part(results_world):
    made = AlignmentSet.objects.get()
    assert made.items.count() == len(DOMAINS) * len(HOUSES)
    sheets = Sheet.objects.filter(response__drawn_in__set=made)
    done = sheets.filter(state=Sheet.State.SUBMITTED)
    assert (done.count(), sheets.count()) == (sum(SUBMITTED.values()), 20)
    begun = sheets.exclude(pk__in=done).filter(lines__isnull=False).distinct()
    assert begun.count() == 2
    assert all(sheet.lines.count() < sheet.version.criteria.count() for sheet in begun)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/leaderboard/", "Ironwood 3"),
        ("/staff/alignment/", "5 thresholds are not reached"),
        ("/staff/alignment/sets/", "12 of 20"),
        ("/staff/runs/", "rules-1"),
        ("/staff/gold/", "Release 1"),
        ("/staff/workshop/", "One call for a line"),
        ("/staff/flags/", "Hazel 1"),
    ],
)
def test_the_pages_of_results_have_content(results_world, address, said):
    assert said in shown(results_world["staff"], address)


def test_a_scorer_finds_the_begun_sheet_at_home(results_world):
    assert "6 of 17" in shown(results_world["begun"], "/")


def test_the_release_holds_the_six_anchored_tasks_and_its_files_are_whole(results_world):
    release = GoldRelease.objects.get()
    assert release.items.count() == 6
    assert not release.items.filter(task__key="law-lease-break").exists()
    assert all(one.fine for one in verify(release))


def test_every_answer_is_a_text_of_its_own_and_every_unmet_line_exists():
    lines = (FOLDER / "results" / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["text"] for row in rows}) == len(rows) == 35
    for slug, by_candidate in read_file("results/sheets.json").items():
        known = {line["id"] for line in read_file(f"tasks/{slug}.json")["rubric"]}
        assert set(by_candidate) == set(HOUSES)
        assert all(set(unmet) <= known for unmet in by_candidate.values())


def test_the_error_taxonomy_is_in_use_and_a_proposal_waits(results_world):
    found = report(Domain.objects.get(key="finance"))
    having = {name: n for name, n, _of, _cells in found.rows}
    assert sum(having.values()) >= 4
    assert {having[name] for name in ("Alder 1", "Elm 2")} == {0}
    assert found.disagreements
    assert found.open >= 1
    release = GoldRelease.objects.get()
    assert "error_codes.jsonl" in {one["name"] for one in release.manifest["files"]}
    assert release.manifest["composition"]["panel"]["experts"] == 21


def test_profiles_and_certificates_fill_the_page_in_numbers(results_world):
    page = shown(results_world["staff"], "/staff/numbers/")
    assert "3 confirmed and in force, 1 ended, 1 not confirmed, 2 not checked yet" in page


def test_one_expert_has_practised_and_nobody_has_to_before_their_next_sheet(results_world):
    attempt = PracticeAttempt.objects.get()
    assert (attempt.agreed, attempt.lines, attempt.passed) == (15, 17, True)
    pairs = list(Qualification.objects.filter(active=True).values_list("user_id", "domain_id"))
    assert held_up(pairs) == {}
    assert "75 of 100 lines have to agree" in shown(
        results_world["staff"], "/staff/scorers/finance/"
    )


def test_nobody_of_the_sample_approves_faster_than_lines_can_be_read(results_world):
    rounds = Round.objects.filter(lines__carried_over=False).distinct()
    assert rounds.count() > 5
    assert [str(task) for task in Task.objects.all() if pace.of_everybody(task)] == []
    for current in rounds:
        first = current.lines.filter(carried_over=False).earliest("at").at
        assert current.opened_at < first
