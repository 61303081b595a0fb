"""The sample's benchmark of products fills the pages made for it, for those whom they concern."""

import html

import pytest

from config.sample.people import send_application, sit_exam
from config.sample.products import People
from config.sample.products.loading import load_products_benchmark
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.qualification.actions import admit
from curation.tasks.task.models import AnswerForm, Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets.models import GoldRelease
from judge.base.products import Product
from judge.methods.base import registry
from judge.results.leaderboard.open_boards import BoardRemoval
from judge.results.product_index.stored import compute, waiting_indexes
from judge.runs.engine.models import JudgeRun
from judge.scoring.graded_sheets.models import GradedSheet
from tests.conftest import browser_of, new_domain, new_person
from tests.worlds import World

APPLICANT = {
    "affiliation": "House of Noor",
    "degree": "Diploma",
    "years": 7,
    "credentials": "Seven years in a house of this trade.",
}


@pytest.fixture(scope="module")
def products_world(world_database: None) -> World:
    """The benchmark of products alone, with an expert of another domain beside it."""
    people: People = {"staff": new_person("staff", is_staff=True)}
    outsider = new_person("outsider", new_domain("finance"))
    load_products_benchmark(people)
    return World(outsider=outsider, **people)


def shown(person: User, address: str) -> str:
    answer = browser_of(person).get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return " ".join(html.unescape(answer.content.decode()).split())


def test_tasks_have_every_form_of_answer_in_two_languages(products_world):
    tasks = Task.objects.filter(stage="approved")
    assert set(tasks.values_list("answer_form", flat=True)) == set(AnswerForm.values)
    assert set(tasks.values_list("language", flat=True)) == {"en", "zh-hans"}
    assert not tasks.filter(work_type=None).exists()


def test_eight_products_answered_over_three_periods(products_world):
    answered = Response.objects.filter(period__isnull=False)
    assert Product.objects.count() == 8
    assert answered.values("candidate__product").distinct().count() == 8
    assert answered.values("period").distinct().count() == 3


def test_every_run_is_finished_and_was_judged_by_the_offline_rules(products_world):
    runs = JudgeRun.objects.all()
    assert {run.state for run in runs} == {JudgeRun.State.FINISHED}
    assert {run.provider for run in runs} == {"offline"}
    with_example_or_lines = {"one_shot", "zero_shot"}
    of_long_reports = {key for key in registry.METHODS if key.startswith("jade")}
    expected = set(registry.METHODS) - with_example_or_lines - of_long_reports
    assert {run.method for run in runs} == expected


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/", "Confirm a de-identification"),
        ("/staff/work-map/recruiting/", "Tasks cover work that takes 63 % of the time."),
        ("/staff/work-map/marketing/", "Splitting a media budget"),
        ("/staff/business/", "waits for a second person"),
        ("/reverifications/", "Its date came near"),
        ("/index/availability/", "offline"),
        ("/market-fit/recruiting/", "stage 2, agents and humans collaborate"),
        ("/market-fit/marketing/", "stage 1, no fit yet"),
        ("/staff/difficulty/", "Mean share of models that are right"),
        ("/staff/profiles/", "6 creators"),
        ("/staff/methods/", "8 plants"),
        ("/leaderboard/", "Meridian Scout 4.0"),
        ("/leaderboard/halves/", "Open: the development half"),
        ("/staff/editions/", "Q"),
        ("/staff/errata/", "Four channels after six weeks"),
        ("/staff/collecting/", "All tasks"),
    ],
)
def test_the_pages_of_staff_have_content(products_world, address, said):
    assert said in shown(products_world["staff"], address)


def test_the_index_has_content_once_the_worker_has_made_it(products_world):
    staff = products_world["staff"]
    shown(staff, "/index/")
    for row in waiting_indexes():
        compute(row)
    assert "Larkspur Research" in shown(staff, "/index/")


def test_a_later_call_of_a_method_with_several_questions_is_no_attempt(products_world):
    run = JudgeRun.objects.get(method="conditions")
    page = shown(products_world["staff"], f"/staff/runs/{run.pk}/")
    assert "several calls per response" in page
    assert set(run.calls.values_list("attempt", flat=True)) == {1}
    assert "attempt" not in page


def test_the_score_of_a_graded_run_is_not_called_a_share_of_lines(products_world):
    runs = {run.method: run.pk for run in JudgeRun.objects.all()}
    staff = products_world["staff"]
    graded = shown(staff, f"/leaderboard/?run={runs['graded']}")
    assert "what the judge's method gives a response" in graded
    questions = shown(staff, f"/leaderboard/?run={runs['questions']}")
    assert "weighted share of lines met" in questions


def test_models_that_are_right_are_those_of_the_run_made_for_exact_answers(products_world):
    assert JudgeRun.objects.first().method == "graded"  # the newest; it judged such tasks too
    assert "exact answer" in shown(products_world["staff"], "/staff/difficulty/")


def test_a_solver_finds_a_question_and_an_answer_to_grade(products_world):
    home = shown(products_world["solver"], "/")
    assert "Solve a question" in home
    sheet = GradedSheet.objects.get(state="open")
    assert sheet.user == products_world["solver"]
    assert "I still have to recalculate" in shown(sheet.user, f"/graded-sheets/{sheet.pk}/")


def test_an_operator_finds_the_queue_and_is_not_asked_to_apply(products_world):
    home = shown(products_world["operator"], "/")
    assert "9 answers can be collected" in home
    assert "Apply in the domain" not in home
    assert "Take the next" in shown(products_world["operator"], "/collecting/")


def test_an_expert_of_another_domain_sees_nothing_of_it(products_world):
    home = shown(products_world["outsider"], "/")
    for word in ("Recruiting", "Marketing", "Solve a question", "verify"):
        assert word not in home


def test_a_release_of_its_tasks_has_a_half_held_out_and_nobody_is_off_the_board(products_world):
    release = GoldRelease.objects.get()
    assert release.items.count() == Task.objects.filter(stage="approved").count()
    assert not BoardRemoval.objects.exists()
    page = shown(products_world["staff"], f"/staff/gold/releases/{release.number}/")
    assert "held out" in page or "held-out" in page


@pytest.mark.parametrize("key", ["recruiting", "marketing"])
def test_an_applicant_to_its_domains_is_admitted_to_an_exam_and_passes_it(products_world, key):
    domain = Domain.objects.get(key=key)
    newcomer = new_person(f"newcomer-{key}")
    assert domain.name in shown(newcomer, "/apply/")
    application = send_application(newcomer, {**APPLICANT, "applicant_in": key})
    admit(actor=products_world["staff"], application=application)
    sitting = sit_exam(newcomer, application)
    assert (sitting.points, sitting.passed) == (sitting.points_possible, True)
