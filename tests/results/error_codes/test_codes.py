"""Failure modes of a domain: staff write them, put them on lines, and read them by candidate."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.base.web.refusals import BadInput, Conflict
from judge.asking.candidates.models import Response
from judge.asking.prompts.error_codes import parse_errors
from judge.results.flags.error_code_actions import code_error, decide_proposal
from judge.results.flags.error_code_models import (
    CodedError,
    CodeRequest,
    ErrorCode,
    ErrorCodeChange,
)
from judge.results.flags.error_code_queries import exported_errors, lines_of, report
from judge.runs.engine.models import Judgment
from tests.conftest import browser_of
from tests.markup import words_of

pytestmark = pytest.mark.django_db
State = CodedError.State


def response(candidate: str = "Cedar") -> Response:
    return Response.objects.select_related("task__domain").get(key=f"one-{candidate}")


def text_of(reply: Any) -> str:
    return words_of(reply.content.decode())


def put(desk: Any, of: ErrorCode, **values: Any) -> Any:
    given = {"line": 2, "code": of.pk, "run": "", "reason": "“a gain of 100” is before tax."}
    return desk.post(reverse("response-codes", args=[response().pk]), {**given, **values})


def queries_of(desk: Any, address: str) -> int:
    desk.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert desk.get(address).status_code == 200
    return len(queries)


def taxonomy(code: ErrorCode) -> str:
    return reverse("error-codes", args=[code.domain.key])


class TestTaxonomy:
    def test_a_code_is_added_in_the_browser_and_its_history_begins(self, desk, code):
        reply = desk.post(
            taxonomy(code), {"name": "Charged twice", "definition": "Counts an item twice."}
        )
        assert reply.status_code == 302
        added = ErrorCode.objects.get(key="charged-twice")
        assert [change.kind for change in added.changes.all()] == ["added"]
        assert "Charged twice" in text_of(desk.get(taxonomy(code)))

    def test_two_codes_of_one_name_get_keys_of_their_own(self, desk, code):
        desk.post(taxonomy(code), {"name": code.name, "definition": "Another one."})
        assert ErrorCode.objects.filter(key="gross-for-net-2").exists()

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"name": "", "definition": "x"}, "Give the failure mode a name"),
            ({"name": "x", "definition": " "}, "Say when it applies"),
        ],
    )
    def test_a_code_without_name_or_definition_is_refused(self, desk, code, values, said):
        reply = desk.post(taxonomy(code), values)
        assert reply.status_code == 400
        assert said in text_of(reply)
        assert ErrorCode.objects.count() == 1

    def test_an_edited_code_keeps_its_earlier_text_in_the_history(self, desk, code):
        sent = {"name": code.name, "definition": "Sharper words.", "version": 1, "reason": "Vague."}
        address = reverse("error-code-edit", args=[code.pk])
        form = {f"code-{code.pk}-{name}": value for name, value in sent.items()}
        assert desk.post(address, form).status_code == 302
        newest, first = ErrorCodeChange.objects.filter(code=code)
        assert (newest.reason, newest.values["definition"]) == ("Vague.", "Sharper words.")
        assert first.values["definition"].startswith("Takes a gross figure")
        assert desk.post(address, form).status_code == 409  # read before the first change

    def test_an_edit_without_a_reason_is_refused_and_keeps_what_was_typed(self, desk, code):
        sent = {"name": code.name, "definition": "Sharper words.", "version": 1, "reason": ""}
        form = {f"code-{code.pk}-{name}": value for name, value in sent.items()}
        reply = desk.post(reverse("error-code-edit", args=[code.pk]), form)
        assert reply.status_code == 400
        assert "Say why it changes" in text_of(reply)
        assert "Sharper words." in text_of(reply)

    def test_a_retired_code_stays_and_is_put_on_nothing_new(self, desk, code):
        put(desk, code)
        address = reverse("error-code-state", args=[code.pk])
        form = {f"state-{code.pk}-reason": "Too wide.", "in_use": "0"}
        assert desk.post(address, form).status_code == 302
        assert desk.post(address, form).status_code == 409
        found = report(code.domain)
        assert [one.pk for one in found.codes] == [code.pk]  # as something has it
        assert put(desk, code, line=3).status_code == 400
        assert desk.post(address, {**form, "in_use": "1"}).status_code == 302
        assert put(desk, code, line=3).status_code == 302


class TestErrors:
    def test_a_code_with_its_reason_stands_at_the_line_and_counts_for_the_candidate(
        self, desk, code
    ):
        assert put(desk, code).status_code == 302
        page = text_of(desk.get(reverse("response-codes", args=[response().pk])))
        assert "“a gain of 100” is before tax." in page
        rows = {name: (n, of) for name, n, of, _cells in report(code.domain).rows}
        assert rows == {"Cedar": (1, 1), "Birch": (0, 1)}
        assert "Gross for net" in text_of(desk.get(taxonomy(code)))

    def test_the_same_code_stands_on_a_line_once(self, desk, code):
        put(desk, code)
        reply = put(desk, code, reason="Once more.")
        assert reply.status_code == 409
        assert CodedError.objects.count() == 1

    def test_the_whole_response_can_have_a_code(self, desk, code):
        assert put(desk, code, line=0).status_code == 302
        assert CodedError.objects.get().criterion is None
        assert put(desk, code, line=0, reason="Again.").status_code == 409

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"reason": " "}, "Say what shows it"),
            ({"line": 9}, "Select a valid choice"),
            ({"code": 0}, "Select a valid choice"),
        ],
    )
    def test_an_error_without_reason_line_or_code_is_refused(self, desk, code, values, said):
        reply = put(desk, code, **values)
        assert reply.status_code == 400
        assert said in text_of(reply)
        assert not CodedError.objects.exists()

    def test_a_disagreement_is_coded_where_judge_and_expert_differ_and_nowhere_else(
        self, desk, code, judged
    ):
        assert put(desk, code, line=2, run=judged.pk).status_code == 302
        reply = put(desk, code, line=1, run=judged.pk)
        assert "do not differ on this line" in text_of(reply)
        reply = put(desk, code, line=0, run=judged.pk)
        assert "Choose the line on which judge and expert differ" in text_of(reply)
        found = report(code.domain)
        assert [(one.key, n) for one, n in found.disagreements] == [("gross-for-net", 1)]
        assert all(n == 0 for _name, n, _of, _cells in found.rows)  # no error of the candidate

    def test_a_run_that_rests_on_the_judgment_of_another_is_coded_as_the_one_that_asked(
        self, staff, code, judged, bench
    ):
        """A later run does not ask again what an earlier one has judged in the same way."""
        later = bench.run({})
        asked = judged.items.get(response=response())
        later.items.create(
            response=asked.response, version=asked.version, judgment=asked.judgment, state="judged"
        )
        line = next(line for line in lines_of(response()) if line.differ)
        of = {"actor": staff, "response": response(), "code": code, "criterion": line.criterion}
        assert code_error(**of, run=later, reason="It shows.").run == judged
        with pytest.raises(Conflict):
            code_error(**of, run=judged, reason="Once more.")
        Judgment.objects.filter(pk=asked.judgment_id).update(run=later)  # it asked what had failed
        with pytest.raises(Conflict):
            code_error(**of, run=later, reason="Once more.")
        assert report(code.domain).disagreements == [(code, 1)]

    def test_a_code_of_another_domain_is_refused(self, staff, code, law):
        other = ErrorCode.objects.create(domain=law, key="x", name="X", definition="X.")
        with pytest.raises(BadInput) as refused:
            code_error(
                actor=staff, response=response(), code=other, criterion=None, run=None, reason="x"
            )
        assert list(refused.value.fields) == ["code"]

    def test_a_code_taken_back_stays_on_record_and_counts_no_longer(self, desk, code):
        put(desk, code)
        error = CodedError.objects.get()
        address = reverse("coded-error-decide", args=[error.pk])
        assert desk.post(address, {"decision": "take_back", "reason": ""}).status_code == 400
        sent = {"decision": "take_back", "reason": "It is the net figure."}
        assert desk.post(address, sent).status_code == 302
        assert desk.post(address, sent).status_code == 409
        assert not exported_errors()
        page = text_of(desk.get(reverse("response-codes", args=[response().pk])))
        assert "It is the net figure." in page
        assert put(desk, code).status_code == 302  # free again

    def test_the_pages_are_for_staff_alone(self, code, author):
        browser = browser_of(author)
        for address in (
            reverse("error-code-domains"),
            taxonomy(code),
            reverse("response-codes", args=[response().pk]),
            reverse("coded-errors-jsonl"),
        ):
            assert browser.get(address).status_code in (403, 404)


class TestProposals:
    def ask(self, desk: Any) -> CodeRequest:
        reply = desk.post(reverse("codes-ask", args=[response().pk]))
        assert reply.status_code == 302
        call_command("work", verbosity=0)
        return CodeRequest.objects.get()

    def test_a_proposal_counts_for_nothing_until_a_person_confirms_it(self, desk, code, staff):
        request = self.ask(desk)
        assert (request.state, request.call.purpose) == ("read", "lint")
        error = CodedError.objects.get()
        assert (error.state, error.criterion.key, error.by) == (State.PROPOSED, "c1", None)
        assert report(code.domain).open == 1
        assert not exported_errors()
        address = reverse("coded-error-decide", args=[error.pk])
        assert desk.post(address, {"decision": "confirm"}).status_code == 302
        assert desk.post(address, {"decision": "confirm"}).status_code == 409
        (row,) = exported_errors()
        assert row["proposed_by"] == error.model
        error.refresh_from_db()
        assert error.decided_by == staff

    def test_a_proposal_is_dismissed_with_a_reason_and_stays_on_record(self, desk, code, staff):
        self.ask(desk)
        error = CodedError.objects.get()
        with pytest.raises(BadInput) as refused:
            decide_proposal(actor=staff, error=error, confirm=False)
        assert list(refused.value.fields) == ["reason"]
        decide_proposal(actor=staff, error=error, confirm=False, reason="It is net.")
        assert CodedError.objects.get().state == State.DISMISSED
        assert not exported_errors()

    def test_characters_that_cannot_be_stored_are_dropped_from_a_reason(self):
        reply = '{"errors": [{"line": 1, "code": "net", "why": "gross \\ud83d figure\\u0000"}]}'
        assert parse_errors(reply, {1}, {"net"}) == [(1, "net", "gross  figure")]

    def test_a_reading_without_an_unmet_line_says_so(self, desk, code):
        birch = response("Birch")
        desk.post(reverse("codes-ask", args=[birch.pk]))
        call_command("work", verbosity=0)
        request = CodeRequest.objects.get()
        assert request.state == "failed"
        page = text_of(desk.get(reverse("response-codes", args=[birch.pk])))
        assert "says that the response misses a line" in page

    def test_one_reading_at_a_time(self, desk, code):
        address = reverse("codes-ask", args=[response().pk])
        assert desk.post(address).status_code == 302
        assert desk.post(address).status_code == 409


class TestExports:
    def test_all_errors_leave_as_json_lines_without_people(self, desk, code, staff):
        put(desk, code)
        reply = desk.get(reverse("coded-errors-jsonl"))
        (row,) = [json.loads(line) for line in reply.content.splitlines()]
        assert row["code"] == "gross-for-net"
        assert (row["response"], row["criterion"], row["about"]) == ("one-Cedar", "c1", "response")
        assert set(row) == {
            "task", "response", "criterion", "domain", "code", "name", "about", "run", "reason",
            "proposed_by",
        }  # fmt: skip
        who = {str(staff.pk), staff.pseudonym, staff.display_name, staff.email}
        assert staff.pseudonym
        assert not who & {str(value) for value in row.values()}
        assert row["proposed_by"] is None

    def test_the_table_by_candidate_is_a_download(self, desk, code):
        put(desk, code)
        reply = desk.get(reverse("failure-modes-csv", args=[code.domain.key]))
        said = b"".join(reply.streaming_content) if reply.streaming else reply.content
        lines = said.decode("utf-8-sig").splitlines()
        assert lines[0] == "candidate,coded,looked_at,gross-for-net"
        assert lines[1:] == ["Cedar,1,1,1", "Birch,0,1,0"]

    def test_more_lines_codes_and_errors_cost_no_further_query(self, desk, code, staff, bench):
        put(desk, code)
        bench.task("many", weights=[1] * 12)
        bench.response("many", "Cedar")
        bench.sheet("many", "Cedar", "expert-1", (0,) * 12, why="Misses it.")
        many = Response.objects.get(key="many-Cedar")
        lines = lines_of(many)
        for n in range(4):
            further = ErrorCode.objects.create(
                domain=code.domain, key=f"x{n}", name=f"X{n}", definition="Another one."
            )
            for line in lines[:6]:
                code_error(
                    actor=staff, response=many, code=further, criterion=line.criterion, run=None,
                    reason="It shows.",
                )  # fmt: skip
        pages = [reverse("response-codes", args=[pk]) for pk in (response().pk, many.pk)]
        few, more = (queries_of(desk, page) for page in pages)
        assert few == more
        assert len(lines) == 12
        before = queries_of(desk, taxonomy(code))
        CodedError.objects.filter(response=many).update(state=State.TAKEN_BACK)
        ErrorCode.objects.filter(key__startswith="x").update(retired_at=timezone.now())
        assert queries_of(desk, taxonomy(code)) == before
