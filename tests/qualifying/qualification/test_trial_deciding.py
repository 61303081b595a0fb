"""The trial task, read by a senior, who accepts it, returns it or rejects it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.base.web.refusals import Denied
from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import record_arrival, renew_referral
from curation.joining.notices.models import Notice
from curation.joining.people import Qualification, User
from curation.qualifying.applications.models import Application
from curation.qualifying.qualification.actions import reject
from curation.qualifying.trials.actions import decide_trial, hand_in_trial, save_trial
from curation.qualifying.trials.models import Trial, TrialRemark
from curation.tasks.attachments.actions import add_attachment
from tests.markup import one_line
from tests.qualifying.qualification.conftest import FACTS, TEXT
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
HandedIn = Callable[..., Trial]
SignIn = Callable[[User], Client]


def test_a_senior_sees_the_trial_of_the_own_domain_by_pseudonym_only(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    browser = sign_in(senior)
    queue = browser.get("/seniors/trials/").content.decode()
    sheet = browser.get(f"/seniors/trials/{trial.pk}/").content.decode()
    assert TEXT["title"] in queue
    assert TEXT["reference_answer"] in sheet
    for page in (queue, sheet):
        assert applicant.pseudonym in page
        for hidden in (applicant.email, applicant.display_name, "Harbour Bank", "MSc Finance"):
            assert hidden not in page
    assert "Needed to accept or to reject." in sheet
    assert "Remarks on the whole</label>" in sheet  # without "optional": two verdicts need them


def test_an_accepted_applicant_is_an_expert_and_reads_the_remarks(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn, finance: Domain
) -> None:
    trial = handed_in(applicant)
    data = {"verdict": "accepted", "remarks": "A **fine** case."}
    answer = sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    assert answer["Location"] == "/seniors/trials/"
    assert Qualification.objects.get(user=applicant).domain == finance
    page = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "You are an expert in Finance" in page
    assert "<strong>fine</strong>" in page
    assert senior.pseudonym not in page


def test_a_returned_trial_comes_back_with_remarks_and_as_a_second_version_with_its_changes(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    first = handed_in(applicant)
    data = {"verdict": "returned", "remark_requirements": "State the length in words."}
    sign_in(senior).post(f"/seniors/trials/{first.pk}/", data)
    second = Trial.objects.get(number=2)
    browser = sign_in(applicant)
    editor = browser.get(f"/trials/{second.pk}/").content.decode()
    assert "State the length in words." in editor
    assert TEXT["materials"] in editor
    before = one_line(browser.get(f"/trials/{first.pk}/").content.decode())
    assert f'href="/trials/{second.pk}/">Correct the trial task</a>' in before
    changed = (
        TEXT | FACTS | {"version": "1", "requirements": TEXT["requirements"].replace("200", "250")}
    )
    browser.post(f"/trials/{second.pk}/hand-in/", changed)
    sheet = sign_in(senior).get(f"/seniors/trials/{second.pk}/").content.decode()
    assert "State the length in words." in sheet  # the earlier remarks
    assert "<del>" in sheet
    assert "250" in sheet
    assert sheet.count("tag-wait") == 1  # one part changed
    # the version that was returned can be read, not decided again
    assert sign_in(senior).post(f"/seniors/trials/{first.pk}/", data).status_code == 409


def test_a_returned_trial_is_not_handed_in_again_unchanged_because_versions_are_few(
    sign_in: SignIn,
    senior: User,
    applicant: User,
    handed_in: HandedIn,
    tmp_path: Any,
    settings: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path / "files"
    first = handed_in(applicant)
    data = {"verdict": "returned", "remark_requirements": "State the length in words."}
    sign_in(senior).post(f"/seniors/trials/{first.pk}/", data)
    second = Trial.objects.get(number=2)
    browser = sign_in(applicant)
    refused = browser.post(f"/trials/{second.pk}/hand-in/", TEXT | FACTS | {"version": "1"})
    assert refused.status_code == 400
    assert "You have changed nothing since the senior returned it." in refused.content.decode()
    second.refresh_from_db()
    assert second.submitted_at is None
    add_attachment(actor=applicant, thing=second, upload=upload("table.pdf", pdf()))
    second.refresh_from_db()
    form = TEXT | FACTS | {"version": str(second.version)}
    assert browser.post(f"/trials/{second.pk}/hand-in/", form).status_code == 302


def test_a_rejected_trial_closes_the_application(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    data = {"verdict": "rejected", "remarks": "The figures are a real client's."}
    sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    page = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "Trial task rejected." in page
    assert "The figures are a real client&#x27;s." in page or "a real client's" in page
    assert not Qualification.objects.filter(user=applicant).exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"verdict": "accepted", "remarks": " "}, "Tell the applicant why you decided this way."),
        ({"verdict": "", "remarks": "Kept remarks"}, "Choose: accept, return or reject."),
        ({"verdict": "maybe", "remarks": "Kept remarks"}, "Kept remarks"),
    ],
)
def test_a_decision_needs_a_verdict_and_remarks(
    sign_in: SignIn,
    senior: User,
    applicant: User,
    handed_in: HandedIn,
    data: dict[str, str],
    sentence: str,
) -> None:
    trial = handed_in(applicant)
    answer = sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data)
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    trial.refresh_from_db()
    assert trial.verdict == ""


def test_only_seniors_of_the_domain_decide_and_never_on_their_own(
    sign_in: SignIn,
    person: Any,
    senior: User,
    peer: User,
    staff: User,
    law: Domain,
    finance: Domain,
    applicant: User,
    handed_in: HandedIn,
) -> None:
    trial = handed_in(applicant)
    address, data = f"/seniors/trials/{trial.pk}/", {"verdict": "accepted", "remarks": "Good."}
    lawyer = person("lawyer", law, senior=True)
    for nobody in (peer, staff, applicant):
        assert sign_in(nobody).post(address, data).status_code == 403
        assert sign_in(nobody).get("/seniors/trials/").status_code == 403
    assert sign_in(lawyer).get(address).status_code == 404
    assert sign_in(lawyer).post(address, data).status_code == 404
    assert TEXT["title"] not in sign_in(lawyer).get("/seniors/trials/").content.decode()
    # somebody who became a senior by another way cannot decide on the own trial
    Qualification.objects.create(user=applicant, domain=finance, senior=True)
    own = User.objects.get(pk=applicant.pk)
    assert sign_in(own).post(address, data).status_code == 404
    assert TEXT["title"] not in sign_in(own).get("/seniors/trials/").content.decode()
    assert Client().get(address).status_code == 302


@pytest.mark.parametrize("way", ["name", "link", "employer"])
def test_who_has_a_tie_to_the_applicant_neither_decides_nor_is_told(
    sign_in: SignIn, person: Any, senior: User, applicant: User, at_trial: Go, finance: Domain,
    way: str,
) -> None:  # fmt: skip
    other = person("other-senior", finance, senior=True)
    application = at_trial(applicant)
    if way == "name":
        Application.objects.filter(pk=application.pk).update(referred_by=senior)
    elif way == "link":
        record_arrival(invitation=renew_referral(actor=senior), user=applicant)
    else:
        User.objects.filter(pk=senior.pk).update(affiliation="Lantern  bank")
        User.objects.filter(pk=applicant.pk).update(affiliation="Lantern Bank")
    trial = application.trials.get()
    browser = sign_in(applicant)
    assert browser.post(f"/trials/{trial.pk}/hand-in/", TEXT | FACTS | {"version": "1"})
    trial = Trial.objects.get(pk=trial.pk, submitted_at__isnull=False)
    told = Notice.objects.filter(kind="trial_waiting").values_list("recipient", flat=True)
    assert list(told) == [other.pk]
    address, data = f"/seniors/trials/{trial.pk}/", {"verdict": "accepted", "remarks": "Good."}
    theirs, colleagues = sign_in(senior), sign_in(other)
    assert TEXT["title"] not in theirs.get("/seniors/trials/").content.decode()
    assert address not in theirs.get("/").content.decode()
    assert theirs.get(address).status_code == 404
    assert theirs.post(address, data).status_code == 404
    with pytest.raises(Denied):
        decide_trial(actor=senior, trial=trial, verdict="accepted", remarks="Good.")
    assert address in colleagues.get("/").content.decode()
    assert colleagues.get(address).status_code == 200
    assert colleagues.post(address, data).status_code == 302


def test_a_draft_is_not_shown_to_seniors(sign_in: SignIn, senior: User, trial: Trial) -> None:
    assert sign_in(senior).get(f"/seniors/trials/{trial.pk}/").status_code == 404


def test_a_trial_of_a_closed_application_waits_for_nobody(
    sign_in: SignIn, senior: User, staff: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    reject(actor=staff, application=trial.application, reason="Closed by letter.")
    browser = sign_in(senior)
    assert "No trial tasks are waiting for you" in browser.get("/seniors/trials/").content.decode()
    for verdict in ("accepted", "returned", "rejected"):
        data = {"verdict": verdict, "remarks": "Late.", "remark_title": "Late."}
        assert browser.post(f"/seniors/trials/{trial.pk}/", data).status_code == 409
    assert Trial.objects.count() == 1


def test_a_return_names_at_least_one_part(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    address = f"/seniors/trials/{trial.pk}/"
    answer = sign_in(senior).post(address, {"verdict": "returned", "remarks": "Shorter."})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Write a remark on at least one part" in page
    assert "Shorter." in page
    assert not TrialRemark.objects.exists()
    data = {"verdict": "returned", "remark_scenario": "Who waits?", "remark_materials": " "}
    assert sign_in(senior).post(address, data).status_code == 302
    assert TrialRemark.objects.get().part == "scenario"
    story = sign_in(applicant).get(f"/applications/{trial.application_id}/").content.decode()
    assert "Who waits?" in story


def test_the_last_version_is_not_returned_and_the_limit_is_told_before(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn, settings: Any
) -> None:
    settings.TRIAL_VERSIONS = 2
    first = handed_in(applicant)
    data = {"verdict": "returned", "remark_title": "Name the work."}
    sign_in(senior).post(f"/seniors/trials/{first.pk}/", data)
    second = Trial.objects.get(number=2)
    writer = sign_in(applicant)
    editor = writer.get(f"/trials/{second.pk}/").content.decode()
    assert "This is version 2 of at most 2." in editor
    assert "Name the work." in editor
    changed = TEXT | FACTS | {"version": "1", "minutes": "75"}
    writer.post(f"/trials/{second.pk}/hand-in/", changed)
    address = f"/seniors/trials/{second.pk}/"
    page = sign_in(senior).get(address).content.decode()
    assert "only facts or files changed" in page
    assert 'value="returned"' not in page
    assert sign_in(senior).post(address, data).status_code == 400
    second.refresh_from_db()
    assert second.verdict == ""


def test_a_second_senior_sees_who_has_the_trial_open_and_may_decide_all_the_same(
    sign_in: SignIn, person: Any, senior: User, applicant: User, finance: Domain,
    handed_in: HandedIn,
) -> None:  # fmt: skip
    trial = handed_in(applicant)
    address = f"/seniors/trials/{trial.pk}/"
    other = person("other-senior", finance, senior=True)
    assert "has had this trial task open" not in sign_in(senior).get(address).content.decode()
    page = sign_in(other).get(address).content.decode()
    assert f"{senior.pseudonym} has had this trial task open" in page
    assert senior.email not in page
    queue = sign_in(other).get("/seniors/trials/").content.decode()
    assert f"{senior.pseudonym} has it open" in queue
    Qualification.objects.filter(user=senior).update(active=False)
    assert "has had this trial task open" not in sign_in(other).get(address).content.decode()
    data = {"verdict": "accepted", "remarks": "Good."}
    assert sign_in(other).post(address, data).status_code == 302


def test_the_actions_themselves_refuse_whoever_has_no_standing(
    person: Any, peer: User, senior: User, law: Domain, applicant: User, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    for nobody in (peer, applicant, person("lawyer", law, senior=True)):
        with pytest.raises(Denied):
            decide_trial(actor=nobody, trial=trial, verdict="accepted", remarks="Good.")
    with pytest.raises(Denied):
        save_trial(actor=senior, trial=trial, version=trial.version, title="Mine")
    with pytest.raises(Denied):
        hand_in_trial(actor=senior, trial=trial)


def many_more_like(trial: Trial, number: int) -> None:
    """Trials of other applicants, as this one stands: only who wrote them differs."""
    people = User.objects.bulk_create(
        User(email=f"trainee{number}.{n}@example.test") for n in range(number)
    )
    applications = []
    for user in people:
        row = Application.objects.get(pk=trial.application_id)
        row.pk, row.user = None, user
        applications.append(row)
    trials = []
    for application in Application.objects.bulk_create(applications):
        row_ = Trial.objects.get(pk=trial.pk)
        row_.pk, row_.application = None, application
        trials.append(row_)
    Trial.objects.bulk_create(trials)


def test_the_queue_costs_the_same_for_three_and_for_eight(
    sign_in: SignIn, senior: User, applicant: User, handed_in: HandedIn
) -> None:
    browser = sign_in(senior)
    many_more_like(handed_in(applicant), 2)
    with CaptureQueriesContext(connection) as three:
        page = browser.get("/seniors/trials/").content.decode()
    assert page.count(TEXT["title"]) == 3
    many_more_like(Trial.objects.earliest("pk"), 5)
    with CaptureQueriesContext(connection) as eight:
        browser.get("/seniors/trials/")
    assert len(three) == len(eight)
