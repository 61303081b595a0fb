"""The model server of the benchmarks runs in a process of its own, without settings."""

import os
import subprocess
import sys

from django.conf import settings


def test_the_server_starts_without_django_and_says_where_it_listens() -> None:
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.llm_stub", "--port", "0"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(2)]
        server.kill()
    assert lines[0].startswith("OPENAI_BASE_URL=http://127.0.0.1:")
    assert lines[1].startswith("ANTHROPIC_BASE_URL=http://127.0.0.1:")
