"""A run whose judgment holds the findings of a walk, and the stub of the engine's tests."""

import pytest

from judge.runs.engine.models import Finding, JudgeRun, Judgment
from tests.methods.base import factory
from tests.runs.engine.conftest import judge, plan, stub  # noqa: F401


@pytest.fixture
def planted(judge):  # noqa: F811
    """Stores findings as those of a response's judgment by a method; returns response and run."""

    def planted(findings, score=(1, 2), method="jade", text="Acme sells cups."):
        response = factory.respond(factory.task_of("text"), text)
        run, _result = judge(method="graded", provider="offline", model="")
        judgment = Judgment.objects.get(response=response)
        judgment.findings.all().delete()
        Finding.objects.bulk_create(
            Finding(judgment=judgment, name=name, data=data, reason="" if data else "search_failed")
            for name, data in findings.items()
        )
        JudgeRun.objects.filter(pk=run.pk).update(method=method)
        state = "complete" if score[0] is not None else "incomplete"
        Judgment.objects.filter(pk=judgment.pk).update(
            method=method, state=state, score_numerator=score[0], score_denominator=score[1]
        )
        return response, run

    return planted
