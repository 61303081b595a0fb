"""The second factor: who must have one, how it signs in, how staff reset it."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client

from curation.joining.accounts.api_tokens import make_token
from curation.joining.accounts.models import SecondFactorReset
from curation.joining.people import User
from tests.conftest import PASSWORD
from tests.joining.accounts.conftest import code_of, set_up_codes

pytestmark = pytest.mark.django_db
HOME = "/account/second-factor/"


@pytest.fixture
def required(settings: Any) -> None:
    settings.REQUIRE_SECOND_FACTOR = True


class TestWhoMustHaveOne:
    @pytest.mark.parametrize("who", ["staff", "senior"])
    def test_staff_and_seniors_reach_account_pages_only_until_it_is_set_up(
        self, required: None, request: Any, who: str, sign_in_by_form: Any
    ) -> None:
        browser = sign_in_by_form(request.getfixturevalue(who))
        for path in ("/", "/tasks/", "/preferences/", "/admin/", "/api/docs/", "/staff/people/1/"):
            answer = browser.get(path)
            assert answer.status_code in (302, 403), path
            if answer.status_code == 302:
                assert answer["Location"] == HOME, path
        assert browser.post("/tasks/new/", {"title": "x"}).status_code in (302, 403)
        for path in (HOME, "/account/sessions/", "/account/email/", "/account/password/change/"):
            assert browser.get(path).status_code == 200, path
        assert "Your role requires a second factor" in browser.get(HOME).content.decode()
        set_up_codes(browser)
        assert browser.get("/").status_code == 200

    def test_a_page_that_saves_in_the_background_is_told_why(
        self, required: None, senior: User, sign_in: Callable[[User], Client]
    ) -> None:
        answer = sign_in(senior).get("/", headers={"Accept": "application/json"})
        assert answer.status_code == 403
        assert answer.json()["code"] == "second_factor_needed"

    def test_experts_and_applicants_may_go_without(
        self, required: None, author: User, applicant: User, sign_in: Callable[[User], Client]
    ) -> None:
        for user in (author, applicant):
            assert sign_in(user).get("/").status_code == 200

    def test_an_api_token_of_somebody_who_lacks_it_is_refused_with_a_code(
        self, required: None, senior: User, author: User
    ) -> None:
        for user, status in ((senior, 403), (author, 200)):
            _token, key = make_token(actor=user, name="tests")
            answer = Client().get("/api/v1/tasks/", headers={"Authorization": f"Token {key}"})
            assert answer.status_code == status
            if status == 403:
                assert answer.json()["code"] == "second_factor_needed"

    @pytest.mark.django_db(transaction=True)  # the library tells when all is stored
    def test_sessions_that_a_password_alone_had_opened_end_with_the_first_factor(
        self, required: None, staff: User, sign_in_by_form: Any
    ) -> None:
        elsewhere, here = sign_in_by_form(staff), sign_in_by_form(staff)
        assert elsewhere.get("/preferences/").headers["Location"] == HOME
        set_up_codes(here)
        assert here.get("/preferences/").status_code == 200
        left = elsewhere.get("/preferences/")
        assert left.headers["Location"].startswith("/account/login/")

    def test_recovery_codes_alone_are_no_second_factor(
        self, required: None, staff: User, sign_in: Callable[[User], Client]
    ) -> None:
        Authenticator.objects.create(user=staff, type="recovery_codes", data={})
        assert sign_in(staff).get("/").status_code == 302

    def test_an_installation_that_does_not_insist_lets_them_in_and_says_so(
        self, staff: User, sign_in: Callable[[User], Client]
    ) -> None:
        browser = sign_in(staff)
        assert browser.get("/").status_code == 200
        page = browser.get("/staff/invitations/").content.decode()
        assert "A second factor is not required in this installation" in page


class TestCodes:
    def test_signing_in_asks_for_the_code_and_takes_a_recovery_code_once(
        self, author: User, sign_in_by_form: Any
    ) -> None:
        browser = sign_in_by_form(author)
        secret = set_up_codes(browser)
        codes = browser.get("/account/second-factor/recovery-codes/").context["unused_codes"]
        assert len(codes) == 10
        fresh = sign_in_by_form(author)
        assert fresh.get("/").status_code == 302  # the password alone opens nothing
        step = "/account/second-factor/authenticate/"
        assert fresh.get(step).status_code == 200
        wrong = fresh.post(step, {"code": "000000"})
        assert "did not match" in wrong.content.decode()
        assert fresh.post(step, {"code": code_of(secret, steps=1)}).status_code == 302
        assert fresh.get("/").status_code == 200

        for expected in (200, 302):  # the second time the same code opens nothing
            other = sign_in_by_form(author)
            other.post(step, {"code": codes[0]})
            assert other.get("/").status_code == expected

    def test_a_code_cannot_be_used_twice(self, author: User, sign_in_by_form: Any) -> None:
        secret = set_up_codes(sign_in_by_form(author))
        code = code_of(secret, steps=1)
        for expected in (200, 302):
            browser = sign_in_by_form(author)
            browser.post("/account/second-factor/authenticate/", {"code": code})
            assert browser.get("/").status_code == expected

    def test_guessing_codes_is_throttled(self, author: User, sign_in_by_form: Any) -> None:
        secret = set_up_codes(sign_in_by_form(author))
        browser = sign_in_by_form(author)
        for n in range(6):
            browser.post("/account/second-factor/authenticate/", {"code": f"{n:06}"})
        browser.post("/account/second-factor/authenticate/", {"code": code_of(secret, steps=1)})
        assert browser.get("/").status_code == 302

    def test_secrets_are_closed_in_the_database(self, author: User, sign_in_by_form: Any,
                                                settings: Any) -> None:  # fmt: skip
        browser = sign_in_by_form(author)
        secret = set_up_codes(browser)
        codes = browser.get("/account/second-factor/recovery-codes/").context["unused_codes"]
        stored = str(list(Authenticator.objects.values_list("data", flat=True)))
        assert secret not in stored
        assert not any(code in stored for code in codes)
        held = Authenticator.objects.get(user=author, type="totp")
        old, settings.SECRET_KEY = settings.SECRET_KEY, "another secret of the installation " * 2
        assert not held.wrap().validate_code(code_of(secret, steps=1))  # lost, and closed
        settings.SECRET_KEY_FALLBACKS = [old]
        assert held.wrap().validate_code(code_of(secret, steps=1))

    def test_setting_up_asks_for_the_password_again_after_a_while(
        self, author: User, sign_in: Callable[[User], Client]
    ) -> None:
        browser = sign_in(author)  # not through the form: the password was not just typed
        for path in ("totp/activate/", "webauthn/add/", "recovery-codes/generate/"):
            answer = browser.get(HOME + path)
            assert answer.status_code == 302
            assert answer["Location"].startswith("/account/reauthenticate/")

    @pytest.mark.django_db(transaction=True)
    def test_its_owner_is_told_by_mail(self, author: User, sign_in_by_form: Any) -> None:
        set_up_codes(sign_in_by_form(author))
        assert [m.to for m in mail.outbox] == [[author.email]]
        assert mail.outbox[0].subject.startswith("Assay: ")

    def test_it_can_be_taken_away_by_its_owner(self, author: User, sign_in_by_form: Any) -> None:
        browser = sign_in_by_form(author)
        set_up_codes(browser)
        assert browser.post(f"{HOME}totp/deactivate/").status_code == 302
        assert not Authenticator.objects.exists()  # the recovery codes went with it
        assert sign_in_by_form(author).get("/").status_code == 200

    def test_nobody_reads_or_removes_anothers(
        self, author: User, peer: User, sign_in_by_form: Any
    ) -> None:
        set_up_codes(sign_in_by_form(author))
        key = Authenticator.objects.create(user=author, type="webauthn", data={"name": "Phone"})
        stranger = sign_in_by_form(peer)
        stranger.post("/account/reauthenticate/", {"password": PASSWORD})
        for path in ("recovery-codes/", "recovery-codes/download/", "totp/deactivate/"):
            assert stranger.get(HOME + path).status_code == 404
        for path in (f"webauthn/keys/{key.pk}/remove/", f"webauthn/keys/{key.pk}/edit/"):
            assert stranger.post(HOME + path, {"name": "Mine"}).status_code == 404
        key.refresh_from_db()
        assert key.data["name"] == "Phone"


class TestReset:
    def test_staff_reset_it_with_a_reason_and_the_person_is_signed_out(
        self, author: User, staff: User, sign_in_by_form: Any, sign_in: Callable[[User], Client]
    ) -> None:
        browser = sign_in_by_form(author)
        set_up_codes(browser)
        desk, address = sign_in(staff), f"/staff/people/{author.pk}/account/"
        page = desk.get(address).content.decode()
        assert "code app, recovery codes" in page
        assert desk.post(address, {"reason": " "}).status_code == 400
        assert browser.get("/").status_code == 200
        assert desk.post(address, {"reason": "Lost phone; called back."}).status_code == 302
        assert not Authenticator.objects.exists()
        assert browser.get("/").status_code == 302
        assert sign_in_by_form(author).get("/").status_code == 200
        record = SecondFactorReset.objects.get()
        assert (record.user, record.actor) == (author, staff)
        assert "Lost phone; called back." in desk.get(address).content.decode()
        assert desk.post(address, {"reason": "Again."}).status_code == 409

    def test_nobody_resets_their_own(self, staff: User, sign_in_by_form: Any) -> None:
        browser = sign_in_by_form(staff)
        set_up_codes(browser)
        answer = browser.post(f"/staff/people/{staff.pk}/account/", {"reason": "Mine."})
        assert answer.status_code == 403
        assert Authenticator.objects.exists()

    def test_the_record_is_never_changed(self, author: User, staff: User) -> None:
        record = SecondFactorReset.objects.create(user=author, actor=staff, reason="x")
        with pytest.raises(TypeError):
            record.save()
        with pytest.raises(TypeError):
            record.delete()


def test_the_admin_is_no_way_around(required: None, staff: User) -> None:
    browser = Client()
    browser.post("/admin/login/", {"username": staff.email, "password": PASSWORD})
    assert browser.get("/admin/").status_code == 302
    assert browser.get("/").status_code == 302
