"""The whole process, walked once by everybody it takes, through the doors they use.

Only the founding of the programme is written into the database: a member of staff, a domain with
its exam, and the founding senior, whom nobody could have examined. Everything after that is
somebody reading a page and pressing what stands on it.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from curation.joining.domains.models import Category, Domain
from curation.joining.people import Qualification, User, confirm_address
from curation.qualifying.exams.bank_models import Exam, Question
from curation.tasks.task.models import Task
from tests.walk import judging, qualification, rubric, texts
from tests.walk.people import PASSWORD, Person, invited

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def founded(settings: Any, tmp_path: Path) -> tuple[Person, Person]:
    """A programme on its first day: staff, a founding senior, one domain with its exam."""
    settings.SPOT_CHECK_RATE = 1.0
    settings.MEDIA_ROOT = tmp_path / "files"
    finance = Domain.objects.create(key="finance", name="Finance", name_zh="金融", position=1)
    Category.objects.create(domain=finance, key="credit", name="Credit")
    exam = Exam.objects.create(
        domain=finance, title="Entry exam", minutes=30, pass_percent=60, shuffle=False
    )
    for position, row in enumerate(texts.EXAM, start=1):
        Question.objects.create(exam=exam, position=position, **row)
    User.objects.create_superuser("staff@example.test", PASSWORD)
    founder = User.objects.create_user("founder@example.test", PASSWORD)
    confirm_address(founder)
    Qualification.objects.create(user=founder, domain=finance, senior=True)
    return Person("staff"), Person("founder")


def test_a_task_goes_from_an_applicant_to_a_gold_release(
    founded: tuple[Person, Person], tmp_path: Path
) -> None:
    staff, founder = founded
    staff.sign_in()
    founder.sign_in()
    founder.open("/seniors/trials/")
    founder.sees("You have not agreed to the terms yet.")
    founder.press("Agree to these terms")
    assert founder.page.address == "/seniors/trials/"

    author = invited(staff, "ines")
    qualification.becomes_an_expert_the_long_way(author, staff, founder)
    reviewer, checker, scorer, meta = (
        qualification.qualified(invited(staff, name), staff, founder)
        for name in ("ruben", "sena", "sofia", "mateo")
    )
    for person in (checker, meta):
        qualification.is_made_a_senior(person, staff)

    rubric.lets_members_come_forward(staff)
    task = rubric.writes_and_submits(author, stranger=reviewer)
    rubric.is_kept_by_the_panel(task, founder, author)
    rubric.refines_the_rubric(task, author)
    review = rubric.asks_for_one_change(task, reviewer, author)
    rubric.answers_and_sends_again(task, author)
    rubric.approves_the_rest(review, reviewer)
    rubric.passes_the_spot_check(task, checker, author, scorer)

    judging.is_drawn_for_gold(task, staff)
    sheet = judging.scores_the_baseline(task, scorer, author)
    judging.sends_the_scoring_back_once(sheet, meta, scorer)

    judging.responses_arrive(task, staff, tmp_path)
    judging.judges_run(staff, author)
    judging.the_report_is_read(staff, author)
    manifest, files = judging.is_released(staff, author)
    the_story_is_complete(task, author, staff)

    for file in manifest["files"]:
        data = files[file["name"]]
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file["bytes"], file["sha256"])
        if file["rows"] is not None:
            assert len(data.splitlines()) == file["rows"], file["name"]
    (row,), (made,), (anchor,) = (
        rows(files[f"{name}.jsonl"]) for name in ("tasks", "provenance", "anchors")
    )
    assert row["id"] == Task.objects.values_list("key", flat=True).get(pk=task)
    assert row["requirements"] == Task.objects.get(pk=task).requirements
    assert row["id"] == made["task"] == anchor["task"]
    assert (made["title"], made["author"]) == (texts.TASK["title"], "author-1")
    assert (made["review_rounds"], made["spot_checked"], made["anchor_scorings"]) == (2, True, 2)
    lines = {line["id"]: line["weight"] for line in row["rubric"]}
    assert len(lines) == made["lines"] == manifest["counts"]["lines"] >= 15
    assert set(anchor["scores"]) == set(anchor["rationales"]) == set(lines)
    met = sum(weight for line, weight in lines.items() if anchor["scores"][line])
    assert (anchor["score_numerator"], anchor["score_denominator"]) == (met, sum(lines.values()))
    assert manifest["rubrics"] == {row["id"]: made["rubric_sha256"]}
    responses = rows(files["responses.jsonl"])
    assert {response["model"] for response in responses} >= set(texts.CANDIDATES)
    counted = {name: manifest["counts"][name] for name in ("tasks", "anchors", "responses")}
    assert counted == {"tasks": 1, "anchors": 1, "responses": len(responses)}


def rows(file: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.decode().splitlines()]


def the_story_is_complete(task: int, author: Person, staff: Person) -> None:
    told = (
        "Submitted.",
        "The panel can read it now.",
        "Accepted by the panel.",
        "were cut by rule",
        "The rubric was sent to review.",
        "Reviewer 1 finished round 1.",
        "Back from the review.",
        "The rubric was sent to review.",
        "Reviewer 1 finished round 2.",
        "The review is finished.",
        "Approved at the spot check.",
    )
    author.open(f"/tasks/{task}/")
    author.sees_in_order(*told)
    staff.open(f"/staff/tasks/{task}/")
    staff.sees_in_order(*told)
