"""`make run` keeps its web server and its worker running, with growing pauses."""

import os
import sys

import pytest

from config.supervisor import HEALTHY_AFTER, LONGEST_PAUSE, Child, stop_all

DIES = [sys.executable, "-c", "raise SystemExit(3)"]
STAYS = [sys.executable, "-c", "import threading; threading.Event().wait(60)"]


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def start(clock):
    children = []

    def go(command):
        children.append(Child("worker", command, env=dict(os.environ), now=clock))
        return children[-1]

    yield go
    stop_all([child.process for child in children])


def die(child, clock):
    """Wait for its death, and return how long it rests before it is started again."""
    dead = child.process
    dead.wait()
    child.restart_if_due()
    began = clock.at
    while child.process is dead:
        clock.at += 0.5
        child.restart_if_due()
    return clock.at - began


def test_a_child_that_keeps_dying_is_started_again_after_growing_pauses(start, clock, capfd):
    child = start(DIES)
    pauses = [die(child, clock) for _ in range(8)]
    assert pauses == [1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE]
    said = capfd.readouterr().err
    assert "The worker ended (status 3); it starts again in 1 s." in said
    assert "The worker was started again." in said


def test_a_child_that_lived_for_a_minute_is_started_again_at_once(start, clock):
    child = start(DIES)
    assert [die(child, clock) for _ in range(3)] == [1, 2, 4]
    clock.at += HEALTHY_AFTER
    assert die(child, clock) == 1


def test_a_living_child_is_left_alone(start, clock):
    child = start(STAYS)
    first = child.process
    clock.at += 1000
    child.restart_if_due()
    assert child.process is first
    assert first.poll() is None


def test_a_killed_child_is_started_again(start, clock):
    child = start(STAYS)
    killed = child.process
    killed.kill()
    assert die(child, clock) == 1
    assert child.process.poll() is None
    assert child.process.pid != killed.pid
