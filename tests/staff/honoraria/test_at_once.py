"""Several people and sweeps at the same moment: each piece is entered, approved and filed once."""

import pytest
from django.test import Client

from curation.base.web.refusals import Conflict
from curation.staff.honoraria.actions import approve, mark_as_paid, refuse
from curation.staff.honoraria.models import Honorarium, HonorariumRate, HonorariumStep, PayrollFile
from curation.staff.honoraria.payroll import make_payroll_file
from curation.staff.honoraria.sources import collect_finished_work
from tests.conftest import browser_of, new_person
from tests.corrections.test_at_once import at_once
from tests.staff.honoraria.conftest import begin, days_ago, entry, pay

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 4


@pytest.fixture
def people():
    made = begin()
    pay(made["staff"], "task", "120.00")
    pay(made["staff"], "vote", "15.00")
    made["second"] = new_person("second", is_staff=True)
    return made


def test_sweeps_at_once_enter_each_piece_once(people):
    codes = at_once(*[collect_finished_work] * TIMES)
    assert codes == [""] * TIMES
    assert sorted(Honorarium.objects.values_list("kind", flat=True)) == ["task", "vote"]


def test_of_several_decisions_on_one_piece_one_counts(people):
    collect_finished_work()
    piece = entry("task")
    codes = at_once(
        lambda: approve(actor=people["staff"], entry=piece),
        lambda: approve(actor=people["second"], entry=piece),
        lambda: approve(actor=people["voter"], entry=piece),
    )
    assert sorted(codes) == ["", "decided", "decided"]
    assert HonorariumStep.objects.count() == 1
    codes = at_once(
        lambda: mark_as_paid(actor=people["staff"], entry=piece),
        lambda: mark_as_paid(actor=people["second"], entry=piece),
    )
    assert sorted(codes) == ["", "decided"]
    assert HonorariumStep.objects.filter(state="paid").count() == 1


def test_a_file_and_a_refusal_at_once_never_file_what_is_refused(people):
    collect_finished_work()
    piece = approve(actor=people["staff"], entry=entry("task"))
    codes = at_once(
        lambda: make_payroll_file(actor=people["staff"], last_day=days_ago(0)),
        lambda: refuse(actor=people["second"], entry=piece, reason="Paid elsewhere."),
    )
    piece.refresh_from_db()
    assert sorted(codes) in (["", "in_payroll"], ["", "nothing"])
    assert (piece.payroll is None) == (piece.state == "refused")


def test_files_made_at_once_hold_each_piece_once(people):
    collect_finished_work()
    approve(actor=people["staff"], entry=entry("task"))
    approve(actor=people["staff"], entry=entry("vote"))
    codes = at_once(
        *[lambda: make_payroll_file(actor=people["staff"], last_day=days_ago(0))] * TIMES
    )
    assert sorted(codes)[0] == ""
    assert set(codes[1:]) <= {"", "nothing", "changed_meanwhile"}
    made = PayrollFile.objects.get()
    assert made.pieces == Honorarium.objects.filter(payroll=made).count() == 2


def test_the_same_bulk_step_from_several_browsers_is_done_once(people):
    collect_finished_work()
    keys = {"rows": ",".join(str(pk) for pk in Honorarium.objects.values_list("pk", flat=True))}
    statuses: list[int] = []

    def send(office: Client) -> None:
        statuses.append(office.post("/staff/lists/honoraria/approve/do/", keys).status_code)

    offices = [browser_of(people["staff"]), browser_of(people["second"])]
    at_once(*[lambda office=office: send(office) for office in offices])
    assert sorted(statuses) == [302, 409]
    assert HonorariumStep.objects.count() == 2


def test_two_rates_at_once_of_one_day_are_one(people):
    def enter(amount: str) -> None:
        pay(people["staff"], "round", amount)

    codes = at_once(lambda: enter("50.00"), lambda: enter("60.00"))
    assert sorted(codes) == ["", "same_day"]
    assert HonorariumRate.objects.filter(kind="round").count() == 1


def test_a_refused_conflict_says_the_state(people):
    collect_finished_work()
    approve(actor=people["staff"], entry=entry("task"))
    with pytest.raises(Conflict, match="Approved"):
        approve(actor=people["staff"], entry=entry("task"))
