"""Signing in with a code and with a passkey, in a real browser with a virtual authenticator."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator

from curation.joining.invitations.actions import invite_vendor
from curation.joining.invitations.links import path_of
from curation.joining.people import User
from tests.browser.axe import faults_on
from tests.conftest import PASSWORD
from tests.joining.accounts.conftest import NEW_PASSWORD, code_of

pytestmark = pytest.mark.django_db(transaction=True)
HOME = "/account/second-factor/"


def with_authenticator(one: Any) -> Any:
    """Give the window a device that keeps passkeys and knows its owner's finger."""
    protocol = one.context.new_cdp_session(one.page)
    protocol.send("WebAuthn.enable")
    added = protocol.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return lambda yes: protocol.send(
        "WebAuthn.setUserVerified",
        {"authenticatorId": added["authenticatorId"], "isUserVerified": yes},
    )


def type_password_again(one: Any) -> None:
    one.page.get_by_label("Password").fill(PASSWORD)
    one.click("Go on")


def test_a_senior_sets_up_a_code_app_and_signs_in_with_it(
    desk: Any, senior: User, settings: Any
) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    ana = desk(width=390)
    ana.open("/account/login/")
    ana.page.get_by_label("E-mail address").fill(senior.email)
    ana.page.get_by_label("Password").fill(PASSWORD)
    ana.press("Enter")
    ana.reads("Your role requires a second factor")
    assert faults_on(ana.page) == []
    ana.click("Set up a code app")
    type_password_again(ana)
    assert faults_on(ana.page) == []
    ana.page.get_by_text("Without a camera").click()
    secret = ana.page.get_by_label("Secret to type into the app").input_value()
    ana.page.get_by_label("The code the app shows now").fill(code_of(secret))
    ana.click("Turn it on")
    ana.reads("10 of 10 codes are left")
    assert faults_on(ana.page) == []
    ana.click("I have saved them: go on")
    ana.page.wait_for_url(f"{ana.url}/")

    ben = desk()
    ben.open("/account/login/")
    ben.page.get_by_label("E-mail address").fill(senior.email)
    ben.page.get_by_label("Password").fill(PASSWORD)
    ben.press("Enter")
    ben.reads("One more step")
    assert faults_on(ben.page) == []
    ben.page.get_by_label("Code from your app").fill(code_of(secret, steps=1))
    ben.press("Enter")
    ben.page.wait_for_url(f"{ben.url}/")


def test_a_passkey_is_added_and_signs_in_alone(desk: Any, author: User) -> None:
    ana = desk(author.email)
    verified = with_authenticator(ana)
    ana.open(HOME)
    ana.click("Add a passkey")
    type_password_again(ana)
    assert faults_on(ana.page) == []
    ana.page.get_by_label("Name, so that you recognise it").fill("Grey laptop")
    verified(False)  # the wrong finger
    ana.click("Add the passkey")
    ana.reads("The device did not confirm it")
    verified(True)
    ana.click("Add the passkey")
    ana.reads("Your recovery codes")
    ana.open(HOME)
    ana.reads("Grey laptop")
    assert faults_on(ana.page) == []
    assert Authenticator.objects.filter(user=author, type="webauthn").count() == 1

    ana.context.clear_cookies()
    ana.open("/account/login/?next=/tasks/")
    ana.click("Sign in with a passkey")
    ana.page.wait_for_url(f"{ana.url}/tasks/")


def test_the_passkey_button_waits_for_its_script(desk: Any, author: User) -> None:
    ana = desk(author.email)
    with_authenticator(ana)
    held: list[Any] = []
    ana.page.route("**/passkeys.js", lambda route: held.append(route))  # a slow line
    ana.open(f"{HOME}webauthn/add/")
    ana.page.get_by_label("Password").fill(PASSWORD)
    with ana.page.expect_request("**/passkeys.js"):
        ana.page.get_by_role("button", name="Go on").click(no_wait_after=True)
    add = ana.page.get_by_role("button", name="Add the passkey")
    add.wait_for()
    assert add.is_disabled()
    for request in held:
        request.continue_()
    add.click()
    ana.reads("Your recovery codes")


def test_a_passkey_is_the_second_step_after_the_password(desk: Any, author: User) -> None:
    ana = desk(author.email)
    with_authenticator(ana)
    ana.open(f"{HOME}webauthn/add/")
    type_password_again(ana)
    ana.click("Add the passkey")
    ana.reads("Your recovery codes")
    ana.context.clear_cookies()
    ana.open("/account/login/")
    ana.page.get_by_label("E-mail address").fill(author.email)
    ana.page.get_by_label("Password").fill(PASSWORD)
    ana.press("Enter")
    ana.click("Use your passkey")
    ana.page.wait_for_url(f"{ana.url}/")
    key = Authenticator.objects.get(user=author, type="webauthn")
    ana.open(f"{HOME}webauthn/keys/{key.pk}/remove/")
    ana.page.get_by_role("link", name="Use your passkey").click()  # instead of the password
    ana.page.get_by_role("button", name="Use your passkey").click()
    ana.reads("Remove “")
    assert faults_on(ana.page) == []
    ana.click("Remove it")
    ana.page.wait_for_url(f"{ana.url}{HOME}webauthn/")
    assert not Authenticator.objects.exists()


def test_somebody_comes_by_a_link_with_the_keyboard_alone(desk: Any, staff: User) -> None:
    link = path_of(invite_vendor(actor=staff, vendor="Kestrel", max_uses=2))
    noor = desk(width=390)
    noor.open(link)
    assert faults_on(noor.page) == []
    noor.page.get_by_label("Your name").focus()
    noor.page.keyboard.type("Noor")
    noor.press("Tab")
    noor.page.keyboard.type("noor@example.test")
    for _field in range(2):
        noor.press("Tab")
        noor.page.keyboard.type(NEW_PASSWORD)
    noor.press("Enter")
    noor.reads("Check your e-mail")
    assert User.objects.get(email="noor@example.test").arrival.invitation.vendor == "Kestrel"
