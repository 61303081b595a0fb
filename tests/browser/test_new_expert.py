"""A new professional, from the invitation to the fourth prompt that is not possible.

Everybody works in a window of their own: the newcomer, the staff and a senior of the domain.
"""

import re
from typing import Any

import pytest
from django.core import mail

from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import invite_vendor
from curation.joining.invitations.links import path_of
from curation.joining.people import User
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.training import units
from curation.tasks.task.models import Task
from tests.browser.axe import faults_on
from tests.browser.desk import PATIENCE
from tests.joining.accounts.conftest import NEW_PASSWORD
from tests.walk import texts

pytestmark = pytest.mark.django_db(transaction=True)
WRITTEN = ("scenario", "materials", "requirements", "reference_answer")
NEWCOMER = "noor@example.test"


@pytest.fixture
def exam(finance: Domain) -> Exam:
    made = Exam.objects.create(domain=finance, title="Entry exam", shuffle=False)
    for place, question in enumerate(texts.EXAM, start=1):
        Question.objects.create(exam=made, position=place, **question)
    return made


def forgive(desk: Any, words: str) -> None:
    """Forget what the browser logs about an answer that is no 200, where that is the test."""
    desk.problems[:] = [problem for problem in desk.problems if words not in problem]


def written_out(desk: Any, words: dict[str, Any]) -> None:
    """Fill these parts of an editor, and wait each time until it is saved."""
    for part in words:
        with desk.page.expect_response(lambda reply: reply.url.endswith("/save/")) as answer:
            box = desk.page.locator(f"#task-form [name={part}]")
            box.fill(words[part])
            box.blur()
        assert answer.value.status == 200, part


def states_the_facts(desk: Any) -> None:
    """What a task is worth, and whether its answer changes with time."""
    desk.page.get_by_label("Minutes a professional needs").fill(texts.TASK["minutes"])
    desk.page.get_by_label("What an hour costs").select_option(texts.TASK["rate_band"])
    desk.page.get_by_label("The right answer stays the same").check()


def comes_in(noor: Any, link: str) -> None:
    """Open an account by a vendor's link, and confirm the address."""
    noor.open(link)
    noor.page.get_by_label("Your name").fill("Noor")
    noor.page.get_by_label("E-mail address").fill(NEWCOMER)
    for box in noor.page.locator("input[type=password]").all():
        box.fill(NEW_PASSWORD)
    noor.press("Enter")
    noor.reads("Check your e-mail")
    found = re.search(r"https?://[^/\s]+(/\S+)", mail.outbox[-1].body)
    assert found
    noor.open(found.group(1))
    noor.click("Confirm the address")
    noor.reads("Your address is confirmed.")
    noor.sign_in(NEWCOMER, NEW_PASSWORD)


def applies(noor: Any) -> str:
    noor.open("/apply/")
    page = noor.page
    page.get_by_label("Domain").select_option(label="Finance")
    page.get_by_label("Affiliation").fill("House of Noor")
    page.get_by_label("Degree or licence").fill(texts.PROFILE["degree"])
    page.get_by_label("Years of practice").fill("2")
    page.get_by_label("What you have done").fill(texts.PROFILE["credentials"])
    page.locator("[name=language_1]").select_option("en")
    page.locator("[name=consent]").check()
    noor.press("Control+Enter")
    noor.reads("at least 3 years")  # kindly refused, and nothing is lost
    forgive(noor, "status of 400")
    page.get_by_label("Years of practice").fill("7")
    noor.press("Control+Enter")
    noor.reads("The staff are reading your application")
    return str(page.url).removeprefix(noor.url)


def sits_the_exam_with_a_cut_line(noor: Any, application: str) -> None:
    noor.open(application)
    noor.click("Read how the exam works")
    noor.click("Start the 30 minutes")
    page = noor.page
    with page.expect_response(lambda reply: reply.url.endswith("/save/")):
        page.get_by_label("It rises").check()
    noor.context.set_offline(True)
    page.get_by_label("A pension deficit").check()
    page.get_by_label("A declared dividend").check()
    noor.reads("You are offline.")
    page.locator("[name=q-q3]").fill("3,34 x")
    with page.expect_response(
        lambda reply: reply.url.endswith("/save/") and reply.ok, timeout=3 * PATIENCE
    ):
        noor.context.set_offline(False)
    noor.reads("3 of 3 answered")
    noor.click("Hand in")
    noor.reads("Every question has an answer.")
    noor.click("Hand in now")
    noor.reads("You passed with 5 of 5 points.")
    forgive(noor, "ERR_INTERNET_DISCONNECTED")


