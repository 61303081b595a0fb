"""`make run` as a whole: a dead worker is started again and takes nothing down with it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import children_of

SECONDS = 600  # only a broken start ever needs them


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Product:
    """The product as one person starts it, on a database of its own."""

    def __init__(self, var: Path) -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        self.log = (var.parent / "run.log").open("w+")
        unset = (
            *("DATABASE_URL", "CELERY_BROKER_URL", "DEBUG", "PYTEST_XDIST_WORKER"),
            "DJANGO_SETTINGS_MODULE",
        )
        env = {name: value for name, value in os.environ.items() if name not in unset}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.dev_server"],
            cwd=settings.BASE_DIR,
            env=env | {"VAR_DIR": str(var), "PORT": str(port)},
            stdout=self.log,
            stderr=self.log,
        )

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.url + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def until_ready(self, *, fine: bool = True) -> None:
        """Wait until /readyz finds nothing missing, or (`fine=False`) until it misses something."""
        pause, body = threading.Event(), "nothing answered"
        for _ in range(SECONDS * 5):
            assert self.process.poll() is None, self.said()
            with suppress(OSError):
                status, body = self.get("/readyz")
                if (status == 200) is fine:
                    return
            pause.wait(0.2)
        raise AssertionError(f"{body}\n{self.said()}")

    def worker(self) -> int | None:
        """The process number of the worker, if one lives."""
        found = [pid for pid, line in children_of(self.process.pid) if "work --loop" in line]
        return found[0] if found else None

    def said(self) -> str:
        self.log.flush()
        self.log.seek(0)
        return self.log.read()


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    if os.environ.get("DATABASE_URL"):
        pytest.skip("make run is tried on SQLite, its own default")
    if shutil.which("ps") is None:
        pytest.skip("the command ps is missing; install the package procps")
    running = Product(tmp_path_factory.mktemp("run") / "var")
    try:
        running.until_ready()
        yield running
    finally:
        running.process.send_signal(signal.SIGINT)
        try:
            running.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()
        running.log.close()


class TestMakeRun:
    def test_no_broker_is_needed_and_none_is_missed(self, product):
        status, body = product.get("/readyz")
        assert status == 200
        assert json.loads(body)["missing"] == []
        assert not (Path(product.log.name).parent / "var" / "queue").exists()

    def test_a_killed_worker_is_started_again_and_the_web_server_stays(self, product):
        killed = product.worker()
        os.kill(killed, signal.SIGKILL)
        pause = threading.Event()
        for _ in range(SECONDS * 5):
            assert product.get("/healthz")[0] == 200
            if product.worker() not in (None, killed):
                break
            pause.wait(0.2)
        assert product.worker() not in (None, killed)
        product.until_ready()
        assert "The worker ended (status -9); it starts again in 1 s." in product.said()

    def test_ctrl_c_ends_everything_it_started(self, product):
        parts = [pid for pid, _ in children_of(product.process.pid)]
        assert len(parts) == 2  # web server and worker
        product.process.send_signal(signal.SIGINT)
        assert product.process.wait(timeout=30) == 0
        for pid in parts:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
