"""Answers collected by hand: who may, one cell for one operator, and nothing of it leaks."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from curation.base.web.refusals import Conflict
from curation.joining.people import User
from curation.tasks.attachments.models import Attachment
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.task_sets import EVERY_TASK
from judge.base.products import EvaluationPeriod
from judge.results.product_index.actions import add_period, add_product, put_version
from judge.results.product_index.collecting import CollectionCell, CollectionOrder, OperatorChange
from judge.results.product_index.collecting_actions import make_order, set_operator, take_next
from judge.results.registry.actions import add_candidate
from judge.scoring.assignments.actions import assign_alignment_sheet
from tests.runs.engine.factory import external_task

pytestmark = pytest.mark.django_db
State = CollectionCell.State


@pytest.fixture
def period(staff) -> EvaluationPeriod:
    today = timezone.localdate()
    return add_period(
        actor=staff, key="this month", starts_on=today - timedelta(days=20), ends_on=today
    )


@pytest.fixture
def versions(staff) -> list[Candidate]:
    product = add_product(actor=staff, name="Cedar")
    made = []
    for number in (1, 2):
        one = add_candidate(actor=staff, name=f"Cedar {number}", kind="product")
        put_version(actor=staff, product=product, candidate=one, version=f"v{number}")
        made.append(Candidate.objects.get(pk=one.pk))
    return made


@pytest.fixture
def order(staff, period, versions) -> CollectionOrder:
    for number in (1, 2):
        external_task(f"t{number}", baseline=False)
    return make_order(
        actor=staff, period=period, candidates=versions, tasks=EVERY_TASK, note="Free plan."
    )


def operator_named(person: Any, staff: Any, name: str) -> Any:
    made = person(name)
    set_operator(actor=staff, person=made, operator=True, reason="Knows these products.")
    made.refresh_from_db()
    return made


@pytest.fixture
def operator(person, staff) -> Any:
    return operator_named(person, staff, "olga")


def taken(user: Any) -> CollectionCell:
    return take_next(actor=user)


def answer(**other: Any) -> dict[str, Any]:
    return {
        "text": "The equity value is 100.",
        "links": "https://example.test/a\nhttps://example.test/b",
        "asked_on": timezone.localdate().isoformat(),
        "tools_off": "Memory",
        "account": "Team plan, account 3",
        "remark": "",
        "text_version": "1",
        **other,
    }


class TestTheQueue:
    def test_an_operator_takes_asks_and_stores_an_answer(self, sign_in, operator, order):
        browser = sign_in(operator)
        assert "4 answers wait to be collected." in browser.get("/collecting/").content.decode()
        reply = browser.post("/collecting/next/", follow=True)
        page = reply.content.decode()
        assert "Ask Cedar v1" in page
        assert "Free plan." in page
        cell = CollectionCell.objects.get(operator=operator)
        assert cell.task.requirements in page
        version = str(cell.task.version)
        sent = browser.post(
            reverse("collecting-cell", args=[cell.pk]), answer(text_version=version)
        )
        assert sent.status_code == 302
        cell.refresh_from_db()
        response = Response.objects.get(collected_as=cell)
        assert (response.source, response.period, response.text) == (
            "collected", order.period, "The equity value is 100.",
        )  # fmt: skip
        assert response.text_version == cell.task.version
        assert cell.state == State.DONE
        assert cell.links == ["https://example.test/a", "https://example.test/b"]
        assert (cell.account, cell.tools_off) == ("Team plan, account 3", "Memory")

    def test_the_task_is_shown_as_candidates_see_it(self, sign_in, operator, order):
        cell = taken(operator)
        page = sign_in(operator).get(reverse("collecting-cell", args=[cell.pk])).content.decode()
        assert cell.task.reference_answer not in page
        line = cell.task.rubric_versions.first().criteria.first()
        assert line.text not in page

    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    def test_the_day_of_asking_stands_there_in_every_language(
        self, sign_in, operator, order, language
    ):
        cell = taken(operator)
        browser = sign_in(operator)
        browser.cookies["django_language"] = language
        page = browser.get(reverse("collecting-cell", args=[cell.pk])).content.decode()
        assert f'value="{timezone.localdate().isoformat()}"' in page

    def test_two_operators_never_have_the_same_cell(self, person, staff, operator, order):
        second = operator_named(person, staff, "oren")
        assert taken(operator).pk != taken(second).pk
        assert taken(operator).pk == taken(operator).pk  # one at a time

    def test_a_cell_kept_beyond_its_time_goes_to_the_next_operator(
        self, person, staff, operator, order
    ):
        first = taken(operator)
        CollectionCell.objects.filter(pk=first.pk).update(
            leased_until=timezone.now() - timedelta(minutes=1)
        )
        second = operator_named(person, staff, "oren")
        assert taken(second).pk == first.pk

    def test_what_came_too_late_is_refused_and_stores_nothing(
        self, sign_in, person, staff, operator, order
    ):
        first = taken(operator)
        CollectionCell.objects.filter(pk=first.pk).update(
            leased_until=timezone.now() - timedelta(minutes=1)
        )
        taken(operator_named(person, staff, "oren"))
        reply = sign_in(operator).post(reverse("collecting-cell", args=[first.pk]), answer())
        assert reply.status_code == 409
        assert "The equity value is 100." in reply.content.decode()
        assert not Response.objects.exists()

    def test_a_late_answer_counts_while_nobody_else_has_the_cell(self, sign_in, operator, order):
        cell = taken(operator)
        CollectionCell.objects.filter(pk=cell.pk).update(
            leased_until=timezone.now() - timedelta(minutes=1)
        )
        version = str(cell.task.version)
        sign_in(operator).post(
            reverse("collecting-cell", args=[cell.pk]), answer(text_version=version)
        )
        assert Response.objects.count() == 1

    def test_storing_and_taking_the_next_leads_to_the_next_cell(self, sign_in, operator, order):
        cell = taken(operator)
        sent = answer(text_version=str(cell.task.version), next="1")
        reply = sign_in(operator).post(reverse("collecting-cell", args=[cell.pk]), sent)
        following = CollectionCell.objects.get(state=State.TAKEN)
        assert reply.url == reverse("collecting-cell", args=[following.pk])

    def test_a_cell_given_back_waits_again(self, sign_in, operator, order):
        cell = taken(operator)
        sign_in(operator).post(reverse("collecting-back", args=[cell.pk]))
        cell.refresh_from_db()
        assert (cell.state, cell.leased_until) == (State.WAITING, None)

    @pytest.mark.parametrize(
        ("wrong", "sentence"),
        [
            ({"text": " \u200b "}, "Paste the answer, or skip this one and say why."),
            ({"links": "see the page"}, "A link begins with https:// or http://"),
            ({"asked_on": ""}, "Choose the day on which you asked."),
            ({"asked_on": "2001-01-01"}, "choose a day of it up to today."),
        ],
    )
    def test_what_cannot_be_stored_is_said_and_nothing_is_lost(
        self, sign_in, operator, order, wrong, sentence
    ):
        cell = taken(operator)
        sent = answer(text_version=str(cell.task.version)) | wrong
        reply = sign_in(operator).post(reverse("collecting-cell", args=[cell.pk]), sent)
        assert reply.status_code == 400
        page = reply.content.decode()
        assert sentence in page
        assert "Team plan, account 3" in page
        assert not Response.objects.exists()

    def test_an_answer_to_an_earlier_text_is_asked_anew(self, sign_in, operator, order):
        cell = taken(operator)
        cell.task.version, cell.task.prompt_since = 3, 3
        cell.task.save()
        sent = answer(text_version="1")
        reply = sign_in(operator).post(reverse("collecting-cell", args=[cell.pk]), sent)
        assert reply.status_code == 400
        page = reply.content.decode()
        assert "The task&#x27;s text changed since you opened it." in page
        assert "The equity value is 100." in page
        assert 'name="text_version" value="3"' in page

    def test_a_cell_is_skipped_with_a_reason(self, sign_in, operator, order, staff):
        cell = taken(operator)
        browser = sign_in(operator)
        address = reverse("collecting-skip", args=[cell.pk])
        assert "Choose why there is no answer." in browser.post(address).content.decode()
        refused = browser.post(address, {"reason": "other"})
        assert "Say in a sentence what happened." in refused.content.decode()
        browser.post(address, {"reason": "offline", "remark": "It shows version 3 alone."})
        cell.refresh_from_db()
        assert (cell.state, cell.reason) == (State.SKIPPED, "offline")
        office = sign_in(staff)
        page = office.get(reverse("collection-order", args=[order.pk])).content.decode()
        assert "It shows version 3 alone." in page
        office.post(reverse("collection-cell-again", args=[cell.pk]))
        cell.refresh_from_db()
        assert (cell.state, cell.reason) == (State.WAITING, "")

    def test_the_files_of_the_task_can_be_given_to_the_product(self, sign_in, operator, order):
        cell = taken(operator)
        upload = SimpleUploadedFile("cash.csv", b"a,b\n1,2\n", content_type="text/csv")
        file = Attachment.objects.create(
            task=cell.task, name="cash.csv", content_type="text/csv", size=8, sha256="0" * 64,
            file=upload, uploaded_by=operator,
        )  # fmt: skip
        browser = sign_in(operator)
        page = browser.get(reverse("collecting-cell", args=[cell.pk])).content.decode()
        assert reverse("collecting-file", args=[cell.pk, file.pk]) in page
        got = browser.get(reverse("collecting-file", args=[cell.pk, file.pk]))
        assert b"".join(got.streaming_content) == b"a,b\n1,2\n"
        assert browser.get(reverse("collecting-file", args=[cell.pk, 10**6])).status_code == 404
        other = CollectionCell.objects.exclude(task=cell.task).first()
        assert browser.get(reverse("collecting-file", args=[other.pk, file.pk])).status_code == 404

    def test_the_queue_asks_few_queries_however_long_it_is(
        self, sign_in, operator, order, django_assert_max_num_queries
    ):
        browser = sign_in(operator)
        with django_assert_max_num_queries(9):
            browser.get("/collecting/")


class TestWhoCollects:
    def test_only_operators_and_staff_see_the_queue(self, sign_in, author, applicant, staff, order):
        for user in (author, applicant):
            assert sign_in(user).get("/collecting/").status_code == 403
            assert sign_in(user).post("/collecting/next/").status_code == 403
        assert sign_in(staff).get("/collecting/").status_code == 200

    def test_operators_see_nothing_of_staffs_pages(self, sign_in, operator, order):
        browser = sign_in(operator)
        for route in ("collection-orders", "operators", "products", "product-index"):
            assert browser.get(reverse(route)).status_code == 403
        assert "Collecting" in browser.get("/").content.decode()

    def test_an_operator_sees_no_cell_of_another(self, sign_in, person, staff, operator, order):
        theirs = taken(operator_named(person, staff, "oren"))
        browser = sign_in(operator)
        for route in ("collecting-skip", "collecting-back"):
            assert browser.post(reverse(route, args=[theirs.pk])).status_code == 404
        # The same for another's and for none, and what was typed is shown.
        for key in (theirs.pk, 10**6):
            reply = browser.post(reverse("collecting-cell", args=[key]), answer())
            assert reply.status_code == 409
        assert browser.get(reverse("collecting-cell", args=[theirs.pk])).status_code == 404

    def test_an_expert_cannot_become_an_operator(self, sign_in, staff, author):
        sent = {"person": author.email, "reason": "Has time."}
        reply = sign_in(staff).post(reverse("operators"), sent)
        assert reply.status_code == 400
        assert "An expert scores responses blind" in reply.content.decode()
        author.refresh_from_db()
        assert not author.is_operator

    def test_an_operator_who_becomes_an_expert_takes_nothing_more(
        self, sign_in, operator, finance, order
    ):
        operator.qualifications.create(domain=finance)
        reply = sign_in(operator).post("/collecting/next/")
        assert reply.status_code == 403
        assert not CollectionCell.objects.filter(state=State.TAKEN).exists()

    def test_staff_add_and_end_operators_on_the_record(self, sign_in, staff, person, order):
        olga = person("olga")
        office = sign_in(staff)
        unknown = office.post(reverse("operators"), {"person": "no@example.test", "reason": "x"})
        assert "Nobody has an account with this address." in unknown.content.decode()
        office.post(reverse("operators"), {"person": olga.email, "reason": "Knows Cedar."})
        olga.refresh_from_db()
        cell = taken(olga)
        no_reason = office.post(reverse("operator-end", args=[olga.pk]), {"reason": ""})
        assert no_reason.status_code == 400
        office.post(reverse("operator-end", args=[olga.pk]), {"reason": "Has left."})
        olga.refresh_from_db()
        cell.refresh_from_db()
        assert (olga.is_operator, cell.state) == (False, State.WAITING)
        rows = OperatorChange.objects.order_by("pk").values_list("operator", "reason")
        assert list(rows) == [(True, "Knows Cedar."), (False, "Has left.")]


class TestOrders:
    def test_staff_order_each_version_on_each_task(self, sign_in, staff, period, versions):
        for number in (1, 2, 3):
            external_task(f"t{number}", baseline=False)
        sent = {"period": period.pk, "candidates": [v.pk for v in versions], "note": "Free plan."}
        office = sign_in(staff)
        reply = office.post(reverse("collection-order-new"), sent)
        order = CollectionOrder.objects.get()
        assert reply.url == reverse("collection-order", args=[order.pk])
        assert order.cells.count() == 6
        again = office.post(reverse("collection-order-new"), sent)
        assert "All of this is ordered or answered already." in again.content.decode()
        assert CollectionOrder.objects.count() == 1

    def test_a_version_of_no_product_cannot_be_ordered(self, sign_in, staff, period, versions):
        external_task("t1", baseline=False)
        alone = add_candidate(actor=staff, name="Alone 1")
        sent = {"period": period.pk, "candidates": [alone.pk]}
        reply = sign_in(staff).post(reverse("collection-order-new"), sent)
        assert reply.status_code == 400
        assert not CollectionOrder.objects.exists()

    def test_what_is_open_can_be_cancelled_and_ordered_anew(
        self, sign_in, staff, operator, order, period, versions
    ):
        cell = taken(operator)
        office = sign_in(staff)
        office.post(reverse("collection-order-cancel", args=[order.pk]))
        assert set(order.cells.values_list("state", flat=True)) == {State.CANCELLED}
        late = sign_in(operator).post(reverse("collecting-cell", args=[cell.pk]), answer())
        assert late.status_code == 409
        assert "The equity value is 100." in late.content.decode()
        make_order(actor=staff, period=period, candidates=versions, tasks=EVERY_TASK)
        assert CollectionCell.objects.filter(state=State.WAITING).count() == 4
        twice = office.post(reverse("collection-order-cancel", args=[order.pk]))
        assert twice.status_code == 409

    def test_the_list_of_orders_asks_the_same_queries_for_many(
        self, sign_in, staff, order, versions, django_assert_num_queries
    ):
        office = sign_in(staff)
        with django_assert_num_queries(6):
            office.get(reverse("collection-orders"))
        for n in range(3):
            period = EvaluationPeriod.objects.create(
                key=f"p{n}", starts_on=date(2025, 1, 1), ends_on=date(2025, 1, 31)
            )
            make_order(actor=staff, period=period, candidates=versions, tasks=EVERY_TASK)
        with django_assert_num_queries(6):
            office.get(reverse("collection-orders"))


class TestBlindness:
    def test_a_collected_answer_shows_neither_product_nor_operator_to_its_scorer(
        self, sign_in, staff, operator, peer, order
    ):
        cell = taken(operator)
        version = str(cell.task.version)
        sent = answer(text_version=version, account="Plantedaccount", remark="Plantedremark")
        sign_in(operator).post(reverse("collecting-cell", args=[cell.pk]), sent)
        response = Response.objects.get()
        sheet = assign_alignment_sheet(actor=None, response=response, scorer=peer)
        page = sign_in(peer).get(reverse("sheet", args=[sheet.pk])).content.decode()
        assert "The equity value is 100." in page
        for secret in ("Cedar", "Plantedaccount", "Plantedremark", "collected-", operator.email):
            assert secret not in page

    def test_who_collected_answers_to_a_task_does_not_score_it(
        self, sign_in, staff, operator, peer, finance, order
    ):
        cell = taken(operator)
        version = str(cell.task.version)
        sign_in(operator).post(
            reverse("collecting-cell", args=[cell.pk]), answer(text_version=version)
        )
        operator.qualifications.create(domain=finance)
        scorer = User.objects.get(pk=operator.pk)
        with pytest.raises(Conflict) as refusal:
            assign_alignment_sheet(actor=None, response=Response.objects.get(), scorer=scorer)
        assert refusal.value.code == "collected_answers"
        offer = sign_in(staff).get(f"/staff/alignment/sheets/?task={cell.task.key}")
        offer = offer.content.decode().split("offered", 1)[1]
        assert f'value="{peer.pk}"' in offer
        assert f'value="{operator.pk}"' not in offer