def trains(noor: Any, application: str) -> None:
    """Every unit by hand; the first answer of all is wrong once."""
    noor.open(application)
    noor.click("Open the training")
    noor.click("Begin with the first unit")
    for n, unit in enumerate(units.units()):
        noor.page.wait_for_url(f"**/training/{unit.key}/")
        for exercise in unit.exercises:
            right = units.answer_key(unit.key)[exercise.id]
            if isinstance(right, list):
                for piece, place in enumerate(right):
                    box = noor.page.locator(f"[name={exercise.id}-{piece}]")
                    offered = box.locator("option").evaluate_all("all => all.map(o => o.value)")
                    box.select_option(index=offered.index(str(place)))
            else:
                noor.page.locator(f"[name={exercise.id}][value='{right}']").check()
        if not n:
            first = unit.exercises[0]
            wrong = (int(units.answer_key(unit.key)[first.id]) + 1) % len(first.options)
            noor.page.locator(f"[name={first.id}][value='{wrong}']").check()
            noor.click("Check my answers")
            noor.reads("Not this one. Try again.")
            assert faults_on(noor.page) == []
            right = units.answer_key(unit.key)[first.id]
            noor.page.locator(f"[name={first.id}][value='{right}']").check()
        noor.click("Check my answers")
        if unit.key != units.unit_keys()[-1]:
            noor.reads("Unit passed. Read the reasons")
            assert faults_on(noor.page) == []
            noor.press("Control+Enter")
    noor.reads("You have passed the training.")


def submits(noor: Any, number: int, words: dict[str, Any]) -> None:
    """One more prompt, from the empty page to its slot."""
    noor.open("/tasks/new/")
    noor.click("Start the draft")
    noor.reads("Draft started.")
    noor.page.wait_for_function("() => document.activeElement.name === 'scenario'")
    written_out(noor, {part: words[part] for part in (*WRITTEN, "title")})
    assert (
        noor.page.locator("#missing, #checks .icon-warning, .lint-note")
        .filter(visible=True)
        .count()
        == 0
    )
    states_the_facts(noor)
    noor.press("Control+Shift+Enter")
    if number <= 3:
        noor.page.wait_for_url(re.compile(r"/tasks/\d+/$"))
        noor.reads(f"It takes slot {number}.")


def test_a_professional_comes_in_qualifies_writes_three_prompts_and_is_told_why_not_a_fourth(
    desk: Any, staff: User, senior: User, exam: Exam, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    noor, sam, sen = desk(), desk(staff.email), desk(senior.email)

    comes_in(noor, path_of(invite_vendor(actor=staff, vendor="Kestrel", max_uses=2)))
    application = applies(noor)

    sam.open("/staff/applications/")
    sam.reads("House of Noor")
    sam.open(f"/staff{application}")
    sam.reads("Kestrel")
    sam.page.locator("[name=reason]").first.fill("A lender with the years it takes.")
    sam.click("Admit to the exam")
    sam.reads("can sit the exam now")

    sits_the_exam_with_a_cut_line(noor, application)
    trains(noor, application)

    noor.open(application)
    noor.click("Open the trial task")
    written_out(noor, {part: texts.TRIAL[part] for part in ("title", *WRITTEN)})
    states_the_facts(noor)
    noor.click("Hand in")
    noor.reads("A senior is reading your trial task")

    sen.open("/seniors/trials/")
    sen.click("Read and decide")
    sen.page.get_by_label("Return: the applicant corrects it").check()
    sen.page.locator("details:has([name=remark_reference_answer]) > summary").click()
    sen.page.locator("[name=remark_reference_answer]").fill("Say why the receivables stay out.")
    sen.page.locator("[name=remarks]").fill("Nearly there.")
    sen.click("Send the decision")
    sen.reads("Returned.")

    noor.open(application)
    noor.click("Correct the trial task")
    noor.reads("Say why the receivables stay out.")
    with noor.page.expect_response(lambda reply: reply.url.endswith("/save/")):
        answer = noor.page.locator("#task-form [name=reference_answer]")
        answer.fill(texts.TRIAL_CORRECTED)
        answer.blur()
    noor.click("Hand in")
    noor.reads("A senior is reading your trial task")

    sen.open("/seniors/trials/")
    sen.click("Read and decide")
    sen.reads("Receivables stay out")
    sen.page.get_by_label("Accept: the applicant is qualified").check()
    sen.page.locator("[name=remarks]").fill("Now it carries itself.")
    sen.click("Send the decision")
    sen.reads("is qualified and can write tasks now")

    noor.open("/")
    noor.reads("Your three prompts")
    assert faults_on(noor.page) == []
    for number in (1, 2, 3):
        submits(noor, number, texts.TASK | {"title": f"Covenant headroom, ship {number}"})
    submits(noor, 4, texts.TASK | {"title": "Covenant headroom, ship 4"})
    noor.reads("All 3 of your slots are used", "Your draft is saved and stays yours")
    forgive(noor, "status of 409")
    assert faults_on(noor.page) == []
    assert Task.objects.filter(slot__isnull=False).count() == 3
