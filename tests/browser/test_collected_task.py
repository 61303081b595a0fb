"""A task from business: from its owner's permission to a gold release, each at their own desk."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.models import ScreeningPolicy
from curation.tasks.task.models import Slot, Task
from judge.base.gold_sets.models import GoldItem
from review.rounds.assignment_models import Review
from rubrics.versions.actions import record_draft
from tests.browser.rubric_day import on
from tests.rubrics.walk import PARTS, drafted_lines
from tests.tasks.business.conftest import TICKED

pytestmark = pytest.mark.django_db(transaction=True)
OWNER = "Zedoary Recruiting"  # no expert ever reads this
TITLE = "Map the companies"
WRITTEN = ("scenario", "materials", "requirements", "reference_answer")


@pytest.fixture(autouse=True)
def nobody_is_drawn(finance: Domain, settings: Any, tmp_path: Any) -> None:
    """Places are taken by the people of the walk; releases are written to the test's folder."""
    ScreeningPolicy.objects.create(domain=finance, draw=False, quorum=1)
    settings.SPOT_CHECK_RATE = 0.0
    settings.MEDIA_ROOT = tmp_path / "files"


def fill(page: Any, label: str, words: str) -> None:
    page.get_by_label(label, exact=False).first.fill(words)


def enters(desk: Any, staff: User) -> Any:
    """The owner's permission first; without it nothing is stored. Then the text."""
    room = desk(staff.email)
    room.open("/staff/business/")
    room.click("Enter a task")
    page, today = room.page, timezone.localdate()
    page.get_by_label("Domain").select_option(label="Finance")
    fill(page, "Owner", OWNER)
    fill(page, "Working title", TITLE)
    room.click("Enter, and write the text")
    page.locator("[aria-invalid=true]").first.wait_for()
    assert not Task.objects.exists()
    room.problems[:] = [said for said in room.problems if "status of 400" not in said]
    assert page.get_by_label("Owner").first.input_value() == OWNER
    fill(page, "Permission given by", "R. Lund, managing partner")
    fill(page, "Permission given on", (today - timedelta(days=3)).isoformat())
    fill(page, "What the permission covers", "Use in a benchmark, after removal of names.")
    fill(page, "Words of the permission", "You may use the brief once no names are left.")
    fill(page, "Collected on", (today - timedelta(days=2)).isoformat())
    fill(page, "Hourly rate in US dollars", "90")
    room.click("Enter, and write the text")
    for name in WRITTEN:
        with page.expect_response(lambda reply: reply.url.endswith("/save/")) as saved:
            box = page.locator(f"#task-form [name={name}]")
            box.fill(PARTS[name] if name != "materials" else "Anna Berg earns 88,000 there.")
            box.blur()
        assert saved.value.status == 200
    fill(page, "Minutes a professional needs", "40")
    page.get_by_label("The right answer stays the same").check()
    page.wait_for_load_state("networkidle")
    return room


def goes_through_it(desk: Any, room: Any, colleague: User) -> None:
    """Two people read the text; the second one sends it back once."""
    task = Task.objects.get()
    page = f"/staff/business/{task.pk}/"
    other = desk(colleague.email)
    for n in (1, 2):
        room.open(page)
        room.reads("88,000" if n == 1 else "none found")
        for box in TICKED:
            room.page.locator(f"[name={box}]").check()
        room.click("I went through all of it")
        room.reads("You went through it yourself, so a colleague confirms it.")
        other.open(page)
        if n == 1:
            other.reads("Anna Berg")
            fill(other.page, "What still tells whose case it was", "Her name and her pay.")
            other.click("Return")
            room.open(f"/tasks/{task.pk}/edit/")
            with room.page.expect_response(lambda reply: reply.url.endswith("/save/")):
                box = room.page.locator("#task-form [name=materials]")
                box.fill("A sales head earns a fifth above the market there.")
                box.blur()
        else:
            other.click("Confirm: nothing tells whose case it is")
            other.reads("Confirmed by a second person")
    room.open(page)
    room.click("Open and submit")
    room.click("Submit for screening")
    room.reads("Submitted")
    assert not Slot.objects.exists()


