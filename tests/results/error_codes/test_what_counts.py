"""What error codes count: no baseline, no stale response, nothing of a closed held-out half."""

from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone, translation

from judge.asking.candidates.models import Response
from judge.base.gold_sets.models import GoldDraw, GoldSplit, Half, TaskHalf
from judge.results.flags.error_code_actions import code_error
from judge.results.flags.error_code_models import CodedError, CodeRequest, ErrorCode
from judge.results.flags.error_code_queries import (
    codes_of,
    domains_with_codes,
    exported_errors,
    report,
)
from tests.markup import words_of

pytestmark = pytest.mark.django_db
State = CodedError.State


def cedar() -> Response:
    return Response.objects.select_related("task__domain").get(key="one-Cedar")


@pytest.fixture
def error(code: ErrorCode, staff: Any) -> CodedError:
    return code_error(
        actor=staff, response=cedar(), code=code, criterion=None, run=None, reason="It shows."
    )


def close_the_half() -> None:
    draw = GoldDraw.objects.create(size=1, seed=1)
    split = GoldSplit.objects.create(draw=draw, seed=1, percent=50)
    TaskHalf.objects.create(task=cedar().task, split=split, half=Half.HELD_OUT)


def counts_of(code: ErrorCode) -> tuple[int, int, int, int]:
    """On the list of domains, beside the code, in the table, and in the export."""
    domain = next(one for one in domains_with_codes() if one.pk == code.domain_id)
    (found,) = codes_of(code.domain)
    table = sum(n for _name, n, _of, _cells in report(code.domain).rows)
    return domain.errors, found.errors, table, len(exported_errors())


def test_all_counts_of_one_error_agree(error, code):
    assert counts_of(code) == (1, 1, 1, 1)


def test_errors_of_a_closed_half_are_counted_nowhere_and_stay_as_they_are(error, code, desk):
    CodedError.objects.create(
        response=cedar(), code=ErrorCode.objects.create(
            domain=code.domain, key="other", name="Other", definition="Another one.",
            retired_at=timezone.now(),
        ), reason="So.", model="rules", state=State.PROPOSED,
    )  # fmt: skip
    assert report(code.domain).open == 1
    close_the_half()
    assert report(code.domain).open == 0
    assert domains_with_codes()[0].errors == 0
    assert [one.errors for one in codes_of(code.domain)] == [0, 0]
    assert not exported_errors()
    address = reverse("coded-error-decide", args=[error.pk])
    reply = desk.post(address, {"decision": "take_back", "reason": "It is net."})
    assert reply.status_code == 409
    error.refresh_from_db()
    assert error.state == State.COUNTS


def test_a_baseline_gets_no_code_and_one_from_before_counts_for_nothing(error, code, desk):
    Response.objects.filter(pk=cedar().pk).update(baseline=True)
    assert counts_of(code) == (0, 0, 0, 0)
    address = reverse("response-codes", args=[cedar().pk])
    page = words_of(desk.get(address).content.decode())
    assert "This is a baseline" in page
    assert "Put the code" not in page
    sent = {"line": 2, "code": code.pk, "run": "", "reason": "It shows."}
    assert desk.post(address, sent).status_code == 409
    assert desk.post(reverse("codes-ask", args=[cedar().pk])).status_code == 409
    assert CodedError.objects.count() == 1
    assert not CodeRequest.objects.exists()


def test_a_reading_whose_codes_were_retired_meanwhile_says_so_in_the_readers_language(code, desk):
    desk.post(reverse("codes-ask", args=[cedar().pk]))
    ErrorCode.objects.update(retired_at=timezone.now())
    with translation.override("zh-hans"):
        call_command("work", verbosity=0)
    request = CodeRequest.objects.get()
    assert request.problem == "The domain has no error code in use any more."  # stored in English
    ErrorCode.objects.update(retired_at=None)
    address = reverse("response-codes", args=[cedar().pk])
    assert request.problem in words_of(desk.get(address).content.decode())
    desk.cookies["django_language"] = "zh-hans"
    assert "该领域已没有启用的错误代码" in desk.get(address).content.decode()
