"""A whole batch against a server of which one call in twenty goes wrong."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from judge.asking.prompts.parsing import parse_verdicts
from judge.asking.providers import get
from judge.asking.providers.base import Stop
from judge.asking.providers.limiter import Limiter
from judge.asking.providers.retry import Event, call_with_retries
from tests.asking.providers.conftest import ask
from tests.llm_rule import verdict_of
from tests.llm_stub import Stub


@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
@pytest.mark.parametrize("seed", [1, 2])
def test_no_verdict_is_lost_none_is_wrong_and_few_calls_are_spent(stub: Stub, vendor, seed):
    stub.faults, stub.seed = 0.05, seed
    limiter = Limiter(8, sleep=lambda seconds: None)
    started: list[int] = []

    def one(n: int) -> dict[str, bool | None]:
        text = f"Answer number {n}."
        missing: tuple[str, ...] = ("a", "b", "c")
        verdicts: dict[str, bool | None] = {}
        for _ in range(3):
            reply = call_with_retries(
                get(vendor),
                ask(text, only_ids=missing),
                model="m",
                parameters={},
                timeout=5,
                on_attempt=lambda attempt: (
                    started.append(n) if attempt.event is Event.STARTING else None
                ),
                sleep=lambda seconds: None,
                limiter=limiter,
            )
            if reply.stop is not Stop.COMPLETE:
                continue
            parsed = parse_verdicts(reply.text, missing)
            verdicts |= {name: met for name, (met, _) in parsed.verdicts.items()}
            missing = parsed.missing
            if not missing:
                break
        return verdicts

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(one, range(100)))
    for n, verdicts in enumerate(results):
        assert verdicts == {name: verdict_of(name, f"Answer number {n}.") for name in "abc"}
    assert len(started) == stub.calls
    # 100 calls, 5 % of them spoilt, and a few of the repeats again: 10 % extra is the limit.
    assert 100 < stub.calls <= 110