def is_kept(desk: Any, member: User) -> None:
    call_command("work", verbosity=0)
    mia = desk(member.email)
    mia.open("/screening/")
    mia.click(f"Take a place on the panel: {TITLE}")
    mia.open(f"/screening/{Task.objects.get().pk}/")
    assert OWNER not in mia.page.content()
    for name in ("difficult", "representative", "gradable"):
        mia.page.locator(f"[name={name}][value=yes]").check()
    mia.page.locator("[name=decision][value=keep]").check()
    fill(mia.page, "Reasons", "A brief as it comes in every week.")
    mia.press("Control+Enter")
    mia.reads("Your vote is in.")


def gets_its_rubric(desk: Any, room: Any, writer: User) -> None:
    """The machine drafts, staff give the rubric to an expert, who sends it to review."""
    task = Task.objects.get()
    record_draft(task=task, lines=drafted_lines(15), drafted_by="Model D")
    room.open("/")
    room.reads("it came from business and has no author")
    room.open(f"/staff/tasks/{task.pk}/rubric-author/")
    room.page.locator("[name=taker]").select_option(str(writer.pk))
    fill(room.page, "Reason", "She knows this kind of brief.")
    room.page.locator("main form button.btn-primary").first.click()
    room.page.wait_for_url("**/staff/tasks/**")
    wes = desk(writer.email)
    wes.open("/notices/")
    wes.reads(TITLE)
    wes.open(f"/tasks/{task.pk}/rubric/")
    wes.page.locator(".line").nth(14).wait_for()
    assert OWNER not in wes.page.content()
    wes.press("Control+Shift+Enter")
    wes.page.locator("[data-error-summary] [data-send]").press("Enter")  # lines nobody has read yet
    wes.page.wait_for_url(f"**/tasks/{task.pk}/**")
    wes.reads("In review")
    assert Task.objects.get().stage == Stage.IN_REVIEW


def is_approved(desk: Any, reviewer: User) -> None:
    """Every line by its key."""
    review = Review.objects.get()
    assert review.reviewer == reviewer
    rae = desk(reviewer.email)
    rae.open(f"/reviews/{review.pk}/")
    assert OWNER not in rae.page.content()
    for n in range(1, 16):
        rae.page.wait_for_function(f"() => !!({on(n)})")
        rae.press("a")
        rae.reads(f"Line {n} approved.")
    rae.reads("every line has a verdict")
    rae.press("Control+Shift+Enter")
    rae.reads("The rubric moves on; thank you.")
    assert Task.objects.get().stage == Stage.APPROVED


def is_released(room: Any) -> None:
    room.open("/staff/gold/releases/new/")
    page = room.page
    page.locator("#id_size").fill("1")
    page.locator("#id_seed").fill("7")
    page.locator("#id_allow_unanchored").check()
    room.click("Preview")
    room.reads("1 of 1 task can be drawn")
    room.click("Draw and freeze …")
    page.locator("#confirm[open] [data-confirm-yes]").press("Enter")
    room.reads("Release 1 is frozen.")
    assert GoldItem.objects.get().task.title == TITLE
    for name in ("tasks.jsonl", "provenance.jsonl", "manifest.json"):
        with page.expect_download() as file:
            page.get_by_role("link", name=name).first.click()
        content = file.value.path().read_text("utf-8")
        assert content
        assert OWNER not in content
        assert "R. Lund" not in content


def test_a_collected_task_goes_from_its_owners_permission_to_a_release(
    desk: Any, staff: User, person: Any, finance: Domain
) -> None:
    room = enters(desk, staff)
    goes_through_it(desk, room, person("colleague", is_staff=True))
    is_kept(desk, person("mia", finance))
    writer, reviewer = person("wes", finance), person("rae", finance)
    gets_its_rubric(desk, room, writer)
    is_approved(desk, reviewer)
    is_released(room)
