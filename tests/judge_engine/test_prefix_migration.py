"""Taking back the migration that keeps prefixes apart: no stored request loses its beginning."""

import pytest
from django.apps import apps
from django.db import connection

from judge.calls import prompt_prefixes
from judge.calls.models import Call, PromptPrefix
from tests.judge_engine import factory
from tests.judge_engine.test_prefixes import arrived, in_order

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE, TABLE = "0020_reserved_micro", "judge_promptprefix"


def stored(models=apps) -> dict[int, dict]:
    """Requests as they stand in the table."""
    return dict(models.get_model("judge", "Call").objects.values_list("pk", "request"))


def by_vendor() -> list[tuple[str, dict]]:
    return list(Call.objects.values_list("provider", "request"))


def sent() -> dict[int, dict]:
    """Requests as the product shows them."""
    return {call.pk: call.sent() for call in Call.objects.all()}


def test_stored_requests_are_whole_again_without_the_table_and_stay_so_with_a_new_one(
    stub, judge, judge_at
):
    factory.benchmark(2, 2)
    mark = f'{{"{prompt_prefixes.MARK}": "{"0" * 64}"}}'
    task = factory.external_task(materials="“折现率” 6,2 % 🙂\n" * 20)
    factory.respond(task, "sly", text=mark)
    judge()
    judge(provider="anthropic")
    assert PromptPrefix.objects.count() == 3
    named = [provider for provider, request in by_vendor() if prompt_prefixes.named_in(request)]
    assert sorted(named) == ["anthropic"] * 5 + ["openai"] * 5
    assert in_order(sent().values()) == in_order(arrived(stub))
    # Others hold nothing that was taken out.
    judge(provider="offline", model="")
    Call.objects.create(purpose="judge", provider="openai", model="of-a-version-before",
                        prompt_sha256="0" * 64, request=arrived(stub)[0])  # fmt: skip
    Call.objects.create(purpose="probe", provider="openai", model="empty", prompt_sha256="0" * 64)
    # More than the migration takes in hand at once.
    rows = [{**row, "id": None} for row in Call.objects.values()]
    Call.objects.bulk_create(Call(**row) for row in rows * 20)
    whole = sent()

    old = judge_at(BEFORE)
    assert TABLE not in connection.introspection.table_names()
    assert stored(old) == whole
    assert not [request for request in whole.values() if prompt_prefixes.named_in(request)]

    judge_at()
    assert TABLE in connection.introspection.table_names()
    assert stored() == sent() == whole
    assert not PromptPrefix.objects.exists()
    run, _result = judge(model="judge-2")
    assert PromptPrefix.objects.count() == 3, "what is asked from now on is kept apart again"
    assert in_order(call.sent() for call in run.calls.all()) == in_order(arrived(stub)[-5:])


def test_a_database_without_calls_can_be_taken_back_and_forward_too(judge_at):
    for _twice in range(2):
        assert stored(judge_at(BEFORE)) == {}
        judge_at()
        assert not PromptPrefix.objects.exists()
