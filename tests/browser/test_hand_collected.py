"""An answer that an operator collects by hand, up to the leaderboard; each at their own desk."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.results.product_index.actions import add_period, add_product, put_version
from judge.results.registry.actions import add_candidate
from tests.scoring.graded_sheets.conftest import imported_task

pytestmark = pytest.mark.django_db(transaction=True)
SAID = "The covenant is broken in March, so the lender has to be asked before the purchase."
PRODUCT = "Zedoary Scout"  # looked for in everything that is blind
ASIDE = ("https://zedoary.example/share/7", "Team plan, account 3", "Memory is off")


@pytest.fixture
def office(staff: User, finance: Domain) -> User:
    """Staff with a product that has no interface, a period of today, and two tasks."""
    product = add_product(actor=staff, name=PRODUCT)
    for version in ("4.0", "4.1"):
        one = add_candidate(actor=staff, name=f"{PRODUCT} {version}", kind="product")
        put_version(
            actor=staff,
            product=product,
            candidate=one,
            version=version,
            released_on=date(2020, 1, 1),
        )
    today = timezone.localdate()
    add_period(actor=staff, key="this-month", starts_on=today - timedelta(days=9), ends_on=today)
    imported_task(Domain.objects.create(key="puzzles", name="Puzzles", external=True), "memo")
    return staff


def orders(desk: Any, staff: User, operator: User) -> Any:
    """Make somebody an operator, and order an answer of each version."""
    room = desk(staff.email)
    room.open("/staff/collecting/operators/")
    room.page.get_by_label("E-mail address").fill(operator.email)
    room.page.get_by_label("Reason").fill("Knows the product; no expert of any domain.")
    room.click("Add the operator")
    room.reads("became an operator.")
    room.open("/staff/collecting/")
    room.click("Order answers")
    page = room.page
    assert "-----" not in page.locator("main").inner_text()
    page.get_by_label("Period").select_option(label="this-month")
    for version in ("4.0", "4.1"):
        page.get_by_label(f"{PRODUCT} {version}").check()
    page.get_by_label("What operators should know").fill("Switch the memory off.")
    room.click("Order the answers")
    room.reads("0 of 2")
    return room


def collects(desk: Any, operator: User) -> None:
    """Answer the first cell on a phone, and skip the second, which is offline."""
    hand = desk(operator.email, width=390, height=844)
    hand.open("/")
    hand.click("Open the queue")
    hand.reads("2 answers wait to be collected.")
    hand.click("Take the next")
    hand.reads(f"Ask {PRODUCT} 4.0", "Switch the memory off.", "Write the memo.")
    main = hand.page.locator("main").inner_text()
    assert "Names March." not in main
    assert "The covenant is broken" not in main
    hand.page.get_by_label("The answer").fill("")
    hand.click("Store and take the next")
    hand.reads("Paste the answer, or skip this one and say why.")
    hand.problems[:] = [said for said in hand.problems if "status of 400" not in said]
    for label, words in zip(
        ("Links it gave", "Account used", "Tools switched off"), ASIDE, strict=True
    ):
        hand.page.get_by_label(label).fill(words)
    hand.page.get_by_label("The answer").fill(SAID)
    hand.click("Store and take the next")
    hand.reads(f"Ask {PRODUCT} 4.1")
    hand.page.get_by_text("No answer? Skip it and say why").press("Enter")
    hand.page.locator("[name=reason][value=offline]").press("Space")
    hand.page.get_by_role("button", name="Skip", exact=True).press("Enter")
    hand.reads("Nothing waits to be collected")
    assert hand.page.evaluate("document.documentElement.scrollWidth") == 390
    assert hand.open("/staff/collecting/").status in (403, 404)
    hand.problems[:] = [said for said in hand.problems if not re.search("status of 40[34]", said)]


def gives_it_to_a_scorer(room: Any, scorer: User) -> None:
    room.open("/index/availability/")
    row = room.page.locator("tr", has_text="4.0")
    row.get_by_text("measured").wait_for()
    room.page.locator("tr", has_text="4.1").get_by_text("offline").wait_for()
    response = Response.objects.get(text=SAID)
    room.open(f"/staff/alignment/sheets/?task={response.task.key}&form=grade&size=5&seed=1")
    room.page.locator(f"[name=scorer-{response.task_id}]").select_option(str(scorer.pk))
    room.page.locator("button.btn-primary").first.click()
    room.page.wait_for_load_state()


def grades_blind(desk: Any, scorer: User) -> None:
    """Give the answer a grade, and find nothing of where it came from in any page."""
    ana = desk(scorer.email)
    heard: list[str] = []
    ana.page.on("response", lambda answer: heard.append(_text_of(answer)))
    ana.open("/")
    ana.click("Open the sheet")
    ana.reads("Candidate and others' scores are hidden")
    assert SAID in ana.page.locator("main").inner_text()
    ana.page.get_by_label("What is right").fill("March is named and the consequence drawn.")
    ana.press("Tab")
    ana.page.get_by_label("Right for the most part", exact=False).check()
    ana.click("Submit sheet")
    ana.reads("Submitted")
    ana.page.wait_for_load_state("networkidle")
    whole = "\n".join(heard)
    assert SAID in whole
    for told in (PRODUCT, *ASIDE):
        assert told not in whole


def _text_of(answer: Any) -> str:
    kind = answer.headers.get("content-type", "")
    return answer.text() if answer.status == 200 and "html" in kind else ""


def is_judged_and_ranked(room: Any) -> None:
    room.open("/staff/runs/new/")
    room.page.get_by_label("Graded", exact=False).first.check()
    room.page.locator("[name=provider]").select_option("offline")
    room.click("Plan the run")
    room.click("Start the run")
    room.page.wait_for_load_state()
    call_command("work", verbosity=0)
    room.open("/leaderboard/")
    room.reads(f"{PRODUCT} 4.0")
    row = room.page.locator("tr", has_text=f"{PRODUCT} 4.0").first
    assert re.search(r"\d", row.inner_text().replace(f"{PRODUCT} 4.0", ""))


def test_a_hand_collected_answer_goes_from_the_queue_to_the_leaderboard(
    desk: Any, office: User, person: Any, finance: Domain
) -> None:
    operator, scorer = person("olga"), person("ana", finance)
    room = orders(desk, office, operator)
    collects(desk, operator)
    stored = Response.objects.get()
    assert (stored.source, stored.text, str(stored.period)) == ("collected", SAID, "this-month")
    gives_it_to_a_scorer(room, scorer)
    grades_blind(desk, scorer)
    is_judged_and_ranked(room)
