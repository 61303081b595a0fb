"""The product's WSGI application with a `Server-Timing` header, for the benchmarks.

The header has the milliseconds from the request to the finished response (`wall`) and the
processor time of its thread (`cpu`), which hardly depends on other load.
"""

import time
from collections.abc import Iterable
from typing import Any

from config.wsgi import application as product


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Call the product and add the header."""
    wall, cpu = time.perf_counter(), time.thread_time()

    def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        took = (time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000
        timing = f"wall;dur={took[0]:.1f}, cpu;dur={took[1]:.1f}"
        return start_response(status, [*headers, ("Server-Timing", timing)], *more)

    answer: Iterable[bytes] = product(environ, start)
    return answer
