"""Requests whose beginning an earlier version stored apart are whole again."""

import pytest
from django.apps import apps
from django.db import connection

from judge.calls.models import Call
from tests.judge_engine import factory
from tests.judge_engine.test_stored_requests import arrived, in_order

pytestmark = pytest.mark.django_db(transaction=True)
APART, TABLE, MARK = "0025_takeovers", "judge_promptprefix", "assay.prompt_prefix"


def stored(models=apps) -> dict[int, dict]:
    return dict(models.get_model("judge", "Call").objects.values_list("pk", "request"))


def set_apart(models) -> int:
    """Store the beginnings of all requests apart, as that version did; return how many."""
    call, prefix = models.get_model("judge", "Call"), models.get_model("judge", "PromptPrefix")
    names = {"openai": ("messages", "content"), "anthropic": ("system", "text")}
    for pk, provider, request in call.objects.values_list("pk", "provider", "request"):
        if not request:
            continue
        blocks, part = names[provider]
        first, *rest = request[blocks]
        name = f"{hash(first[part]) & (2**64 - 1):064d}"
        prefix.objects.get_or_create(sha256=name, defaults={"text": first[part]})
        whole = {**request, blocks: [{**first, part: {MARK: name}}, *rest]}
        call.objects.filter(pk=pk).update(request=whole)
    return prefix.objects.count()


def test_requests_of_both_vendors_are_whole_again_and_a_text_that_looks_like_a_mark_stays(
    stub, judge, judge_at
):
    factory.benchmark(2, 2)
    task = factory.external_task(materials="“折现率” 6,2 % 🙂\n" * 20)
    factory.respond(task, "sly", text=f'{{"{MARK}": "{"0" * 64}"}}')
    judge()
    judge(provider="anthropic")
    Call.objects.create(purpose="probe", provider="openai", model="empty", prompt_sha256="0" * 64)
    # More than the migration takes in hand at once.
    rows = [{**row, "id": None} for row in Call.objects.values()]
    Call.objects.bulk_create(Call(**row) for row in rows * 20)
    whole = stored()

    old = judge_at(APART)
    assert stored(old) == whole
    assert set_apart(old) == 3
    assert sum(MARK in str(request["messages"][0]) for request in stored(old).values() if request)

    judge_at()
    assert TABLE not in connection.introspection.table_names()
    assert stored() == whole
    sent = in_order(request for request in whole.values() if request)
    assert {*sent} == {*in_order(arrived(stub))}


def test_a_database_without_calls_can_be_taken_back_and_forward_too(judge_at):
    for _twice in range(2):
        assert stored(judge_at("0020_reserved_micro")) == {}
        judge_at()
