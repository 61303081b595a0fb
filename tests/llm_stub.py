"""A small server that speaks both vendors' protocols and misbehaves on demand.

In a test: `with Stub() as stub: stub.script("429", "ok"); …`. On its own:
`python -m tests.llm_stub --port 8089 --latency-ms 200 --faults 0.05`, then point
`OPENAI_BASE_URL` at `http://127.0.0.1:8089/v1` or `ANTHROPIC_BASE_URL` at the same without `/v1`.
`GET /stats` tells what it has done so far; `--log FILE` keeps a line of JSON for every request.

It judges by a rule (`verdict_of`), so whoever wires a run can check that no verdict was lost and
none is wrong. Only the standard library is used.
"""

import argparse
import hashlib
import json
import ssl
import sys
import threading
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.llm_batches import Desk
from tests.llm_handler import StubHandler
from tests.llm_rule import Asked, spoilt, verdict_of

__all__ = ["EVERY_FAULT", "FAULTS", "Behaviour", "Recorded", "Stub", "verdict_of"]

FAULTS = ("429", "500", "529", "drop", "cut", "truncated", "malformed")
"""What `faults=` draws from unless told otherwise."""

EVERY_FAULT = (
    *FAULTS,
    *("503", "missing", "duplicate", "conflict", "unknown", "strings", "fenced", "empty"),
    *("refusal", "html", "broken_json", "wrong_shape"),
)
"""Everything that can go wrong with one call and may go well when it is asked again."""


@dataclass
class Behaviour:
    """One scripted answer; `name` is one of the branches of `StubHandler._misbehave`, or "ok".

    `stop` is the word for its end, in the vendor's own spelling; `parts` sends its text in parts
    after a part of thoughts.
    """

    name: str
    retry_after: str | None = None
    text: str | None = None
    stop: str = ""
    parts: bool = False


