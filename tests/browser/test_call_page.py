"""The page of one call: its siblings stay readable beside it, in both languages."""

from typing import Any

import pytest

from judge.asking.calls.models import Call
from judge.runs.engine.models import Judgment
from tests.runs.engine.factory import external_task, respond
from tests.runs.engine.factory import rubric as write_rubric

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_calls_of_a_response_are_listed_across_and_with_their_outcome(
    desk: Any, staff: Any, language: str
) -> None:
    type(staff).objects.filter(pk=staff.pk).update(language=language)
    task = external_task("one")
    judgment = Judgment.objects.create(
        key="k", response=respond(task, "Cedar 3"), version=write_rubric(task),
        method="zero_shot", provider="openai", model="m", prompt_sha256="0" * 64,
    )  # fmt: skip
    calls = [
        Call.objects.create(
            purpose="judge", provider="openai", model="m", judgment=judgment, error=error,
            prompt_sha256="0" * 64, request={},
        )
        for error in ("timeout", "")
    ]  # fmt: skip
    window = desk(staff.email)
    window.open(f"/staff/calls/{calls[0].pk}/")
    names = window.page.locator(".history li > div")
    assert names.count() == 2
    for name in names.all():
        assert name.bounding_box()["width"] > 120
        assert name.inner_text().count("\n") == 0
    first = names.first.inner_text()
    assert ("Timed out" if language == "en" else "超时") in first
