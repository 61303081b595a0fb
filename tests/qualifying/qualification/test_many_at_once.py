"""Decisions on many applications at once: previewed, then for all or for none."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from curation.joining.notices.models import Notice
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.bank_models import Exam
from curation.qualifying.qualification.actions import admit

pytestmark = pytest.mark.django_db
Go = Callable[[User], Application]
SignIn = Callable[[User], Client]
ADMIT = "/staff/lists/applications/admit/"
REJECT = "/staff/lists/applications/reject/"


@pytest.fixture
def three(person: Any, applied: Go) -> list[Application]:
    return [applied(person(name)) for name in ("ana", "ben", "chu")]


def stages() -> set[str]:
    return set(Application.objects.values_list("stage", flat=True))


def keys(rows: list[Application]) -> str:
    return ",".join(str(row.pk) for row in rows)


def test_the_preview_says_who_cannot_be_admitted_and_why_and_changes_nothing(
    sign_in: SignIn, staff: User, three: list[Application], exam: Exam
) -> None:
    admit(actor=staff, application=three[0])  # somebody was faster
    page = sign_in(staff).post(ADMIT, {"pk": [row.pk for row in three]})
    assert [row.pk for row in page.context["cannot"]] == [three[0].pk]
    assert page.context["cannot"][0].why
    assert page.context["can_rows"] == keys(three[1:])
    assert "Admit 2" in page.content.decode()
    assert list(Application.objects.order_by("pk").values_list("stage", flat=True)) == [
        "exam",
        "applied",
        "applied",
    ]
    assert not Notice.objects.filter(recipient=three[1].user, kind="application_admitted").exists()


def test_those_who_can_are_admitted_together(
    sign_in: SignIn, staff: User, three: list[Application], exam: Exam
) -> None:
    page = sign_in(staff).post(f"{ADMIT}do/", {"rows": keys(three)}, follow=True)
    assert "Admitted: 3." in page.content.decode()
    assert stages() == {"exam"}


def test_if_one_has_moved_on_meanwhile_nothing_is_done(
    sign_in: SignIn, staff: User, three: list[Application], exam: Exam
) -> None:
    admit(actor=staff, application=three[0])
    page = sign_in(staff).post(f"{ADMIT}do/", {"rows": keys(three)})
    assert page.status_code == 409
    said = page.content.decode()
    assert "Nothing was changed." in said
    assert three[0].user.pseudonym in said
    assert page.context["can_rows"] == keys(three[1:])
    assert Application.objects.filter(stage="applied").count() == 2


def test_one_reason_reaches_each_in_their_own_language(
    sign_in: SignIn, staff: User, three: list[Application]
) -> None:
    User.objects.filter(pk=three[1].user_id).update(language="zh-hans")
    office = sign_in(staff)
    form = {"reason": "full", "words": "Ask next year."}
    preview = office.post(REJECT, {"rows": keys(three[:2]), "checked": "1", **form})
    assert "Reject 2" in preview.content.decode()
    page = office.post(f"{REJECT}do/", {"rows": keys(three[:2]), **form}, follow=True)
    assert "Rejected: 2." in page.content.decode()
    reasons = [row.history.latest("pk").reason for row in three[:2]]
    assert all(reason.endswith("\n\nAsk next year.") for reason in reasons)
    assert "as many experts as it needs" in reasons[0]
    assert "as many experts as it needs" not in reasons[1]
    assert Notice.objects.filter(recipient=three[0].user, kind="application_rejected").exists()
    assert Application.objects.get(pk=three[2].pk).stage == "applied"


@pytest.mark.parametrize(
    ("address", "data", "words"),
    [
        (REJECT, {"checked": "1"}, "Give a reason, prepared or your own."),
        (REJECT, {"checked": "1", "words": " \u200b "}, "Give a reason"),
        (f"{REJECT}do/", {"words": ""}, "Give a reason"),
        (REJECT, {"checked": "1", "reason": "nonsense"}, "Select a valid choice"),
        (ADMIT, {"rows": ""}, "Tick the rows first"),
        (ADMIT, {"rows": "x,-1," + "9" * 30}, "Tick the rows first"),
        (ADMIT, {"rows": ",".join(map(str, range(1, 600)))}, "at most 500 rows at once"),
    ],
)
def test_a_decision_that_cannot_be_used_changes_nothing(
    sign_in: SignIn,
    staff: User,
    three: list[Application],
    address: str,
    data: dict[str, Any],
    words: str,
) -> None:
    answer = sign_in(staff).post(address, {"rows": keys(three)} | data)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert stages() == {"applied"}


def test_what_was_typed_and_ticked_stays_when_the_reason_is_refused(
    sign_in: SignIn, staff: User, three: list[Application]
) -> None:
    sent = {"rows": keys(three[:1]), "checked": "1", "reason": "nonsense", "words": "Next year."}
    page = sign_in(staff).post(REJECT, sent).content.decode()
    assert "Next year." in page
    assert f'name="rows" value="{three[0].pk}"' in page


def test_staff_do_not_decide_on_themselves_among_many(
    sign_in: SignIn, staff: User, three: list[Application], applied: Go, exam: Exam
) -> None:
    own = applied(staff)
    office = sign_in(staff)
    rows = {"rows": f"{own.pk},{three[0].pk},987654"}
    page = office.post(ADMIT, rows)
    assert "You cannot decide on your own application." in page.content.decode()
    assert [row.pk for row in page.context["cannot"]] == [own.pk, 987_654]
    assert office.post(f"{ADMIT}do/", rows).status_code == 409
    assert stages() == {"applied"}


def test_all_that_match_are_chosen_beyond_the_page(
    sign_in: SignIn, staff: User, person: Any, applied: Go, exam: Exam
) -> None:
    for n in range(55):
        applied(person(f"p{n}"))
    office = sign_in(staff)
    assert "All that match: 55 applications" in office.get("/staff/applications/").content.decode()
    page = office.post(f"{ADMIT}?q=p1", {"all": "1"})
    assert len(page.context["can"]) == 11  # p1 and p10 to p19


def test_a_second_press_finds_the_first_ones_result(
    staff: User, three: list[Application], exam: Exam
) -> None:
    office = Client(enforce_csrf_checks=True)
    office.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    page = office.post(
        ADMIT,
        {"rows": keys(three), "csrfmiddlewaretoken": token_of(office)},
    )
    form = {"rows": page.context["can_rows"], "csrfmiddlewaretoken": token_of(office)}
    assert office.post(f"{ADMIT}do/", form).status_code == 302
    again = office.post(f"{ADMIT}do/", form, follow=True)
    assert "This form arrived twice. It was carried out once." in again.content.decode()
    assert Notice.objects.filter(kind="application_admitted").count() == 3


def token_of(browser: Client) -> str:
    if "csrftoken" not in browser.cookies:
        browser.get("/staff/applications/")
    return browser.cookies["csrftoken"].value


def test_steps_are_for_staff_and_of_lists_that_exist(
    sign_in: SignIn, staff: User, author: User, three: list[Application]
) -> None:
    for address in (ADMIT, f"{ADMIT}do/"):
        assert sign_in(author).post(address, {"rows": keys(three)}).status_code == 403
        assert sign_in(staff).get(address).status_code == 405
    for nowhere in ("/staff/lists/applications/crown/", "/staff/lists/planets/admit/"):
        assert sign_in(staff).post(nowhere, {"rows": keys(three)}).status_code == 404
