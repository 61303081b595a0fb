"""The sample library from a skill's first line to a verified report; each at their own desk."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from config.sample.checklists import load_checklists
from config.sample.skills import load_skills
from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.tasks.skills.models import SkillLabel
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.gold.transfer.responses import Responses
from judge.methods.query_checklists.models import QueryChecklist
from judge.results.flags.overrules import OverruledScore
from judge.runs.engine.models import JudgeRun, Judgment
from review.rounds.assignment_models import Review
from tests.browser import library
from tests.programme import sample_programme

pytestmark = pytest.mark.django_db(transaction=True)
TASK = "finance-equity-bridge"
REGISTER = "https://companies.gov.uk/brannock"
PAGE = (
    "Brannock pledged £1,400,000 of its cash until 2028. "
    "The price for the shares was one amount of money, £59,000,000."
)
ANSWER = f"""Brannock pledged £1,400,000 of its cash until 2028 ([register]({REGISTER})).

The price for the shares is one amount of money, £60,645,000 ([register]({REGISTER})).

The printing press has 312 rollers of hardened rubber.

I recommend the price for the shares of £60,645,000, because the pledged cash stays locked."""
VERDICTS = {"c1": "supported", "c2": "refuted", "c3": "cannot be verified"}
IN_CHINESE = {"c1": "有依据", "c2": "被推翻", "c3": "无法核验"}


@pytest.fixture
def office(settings: Any, tmp_path: Path) -> dict[str, User]:
    """The sample with its library, a report that cites a page, and a folder with that page."""
    settings.MEDIA_ROOT = tmp_path / "files"
    sample_programme()
    everybody = {one.email.partition("@")[0]: one for one in User.objects.all()}
    load_skills(everybody["staff"])
    load_checklists(everybody["staff"], everybody["senior"])
    row = {"task": TASK, "id": "report-1", "model": "Juniper 1", "text": ANSWER}
    (tmp_path / "responses.jsonl").write_text(json.dumps(row), "utf-8")
    Responses().run(tmp_path / "responses.jsonl")
    settings.VAR_DIR, settings.SPOT_CHECK_RATE = tmp_path, 0.0
    folder = tmp_path / "documents" / "register"
    folder.mkdir(parents=True)
    (folder / "brannock.txt").write_text(PAGE, "utf-8")
    stored = {"address": REGISTER, "file": "brannock.txt", "fetched": "2026-03-01"}
    (folder / "manifest.jsonl").write_text(json.dumps(stored), "utf-8")
    return everybody


def plans_and_starts(room: Any) -> JudgeRun:
    """Staff plan a run of JADE by the offline rules with the folder of documents."""
    page = room.page
    room.open("/staff/runs/new/")
    page.locator("[name=method][value=jade]").check()
    page.locator("[name=provider]").select_option("offline")
    page.get_by_text("For methods that look claims up").click()
    page.locator("[name=search]").select_option("local:register")
    page.get_by_label("Task keys").fill(TASK)
    room.click("Plan the run")
    room.reads("Planned. Read the estimate, then start the run.")
    with page.expect_navigation():
        room.click("Start the run")
    room.open("/")  # the page of a run loads itself again when the run ends
    call_command("work", verbosity=0)
    return JudgeRun.objects.latest("pk")


def verdict_on(page: Any, claim: str) -> str:
    """The words of the verdict beside a claim."""
    return str(page.locator(f"#claim-{claim} .state").first.inner_text()).strip()


def reads_the_report(room: Any, address: str) -> None:
    """Three verdicts with evidence beside them; what rests on the refuted claim is greyed."""
    page = room.page
    room.open(address)
    assert {name: verdict_on(page, name) for name in VERDICTS} == VERDICTS
    for name, said in (("c1", "pledged £1,400,000"), ("c2", "£59,000,000")):
        excerpt = page.locator(f"#claim-{name} .jade-excerpt")
        assert said in excerpt.inner_text()
        assert excerpt.get_by_role("link").first.get_attribute("href") == REGISTER
    assert page.locator("#claim-c3 .jade-excerpt").count() == 0
    line = page.locator(".jade-row.is-off", has_text=library.CHECKPOINTS[0][0])
    assert "counts nothing" in line.inner_text()
    drawn = page.locator("svg.gates")
    assert "Because c2 does not hold" in str(drawn.get_attribute("aria-label"))
    assert drawn.locator(".gate-closed").count() >= 1
    assert page.locator(".jade-row.is-off").count() < page.locator("[id^=item-]").count()


def overrules_a_verdict(room: Any, judgment: Judgment) -> None:
    """With a reason, and the score follows; the judge's own stays beside it."""
    page = room.page
    claim = page.locator("#claim-c2")
    claim.get_by_text("Overrule", exact=True).first.click()
    claim.locator("select[name=answer]").select_option("supported")
    claim.locator("[name=confidence]").fill("90")
    claim.locator("[name=reason]").fill("The page is of the year before; the deed has £60,645,000.")
    claim.get_by_role("button", name="Overrule", exact=True).click()
    room.reads("Score with overrules", "1 answer of the judge is overruled.")
    assert verdict_on(page, "c2") == "supported"
    assert page.locator(".gate-closed").count() == 0
    new = OverruledScore.objects.get(judgment=judgment)
    facts = page.locator(".overruled-head dd").all_inner_texts()
    assert facts == [
        points(new.numerator, new.denominator),
        points(judgment.score_numerator, judgment.score_denominator),
    ]
    assert facts[0] != facts[1]


def points(above: int | None, below: int | None) -> str:
    """A known score in points of 100, as pages write it."""
    assert above is not None
    assert below
    return f"{100 * above / below:.1f}"


def in_chinese(room: Any, address: str) -> None:
    """The three verdicts in Chinese on a phone, and no wider than it."""
    page = room.page
    cookie = {"name": "django_language", "value": "zh-hans", "url": room.url}
    room.context.add_cookies([cookie])
    page.set_viewport_size({"width": 390, "height": 844})
    room.open(address)
    assert {name: verdict_on(page, name) for name in VERDICTS} == IN_CHINESE
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_skill_goes_from_its_first_line_to_a_verified_report(
    desk: Any, office: dict[str, User]
) -> None:
    room = desk("staff@example.test")
    library.begins_the_skill(room, "finance", office["author"])
    skill = SkillLabel.objects.get(name=library.LABEL).skill
    assert skill is not None
    library.writes_the_lines(desk("author@example.test"), skill.pk)
    review = Review.objects.get(task=skill)
    library.approves_each_line(desk(review.reviewer.email), review.pk)
    skill.refresh_from_db()
    assert skill.stage == Stage.APPROVED
    task = Task.objects.get(key=TASK)
    library.labels_and_composes(desk("senior@example.test"), task.pk)
    in_use = QueryChecklist.objects.get(task=task, state="in_use")
    weights = dict(in_use.lines.values_list("criterion__text", "weight"))
    assert [weights[text] for text, *_rest in library.CHECKPOINTS] == [10, 5, -15]

    run = plans_and_starts(room)
    response = Response.objects.get(text=ANSWER)
    judgment = Judgment.objects.get(run=run, response=response)
    address = f"/staff/verdicts/{response.pk}/?judge={run.pk}"
    in_english = desk("staff@example.test")
    reads_the_report(room, address)
    in_chinese(in_english, address)
    overrules_a_verdict(room, judgment)
    room.open(f"/staff/runs/{run.pk}/")
    row = room.page.locator("section", has_text="Reasoning and evidence").locator(
        "tr", has_text="Juniper 1"
    )
    assert re.search(r"1 of 1", row.inner_text())
