"""What Home and the pages say while somebody waits, and which button is the next step."""

from datetime import timedelta

from django.utils import timezone

from curation.qualifying.exams.actions import start_sitting
from curation.qualifying.trials.models import Trial
from curation.tasks.task.history import history_entry
from curation.tasks.task.models import Task
from tests.markup import one_line


def home(sign_in, user):
    return sign_in(user).get("/").content.decode()


def test_an_applicant_reads_who_has_the_application(sign_in, applicant, applied):
    applied(applicant)
    assert "You sent it today; the staff read it next." in home(sign_in, applicant)


def test_a_running_exam_says_when_it_ends(sign_in, applicant, at_exam):
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    page = home(sign_in, applicant)
    assert f"it ends at {sitting.deadline:%H:%M} UTC" in page
    assert f"The exam ends at {sitting.deadline:%H:%M} UTC" in page
    assert "You choose when it begins" not in page


def test_the_end_of_an_exam_is_told_by_the_readers_clock_and_says_which(
    sign_in, applicant, at_exam
):
    sitting = start_sitting(actor=applicant, application=at_exam(applicant))
    client = sign_in(applicant)
    client.cookies["zone"] = "Asia/Kolkata"
    ends = f"{sitting.deadline + timedelta(hours=5, minutes=30):%H:%M} UTC+5:30"
    page = client.get("/").content.decode()
    assert f"it ends at {ends}" in page
    assert f"The exam ends at {ends}" in page
    assert f"until {ends}" in client.get(f"/exams/{sitting.pk}/").content.decode()


def test_a_trial_with_a_senior_says_so_and_asks_nothing(sign_in, applicant, handed_in):
    handed_in(applicant)
    page = home(sign_in, applicant)
    assert "Nothing is waiting for you" in page
    assert "You handed in your trial task today; a senior of Finance is reading it." in page


def test_handing_in_is_the_next_step_only_when_nothing_is_missing(sign_in, applicant, at_trial):
    application = at_trial(applicant)
    trial = Trial.objects.get(application=application)
    parts = ("title", "scenario", "materials", "requirements", "reference_answer")
    Trial.objects.filter(pk=trial.pk).update(**dict.fromkeys(parts, ""))
    client = sign_in(applicant)
    page = one_line(client.get(f"/trials/{trial.pk}/").content.decode())
    assert '<button class="btn" id="submit"' in page
    facts = {"minutes": 60, "rate_band": "50_100", "change": "static"}
    Trial.objects.filter(pk=trial.pk).update(**dict.fromkeys(parts, "Written."), **facts)
    page = one_line(client.get(f"/trials/{trial.pk}/").content.decode())
    assert '<button class="btn btn-primary" id="submit"' in page


def test_staff_read_how_long_the_oldest_application_waits(sign_in, staff, applicant, applied):
    application = applied(applicant)
    application.stage_since = timezone.now() - timedelta(days=3)
    application.save(update_fields=["stage_since"])
    assert "1 application, sent 3 days ago" in home(sign_in, staff)


def test_a_save_of_another_day_is_told_with_its_date(sign_in, author, finance):
    task = Task.objects.create(
        author=author, domain=finance, key="a-draft", title="A draft", language="en"
    )
    client = sign_in(author)
    address = f"/tasks/{task.pk}/edit/"
    assert f"Saved {timezone.localtime(task.updated_at):%H:%M:%S}" in client.get(address).text
    before = timezone.now() - timedelta(days=400)
    Task.objects.filter(pk=task.pk).update(updated_at=before)
    assert f"{before:%Y}, {before:%H:%M:%S}" in client.get(address).text


def test_qualifications_of_one_day_are_one_sentence(sign_in, person, finance, law):
    page = home(sign_in, person("ana", finance, law))
    assert page.count("Qualified in") == 1
    assert "Qualified in Finance, Law since" in page


def test_an_offline_draft_is_not_told_as_a_models(db):
    row = {
        "at": timezone.now(),
        "task_id": 1,
        "actor_id": None,
        "from_stage": "drafting",
        "to_stage": "refining",
        "reason": "",
        "data": {"lines": 3, "drafted_by": "offline rules-1"},
    }
    assert history_entry(row).head == "3 rubric lines were cut by rule."
    assert history_entry(row | {"data": {"lines": 3, "drafted_by": "openai gpt"}}).head == (
        "A model drafted 3 rubric lines."
    )


def test_the_training_before_the_exam_is_refused_as_not_yet(sign_in, applicant, applied):
    applied(applicant)
    refused = sign_in(applicant).get("/training/")
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "<h1>Not yet</h1>" in page
    assert "The training opens when you have passed the exam." in page
