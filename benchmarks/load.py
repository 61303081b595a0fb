"""A small load generator with keep-alive connections."""

import gzip
import http.client
import json
import re
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any


class Client:
    """A keep-alive connection that authenticates with an API token."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.headers = {"Authorization": f"Token {token}", "Accept": "application/json"}

    def ask(self, verb: str, path: str, body: Any = None) -> bytes:
        """Send a request; exit on any status but 2xx, which would falsify the figures."""
        payload = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({"Content-Type": "application/json"} if payload else {})
        self.connection.request(verb, path, body=payload, headers=headers)
        reply = self.connection.getresponse()
        content = reply.read()
        if not 200 <= reply.status < 300:
            raise SystemExit(f"{verb} {path} answered {reply.status}: {content[:300]!r}")
        return content

    def get(self, path: str) -> bytes:
        return self.ask("GET", path)

    def put(self, path: str, body: Any) -> bytes:
        return self.ask("PUT", path, body)

    def weigh(self, path: str, session: str) -> dict[str, Any]:
        """Return compressed kilobytes and seconds of a page with its styles and scripts."""
        cookie = {"Cookie": f"sessionid={session}"}
        total, started = 0, time.perf_counter()
        page, text = self._fetch(path, cookie)
        total += len(page)
        for link in re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"', text):
            total += len(self._fetch(link, {})[0])
        return {
            "kilobytes": round(total / 1000, 1),
            "seconds": round(time.perf_counter() - started, 3),
        }

    def _fetch(self, path: str, headers: dict[str, str]) -> tuple[bytes, str]:
        self.connection.request("GET", path, headers={"Accept-Encoding": "gzip", **headers})
        reply = self.connection.getresponse()
        raw = reply.read()
        if reply.status != 200:
            raise SystemExit(f"GET {path} answered {reply.status}")
        gzipped = reply.getheader("Content-Encoding") == "gzip"
        return raw, (gzip.decompress(raw) if gzipped else raw).decode()


def latencies(count: int, call: Callable[[int], Any]) -> dict[str, float]:
    """Return p50 and p95 in milliseconds of `count` calls, after ten to warm up."""
    for n in range(10):
        call(n)
    taken = []
    for n in range(count):
        started = time.perf_counter()
        call(n)
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    return {
        "p50": round(statistics.median(taken), 1),
        "p95": round(taken[int(len(taken) * 0.95) - 1], 1),
    }


def many_clients(clients: int, port: int, token: str, paths: list[str]) -> float:
    """Return PUT requests per second of several parallel clients with a connection each."""
    share = len(paths) // clients

    def work(mine: list[str]) -> None:
        client = Client(port, token)
        for n, path in enumerate(mine):
            client.put(path, {"met": n % 3 != 0, "rationale": "seen in the second paragraph"})

    threads = [
        threading.Thread(target=work, args=(paths[n * share : (n + 1) * share],))
        for n in range(clients)
    ]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return round(share * clients / (time.perf_counter() - started), 1)
