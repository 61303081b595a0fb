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
from contextlib import contextmanager
from typing import Any

import httpcore2
import httpx2

Lane = httpcore2.HTTPConnection

KEPT = 5.0  # seconds an unused connection is trusted; as in the HTTP library's own pool

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
    """Connections with one call each; thread-safe."""

    def __init__(self) -> None:
        self._context = httpx2.create_ssl_context()
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, Lane]] = deque()

    def handle_request(self, request: Any) -> Any:
        """Send one request; its connection is free again when the reply has been read."""
        url = request.url
        if url.scheme not in ("http", "https"):
            raise httpx2.UnsupportedProtocol("The address does not begin with http:// or https://.")
        sent = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        lane = self._take(sent.url.origin)
        try:
            with _told_as_httpx():
                answer = lane.handle_request(sent)
        except BaseException:
            lane.close()
            raise
        return httpx2.Response(
            answer.status,
            headers=answer.headers,
            stream=_Reply(answer.stream, self, lane),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for _since, lane in idle:
            lane.close()

    def _take(self, origin: httpcore2.Origin) -> Lane:
        while True:
            with self._lock:
                lane = self._idle.pop()[1] if self._idle else None
            if lane is None:
                return Lane(
                    origin,
                    ssl_context=self._context,
                    keepalive_expiry=KEPT,
                    socket_options=_ALIVE,
                )
            if lane.can_handle_request(origin) and not lane.has_expired():
                return lane
            # It has lain too long, the other side hung up or sent what nobody asked for, or it
            # leads elsewhere.
            lane.close()

    def give_back(self, lane: Lane) -> None:
        """The reply was read (or given up): the lane may serve another call."""
        now = time.monotonic()
        old = []
        with self._lock:
            if _ended_cleanly(lane):
                self._idle.append((now, lane))
            else:
                old.append(lane)
            while self._idle and self._idle[0][0] < now - KEPT:
                old.append(self._idle.popleft()[1])
        for unused in old:
            unused.close()


def _ended_cleanly(lane: Lane) -> bool:
    """Whether the reply was read to its end and nothing came behind it.

    What did would be read as the beginning of the next call's reply: one candidate would get
    another's verdicts. The HTTP library keeps such bytes and shows them to nobody but itself, so
    this looks inside it; the tests of this module fail where another version keeps them elsewhere.
    Bytes that come later are the socket's, and `has_expired` sees them when the lane is taken.
    """
    inner = lane._connection
    return (
        lane.is_idle()
        and isinstance(inner, httpcore2.HTTP11Connection)
        and inner._h11_state.trailing_data == (b"", False)
    )


class _Reply(httpx2.SyncByteStream):
    """A reply's stream that gives its lane back once."""

    def __init__(self, inner: Any, lanes: Lanes, lane: Lane) -> None:
        self._inner, self._lanes = inner, lanes
        self._lane: Lane | None = lane

    def __iter__(self) -> Iterator[bytes]:
        with _told_as_httpx():
            yield from self._inner

    def close(self) -> None:
        try:
            with _told_as_httpx():
                self._inner.close()
        finally:
            lane, self._lane = self._lane, None
            if lane is not None:
                self._lanes.give_back(lane)


@contextmanager
def _told_as_httpx() -> Iterator[None]:
    """Errors of a connection, raised as the HTTP client's own, which have the same names."""
    try:
        yield
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as cause:
        raise getattr(httpx2, type(cause).__name__)(str(cause)) from cause


def transport() -> dict[str, Any]:
    """What a vendor's HTTP client is made with: our transport, unless proxies are to be used.

    The library's own pool, which knows proxies, keeps connections whatever comes behind a reply.
    There each call ends its connection: dearer, but nobody is handed another call's reply.
    """
    if {"http", "https", "all"} & set(urllib.request.getproxies()):
        return {"headers": {"Connection": "close"}}
    return {"transport": Lanes()}
