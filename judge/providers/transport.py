"""The HTTP transport both SDKs are given: each reply is bounded in time and in size."""

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

MAX_BODY = 4_000_000
"""Bytes of a reply we are willing to hold; the longest honest one is far below."""

MAX_RESULTS = 200_000_000
"""The same of a batch's results: a thousand replies, of which few are long."""

# A model may think for minutes without sending a byte: keep the line open meanwhile.
_KEEP_ALIVE = [
    (level, getattr(socket, name), value)
    for level, name, value in (
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 60),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 60),
    )
    if hasattr(socket, name)
]


class BoundedTransport(httpx2.BaseTransport):
    """Send each request on a connection of its own and bound the whole reply.

    The library's read timeout starts again with every piece received, so a server that drips one
    byte a second would hold a worker for ever. And the library keeps bytes that follow a complete
    reply and reads them as the next reply on that connection, so one candidate could get another's
    verdicts: no connection is used twice.

    Args:
        address: the vendor's base URL; it decides whether a proxy of the environment is used.
    """

    def __init__(self, address: str) -> None:
        self._inner = httpx2.HTTPTransport(
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
            socket_options=_KEEP_ALIVE,
            proxy=_proxy_for(address),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; raise ReadTimeout or DecodingError where its reply is out of bounds."""
        limit = request.extensions.get("timeout", {}).get("read")
        deadline = None if limit is None else time.monotonic() + limit
        request.headers["Connection"] = "close"
        response = self._inner.handle_request(request)
        results = request.url.path.endswith(("/content", "/results"))
        assert isinstance(response.stream, httpx2.SyncByteStream)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Bounded(response.stream, deadline, MAX_RESULTS if results else MAX_BODY),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close what is open."""
        self._inner.close()


class _Bounded(httpx2.SyncByteStream):
    """A reply's bytes, until there are too many or the call has lasted too long."""

    def __init__(
        self, inner: httpx2.SyncByteStream, deadline: float | None, max_bytes: int
    ) -> None:
        self._inner, self._deadline, self._max_bytes = inner, deadline, max_bytes

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        for piece in self._inner:
            received += len(piece)
            if received > self._max_bytes:
                raise httpx2.DecodingError(f"The reply is larger than {self._max_bytes} bytes.")
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("The reply took longer than the call may last.")
            yield piece

    def close(self) -> None:
        self._inner.close()


def _proxy_for(address: str) -> str | None:
    """The proxy that the environment names for an address, as `urllib` reads it."""
    parts = urlsplit(address)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
