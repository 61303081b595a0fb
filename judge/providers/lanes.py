"""A transport that gives every call under way a connection of its own, and keeps them for later.

The HTTP library's pool looks through all its connections at each call, twice, and asks the system
about every idle one: with 64 calls at once that is more work than the rest of the call. Here an
idle connection is the top of a stack. The TLS context, which is dear to make, is shared.
"""

import socket
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from typing import Any

import httpx2

KEPT = 60.0  # seconds an unused connection stays on the stack

# A model may think for minutes without a byte: the system keeps the line open meanwhile.
_ALIVE = [
    (level, getattr(socket, name), value)
    for level, name, value in (
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 60),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 60),
    )
    if hasattr(socket, name)
]


class Lanes(httpx2.BaseTransport):
    """Transports with one connection each; thread-safe."""

    def __init__(self) -> None:
        self._context = httpx2.create_ssl_context()
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, httpx2.HTTPTransport]] = deque()

    def handle_request(self, request: Any) -> Any:
        """Send one request; its connection is free again when the reply has been read."""
        lane = self._take()
        try:
            response = lane.handle_request(request)
        except BaseException:
            lane.close()
            raise
        response.stream = _Released(response.stream, self, lane)
        return response

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for _since, lane in idle:
            lane.close()

    def _take(self) -> httpx2.HTTPTransport:
        with self._lock:
            if self._idle:
                return self._idle.pop()[1]
        return httpx2.HTTPTransport(
            verify=self._context,
            limits=httpx2.Limits(max_connections=1),
            socket_options=_ALIVE,
        )

    def give_back(self, lane: httpx2.HTTPTransport) -> None:
        """The reply was read (or given up): the lane may serve another call."""
        now = time.monotonic()
        old = []
        with self._lock:
            self._idle.append((now, lane))
            while self._idle[0][0] < now - KEPT:
                old.append(self._idle.popleft()[1])
        for unused in old:
            unused.close()


class _Released(httpx2.SyncByteStream):
    """A reply's stream that gives its lane back once."""

    def __init__(self, inner: Any, lanes: Lanes, lane: httpx2.HTTPTransport) -> None:
        self._inner, self._lanes = inner, lanes
        self._lane: httpx2.HTTPTransport | None = lane

    def __iter__(self) -> Iterator[bytes]:
        yield from self._inner

    def close(self) -> None:
        try:
            self._inner.close()
        finally:
            lane, self._lane = self._lane, None
            if lane is not None:
                self._lanes.give_back(lane)


def transport() -> dict[str, Any]:
    """The transport as an argument for a vendor's client; none where proxies are to be used."""
    proxies = urllib.request.getproxies()
    return {} if {"http", "https", "all"} & set(proxies) else {"transport": Lanes()}
