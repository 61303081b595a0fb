"""Steps on many people: suspend, lift a suspension, close accounts."""

from typing import Any

import pytest

from curation.joining.accounts.models import AccountChange
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, StandingChange, User

pytestmark = pytest.mark.django_db
SUSPEND = "/staff/lists/people/suspend/"


@pytest.fixture
def three(person: Any, finance: Domain, law: Domain) -> list[User]:
    return [person("ana", finance), person("ben", finance), person("chu", law)]


def form(people: list[User], **more: str) -> dict[str, str]:
    rows = ",".join(str(one.pk) for one in people)
    return {"rows": rows, "checked": "1", "domain": "finance", "reason": "Copied."} | more


def active() -> int:
    return Qualification.objects.filter(active=True).count()


def test_the_preview_says_who_is_not_active_in_the_domain(
    sign_in: Any, staff: User, three: list[User]
) -> None:
    page = sign_in(staff).post(SUSPEND, form(three))
    assert [row.pk for row in page.context["cannot"]] == [three[2].pk]
    assert "This expert is not active in the domain now." in page.content.decode()
    assert "Suspend 2" in page.content.decode()
    assert active() == 3
    assert not StandingChange.objects.exists()


def test_all_are_suspended_or_none(sign_in: Any, staff: User, three: list[User]) -> None:
    office = sign_in(staff)
    assert office.post(f"{SUSPEND}do/", form(three)).status_code == 409
    assert active() == 3
    page = office.post(f"{SUSPEND}do/", form(three[:2]), follow=True)
    assert "2 people are suspended." in page.content.decode()
    assert set(StandingChange.objects.values_list("reason", flat=True)) == {"Copied."}
    office.post("/staff/lists/people/reinstate/do/", form(three[:2], reason="Explained."))
    assert active() == 3


def test_staff_do_not_suspend_themselves_among_many(
    sign_in: Any, staff: User, three: list[User], finance: Domain
) -> None:
    Qualification.objects.create(user=staff, domain=finance)
    page = sign_in(staff).post(SUSPEND, form([three[0], staff]))
    assert [row.pk for row in page.context["cannot"]] == [staff.pk]


@pytest.mark.parametrize("changed", [{"reason": " "}, {"domain": "mars"}, {"domain": ""}])
def test_a_suspension_needs_a_domain_and_a_reason(
    sign_in: Any, staff: User, three: list[User], changed: dict[str, str]
) -> None:
    page = sign_in(staff).post(SUSPEND, form(three[:2], **changed))
    assert page.status_code == 400
    assert set(page.context["form"].errors) == set(changed)
    assert active() == 3


CLOSE = "/staff/lists/people/close/"


def closing(people: list[User], **more: str) -> dict[str, str]:
    rows = ",".join(str(one.pk) for one in people)
    return {"rows": rows, "checked": "1", "reason": "The programme ended."} | more


def test_accounts_are_closed_together_with_one_reason(
    sign_in: Any, staff: User, three: list[User]
) -> None:
    office = sign_in(staff)
    assert "Close 3 accounts" in office.post(CLOSE, closing(three)).content.decode()
    assert User.objects.filter(is_active=False).count() == 0
    page = office.post(f"{CLOSE}do/", closing(three), follow=True)
    assert "3 accounts are closed." in page.content.decode()
    assert not User.objects.filter(pk__in=[one.pk for one in three], is_active=True).exists()
    assert active() == 0
    changes = AccountChange.objects.filter(closed=True).values_list("reason", flat=True)
    assert list(changes) == ["The programme ended."] * 3


def test_a_closed_account_and_ones_own_are_left_out_of_the_preview(
    sign_in: Any, staff: User, three: list[User]
) -> None:
    User.objects.filter(pk=three[0].pk).update(is_active=False)
    office = sign_in(staff)
    page = office.post(CLOSE, closing([*three, staff]))
    assert [row.pk for row in page.context["cannot"]] == [three[0].pk, staff.pk]
    assert "You close it under Preferences." in page.content.decode()
    assert office.post(f"{CLOSE}do/", closing([*three, staff])).status_code == 409
    assert User.objects.filter(is_active=False).count() == 1


def test_closing_many_accounts_needs_a_reason(sign_in: Any, staff: User, three: list[User]) -> None:
    page = sign_in(staff).post(CLOSE, closing(three, reason=" "))
    assert page.status_code == 400
    assert set(page.context["form"].errors) == {"reason"}


def test_only_an_administrator_is_offered_to_close_accounts(
    sign_in: Any, person: Any, staff: User, three: list[User]
) -> None:
    recruiter = sign_in(person("rita", is_staff=True, does_administration=False))
    page = recruiter.get("/staff/people/").content.decode()
    assert "Suspend …" in page
    assert "Close accounts …" not in page
    for address in (CLOSE, f"{CLOSE}do/"):
        refused = recruiter.post(address, closing(three))
        assert refused.status_code == 403
        assert "“Administration”" in refused.content.decode()
    assert not AccountChange.objects.exists()
