"""The Celery worker, with its scheduler inside."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

# A worker whose schedule has one job, due at once; the job says where it runs and ends the worker.
CODE = """
import os, signal, sys, threading
from billiard import active_children
from django.conf import settings
from config.celery import app

if settings.CELERY_BROKER_URL:  # Celery prefers the variable to its own setting
    del os.environ["CELERY_BROKER_URL"]
app.conf.update(
    broker_url="memory://", beat_schedule={"soon": {"task": "look", "schedule": 0.01}}
)

@app.task(name="look")
def look():
    beat = [thread.name for thread in threading.enumerate() if thread.name == "Beat"]
    print(beat, active_children(), file=sys.__stdout__, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

app.worker_main(["--quiet", "worker", "--pool", "threads", "--concurrency", "1",
    "--loglevel", "error", *sys.argv[1:]])
"""


def worker(
    var: Path, *options: str, broker: str = "redis://127.0.0.1:1/0"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, "--schedule", str(var / "beat"), *options],
        cwd=settings.BASE_DIR,
        env={"DEBUG": "1", "PATH": "", "VAR_DIR": str(var), "CELERY_BROKER_URL": broker},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_scheduler_is_a_thread_of_the_worker_and_ends_with_it(tmp_path):
    done = worker(tmp_path, "--beat-thread")
    assert done.stdout.startswith("['Beat'] []\n"), done.stderr
    assert done.returncode == 0


def test_a_celery_worker_without_a_broker_is_refused_with_the_way_out(tmp_path):
    done = worker(tmp_path, broker="")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "manage.py work --loop" in done.stderr
