"""Leaving: a closed account, and a name that is removed for good."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from curation.base.process.lifecycle import ApplicationStage
from curation.base.process.periodic_jobs import run
from curation.base.web.refusals import Conflict, Denied
from curation.joining.accounts.api_tokens import make_token
from curation.joining.accounts.models import AccountChange, NameRemoval
from curation.joining.invitations.actions import invite_person, record_arrival
from curation.joining.people import Qualification, User, in_conflict
from curation.leaving.closed_accounts.actions import close_account, open_account, remove_name
from curation.qualifying.applications.actions import qualify, withdraw
from curation.qualifying.applications.models import Application, Certification
from curation.qualifying.experts.suspension import reinstate_expert
from curation.tasks.attachments.actions import add_attachment
from review.conflicts.actions import declare_conflict, propose_conflict
from tests.conftest import PASSWORD
from tests.markup import words_of
from tests.rubrics.walk import to_refining
from tests.tasks.attachments.files import pdf, upload

pytestmark = pytest.mark.django_db
CLOSE, COPY = "/account/close/", "/account/data/copy/"
NAME, HOUSE = "Ottoline Quexbury", "Brindlemere Partners"
ADDRESS = "ottoline.quexbury@brindlemere.test"
REASON = "She asked for it by letter."


@pytest.fixture
def browser(author: User, sign_in_by_form: Callable[..., Client]) -> Client:
    """The author, who has just typed the password once more."""
    browser = sign_in_by_form(author)
    browser.post("/account/reauthenticate/", {"password": PASSWORD})
    return browser


@pytest.fixture
def at(sign_in: Any, staff: User) -> Any:
    """Staff press a button of somebody's page of closing."""

    def press(route: str, person: User, reason: str = REASON) -> Any:
        return sign_in(staff).post(reverse(route, args=[person.pk]), {"reason": reason})

    return press