@dataclass
class Recorded:
    """One request as it arrived, and what became of it."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    behaviour: Behaviour
    started: float
    latency: float = 0.0
    ended: float = 0.0


@dataclass
class Stub:
    """The server, as a context manager. `faults` is the share of calls that go wrong.

    `spread` makes latencies uneven: evenly between `1 - spread` and `1 + spread` times `latency`,
    settled by the request. `keep=False` forgets requests once they are answered.

    As one vendor among several it may have a key of its own, models it serves and fields it
    refuses: `key`, `serves` and `refuses`; empty means any key, any model, no field.
    """

    port: int = 0
    latency: float = 0.0
    spread: float = 0.0
    faults: float = 0.0
    fault_kinds: tuple[str, ...] = FAULTS
    seed: int = 0
    retry_after: str = "0.01"
    hold: float = 30.0
    keep: bool = True
    log: str = ""
    key: str = ""
    serves: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    certificate: str = ""  # a file with certificate and key: it answers by HTTPS
    requests: list[Recorded] = field(default_factory=list)
    max_concurrency: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.queue: deque[Behaviour] = deque()
        self._running = 0
        self._calls = 0
        self._told: Counter[str] = Counter()
        self._waited: list[float] = []
        self._span: list[float] = []
        self._prefixes: set[str] = set()
        self.closing = threading.Event()
        self.desk = Desk(_in_batch)
        stub = self

        class Handler(StubHandler):
            owner = stub

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *args: Any) -> None:
                """A client that hung up is part of the game."""

        self._server = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        if self.certificate:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(self.certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    @property
    def url(self) -> str:
        """Base address for Anthropic."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def openai_url(self) -> str:
        """Base address for OpenAI."""
        return f"{self.url}/v1"

    @property
    def calls(self) -> int:
        """Requests received."""
        with self._lock:
            return self._calls

    def stats(self) -> dict[str, Any]:
        """What has happened so far: calls, behaviours, seconds slept, from first to last."""
        with self._lock:
            return {
                "calls": self._calls,
                "running": self._running,
                "most_at_once": self.max_concurrency,
                "behaviours": dict(self._told),
                "latency_seconds": round(sum(self._waited), 3),
                "latencies": [round(seconds, 5) for seconds in self._waited],
                "span_seconds": round(self._span[1] - self._span[0], 3) if self._span else None,
            }

    def script(self, *behaviours: str | Behaviour) -> "Stub":
        """The next answers, in order; when they are used up, calls go well again."""
        with self._lock:
            self.queue.extend(b if isinstance(b, Behaviour) else Behaviour(b) for b in behaviours)
        return self

    def __enter__(self) -> "Stub":
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.daemon = True
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve(self) -> None:
        """Serve in this thread until interrupted."""
        self._server.serve_forever()

    # -- used by the handler --------------------------------------------------------------------

    def begin(
        self, path: str, headers: dict[str, str], body: dict[str, Any], sent: bytes
    ) -> Recorded:
        """Settle what becomes of a request: `body` as read from the bytes `sent`."""
        share = int.from_bytes(hashlib.sha256(sent).digest()[:4]) / 2**32
        with self._lock:
            self._running += 1
            self.max_concurrency = max(self.max_concurrency, self._running)
            behaviour = self.queue.popleft() if self.queue else self._drawn()
            record = Recorded(path, headers, body, behaviour, time.monotonic())
            record.latency = self.latency * (1 + self.spread * (2 * share - 1))
            self._calls += 1
            self._told[behaviour.name] += 1
            self._waited.append(record.latency)
            if self.keep:
                self.requests.append(record)
            return record

    def end(self, record: Recorded, asked: Asked | None = None) -> None:
        with self._lock:
            self._running -= 1
            record.ended = time.monotonic()
            self._span = [self._span[0] if self._span else record.started, record.ended]
            if self.log and asked is not None:
                with Path(self.log).open("a") as file:
                    file.write(
                        json.dumps(
                            {
                                "behaviour": record.behaviour.name,
                                "response": asked.digest(),
                                "lines": asked.wanted(),
                                "usage": asked.usage,
                                "at": time.time(),
                            }
                        )
                        + "\n"
                    )

    def _drawn(self) -> Behaviour:
        """A fault or none: `faults` of all calls, evenly spread, each of a kind drawn by the seed.

        Prompts carry a new code each time, so a draw from the request would be left to chance.
        """
        before, now = int(self._calls * self.faults), int((self._calls + 1) * self.faults)
        if now == before:
            return Behaviour("ok")
        digest = hashlib.sha256(f"{self.seed}|{now}".encode()).digest()
        return Behaviour(self.fault_kinds[digest[0] % len(self.fault_kinds)])

    def cached(self, prefix: str, *, finished: bool) -> bool:
        """Whether a prefix is held; it is from the moment the first call with it has ended."""
        name = hashlib.sha256(prefix.encode()).hexdigest()
        with self._lock:
            if finished:
                self._prefixes.add(name)
            return name in self._prefixes


def _in_batch(path: str, body: dict[str, Any], spoil: str) -> tuple[int, Any]:
    """Status and body of one question of a batch."""
    asked = Asked.read(path, body)
    if spoil == "truncated":
        return 200, asked.reply(asked.answer()[: len(asked.answer()) // 2], "length")
    if spoil in ("refusal", "filter"):
        return 200, asked.reply("I would rather not.", spoil)
    return 200, asked.reply(asked.answer() if spoil == "ok" else spoilt(spoil, asked))


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8089)
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--faults", type=float, default=0)
    parser.add_argument("--kinds", default=",".join(FAULTS), help="faults to draw from, or every")
    parser.add_argument("--spread", type=float, default=0, help="0.2: latencies ±20 %%")
    parser.add_argument("--log", default="", help="a file for one line of JSON per request")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    kinds = EVERY_FAULT if given.kinds == "every" else tuple(given.kinds.split(","))
    stub = Stub(
        port=given.port,
        latency=given.latency_ms / 1000,
        spread=given.spread,
        faults=given.faults,
        fault_kinds=kinds,
        seed=given.seed,
        keep=False,
        log=given.log,
    )
    sys.stdout.write(f"OPENAI_BASE_URL={stub.openai_url}\nANTHROPIC_BASE_URL={stub.url}\n")
    sys.stdout.flush()
    try:
        stub.serve()
    except KeyboardInterrupt:
        pass
    sys.stdout.write(f"{stub.calls} calls, at most {stub.max_concurrency} at once\n")


if __name__ == "__main__":
    main()
