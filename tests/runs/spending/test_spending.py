"""Calls of every purpose in one list, and a monthly budget for each purpose."""

import csv
import io
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.joining.domains.models import Domain
from judge.asking.calls.budgets import start_of_month
from judge.asking.calls.cost import rates_for
from judge.asking.calls.models import Call, MonthlyBudget
from judge.asking.calls.price_actions import set_price
from judge.asking.providers.base import MAX_OUTPUT_TOKENS
from judge.runs.pages.spending_views import CALLS as CALL_LIST
from judge.runs.pages.spendings import models_asked, narrowed, spent_this_month
from judge.suggesting.drafts.generate import write_draft
from tests.markup import words_of
from tests.runs.engine import factory
from tests.runs.engine.conftest import stub  # noqa: F401

pytestmark = pytest.mark.django_db
CALLS, BUDGETS = "/staff/calls/", "/staff/budgets/"
MODEL = "openai:larch-2"


@pytest.fixture
def office(sign_in: Any, staff: Any) -> Any:
    return sign_in(staff)


def call(purpose: str, *, micro: int | None = 10_000, **other: Any) -> Call:
    given = {"provider": "openai", "model": "larch-2", "prompt_sha256": "0" * 64}
    return Call.objects.create(purpose=purpose, cost_micro=micro, **(given | other))


def ids(page: Any) -> list[int]:
    return [row.pk for row in page.context["list"].rows]


class TestTheList:
    def test_calls_are_narrowed_by_purpose_model_and_outcome(self, office):
        probe, draft = call("probe"), call("draft", model="larch-3", error="timeout", attempt=2)
        assert ids(office.get(CALLS)) == [draft.pk, probe.pk]
        for query, expected in (
            ("purpose=probe", [probe.pk]),
            ("model=openai:larch-3", [draft.pk]),
            ("outcome=failed", [draft.pk]),
            ("outcome=again", [draft.pk]),
            ("purpose=lint", []),
            ("run=7", []),
        ):
            assert ids(office.get(f"{CALLS}?{query}")) == expected

    def test_pages_follow_each_other(self, office):
        made = [call("probe").pk for _n in range(120)]
        first = office.get(CALLS)
        assert ids(first) == made[:-51:-1]
        assert "120 calls" in words_of(first.content.decode())
        assert ids(office.get(f"{CALLS}?page=2")) == made[-51:-101:-1]
        assert ids(office.get(f"{CALLS}?page=3")) == made[19::-1]

    def test_kept_addresses_of_a_place_in_the_list_still_lead_there(self, office):
        made = [call("probe").pk for _n in range(5)]
        assert ids(office.get(f"{CALLS}?before={made[3]}")) == made[2::-1]
        assert ids(office.get(f"{CALLS}?after={made[3]}&purpose=probe")) == made[4:]

    def test_calls_are_sorted_by_number_and_by_model(self, office):
        one, two, three = call("probe", model="b"), call("probe", model="a"), call("draft")
        assert ids(office.get(f"{CALLS}?sort=number")) == [one.pk, two.pk, three.pk]
        assert ids(office.get(f"{CALLS}?sort=model")) == [two.pk, one.pk, three.pk]
        assert office.get(f"{CALLS}?sort=request").status_code == 400

    def test_a_file_holds_what_the_page_shows_and_nothing_that_was_asked(self, office):
        call("probe", micro=None, request={"messages": "secret"}, error="timeout", seconds=1.25)
        call("draft")
        reply = office.get(f"{CALLS}?purpose=probe&format=csv")
        assert reply.streaming
        text = b"".join(reply.streaming_content).decode("utf-8-sig")
        assert "secret" not in text
        (row,) = csv.DictReader(io.StringIO(text))
        assert (row["Purpose"], row["Model"], row["Took"]) == ("Probe", "larch-2", "1.25")
        assert row["Cost"] == ""  # no price is known, which is not 0

    def test_the_number_of_queries_does_not_grow(self, office):
        def asked() -> int:
            with CaptureQueriesContext(connection) as queries:
                assert office.get(CALLS).status_code == 200
            return len(queries)

        call("probe")
        before = asked()
        for _n in range(20):
            call("draft", model="larch-3")
        assert asked() == before

    @pytest.mark.parametrize("query", ["purpose=fun", "model=nobody:x", "before=a", "colour=red"])
    def test_what_cannot_be_listed_is_refused(self, office, query):
        assert office.get(f"{CALLS}?{query}").status_code == 400

    def test_each_purpose_shows_what_it_cost_this_month(self, office):
        call("probe")
        call("probe", micro=None)
        call("draft", at=start_of_month() - timezone.timedelta(seconds=1))
        spent = {row.purpose: row for row in office.get(CALLS).context["spent"]}
        assert (spent["probe"].calls, spent["probe"].unpriced) == (2, 1)
        assert spent["probe"].dollars == pytest.approx(0.01)
        assert spent["draft"].calls == 0
        assert spent["judge"].own_budget


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plan of SQLite")
class TestTheIndexes:
    @pytest.mark.parametrize(
        ("asking", "index"),
        [(models_asked, "call_of_model"), (spent_this_month, "call_of_purpose")],
    )
    def test_no_query_reads_every_call(self, db, asking, index):
        with CaptureQueriesContext(connection) as queries:
            asking()
        (sql,) = [q["sql"] for q in queries.captured_queries if "judge_call" in q["sql"]]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(str(row[3]) for row in cursor.fetchall())
        assert index in plan

    def test_calls_narrowed_by_model_need_no_sorting(self, db):
        for sort in ("", "model"):
            rows = CALL_LIST.in_order(narrowed({"model": "openai:larch-2"}), sort).values("pk")
            plan = rows.explain()
            assert "call_of_model" in plan
            assert "TEMP B-TREE" not in plan

    @pytest.mark.parametrize(
        ("outcome", "index"), [("failed", "call_failed"), ("again", "call_attempt")]
    )
    def test_counting_calls_of_an_outcome_reads_an_index_alone(self, db, outcome, index):
        plan = narrowed({"outcome": outcome}).values("pk").explain()
        assert f"COVERING INDEX {index}" in plan


