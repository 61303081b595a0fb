"""Payroll files: frozen, each entry in one at most, the same bytes each time."""

import csv
import hashlib
import io
from decimal import Decimal

import pytest

from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.leaving.closed_accounts.actions import close_account, remove_name
from curation.staff.honoraria.actions import approve, enter_by_hand, mark_as_paid, refuse
from curation.staff.honoraria.models import Honorarium, Payee, PayrollFile
from curation.staff.honoraria.payroll import make_payroll_file, set_payee_reference
from tests.conftest import browser_of
from tests.staff.honoraria.conftest import days_ago, entry

PAYROLL = "/staff/honoraria/payroll/"


@pytest.fixture
def approved(paid, staff, voter, author):
    """Three approved pieces: two of the author in two currencies, one of the voter."""
    paid()
    enter_by_hand(
        actor=staff, person=author, kind="other", description="A talk", day=days_ago(9),
        minutes=45, amount=Decimal("80.00"), currency="USD",
    )  # fmt: skip
    for row in Honorarium.objects.all():
        approve(actor=staff, entry=row)
    set_payee_reference(actor=staff, person=author, reference="=P-7")


def table(answer):
    return list(csv.reader(io.StringIO(answer.content.decode().lstrip("\ufeff"))))


def test_a_file_reads_the_same_whoever_makes_it(approved, staff):
    office = browser_of(staff)
    office.cookies["django_language"] = "zh-hans"
    office.post(PAYROLL, {"first_day": "", "last_day": str(days_ago(0))})
    assert table(office.get(f"{PAYROLL}1.csv"))[0][:2] == ["Payroll file", "Payee reference"]


def test_a_file_has_a_row_for_each_person_and_currency(approved, staff, author, voter):
    office = browser_of(staff)
    office.post(PAYROLL, {"first_day": "", "last_day": str(days_ago(0))})
    head, *rows = table(office.get(f"{PAYROLL}1.csv"))
    assert head[:5] == ["Payroll file", "Payee reference", "Pseudonym", "Name", "Pieces"]
    assert rows == [
        ["1", "'=P-7", author.pseudonym, "Author", "1", "", "1", "120.00", "EUR"],
        ["1", "'=P-7", author.pseudonym, "Author", "1", "45", "0", "80.00", "USD"],
        ["1", "", voter.pseudonym, "Voter", "1", "", "1", "15.00", "EUR"],
    ]


def test_the_bytes_stay_whatever_happens_and_match_their_hash(approved, staff, author):
    made = make_payroll_file(actor=staff, last_day=days_ago(0))
    office = browser_of(staff)
    before = office.get(f"{PAYROLL}1.csv").content
    set_payee_reference(actor=staff, person=author, reference="P-8")
    for row in Honorarium.objects.filter(person=author):
        mark_as_paid(actor=staff, entry=row)
    assert office.get(f"{PAYROLL}1.csv").content == before
    assert hashlib.sha256(before).hexdigest() == made.csv_sha256
    assert made.csv_sha256[:16] in office.get(PAYROLL).content.decode()
    with pytest.raises(TypeError):
        made.delete()


def test_an_entry_is_in_one_file_and_a_correction_in_the_next(approved, staff, author):
    make_payroll_file(actor=staff, last_day=days_ago(0))
    with pytest.raises(Conflict) as refused:
        make_payroll_file(actor=staff, last_day=days_ago(0))
    assert refused.value.code == "nothing"
    task = entry("task")
    with pytest.raises(Conflict) as refused:
        refuse(actor=staff, entry=task, reason="It was paid before.")
    assert refused.value.code == "in_payroll"
    back = enter_by_hand(
        actor=staff, person=author, kind="correction", description="Paid before",
        day=days_ago(0), amount=Decimal("-120.00"), currency="EUR", corrects=task.pk,
    )  # fmt: skip
    approve(actor=staff, entry=back)
    second = make_payroll_file(actor=staff, last_day=days_ago(0))
    assert (second.number, second.pieces) == (2, 1)
    (row,) = table(browser_of(staff).get(f"{PAYROLL}2.csv"))[1:]
    assert row[-2:] == ["-120.00", "EUR"]


