"""The HTTP transport both SDKs are given: each reply is bounded in time and in size.

It sends by urllib3. The SDKs' own HTTP library keeps bytes that follow a complete reply and reads
them as the next reply on that connection, so one candidate could get another's verdicts. urllib3
drops what it read behind a reply, and leaves a connection on which something came meanwhile.
"""

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
import urllib3
from urllib3 import exceptions

from judge.asking.providers import addresses

MAX_BODY = 4_000_000
"""Bytes of a reply we are willing to hold; the longest honest one is far below."""

MAX_RESULTS = 200_000_000
"""The same of a batch's results: a thousand replies, of which few are long."""

MAX_IDLE = 256  # connections kept for the next calls
TRUSTED = 5.0  # seconds without a call after which kept connections are left
PIECE = 65_536  # bytes read at once

# A model may think for minutes without sending a byte: keep the line open meanwhile.
_SOCKET_OPTIONS = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)] + [
    (level, getattr(socket, name), value)
    for level, name, value in (
        (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 60),
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 60),
    )
    if hasattr(socket, name)
]


class BoundedTransport(httpx2.BaseTransport):
    """Send requests by urllib3 and bound each whole reply; thread-safe.

    A read timeout alone starts again with every piece received, so a server that drips one byte a
    second would hold a worker for ever. The bound covers the body; a server that drips its headers
    is held to the read timeout for each piece alone.

    Args:
        address: the vendor's base URL; it decides whether a proxy of the environment is used.
        private: the private networks that may be called; None to call any address. Otherwise each
            request looks its host up and connects to the very addresses that were checked, so that
            an answer of the DNS that changes in between leads nowhere else. A proxy looks hosts up
            by itself, and has to refuse private addresses by itself.
    """

    def __init__(self, address: str, *, private: Sequence[str] | None = None) -> None:
        options: dict[str, Any] = {
            "maxsize": MAX_IDLE,
            "socket_options": _SOCKET_OPTIONS,
            "ssl_context": httpx2.create_ssl_context(),  # trust what the SDKs trust
        }
        proxy = _proxy_for(address)
        self._connections = (
            urllib3.ProxyManager(proxy, proxy_headers=_proxy_headers(proxy), **options)
            if proxy
            else urllib3.PoolManager(**options)
        )
        self._proxied = proxy is not None
        self._private = private
        self._used_at = time.monotonic()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request. Raises the HTTP client's own errors."""
        if request.url.scheme not in ("http", "https"):
            raise httpx2.UnsupportedProtocol("The address does not begin with http:// or https://.")
        limits = request.extensions.get("timeout", {})
        limit = limits.get("read")
        now = time.monotonic()
        deadline = None if limit is None else now + limit
        if now - self._used_at > TRUSTED:
            self._connections.clear()  # those under way end with their calls
        self._used_at = now
        with _as_httpx():
            reply = self._send(
                request,
                body=request.read(),
                # Compressed, a small reply could unpack to any size.
                headers={**request.headers, "accept-encoding": "identity"},
                timeout=urllib3.Timeout(connect=limits.get("connect"), read=limit),
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
            )
        if reply.status < 200:
            # An interim reply: the call's own follows, and must not become the next call's.
            reply.close()
            raise httpx2.RemoteProtocolError(f"An interim reply ({reply.status}) came first.")
        results = request.url.path.endswith(("/content", "/results"))
        return httpx2.Response(
            reply.status,
            headers=list(reply.headers.items()),
            stream=_Bounded(reply, deadline, MAX_RESULTS if results else MAX_BODY),
        )

    def _send(self, request: httpx2.Request, **options: Any) -> urllib3.BaseHTTPResponse:
        if self._private is None:
            return self._connections.urlopen(request.method, str(request.url), **options)
        scheme, host, port = request.url.scheme, request.url.host, request.url.port
        port = port or addresses.PORTS[scheme]
        found = self._checked(scheme, host, port)
        if self._proxied:
            return self._connections.urlopen(request.method, str(request.url), **options)
        target = request.url.raw_path.decode("ascii")
        # The certificate has to be the host's, although its address is called.
        named = {"server_hostname": host, "assert_hostname": host} if scheme == "https" else {}
        for last, ip in enumerate(found, start=1 - len(found)):
            pool = self._connections.connection_from_host(ip, port, scheme, pool_kwargs=named)
            try:
                return pool.urlopen(request.method, target, assert_same_host=False, **options)
            except (exceptions.NewConnectionError, exceptions.ConnectTimeoutError):
                if last == 0:
                    raise
        raise httpx2.ConnectError("The host has no address.")

    def _checked(self, scheme: str, host: str, port: int) -> list[str]:
        """Look a host up. Raises RefusedAddressError unless all of its addresses may be called."""
        try:
            found = addresses.resolved(host, port)
        except (OSError, UnicodeError):
            if self._proxied:
                return []  # only the proxy knows the host
            raise httpx2.ConnectError(f"The host {host} is not known.") from None
        try:
            addresses.check(scheme, found, self._private or ())
        except addresses.AddressError as refused:
            raise RefusedAddressError(str(refused)) from None
        return found

    def close(self) -> None:
        """Close the idle connections."""
        self._connections.clear()


class RefusedAddressError(httpx2.ConnectError):
    """An address that may not be called; nothing was sent."""


class _Bounded(httpx2.SyncByteStream):
    """A reply's bytes, until there are too many or the call has lasted too long."""

    def __init__(
        self, reply: urllib3.BaseHTTPResponse, deadline: float | None, max_bytes: int
    ) -> None:
        self._reply, self._deadline, self._max_bytes = reply, deadline, max_bytes

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        with _as_httpx():
            while piece := self._reply.read1(PIECE):
                received += len(piece)
                if received > self._max_bytes:
                    raise httpx2.DecodingError(f"The reply is larger than {self._max_bytes} bytes.")
                self._check_time()
                yield piece
            self._check_time()  # what follows the last piece may drip as well

    def _check_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise httpx2.ReadTimeout("The reply took longer than the call may last.")

    def close(self) -> None:
        """Close the connection too, unless the reply was read to its end and gave it back."""
        self._reply.close()


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Raise urllib3's errors as those of the HTTP client the SDKs know."""
    try:
        yield
    except exceptions.LocationValueError:
        raise httpx2.LocalProtocolError("The address cannot be sent.") from None
    except (exceptions.NewConnectionError, exceptions.SSLError, exceptions.ProxyError) as cause:
        raise httpx2.ConnectError(str(cause)) from cause
    except exceptions.ConnectTimeoutError as cause:
        raise httpx2.ConnectTimeout(str(cause)) from cause
    except exceptions.ReadTimeoutError as cause:
        raise httpx2.ReadTimeout(str(cause)) from cause
    except exceptions.HTTPError as cause:
        raise httpx2.RemoteProtocolError(str(cause)) from cause
    except ValueError:  # its words quote the header, which may be our key
        raise httpx2.LocalProtocolError("The address or a header cannot be sent.") from None


def _proxy_for(address: str) -> str | None:
    """The proxy that the environment names for an address, as `urllib` reads it."""
    parts = urlsplit(address)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(proxy).scheme not in ("http", "https"):
        raise httpx2.UnsupportedProtocol("The proxy's address must begin with http:// or https://.")
    return proxy


def _proxy_headers(proxy: str) -> dict[str, str] | None:
    """The headers that sign in at a proxy whose address names a user."""
    parts = urlsplit(proxy)
    if parts.username is None:
        return None
    named = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return dict(urllib3.make_headers(proxy_basic_auth=named))
