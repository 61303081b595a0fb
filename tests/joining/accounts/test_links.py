"""Links that serve many: a vendor's and an expert's."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import record_arrival, renew_referral
from curation.joining.invitations.links import path_of
from curation.joining.invitations.models import Invitation
from curation.joining.people import Qualification, User, in_conflict
from curation.qualifying.applications.actions import save_draft
from curation.qualifying.applications.models import Application
from tests.joining.accounts.conftest import mailed_link
from tests.joining.accounts.steps import SignIn, join, vendor_link
from tests.qualifying.qualification.conftest import FORM


@pytest.mark.django_db
class TestVendors:
    def test_a_vendors_people_confirm_their_addresses_and_their_applications_say_so(
        self, sign_in: SignIn, staff: User, finance: Domain
    ) -> None:
        browser = sign_in(staff)
        answer = browser.post(
            "/staff/invitations/vendor/",
            {
                "vendor": "Kestrel",
                "email": "desk@kestrel.test",
                "max_uses": 2,
                "language": "en",
                "days": 30,
            },
        )
        assert answer.status_code == 302
        assert mail.outbox[-1].to == ["desk@kestrel.test"]
        link = mailed_link()
        arrived = join(link)
        assert arrived["Location"] == "/account/confirm-email/"
        ana = User.objects.get(email="ana@example.test")
        assert not EmailAddress.objects.get(user=ana).verified
        Client().post(mailed_link())
        assert EmailAddress.objects.get(user=ana).verified
        sign_in(ana).post("/apply/", {**FORM, "domain": finance.pk})
        application = Application.objects.get(user=ana)
        assert (application.route, application.referred_by) == ("vendor", None)
        assert application.invitation == Invitation.objects.get()
        page = browser.get(f"/staff/applications/{application.pk}/").content.decode()
        assert "Through a vendor" in page
        assert "Kestrel" in page

    def test_the_domain_a_vendor_was_asked_for_is_chosen_already_and_can_be_changed(
        self, sign_in: SignIn, staff: User, applicant: User, finance: Domain, law: Domain
    ) -> None:
        record_arrival(invitation=vendor_link(staff, domain=law), user=applicant)
        browser = sign_in(applicant)
        page = browser.get("/apply/").content.decode()
        assert f'<option value="{law.pk}" selected>' in page
        assert f'<option value="{finance.pk}">' in page
        save_draft(actor=applicant, fields={"domain": str(finance.pk)}, version=0)
        page = browser.get("/apply/").content.decode()
        assert f'<option value="{finance.pk}" selected>' in page

    def test_an_address_that_has_an_account_gets_the_same_answer_and_a_letter(
        self, staff: User, author: User
    ) -> None:
        link = path_of(vendor_link(staff))
        new, known = join(link), join(link, email=author.email)
        assert new.status_code == known.status_code == 302
        assert new["Location"] == known["Location"]
        assert "It already has one" in mail.outbox[-1].body
        assert Invitation.objects.get().uses == 1
        assert author.check_password("a long sentence for tests")

    @pytest.mark.parametrize(
        "changes", [{"vendor": " "}, {"max_uses": "0"}, {"max_uses": "1001"}, {"email": "x"}]
    )
    def test_a_link_that_makes_no_sense_is_refused(
        self, sign_in: SignIn, staff: User, changes: dict[str, str]
    ) -> None:
        data = {"vendor": "K", "email": "", "max_uses": "2", "language": "en", "days": "3"}
        assert sign_in(staff).post("/staff/invitations/vendor/", data | changes).status_code == 400
        assert not Invitation.objects.exists()


@pytest.mark.django_db
class TestReferrals:
    def test_a_colleague_who_comes_by_an_experts_link_is_referred_by_them_and_in_conflict(
        self, sign_in: SignIn, author: User, staff: User, finance: Domain
    ) -> None:
        browser = sign_in(author)
        assert browser.post("/preferences/referral/").status_code == 302
        link = path_of(Invitation.objects.get(kind="referral"))
        assert link in browser.get("/preferences/referral/").content.decode()
        join(link)
        ana = User.objects.get(email="ana@example.test")
        assert in_conflict(ana, author)  # before any application
        assert in_conflict(author, ana)
        sign_in(ana).post("/apply/", {**FORM, "domain": finance.pk})
        application = Application.objects.get(user=ana)
        assert (application.route, application.referred_by) == ("referral", author)

    def test_the_expert_learns_how_many_came_but_neither_who_nor_before_they_confirmed(
        self, sign_in: SignIn, author: User
    ) -> None:
        browser = sign_in(author)
        join(path_of(renew_referral(actor=author)))
        page = browser.get("/preferences/referral/").content.decode()
        assert "Nobody has joined through your links yet" in page
        EmailAddress.objects.filter(email="ana@example.test").update(verified=True)
        page = browser.get("/preferences/referral/").content.decode()
        assert "One colleague has joined" in page
        assert "ana@example.test" not in page
        assert "Noor" not in page

    def test_a_new_link_ends_the_old_one_and_the_number_counts_over_all_links(
        self, sign_in: SignIn, author: User, settings: Any
    ) -> None:
        settings.REFERRALS_PER_EXPERT = 2
        browser = sign_in(author)
        old = path_of(renew_referral(actor=author))
        join(old)
        assert browser.post("/preferences/referral/").status_code == 302
        assert Client().get(old).status_code == 410
        fresh = Invitation.objects.get(revoked_at=None)
        assert fresh.max_uses == 1
        join(path_of(fresh), email="ben@example.test")
        assert browser.post("/preferences/referral/").status_code == 409

    def test_the_link_does_not_outlast_the_experts_standing(self, author: User) -> None:
        link = path_of(renew_referral(actor=author))
        assert Client().get(link).status_code == 200
        Qualification.objects.filter(user=author).update(active=False)
        assert Client().get(link).status_code == 410

    def test_applicants_and_staff_have_no_link(
        self, sign_in: SignIn, applicant: User, staff: User
    ) -> None:
        for user in (applicant, staff):
            assert sign_in(user).get("/preferences/referral/").status_code == 403