def test_a_period_takes_the_work_that_was_finished_in_it(approved, staff):
    made = make_payroll_file(actor=staff, first_day=days_ago(10), last_day=days_ago(8))
    assert [row.kind for row in made.entries.all()] == ["other"]
    with pytest.raises(Conflict):
        make_payroll_file(actor=staff, first_day=days_ago(10), last_day=days_ago(1))


def test_what_only_waits_or_is_paid_already_is_in_no_file(paid, staff):
    paid()
    approve(actor=staff, entry=entry("task"))
    mark_as_paid(actor=staff, entry=entry("task"))
    with pytest.raises(Conflict):
        make_payroll_file(actor=staff, last_day=days_ago(0))
    assert not PayrollFile.objects.exists()


def test_a_period_without_end_or_turned_round_is_refused(approved, staff):
    office = browser_of(staff)
    for period in (("", ""), (str(days_ago(1)), str(days_ago(3)))):
        answer = office.post(PAYROLL, dict(zip(("first_day", "last_day"), period, strict=True)))
        assert answer.status_code == 400
        assert answer.context["form"].errors["last_day"]
    with pytest.raises(BadInput):
        make_payroll_file(actor=staff, first_day=days_ago(1), last_day=days_ago(3))


def test_files_are_for_staff_and_only_those_there_are(approved, staff, author):
    make_payroll_file(actor=staff, last_day=days_ago(0))
    with pytest.raises(Denied):
        make_payroll_file(actor=author, last_day=days_ago(0))
    assert browser_of(author).get(f"{PAYROLL}1.csv").status_code == 403
    office = browser_of(staff)
    for name in ("2.csv", "1.pdf", "1.xlsx"):
        assert office.get(f"{PAYROLL}{name}").status_code == 404


def test_a_double_press_makes_one_file_and_enters_work_once(approved, staff, author):
    office = browser_of(staff)
    form = {"first_day": "", "last_day": str(days_ago(0)), "csrfmiddlewaretoken": "a" * 64}
    assert [office.post(PAYROLL, form).status_code for _n in range(2)] == [302, 302]
    assert PayrollFile.objects.count() == 1
    work = {
        "kind": "other", "description": "Another talk", "day": str(days_ago(0)),
        "csrfmiddlewaretoken": "a" * 64,
    }  # fmt: skip
    for _n in range(2):
        office.post(f"/staff/honoraria/people/{author.pk}/", work)
    assert Honorarium.objects.filter(description="Another talk").count() == 1


def test_a_removed_name_leaves_the_entries_and_takes_the_reference(approved, staff, author):
    close_account(actor=staff, person=author, reason="Moved on.")
    remove_name(actor=staff, person=author, reason="Asked for it.")
    assert not Payee.objects.exists()
    author.refresh_from_db()
    page = browser_of(staff).get("/staff/honoraria/").content.decode()
    assert author.pseudonym in page
    assert ">Author<" not in page
    make_payroll_file(actor=staff, last_day=days_ago(0))
    first = table(browser_of(staff).get(f"{PAYROLL}1.csv"))[1]
    assert first[1:4] == ["", author.pseudonym, author.pseudonym]
    with pytest.raises(Conflict):
        enter_by_hand(
            actor=staff, person=author, kind="other", description="A talk", day=days_ago(1)
        )


def test_the_excel_file_of_an_earlier_payroll_stays_where_it_was(world_database, staff):
    PayrollFile.objects.create(
        number=7, last_day=days_ago(1), pieces=1, csv=b"a", csv_sha256="c", xlsx=b"b",
        xlsx_sha256="x", made_by=staff,
    )  # fmt: skip
    office = browser_of(staff)
    assert f"{PAYROLL}7.xlsx" in office.get(PAYROLL).content.decode()
    assert office.get(f"{PAYROLL}7.xlsx").content == b"b"
