"""Calls go on while replies wait to be written, and no further than a crash may cost."""

import threading

import pytest

from judge.runs.engine import work
from judge.runs.engine.ledger import Ledger
from tests.runs.engine import factory
from tests.runs.engine.conftest import QUICK

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("places", "under_way"), [(2, 10), (4, 20)])
def test_calls_go_on_while_a_commit_is_held_up(stub, plan, monkeypatch, places, under_way):
    factory.benchmark(1, 40)
    write = Ledger.write
    calls: list[int] = []  # when the second write began to be held up, and when it went on

    def slow(ledger, events, **more):
        # The first brings the reply its siblings have waited for; the second would bring theirs.
        slow.writes += bool(events)
        if slow.writes == 2 and not calls:
            calls.append(stub.calls)
            for _ in range(500):
                if stub.calls > under_way:
                    break
                threading.Event().wait(0.01)
            calls.append(stub.calls)
        return write(ledger, events, **more)

    slow.writes = 0
    monkeypatch.setattr(Ledger, "write", slow)
    run = plan(concurrency=places)
    assert work.work_on_run(run, policy=QUICK, timeout=10)
    assert calls[1] == 1 + under_way, f"{calls[0]} calls when the commit was held up"
    assert (run.state, stub.calls) == ("finished", 40)