class TestClosing:
    def test_somebody_closes_their_own_account_and_cannot_sign_in_again(self, browser, author):
        key = make_token(actor=author, name="nightly export")[1]
        assert browser.post(CLOSE, {"reason": ""}).status_code == 302
        author.refresh_from_db()
        assert not author.is_active
        assert browser.get("/").status_code == 302
        answer = Client().post("/account/login/", {"login": author.email, "password": PASSWORD})
        assert answer.url == "/account/inactive/"
        asked = Client(headers={"Authorization": f"Token {key}"}).get("/api/v1/tasks/")
        assert asked.status_code == 401
        assert not Qualification.objects.filter(user=author, active=True).exists()
        (change,) = AccountChange.objects.filter(user=author)
        assert (change.actor, change.closed) == (author, True)

    def test_closing_asks_for_the_password_first(self, author, sign_in):
        answer = sign_in(author).post(CLOSE, {"reason": ""})
        assert answer.url.startswith("/account/reauthenticate/")
        author.refresh_from_db()
        assert author.is_active

    def test_open_work_goes_to_a_colleague_and_the_work_done_stays(
        self, at, author, peer, person, finance
    ):
        from review.rounds.assignment_models import Review
        from rubrics.sending.actions import send_to_review

        task = to_refining(author, person("screener", finance), finance)
        send_to_review(actor=author, task=task)
        held = Review.objects.get(task=task, state="assigned").reviewer
        colleague = person("colleague", finance)
        answer = at("staff-close-account", held)
        assert answer.status_code == 302
        assert Review.objects.get(task=task, state="assigned").reviewer == colleague
        assert Review.objects.filter(task=task, reviewer=held).count() == 1

    def test_an_application_before_the_trial_is_withdrawn(self, author, staff, law):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        close_account(actor=staff, person=author, reason=REASON)
        application.refresh_from_db()
        assert application.stage == ApplicationStage.WITHDRAWN

    @pytest.mark.parametrize("stage", ["training", "trial"])
    def test_an_application_in_training_or_trial_is_withdrawn_and_goes_on_when_staff_open_it(
        self, at, applicant, law, sign_in, stage
    ):
        application = Application.objects.create(
            user=applicant, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        Application.objects.filter(pk=application.pk).update(stage=stage)
        at("staff-close-account", applicant)
        application = Application.objects.get(pk=application.pk)
        assert application.stage == ApplicationStage.WITHDRAWN
        at("staff-open-account", applicant)
        application = Application.objects.get(pk=application.pk)
        assert application.stage == stage
        last = application.history.last()
        assert (last.from_stage, last.reason) == ("withdrawn", REASON)
        # The applicant cannot withdraw it themselves: they would lose the exam they passed.
        answer = sign_in(applicant).post(reverse("application-withdraw", args=[application.pk]))
        assert answer.status_code == 409

    def test_an_application_the_person_withdrew_stays_so(self, at, author, law):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        withdraw(actor=author, application=application)
        at("staff-close-account", author)
        at("staff-open-account", author)
        application.refresh_from_db()
        assert application.stage == ApplicationStage.WITHDRAWN

    def test_no_e_mail_reaches_a_closed_account(self, at, author, peer, person, finance):
        to_refining(author, person("screener", finance), finance)
        at("staff-close-account", author)
        mail.outbox.clear()
        run()
        assert author.email not in [to for one in mail.outbox for to in one.to]

    def test_staff_say_why_and_close_an_account_once(self, at, author):
        assert at("staff-close-account", author, " ").status_code == 400
        assert at("staff-close-account", author).status_code == 302
        assert at("staff-close-account", author).status_code == 409
        assert at("staff-open-account", author).status_code == 302
        assert at("staff-open-account", author).status_code == 409

    def test_an_opened_account_signs_in_but_stays_suspended(self, at, author):
        at("staff-close-account", author)
        at("staff-open-account", author)
        answer = Client().post("/account/login/", {"login": author.email, "password": PASSWORD})
        assert answer.url == "/"
        assert User.objects.get(pk=author.pk).qualified_domain_ids() == frozenset()

    def test_a_closed_account_is_neither_qualified_nor_reinstated(
        self, staff, author, law, finance
    ):
        application = Application.objects.create(
            user=author, domain=law, affiliation="A", degree="B", years=5, credentials="C"
        )
        Application.objects.filter(pk=application.pk).update(stage=ApplicationStage.TRIAL)
        close_account(actor=staff, person=author, reason=REASON)
        application = Application.objects.get(pk=application.pk)
        assert application.stage == ApplicationStage.WITHDRAWN
        with pytest.raises(Conflict):
            qualify(actor=staff, application=application, reason="Accepted.")
        with pytest.raises(Conflict):
            reinstate_expert(actor=staff, person=author, domain=finance, reason=REASON)
        assert not Qualification.objects.filter(user=author, active=True).exists()

    def test_the_last_account_of_staff_stays_open(self, staff):
        with pytest.raises(Conflict) as refused:
            close_account(actor=staff, person=staff)
        assert refused.value.code == "last_staff"
        staff.refresh_from_db()
        assert staff.is_active

    def test_nobody_closes_or_opens_the_account_of_somebody_else(self, author, peer):
        with pytest.raises(Denied):
            close_account(actor=peer, person=author, reason=REASON)
        for step in (open_account, remove_name):
            with pytest.raises(Denied):
                step(actor=peer, person=author, reason=REASON)


# --- the name -------------------------------------------------------------------------------------
def everything_stored() -> Iterator[tuple[str, str]]:
    """Each row of each table with all its values, as text."""
    for model in (*apps.get_models(), Session):
        names = [field.attname for field in model._meta.concrete_fields]
        for row in model._base_manager.values_list(*names):
            yield model._meta.label, " ".join(map(str, row)).casefold()


class TestRemovingTheName:
    @pytest.fixture
    def leaver(self, person, finance, law, staff, author):
        invite_person(actor=staff, email=ADDRESS.title(), name=NAME)
        leaver = person("leaver", finance)
        User.objects.filter(pk=leaver.pk).update(
            email=ADDRESS, display_name=NAME, affiliation=HOUSE
        )
        leaver.refresh_from_db()
        EmailAddress.objects.filter(user=leaver).delete()
        EmailAddress.objects.create(user=leaver, email=ADDRESS, verified=True, primary=True)
        application = Application.objects.create(
            user=leaver, domain=law, affiliation=HOUSE, degree=f"LLM, {NAME}", years=5,
            credentials=f"Ask {HOUSE} for {NAME}.",
        )  # fmt: skip
        evidence = add_attachment(
            actor=leaver,
            thing=application,
            upload=upload("Quexbury licence.pdf", pdf()),
        )
        Certification.objects.create(
            application=application, title=f"Bar of {NAME}", issuer=HOUSE, evidence=evidence
        )
        declare_conflict(actor=author, kind="coauthor", name=NAME, email=ADDRESS, note=HOUSE)
        to_refining(leaver, person("screener", finance), finance)
        close_account(actor=staff, person=leaver, reason=REASON)
        leaver.refresh_from_db()
        self.file = evidence.file.name
        return leaver

    def test_nothing_in_any_table_tells_who_it_was(
        self, at, leaver, django_capture_on_commit_callbacks
    ):
        told = [word.casefold() for word in (NAME, HOUSE, ADDRESS, "Quexbury")]
        assert any(word in text for _label, text in everything_stored() for word in told)
        with django_capture_on_commit_callbacks(execute=True):
            assert at("staff-remove-name", leaver).status_code == 302
        found = {label for label, text in everything_stored() if any(word in text for word in told)}
        assert found == set()
        assert not default_storage.exists(self.file)

    def test_what_the_person_wrote_stays_under_the_pseudonym(self, at, leaver, sign_in, staff):
        at("staff-remove-name", leaver)
        assert leaver.tasks.count() == 1
        page = words_of(
            sign_in(staff).get(reverse("staff-closing", args=[leaver.pk])).content.decode()
        )
        assert "The name was removed." in page
        assert leaver.pseudonym in page

    def test_an_invitation_under_an_earlier_address_loses_the_name_too(
        self, at, leaver, staff, author
    ):
        earlier = invite_person(actor=staff, email="o.quexbury@old.test", name=NAME)
        record_arrival(invitation=earlier, user=leaver)
        at("staff-remove-name", leaver)
        earlier.refresh_from_db()
        assert earlier.name == ""
        assert "quexbury" not in earlier.email

    def test_former_colleagues_still_do_not_judge_the_work_that_goes_on(
        self, at, leaver, person, finance
    ):
        colleague = person("former-colleague", finance)
        User.objects.filter(pk=colleague.pk).update(affiliation=f" {HOUSE.upper()}")
        assert in_conflict(leaver, colleague)
        at("staff-remove-name", leaver)
        assert in_conflict(leaver, User.objects.get(pk=colleague.pk))

    def test_the_other_party_of_a_conflict_does_not_learn_the_pseudonym(
        self, at, leaver, author, sign_in, staff
    ):
        propose_conflict(actor=staff, person=leaver, other=author, kind="business")
        assert NAME in sign_in(author).get("/conflicts/").content.decode()
        at("staff-remove-name", leaver)
        page = sign_in(author).get("/conflicts/").content.decode()
        assert "(name removed)" in page
        assert f"expert-{leaver.pk}" not in page

    def test_the_page_lists_the_texts_that_hold_the_name(self, at, leaver, sign_in, staff):
        task = leaver.tasks.get()
        type(task).objects.filter(pk=task.pk).update(title="A lease", scenario=f"Write to {NAME}.")
        page = sign_in(staff).get(reverse("staff-closing", args=[leaver.pk])).content.decode()
        assert reverse("staff-task", args=[task.pk]) in page
        assert "A lease" in page

    def test_a_name_is_removed_once_and_the_account_stays_closed(self, at, leaver):
        assert at("staff-remove-name", leaver, "").status_code == 400
        assert at("staff-remove-name", leaver).status_code == 302
        assert at("staff-remove-name", leaver).status_code == 409
        assert at("staff-open-account", leaver).status_code == 409
        assert NameRemoval.objects.count() == 1

    def test_an_open_account_keeps_its_name(self, at, author):
        answer = at("staff-remove-name", author)
        assert answer.status_code == 409
        author.refresh_from_db()
        assert author.email != ""

    def test_staff_cannot_remove_their_own_name(self, staff):
        with pytest.raises(Denied):
            remove_name(actor=staff, person=staff, reason=REASON)
