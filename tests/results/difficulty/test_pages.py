"""Staff read which share of the models is right, decide, and ask for a second look."""

import re
from datetime import date
from typing import Any

import pytest

from curation.joining.notices.models import Notice
from curation.screening.panels.actions import join_panel
from curation.screening.panels.voting_actions import vote
from curation.screening.solving.models import SecondLook, SecondOpinion
from curation.tasks.amendments.models import Amendment
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.products import EvaluationPeriod
from judge.results.difficulty.models import ShareDecision, ShareRules
from judge.runs.engine.models import Finding, JudgeRun, Judgment
from rubrics.versions.models import RubricVersion
from tests.markup import without_tokens
from tests.results.alignment.conftest import Bench
from tests.tasks.exact_answers.conftest import (
    EXACT_TESTS,
    decide,
    new_question,
    solve,
    to_panel,
)

pytestmark = pytest.mark.django_db
PAGE = "/staff/difficulty/"
MODELS = ("Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel")


@pytest.fixture
def approve(author: Any, finance: Any, person: Any, sign_in: Any) -> Any:
    """Walk a question to approved: `approve(title="A")`."""
    people = {name: person(name, finance) for name in ("member", "ana", "bela")}

    def walk(**changes: Any) -> Task:
        task = to_panel(new_question(author, finance, **changes))
        member = people["member"]
        join_panel(actor=member, task=task)
        vote(
            actor=member,
            task=task,
            decision="keep",
            reasons="Good.",
            **dict.fromkeys(("difficult", "representative", "gradable", *EXACT_TESTS), True),
        )
        for name in ("ana", "bela"):
            someone = people[name]
            join_panel(actor=someone, task=task, kind="solve")
            client = sign_in(someone)
            solve(client, task)
            decide(client, task)
        task.refresh_from_db()
        assert task.stage == "approved"
        return task

    return walk


@pytest.fixture
def judged(approve: Any, finance: Any) -> Any:
    """Three questions, answered by six models and judged: easy, doubtful, fair."""
    right = {"easy": 6, "doubtful": 0, "fair": 3}
    tasks = {name: approve(title=name.title()) for name in right}
    bench = Bench(finance)
    bench.versions = {
        version.task.key: version for version in RubricVersion.objects.select_related("task")
    }
    verdicts = {}
    for name, task in tasks.items():
        for n, model in enumerate(MODELS):
            response = bench.response(task.key, model)
            said = "12" if n < right[name] else "13" if name == "doubtful" else f"{20 + n}"
            text = f"I counted the prefectures one by one.\n\n**Answer: {said}**\n"
            Response.objects.filter(pk=response.pk).update(text=text, text_version=task.version)
            verdicts[task.key, model] = (1 if n < right[name] else 0,)
    return tasks, bench.run(verdicts)


