"""The ways from a run to its models: one pool for each provider, one lane for each model."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from judge.asking import providers
from judge.asking.calls.pool import CallPool, StoppedError
from judge.asking.providers.retry import Policy, more_tokens
from judge.base.queue import watchdog
from judge.methods.base.values import JUDGE
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.roles import AskedModel, models_of


@dataclass
class Lane:
    """The way to a model.

    Attributes:
        answered: whether the model has answered a question of this run. Until it has, a refused
            request is taken for a fault of the configuration, which all responses share.
        more: output tokens with which a reply that was cut is asked for once more; None where the
            model writes no more.
        reached: whether the provider was reached since this session began. Until it was, a
            question without a connection in all its tries means that it is off.
    """

    pool: CallPool
    model: str
    parameters: dict[str, Any]
    answered: bool
    more: int | None = None
    reached: bool = False


class Lanes:
    """The lanes of a run's session, by role. Its jobs run in the threads of the judge's pool."""

    def __init__(self, run: JudgeRun, policy: Policy | None, timeout: float | None) -> None:
        answered = set(run.calls.filter(error="").order_by().values_list("provider", "model"))
        self.stopping = threading.Event()
        self._label = f"a response of run {run.pk}"
        self._policy = policy or Policy()
        self._pools: dict[str, CallPool] = {}
        self._lanes: dict[str, Lane] = {}
        known: list[tuple[AskedModel, Lane]] = []
        for role, asked in models_of(run).items():
            if asked.provider not in self._pools:
                self._pools[asked.provider] = CallPool(
                    providers.get(asked.provider),
                    work=f"run-{run.pk}",
                    threads=run.concurrency,
                    policy=policy,
                    timeout=timeout,
                    stopping=self.stopping,
                )
            lane = next((lane for other, lane in known if other == asked), None) or Lane(
                self._pools[asked.provider],
                asked.model,
                dict(asked.parameters),
                answered=asked.pair in answered,
                more=more_tokens(asked.parameters, asked.most_output_tokens),
            )
            known.append((asked, lane))
            self._lanes[role] = lane

    @property
    def judge(self) -> Lane:
        """The lane of the run's own model."""
        return self._lanes[JUDGE]

    def of(self, role: str) -> Lane:
        """Return the lane of a role."""
        return self._lanes[role]

    def wait(self, tries: int) -> None:
        """Wait before something is looked up once more. Raises StoppedError if the run stops."""
        seconds = min(self._policy.longest, self._policy.base * 2 ** (tries - 1))
        if self.stopping.wait(seconds):
            raise StoppedError

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Have a thread call `function`, and watch that it does not compute without an end."""

        def call() -> Any:
            with watchdog.watched(self._label):
                return function(*arguments)

        return self.judge.pool.submit(call)

    def exchange(self) -> None:
        """Exchange the limits of all accounts with other processes, at most once a second."""
        for pool in self._pools.values():
            pool.exchange()

    def close(self) -> None:
        """Wait for the calls under way and drop the jobs that no thread has begun."""
        for pool in self._pools.values():
            pool.close()

    def leave(self) -> None:
        """Leave our share of the accounts to other processes."""
        for pool in self._pools.values():
            pool.leave()
