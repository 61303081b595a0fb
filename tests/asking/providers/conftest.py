"""A stub server, keys that lead to it and nowhere else, and one small task."""

from collections.abc import Iterator

import pytest

from judge.asking.prompts.builder import judge_prompt
from judge.asking.providers import get
from judge.asking.providers.base import Prompt
from judge.asking.providers.inputs import Criterion, TaskText
from tests.llm_stub import Stub

KEY = "sk-test-SECRETSECRET0123456789"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    with Stub() as server:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def vendor(request: pytest.FixtureRequest, stub: Stub):
    return get(request.param)


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


TASK = TaskText(
    id="T-1",
    title="Memo on the leases",
    language="en",
    domain="finance",
    scenario="A retailer with 40 stores has renegotiated its leases.",
    materials="The borrowing rate rose from 4.5% to 6.2%.",
    requirements="1. Say how each change is accounted for.\n2. Calculate the effect.",
)
CRITERIA = (
    Criterion("a", "States that the liability is remeasured at 6.2%.", "essential", 9, "accuracy"),
    Criterion("b", "Names the date of the change.", "important", 5, "completeness"),
    Criterion("c", "Does not use the original rate.", "optional", 2, "accuracy"),
)
NONCE = "0123456789abcdef01234567"


@pytest.fixture
def prompt() -> Prompt:
    return ask("The liability is remeasured at 6.2%.")


def ask(response: str, **more) -> Prompt:
    return judge_prompt(TASK, CRITERIA, None, response, **{"nonce": NONCE, **more})
