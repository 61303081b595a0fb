"""Duties of staff: appointing, changing, ending, and what each of them lets somebody do."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from config.duty_buttons import turn_off
from curation.base.access.duties import Duty, columns_of
from curation.base.web.refusals import Conflict
from curation.joining.people import DutyChange, User
from curation.leaving.closed_accounts.actions import close_account
from curation.staff.programme_settings.duties import change_duties, end_staff
from tests.markup import words_of

pytestmark = pytest.mark.django_db
MEMBERS = "/staff/members/"
REASON = "She joins the office."


@pytest.fixture
def member(person: Any) -> Any:
    """A member of staff with these duties: `member("ed", "editing")`."""

    def make(name: str, *duties: str) -> User:
        return person(name, is_staff=True, **columns_of(duties))

    return make


def appoint(browser: Any, someone: User, *duties: str, **more: str) -> Any:
    form = {"person": someone.email, "duties": duties, "reason": REASON} | more
    return browser.post(MEMBERS, form)


class TestAppointing:
    def test_an_administrator_appoints_somebody_with_duties(self, sign_in, staff, applicant):
        reply = appoint(sign_in(staff), applicant, "editing", "gold")
        assert reply.status_code == 302
        applicant.refresh_from_db()
        assert applicant.is_staff
        assert applicant.duties == (Duty.EDITING, Duty.GOLD)
        change = DutyChange.objects.get()
        assert (change.actor, change.kind, change.before) == (staff, "appointed", [])
        assert (change.after, change.reason) == (["editing", "gold"], REASON)
        page = words_of(sign_in(applicant).get(MEMBERS).content.decode())
        assert "Appointed as staff: Editing, Gold" in page

    def test_without_duties_a_member_reads_everything_and_changes_nothing(
        self, sign_in, staff, applicant
    ):
        appoint(sign_in(staff), applicant)
        reader = sign_in(applicant)
        assert reader.get("/staff/people/").status_code == 200
        assert reader.get("/staff/runs/").status_code == 200
        refused = reader.post(f"/staff/people/{applicant.pk}/slot/", {"slot-reason": "x"})
        assert refused.status_code == 403
        assert "“Recruiting”" in refused.content.decode()

    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            ({"reason": " "}, "reason"),
            ({"person": "nobody@example.test"}, "person"),
            ({"duties": "treasury"}, "duties"),
        ],
    )
    def test_it_needs_an_account_a_known_duty_and_a_reason(
        self, sign_in, staff, applicant, changed, field
    ):
        reply = appoint(sign_in(staff), applicant, "editing", **changed)
        assert reply.status_code == 400
        assert set(reply.context["form"].errors) == {field}
        assert not DutyChange.objects.exists()

    def test_a_closed_account_is_not_appointed(self, sign_in, staff, applicant):
        User.objects.filter(pk=applicant.pk).update(is_active=False)
        assert "Open it first" in appoint(sign_in(staff), applicant).content.decode()

    def test_who_is_staff_is_not_appointed_again(self, sign_in, staff, member):
        reply = appoint(sign_in(staff), member("ed", "editing"), "gold")
        assert reply.status_code == 409
        assert not DutyChange.objects.exists()

    def test_a_command_makes_a_superuser_with_every_duty(self):
        assert User.objects.create_superuser("root@example.test").duties == tuple(Duty)


class TestChanging:
    def test_duties_are_replaced_and_the_history_says_from_what_to_what(
        self, sign_in, staff, member
    ):
        ed = member("ed", "editing")
        address = f"{MEMBERS}{ed.pk}/"
        reply = sign_in(staff).post(address, {"duties": ["scoring"], "reason": "Moves."})
        assert reply.status_code == 302
        ed.refresh_from_db()
        assert ed.duties == (Duty.SCORING,)
        assert "Duties changed: Editing → Scoring" in words_of(
            sign_in(staff).get(address).content.decode()
        )

    def test_the_audit_lists_the_change_with_person_and_reason(self, sign_in, staff, member):
        ed = member("ed", "editing")
        change_duties(actor=staff, person=ed, duties=["gold"], reason="Moves to releases.")
        audit = sign_in(staff).get("/staff/audit/?kind=role").content.decode()
        assert "Duties changed" in words_of(audit)
        assert "Moves to releases." in audit
        assert reverse("staff-person", args=[ed.pk]) in audit
        narrowed = sign_in(staff).get("/staff/audit/?kind=role&task=1").content.decode()
        assert "Moves to releases." not in narrowed

    def test_the_same_duties_again_are_no_change(self, sign_in, staff, member):
        ed = member("ed", "editing")
        reply = sign_in(staff).post(
            f"{MEMBERS}{ed.pk}/", {"duties": ["editing"], "reason": "Again."}
        )
        assert reply.status_code == 409
        assert not DutyChange.objects.exists()

    def test_ending_it_signs_out_and_leaves_no_duty(self, sign_in, staff, member):
        ed = member("ed", "editing", "gold")
        browser = sign_in(ed)
        assert browser.get("/staff/people/").status_code == 200
        reply = sign_in(staff).post(f"{MEMBERS}{ed.pk}/end/", {"reason": "Leaves the office."})
        assert reply.status_code == 302
        assert browser.get("/staff/people/").status_code == 302
        ed.refresh_from_db()
        assert (ed.is_staff, ed.duties) == (False, ())
        assert sign_in(staff).get(f"{MEMBERS}{ed.pk}/").status_code == 200

    def test_ending_it_needs_a_reason(self, sign_in, staff, member):
        ed = member("ed", "editing")
        assert sign_in(staff).post(f"{MEMBERS}{ed.pk}/end/", {"reason": ""}).status_code == 400
        ed.refresh_from_db()
        assert ed.is_staff

    def test_somebody_who_was_never_staff_has_no_such_page(self, sign_in, staff, applicant):
        assert sign_in(staff).get(f"{MEMBERS}{applicant.pk}/").status_code == 404

    def test_the_database_refuses_duties_of_somebody_who_is_not_staff(self, applicant):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=applicant.pk).update(does_gold=True)


class TestTheLastAdministrator:
    def test_neither_loses_the_duty_nor_ends_nor_closes_the_account(self, staff, member):
        member("ed", "editing")
        for step in (
            lambda: change_duties(actor=staff, person=staff, duties=["gold"], reason="x"),
            lambda: end_staff(actor=staff, person=staff, reason="x"),
            lambda: close_account(actor=staff, person=staff, reason="x"),
        ):
            with pytest.raises(Conflict) as refused:
                step()
            assert refused.value.code == "last_administrator"
        staff.refresh_from_db()
        assert staff.is_active
        assert staff.duties == tuple(Duty)

    def test_a_closed_account_does_not_count(self, staff, member):
        away = member("ada", "administration")
        User.objects.filter(pk=away.pk).update(is_active=False)
        with pytest.raises(Conflict):
            end_staff(actor=staff, person=staff, reason="x")

    def test_with_a_second_one_the_first_may_go(self, staff, member):
        member("ada", "administration")
        end_staff(actor=staff, person=staff, reason="Retires.")
        assert not User.objects.get(pk=staff.pk).is_staff


class TestWhatAPersonWithoutADutySees:
    def test_the_refusal_says_which_duty_and_who_has_it(self, sign_in, staff, member):
        User.objects.filter(pk=staff.pk).update(display_name="Louise Brennecke")
        refused = sign_in(member("eve")).post(reverse("staff-budgets"), {})
        assert refused.status_code == 403
        assert "“Administration”. Ask Louise Brennecke" in words_of(refused.content.decode())

    def test_where_nobody_has_it_the_refusal_names_who_can_assign_it(self, sign_in, staff, member):
        User.objects.filter(pk=staff.pk).update(display_name="Louise", does_gold=False)
        refused = sign_in(member("eve")).post(reverse("gold-draw"), {})
        words = words_of(refused.content.decode())
        assert "“Gold”, which nobody has now. Louise can assign it." in words

    def test_forms_are_off_and_a_note_says_why(self, sign_in, staff, member):
        page = sign_in(member("eve")).get(reverse("staff-invite")).content.decode()
        assert "Some of what is here is turned off for you." in page
        assert '<button disabled title="This needs the duty' in page
        full = sign_in(staff).get(reverse("staff-invite")).content.decode()
        assert "turned off for you" not in full
        assert "<button disabled" not in full

    def test_a_button_beside_its_form_is_off_too(self, staff, member):
        page = (
            '<div id="notes"></div><button class="btn" form="builder">Draw</button>'
            '<form id="builder" method="post"><input type="hidden" name="a"></form>'
            '<form id="find"><button>Find</button></form>'
        )
        off = turn_off(page, reverse("gold-draw"), member("eve"))
        assert re.search(r'<button disabled title="[^"]+" class="btn" form="builder">', off)
        assert '<input type="hidden" name="a">' in off
        assert "<button>Find</button>" in off
        assert turn_off(page, reverse("gold-draw"), staff) == page

    def test_forms_that_the_person_may_send_stay_on(self, sign_in, member):
        page = sign_in(member("rita", "recruiting")).get(reverse("staff-invite")).content.decode()
        assert "turned off for you" not in page
        assert "<button disabled" not in page

    def test_a_program_reads_the_code_and_the_duty(self, sign_in, member):
        reply = sign_in(member("eve")).post(
            reverse("staff-candidate-new"), {}, headers={"Accept": "application/json"}
        )
        assert reply.status_code == 403
        assert (reply.json()["code"], reply.json()["duty"]) == ("duty_needed", "scoring")

    def test_an_expert_is_refused_without_a_word_on_duties(self, sign_in, author, staff):
        refused = sign_in(author).post(reverse("staff-budgets"), {})
        assert refused.status_code == 403
        assert "duty" not in words_of(refused.content.decode())