class TestMonthlyBudgets:
    def limit(self, office: Any, read: int = 0, **dollars: str) -> Any:
        return office.post(BUDGETS, {"read": read, **dollars})

    def test_limits_are_set_shown_and_kept_on_record(self, office):
        assert self.limit(office, draft="2.50", probe="0").status_code == 302
        assert self.limit(office, read=1, draft="4").status_code == 302
        current, first = MonthlyBudget.objects.all()
        assert (first.draft, first.probe, first.baseline) == (2_500_000, 0, None)
        assert (current.draft, current.probe) == (4_000_000, None)
        said = words_of(office.get(BUDGETS).content.decode())
        assert "Draft: $2.50, Probe: $0.00" in said

    def test_a_form_of_an_earlier_state_is_a_conflict(self, office):
        self.limit(office, draft="2")
        assert self.limit(office, draft="3").status_code == 409
        assert MonthlyBudget.objects.count() == 1

    @pytest.mark.parametrize("dollars", ["-1", "two", "1.234", "1000001"])
    def test_what_is_no_amount_is_refused(self, office, dollars):
        assert self.limit(office, draft=dollars).status_code == 400
        assert not MonthlyBudget.objects.exists()


class TestAtWork:
    @pytest.fixture
    def task(self, stub: Any, settings: Any, finance: Domain, staff: Any) -> Any:  # noqa: F811
        settings.DRAFT_MODEL = MODEL
        set_price(
            actor=staff,
            provider="openai",
            model="larch-2",
            input_micro=1_000_000,
            cached_micro=None,
            output_micro=2_000_000,
        )
        return factory.external_task("one")

    def test_a_purpose_within_its_budget_asks_the_model(self, task, stub):  # noqa: F811
        MonthlyBudget.objects.create(draft=1_000_000)
        write_draft(task)
        assert Call.objects.filter(purpose="draft", provider="openai").exists()

    def test_a_budget_used_up_asks_nobody_and_says_so(self, task, stub):  # noqa: F811
        MonthlyBudget.objects.create(draft=10_000)
        call("draft")
        made = write_draft(task)
        assert stub.requests == []
        assert "the monthly budget of $0.01 is used up" in made.problem
        assert "offline" in made.drafted_by

    def test_what_last_month_cost_does_not_count(self, task, stub):  # noqa: F811
        MonthlyBudget.objects.create(draft=10_000)
        call("draft", at=start_of_month() - timezone.timedelta(seconds=1))
        write_draft(task)
        assert len(stub.requests) == 1

    def test_a_model_without_a_price_is_not_asked_under_a_budget(
        self,
        task,
        settings,
        stub,  # noqa: F811
    ):
        settings.DRAFT_MODEL = "openai:unknown-1"
        MonthlyBudget.objects.create(draft=10_000)
        problem = write_draft(task).problem
        assert "no price is known for the model openai:unknown-1" in problem
        assert "the monthly budget for “Draft”" in problem
        assert "Runs → Prices" in problem
        assert stub.requests == []

    @pytest.mark.parametrize("fault", ["503", "no_usage"])
    def test_a_call_without_a_token_count_is_charged_what_it_may_have_cost(
        self,
        task,
        stub,  # noqa: F811
        fault,
    ):
        MonthlyBudget.objects.create(draft=100_000)
        for _n in range(8):
            stub.script(*[fault] * 4)
            write_draft(task)
        made = Call.objects.filter(purpose="draft", provider="openai")
        assert not made.filter(cost_micro=None).exists()
        asked = len(stub.requests)
        assert "the monthly budget of $0.10 is used up" in write_draft(task).problem
        assert len(stub.requests) == asked

    def test_a_call_that_may_write_twice_as_much_is_charged_for_it(self, task, stub):  # noqa: F811
        MonthlyBudget.objects.create(draft=10_000_000)
        stub.script("503", "503", "503", "503")
        write_draft(task)
        stub.script("truncated", "503", "503", "503")
        write_draft(task)
        made = Call.objects.filter(purpose="draft", provider="openai").order_by("pk")
        first, after_a_cut = made.filter(error="server").values_list("cost_micro", flat=True)[3:5]
        assert first < after_a_cut
        longest = rates_for(*MODEL.split(":")).bound(0, MAX_OUTPUT_TOKENS)
        assert after_a_cut - first == longest
