"""A model nearby that misbehaves on demand, and a run against it."""

import pytest

from judge.asking.providers.retry import Policy
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.runs.pages import lifecycle
from tests.llm_stub import Stub

QUICK = Policy(base=0.01, longest=0.05)


@pytest.fixture
def stub(monkeypatch):
    """The stub server, with both vendors pointed at it."""
    with Stub() as server:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-engine")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-engine")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


@pytest.fixture
def plan():
    """Plans a run against OpenAI's protocol; every argument can be replaced."""

    def plan(**changes):
        wanted = {
            "actor": None,
            "method": "one_shot",
            "provider": "openai",
            "model": "judge-1",
            "parameters": {},
            "calls_mode": "per_response",
            "concurrency": 8,
            "budget_micro": None,
            "max_calls": None,
            "experts": "",
            "task_keys": None,
            "candidates": None,
            "allow_same_family": False,
        }
        return plan_run(**wanted | changes)

    return plan


@pytest.fixture
def judge(plan):
    """Plans a run, works on it and returns it with its summary."""

    def judge(run=None, **changes):
        run = run or plan(**changes)
        assert work_on_run(run, policy=QUICK, timeout=10)
        return run, lifecycle.summary(run)

    return judge
