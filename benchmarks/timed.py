"""The product's WSGI application, saying with every answer what it cost the server.

For the benchmarks alone: the header `Server-Timing` carries the milliseconds from the request to
the finished answer (`wall`) and the processor time of its thread (`cpu`). The second is nearly the
same on an idle machine and on a busy one.
"""

import time
from collections.abc import Iterable
from typing import Any

from config.wsgi import application as product


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """The product with one more header."""
    wall, cpu = time.perf_counter(), time.thread_time()

    def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        took = (time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000
        timing = f"wall;dur={took[0]:.1f}, cpu;dur={took[1]:.1f}"
        return start_response(status, [*headers, ("Server-Timing", timing)], *more)

    answer: Iterable[bytes] = product(environ, start)
    return answer
