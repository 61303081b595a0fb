"""Staff approve, refuse and pay: on the list, all or nothing, and never their own work."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from curation.base.access.duties import Duty, columns_of
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.notices.models import Notice
from curation.joining.notices.notify import words
from curation.screening.panels.models import ScreeningVote
from curation.staff.honoraria.actions import (
    approve,
    enter_by_hand,
    mark_as_paid,
    open_again,
    refuse,
)
from curation.staff.honoraria.models import Honorarium, HonorariumRate, HonorariumStep
from curation.staff.honoraria.rates import take_back_rate
from curation.staff.honoraria.sources import collect_finished_work
from tests.conftest import browser_of, make_staff
from tests.staff.honoraria.conftest import days_ago, entry, pay

LIST = "/staff/honoraria/"
STEPS = "/staff/lists/honoraria/"


CORRECTION = {
    "kind": "correction", "description": "Paid too much", "day": days_ago(0),
    "amount": Decimal(-5), "currency": "EUR",
}  # fmt: skip


def rows(*entries):
    return {"rows": ",".join(str(each.pk) for each in entries)}


def test_the_list_narrows_by_person_work_state_day_and_domain(paid, work_world, staff, author):
    paid()
    office = browser_of(staff)

    def kinds(query):
        shown = office.get(f"{LIST}?{query}").context["list"].rows
        return sorted(Honorarium.objects.get(pk=row.pk).kind for row in shown)

    assert kinds("") == ["task", "vote"]
    assert kinds(f"q={author.pk}") == ["task"]
    assert kinds("q=Author") == ["task"]
    assert kinds("kind=vote") == ["vote"]
    assert kinds("state=approved") == []
    assert kinds("domain=finance") == ["task", "vote"]
    assert kinds(f"until={days_ago(1)}") == []
    assert kinds(f"since={days_ago(1)}&until={days_ago(0)}") == ["task", "vote"]
    assert kinds("file=1") == []
    assert office.get(f"{LIST}?kind=x").status_code == 400


def test_home_of_an_administrator_counts_what_waits_and_leads_to_the_list(paid, staff, person):
    paid()
    recruiter = person("recruiter", is_staff=True, **columns_of([Duty.RECRUITING]))
    home = "2 pieces of finished work wait for approval"
    assert home in browser_of(staff).get("/").text
    assert home not in browser_of(recruiter).get("/").text
    assert browser_of(staff).get(f"{LIST}?state=waiting").context["list"].rows
    for kind in ("task", "vote"):
        approve(actor=staff, entry=entry(kind))
    assert "finished work wait" not in browser_of(staff).get("/").text


def test_home_leaves_out_the_work_that_an_administrator_may_not_see(paid, author):
    paid()
    type(author).objects.filter(pk=author.pk).update(
        is_staff=True, **columns_of([Duty.ADMINISTRATION])
    )
    browser = browser_of(author)  # one piece is the author's own, the other a vote on their task
    assert len(browser.get(f"{LIST}?state=waiting").context["list"].rows) == 1
    assert "finished work wait" not in browser.get("/").text


def test_a_file_of_the_list_holds_amounts_and_currencies_in_columns_of_their_own(paid, staff):
    paid()
    answer = browser_of(staff).get(f"{LIST}?format=csv&kind=task")
    head, row = b"".join(answer.streaming_content).decode().splitlines()
    told = dict(zip(head.lstrip("\ufeff").split(","), row.split(","), strict=True))
    assert (told["Amount"], told["Currency"], told["State"]) == (
        "120.00", "EUR", "Waiting for approval"
    )  # fmt: skip


def test_a_preview_changes_nothing_and_a_step_does_all_it_showed(paid, staff, author):
    paid()
    task, vote = entry("task"), entry("vote")
    office = browser_of(staff)
    preview = office.post(f"{STEPS}approve/", rows(task, vote))
    assert len(preview.context["can"]) == 2
    assert "120.00 EUR" in preview.content.decode()
    assert not HonorariumStep.objects.exists()
    office.post(f"{STEPS}approve/do/", rows(task, vote))
    task.refresh_from_db()
    assert (task.state, task.amount, task.currency, task.decided_by) == (
        "approved", Decimal("120.00"), "EUR", staff
    )  # fmt: skip
    again = office.post(f"{STEPS}approve/do/", rows(task, vote))
    assert again.status_code == 409
    assert HonorariumStep.objects.count() == 2
    told = Notice.objects.get(recipient=author, kind="honoraria_approved")
    assert told.url == "/honoraria/"


def test_nothing_is_done_where_one_row_cannot(paid, staff):
    paid()
    pay(staff, "vote", None, since=days_ago(1))
    answer = browser_of(staff).post(f"{STEPS}approve/do/", rows(entry("task"), entry("vote")))
    assert answer.status_code == 409
    assert "this work was not paid on that day" in answer.content.decode()
    assert not Honorarium.objects.exclude(state="waiting").exists()


def test_nobody_decides_on_their_own_work(paid, voter):
    paid()
    office = browser_of(voter)
    preview = office.post(f"{STEPS}approve/", rows(entry("task"), entry("vote")))
    assert [row.pk for row in preview.context["cannot"]] == [entry("vote").pk]
    for step in (approve, mark_as_paid, open_again):
        with pytest.raises(Denied):
            step(actor=voter, entry=entry("vote"))
    with pytest.raises(Denied):
        refuse(actor=voter, entry=entry("vote"), reason="Mine.")


def test_an_expert_decides_on_nothing(paid, author):
    paid()
    with pytest.raises(Denied):
        approve(actor=author, entry=entry("vote"))
    assert browser_of(author).get(LIST).status_code == 403
    assert browser_of(author).post(f"{STEPS}approve/do/", rows(entry("vote"))).status_code == 403


class TestStaffWhoWroteTheTask:
    """Who voted on a task or reviewed it stays hidden from its author, also if that is staff."""

    @pytest.fixture
    def office(self, paid, author):
        paid()
        return browser_of(make_staff(author))

    def test_see_their_own_piece_and_not_the_work_of_others_on_it(self, office, voter):
        shown = office.get(LIST).context["list"]
        assert [row.pk for row in shown.rows] == [entry("task").pk]
        assert b"Screening vote," not in b"".join(office.get(f"{LIST}?format=csv"))
        page = office.get(f"{LIST}people/{voter.pk}/")
        assert (page.context["rows"], page.context["sums"]["waiting"]) == ([], "")

    def test_find_nothing_by_its_number_and_decide_on_nothing(self, office, author):
        vote = entry("vote")
        preview = office.post(f"{STEPS}approve/", rows(vote))
        assert b"Voter" not in preview.content
        (cannot,) = preview.context["cannot"]
        assert cannot.name == str(vote.pk)
        assert office.post(f"{STEPS}approve/do/", rows(vote)).status_code == 409
        with pytest.raises(Denied):
            approve(actor=author, entry=vote)
        everything = office.post(f"{STEPS}approve/", {"all": "1"})
        assert [row.pk for row in everything.context["cannot"]] == [entry("task").pk]

    def test_are_offered_none_of_it_to_correct_and_correct_none(self, office, staff, author, voter):
        vote = approve(actor=staff, entry=entry("vote"))

        def offered(browser):
            form = browser.get(f"{LIST}people/{voter.pk}/").context["form"]
            return [key for key, _words in form.fields["corrects"].choices]

        assert offered(browser_of(staff)) == ["", vote.pk]
        assert offered(office) == [""]
        with pytest.raises(BadInput) as refused:
            enter_by_hand(actor=author, person=voter, **CORRECTION, corrects=vote.pk)
        assert "corrects" in refused.value.fields

    def test_neither_see_its_corrections_nor_decide_on_them(self, office, staff, author, voter):
        vote = approve(actor=staff, entry=entry("vote"))
        made = enter_by_hand(actor=staff, person=voter, **CORRECTION, corrects=vote.pk)
        assert made.pk not in [row.pk for row in office.get(LIST).context["list"].rows]
        assert office.get(f"{LIST}people/{voter.pk}/").context["rows"] == []
        with pytest.raises(Denied):
            approve(actor=author, entry=made)


def test_the_database_refuses_a_decision_by_the_payee(paid, voter):
    paid()
    with pytest.raises(IntegrityError), transaction.atomic():
        Honorarium.objects.filter(kind="vote").update(decided_by=voter)


def test_a_rate_set_later_or_taken_back_changes_nothing_that_was_approved(paid, staff):
    paid()
    approve(actor=staff, entry=entry("task"))
    pay(staff, "task", "500.00", since=days_ago(3))
    for rate in HonorariumRate.objects.filter(kind="task"):
        take_back_rate(actor=staff, rate=rate)
    kept = entry("task")
    assert (kept.amount, kept.rate.amount) == (Decimal("120.00"), Decimal("120.00"))
    assert "120.00 EUR" in browser_of(staff).get(f"{LIST}?kind=task").content.decode()


def test_a_reason_is_needed_to_refuse_and_its_person_reads_it(paid, staff, author):
    paid()
    office, task = browser_of(staff), entry("task")
    page = office.post(f"{STEPS}refuse/do/", {**rows(task), "reason": " "})
    assert page.status_code == 400
    office.post(f"{STEPS}refuse/do/", {**rows(task), "reason": "Paid by the firm already."})
    task.refresh_from_db()
    assert (task.state, task.amount, task.reason) == (
        "refused", None, "Paid by the firm already."
    )  # fmt: skip
    told = Notice.objects.get(recipient=author, kind="honorarium_refused")
    assert words(told).reason == "Paid by the firm already."
    assert "Paid by the firm already." in browser_of(author).get("/honoraria/").content.decode()
    open_again(actor=staff, entry=task)
    assert (entry("task").state, entry("task").reason) == ("waiting", "")


def test_paid_is_paid(paid, staff, author):
    paid()
    task = entry("task")
    with pytest.raises(Conflict):
        mark_as_paid(actor=staff, entry=task)
    approve(actor=staff, entry=task)
    mark_as_paid(actor=staff, entry=task)
    for step in (approve, mark_as_paid, open_again):
        with pytest.raises(Conflict) as refused:
            step(actor=staff, entry=task)
        assert refused.value.code == "decided"
    with pytest.raises(Conflict):
        refuse(actor=staff, entry=task, reason="Too late.")
    steps = HonorariumStep.objects.values_list("state", flat=True)
    assert list(steps) == ["approved", "paid"]
    assert Notice.objects.filter(recipient=author, kind="honoraria_paid").count() == 1


def test_approved_work_can_be_refused_until_payroll_has_it(paid, staff):
    paid()
    approve(actor=staff, entry=entry("task"))
    refuse(actor=staff, entry=entry("task"), reason="Entered twice elsewhere.")
    found = entry("task")
    assert (found.state, found.amount, found.currency, found.rate) == ("refused", None, "", None)


def test_work_whose_record_is_gone_is_not_approved_and_stays_once_decided(paid, staff):
    paid()
    vote = entry("vote")
    ScreeningVote.objects.all().delete()
    with pytest.raises(Conflict) as refused:
        approve(actor=staff, entry=vote)
    assert refused.value.code == "not_finished"


def test_work_that_the_sweep_took_out_meanwhile_is_not_finished(paid, staff):
    paid()
    vote = entry("vote")
    ScreeningVote.objects.all().delete()
    collect_finished_work()
    for step in (approve, mark_as_paid, open_again):
        with pytest.raises(Conflict) as refused:
            step(actor=staff, entry=vote)
        assert refused.value.code == "not_finished"


class TestByHand:
    def enter(self, staff, person, **said):
        given = {"kind": "interview", "description": "Interview on covenants", "day": days_ago(2)}
        return enter_by_hand(actor=staff, person=person, **{**given, **said})

    def test_an_interview_takes_the_rate_of_its_kind(self, paid, staff, author):
        paid()
        pay(staff, "interview", "90.00", unit="hour", cap_minutes=120)
        answer = browser_of(staff).post(
            f"{LIST}people/{author.pk}/",
            {
                "kind": "interview",
                "description": "Interview on covenants",
                "day": str(days_ago(2)),
                "minutes": "60",
            },
            follow=True,
        )
        assert "90.00 EUR" in answer.content.decode()
        made = approve(actor=staff, entry=entry("interview"))
        assert (made.amount, made.counted_minutes) == (Decimal("90.00"), 60)

    def test_an_amount_of_its_own_counts_before_a_rate(self, paid, staff, author):
        paid()
        made = self.enter(staff, author, kind="other", amount=Decimal("33.10"), currency="USD")
        approve(actor=staff, entry=made)
        assert (made.pk, entry("other").amount, entry("other").currency) == (
            entry("other").pk, Decimal("33.10"), "USD"
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("said", "field"),
        [
            ({"kind": "vote"}, "kind"),
            ({"description": "\u200b"}, "description"),
            ({"description": "long " * 50}, "description"),
            ({"day": None}, "day"),
            ({"day": days_ago(-2)}, "day"),
            ({"minutes": 0}, "minutes"),
            ({"minutes": 28_801}, "minutes"),
            ({"amount": Decimal(10_000_000), "currency": "EUR"}, "amount"),
            ({"amount": Decimal(-5), "currency": "EUR"}, "amount"),
            ({"amount": Decimal("0.001"), "currency": "EUR"}, "amount"),
            ({"amount": Decimal(5), "currency": "Euro"}, "currency"),
            ({"currency": "EUR"}, "currency"),
            ({"kind": "correction"}, "amount"),
            ({"corrects": 1}, "corrects"),
        ],
    )
    def test_what_is_at_fault_is_said_at_its_field(self, paid, staff, author, said, field):
        paid()
        with pytest.raises(BadInput) as refused:
            self.enter(staff, author, **said)
        assert field in refused.value.fields
        given = {"kind": "interview", "description": "On covenants", "day": days_ago(2)}
        posted = {name: "" if value is None else value for name, value in (given | said).items()}
        answer = browser_of(staff).post(f"{LIST}people/{author.pk}/", posted)
        assert answer.status_code == 400
        assert answer.context["form"].errors[field]
        assert not Honorarium.objects.filter(source=None).exists()

    def test_a_mistyped_amount_is_the_only_fault(self, paid, staff, author):
        paid()
        said = {"kind": "other", "description": "Talk", "day": str(days_ago(2))}
        said |= {"amount": "abc", "currency": "EUR"}
        answer = browser_of(staff).post(f"{LIST}people/{author.pk}/", said)
        assert list(answer.context["form"].errors) == ["amount"]
        field = str(answer.context["form"]["amount"])
        assert 'min="-9999999.99"' in field
        assert 'max="9999999.99"' in field

    def test_a_correction_names_approved_work_of_the_same_person_in_its_currency(
        self, paid, staff, author, voter
    ):
        paid()
        wrong = {"kind": "correction", "amount": Decimal(-20), "currency": "EUR"}
        task = entry("task")
        for corrects in (None, task.pk):  # it only waits
            with pytest.raises(BadInput) as refused:
                self.enter(staff, author, **wrong, corrects=corrects)
            assert "corrects" in refused.value.fields
        approve(actor=staff, entry=task)
        with pytest.raises(BadInput):
            self.enter(staff, voter, **wrong, corrects=task.pk)
        with pytest.raises(BadInput) as refused:
            self.enter(staff, author, **{**wrong, "currency": "USD"}, corrects=task.pk)
        assert "currency" in refused.value.fields
        made = self.enter(staff, author, **wrong, corrects=task.pk)
        approve(actor=staff, entry=made)
        page = browser_of(author).get("/honoraria/").context["sums"]
        assert page["approved"] == "100.00 EUR"

    def corrected(self, staff, author):
        """An approved piece of the author, and its correction, which waits."""
        task = approve(actor=staff, entry=entry("task"))
        wrong = {"kind": "correction", "amount": Decimal(-20), "currency": "EUR"}
        return task, self.enter(staff, author, **wrong, corrects=task.pk)

    @pytest.mark.parametrize("approved", [False, True])
    def test_work_is_refused_only_after_its_corrections(self, paid, staff, author, approved):
        paid()
        task, correction = self.corrected(staff, author)
        if approved:
            approve(actor=staff, entry=correction)
        with pytest.raises(Conflict) as refused:
            refuse(actor=staff, entry=task, reason="Entered twice elsewhere.")
        assert refused.value.code == "corrected"
        refuse(actor=staff, entry=correction, reason="It was right.")
        refuse(actor=staff, entry=task, reason="Entered twice elsewhere.")
        open_again(actor=staff, entry=correction)
        with pytest.raises(Conflict) as refused:
            approve(actor=staff, entry=correction)
        assert refused.value.code == "not_approved"

    def test_a_correction_of_paid_work_is_approved(self, paid, staff, author):
        paid()
        task, correction = self.corrected(staff, author)
        mark_as_paid(actor=staff, entry=task)
        assert approve(actor=staff, entry=correction).amount == Decimal(-20)

    def test_a_correction_shows_what_staff_wrote(self, paid, staff, author):
        paid()
        self.corrected(staff, author)
        assert "Interview on covenants" in browser_of(author).get("/honoraria/").content.decode()

    def test_nobody_enters_work_who_is_not_staff(self, paid, author):
        paid()
        with pytest.raises(Denied):
            self.enter(author, author)