@pytest.fixture
def desk(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def test_before_any_run_the_page_says_what_will_be_there(desk):
    assert "No share is known yet" in desk.get(PAGE).content.decode()
    assert desk.get("/staff/difficulty.csv").status_code == 404


def test_shares_findings_and_the_histogram_are_on_one_page(desk, judged):
    page = desk.get(PAGE).content.decode()
    assert "2 of 3 tasks need a decision." in page
    assert "<svg" in page
    assert "On 1 of 3 tasks fewer than half of the models are right." in page
    assert "Too easy: proposed to be dropped" in page
    assert "Most models agree on another answer" in page
    assert ">13<" in page
    everything = desk.get(f"{PAGE}?show=any").content.decode()
    assert "Fair" in everything
    table = desk.get("/staff/difficulty.csv").getvalue().decode()
    assert ",6,0.0000,13,1.0000,other_answer," in table
    assert ",6,1.0000,,,easy," in table


def test_shares_over_time_are_read_from_the_evaluation_periods(desk, judged):
    tasks, _run = judged
    for number, key in enumerate(("2026-04", "2026-05"), start=4):
        period = EvaluationPeriod.objects.create(
            key=key, starts_on=date(2026, number, 1), ends_on=date(2026, number, 28)
        )
        task = tasks["easy" if number == 4 else "fair"]
        Response.objects.filter(task=task).update(period=period)
    page = desk.get(PAGE).content.decode()
    assert "the mean share went from 100\u00a0% to 50\u00a0%" in page.replace("&nbsp;", "\u00a0")
    one = desk.get(f"{PAGE}?period=2026-04&show=any").content.decode()
    assert "Easy" in one
    assert "Doubtful</a>" not in one
    assert desk.get(f"{PAGE}?period=1999").status_code == 400


def test_a_task_is_kept_with_a_reason_until_its_text_changes(desk, judged):
    tasks, _run = judged
    task, address = tasks["easy"], f"{PAGE}{tasks['easy'].pk}/"
    page = desk.get(address).content.decode()
    assert "proposed to be dropped" in page
    assert "Discard" in page
    sent = {"finding": "easy", "decision": "keep"}
    assert desk.post(address, sent).status_code == 400
    assert desk.post(address, {**sent, "finding": "fair", "reason": "x"}).status_code in (303, 409)
    assert desk.post(address, {**sent, "reason": "It anchors the scale."}).status_code == 302
    kept = ShareDecision.objects.get()
    assert (kept.finding, kept.evidence["right_percent"]) == ("easy", "100")
    assert "1 of 3 tasks need a decision." in desk.get(PAGE).content.decode()
    Task.objects.filter(pk=task.pk).update(version=task.version + 1)
    assert "2 of 3 tasks need a decision." in desk.get(PAGE).content.decode()


def test_a_second_look_goes_to_author_and_solvers_and_back_to_staff(desk, judged, sign_in, author):
    tasks, _run = judged
    task, address = tasks["doubtful"], f"{PAGE}{tasks['doubtful'].pk}/"
    asked = {"finding": "other_answer", "decision": "look", "reason": "Is it 13 since 2024?"}
    assert desk.post(address, {**asked, "reason": ""}).status_code == 400
    assert desk.post(address, asked).status_code == 302
    look = SecondLook.objects.get()
    assert look.shown == {
        "models": 6,
        "right_percent": "0",
        "other": "13",
        "other_percent": "100",
    }
    again = desk.post(address, asked)
    assert again.status_code in (303, 409)
    people = {opinion.person.email: opinion.role for opinion in SecondOpinion.objects.all()}
    assert people == {
        "author@example.test": "author",
        "ana@example.test": "solver",
        "bela@example.test": "solver",
    }
    assert Notice.objects.filter(kind="second_look_asked").count() == 3
    theirs = f"/second-looks/{look.pk}/"
    for name in ("author", "ana"):
        client = sign_in(_person(name))
        home = client.get("/").content.decode()
        assert theirs in home
        page = without_tokens(client.get(theirs).content.decode())
        assert "Is it 13 since 2024?" in page
        assert "100 % agree on another answer: “13”" in page
        assert not [model for model in MODELS if re.search(rf"\b{model}\b", page)]
        assert client.post(theirs, {"verdict": "right"}).status_code == 400
        assert client.post(theirs, {"verdict": "right", "remarks": "Counted."}).status_code == 302
        assert client.post(theirs, {"verdict": "right", "remarks": "x"}).status_code in (303, 409)
    assert sign_in(_person("member")).get(theirs).status_code == 404
    staffs = f"/staff/second-looks/{look.pk}/"
    page = desk.get(staffs).content.decode()
    assert "1 opinion is missing" in page
    assert "Ana" in page
    assert desk.post(staffs, {"outcome": "holds"}).status_code == 400
    closed = desk.post(staffs, {"outcome": "holds", "reason": "All three counted 12."})
    assert closed.status_code == 302
    assert desk.post(staffs, {"outcome": "holds", "reason": "x"}).status_code in (303, 409)
    late = sign_in(_person("bela")).post(theirs, {"verdict": "right", "remarks": "x"})
    assert late.status_code in (303, 409)
    assert "All three counted 12." in sign_in(author).get(theirs).content.decode()
    assert "second look: The answer holds" in desk.get(f"{PAGE}?show=any").content.decode()
    assert "The answer holds" in desk.get("/staff/second-looks/").content.decode()
    assert task.history.filter(data__event="second_look_closed").exists()


def test_an_easy_task_gets_no_second_look(desk, judged):
    tasks, _run = judged
    reply = desk.post(
        f"{PAGE}{tasks['easy'].pk}/", {"finding": "easy", "decision": "look", "reason": "x"}
    )
    assert reply.status_code == 400
    assert not SecondLook.objects.exists()


def test_an_amended_answer_makes_the_judgments_stale_and_the_line_new(
    desk, judged, sign_in, author, person, finance
):
    tasks, _run = judged
    task = tasks["doubtful"]
    client = sign_in(author)
    page = client.get(f"/tasks/{task.pk}/amend/").content.decode()
    assert 'name="answer"' in page
    assert 'name="reference_answer"' not in page
    sent = {
        "version": task.version,
        "title": task.title,
        "requirements": task.requirements,
        "answer": "13",
        "kind": "number",
        "unit": "prefectures",
        "tolerance": "",
        "alternatives": "",
        "reason": "One was founded in 2024.",
    }
    refused = client.post(f"/tasks/{task.pk}/amend/", {**sent, "answer": "thirteen"})
    assert refused.status_code == 400
    same = client.post(f"/tasks/{task.pk}/amend/", {**sent, "answer": "12"})
    assert same.status_code == 400
    look = client.post(f"/tasks/{task.pk}/amend/", {**sent, "look": "1"}).content.decode()
    assert "13" in look
    assert client.post(f"/tasks/{task.pk}/amend/", sent).status_code == 302
    amendment = Amendment.objects.get()
    senior = person("sen", finance, senior=True)
    reply = sign_in(senior).post(
        f"/amendments/{amendment.pk}/", {"decision": "agree", "reason": "Checked."}
    )
    assert reply.status_code == 302
    task.refresh_from_db()
    assert (task.stage, task.reference_answer) == ("approved", "13 prefectures")
    assert task.exact_answer.answer == "13"
    newest = task.rubric_versions.order_by("number").last()
    assert newest.criteria.get().text == "The final answer is: 13 prefectures"
    assert newest.text_version == task.version == task.rubric_since
    page = desk.get(f"{PAGE}?show=any").content.decode()
    assert "6 responses have no score" in page
    assert "Doubtful</a>" not in page


def test_the_rules_are_data_with_a_history_and_are_refused_out_of_order(desk, judged, staff):
    rules = f"{PAGE}rules/"
    sent = {"fewest": 3, "drop": 40, "look": 5, "agree": 60, "read": 0}
    assert desk.post(rules, {**sent, "look": 40}).status_code == 400
    assert desk.post(rules, {**sent, "drop": 101}).status_code == 400
    assert desk.post(rules, {**sent, "fewest": "x"}).status_code == 400
    assert desk.post(rules, sent).status_code == 302
    assert desk.post(rules, sent).status_code in (303, 409), "somebody set them meanwhile"
    row = ShareRules.objects.get()
    assert (row.number, row.drop, row.set_by) == (1, 40, staff)
    assert "3 of 3 tasks need a decision." in desk.get(PAGE).content.decode()
    assert "drop above 40" in desk.get(rules).content.decode()


def test_the_list_takes_as_many_queries_for_three_tasks_as_for_one(
    desk, judged, django_assert_max_num_queries
):
    with django_assert_max_num_queries(40):
        desk.get(f"{PAGE}?show=any")


def test_nobody_but_staff_reads_what_models_answered(sign_in, judged, author, senior):
    tasks, _run = judged
    for person in (author, senior):
        client = sign_in(person)
        for address in (PAGE, f"{PAGE}{tasks['easy'].pk}/", f"{PAGE}rules/"):
            assert client.get(address).status_code == 403


def _person(name: str) -> Any:
    from curation.joining.people import User

    return User.objects.get(email=f"{name}@example.test")


def test_what_the_judge_extracted_counts_before_the_last_line(desk, judged):
    tasks, run = judged
    JudgeRun.objects.filter(pk=run.pk).update(method="exact")
    for judgment in Judgment.objects.filter(items__run=run, response__task=tasks["doubtful"]):
        found = {"extracted": "14", "reason": "", "correct": False, "confidence": None}
        Finding.objects.create(judgment=judgment, name="answer", data=found)
    table = desk.get("/staff/difficulty.csv").getvalue().decode()
    assert ",6,0.0000,14,1.0000,other_answer," in table
