"""Whether a process lives is seen by the lock it holds."""

import subprocess
import sys

import pytest
from django.conf import settings

from judge.base.queue import leases
from judge.base.queue.alive import has_ended, process_name

CHILD = """
import django
django.setup()
from judge.base.queue.alive import process_name
print(process_name(), flush=True)
input()
"""


@pytest.fixture
def child():
    running = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=settings.BASE_DIR,
        env={
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DEBUG": "1",
            "VAR_DIR": str(settings.VAR_DIR),
        },
    )
    yield running
    running.kill()
    running.communicate()


def test_a_process_lives_until_it_is_killed(child):
    name = child.stdout.readline().strip()
    assert not has_ended(name)
    child.kill()
    child.wait()
    assert has_ended(name)


def test_this_process_lives_and_its_claims_hold():
    assert not has_ended(process_name())
    assert not leases.owner_is_gone(leases.new_token())


@pytest.mark.parametrize("token", ["", "1-elsewhere-abcdef", "../secret_key-abcdef", "."])
def test_of_a_process_of_another_machine_nothing_is_known(token):
    assert not leases.owner_is_gone(token)
