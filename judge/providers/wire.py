"""What the two vendors share on the wire: clients, bounds, secrets and the meaning of errors."""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any

import orjson

from judge.providers import call_timing
from judge.providers.base import ErrorKind, ProviderError, not_finite

MAX_BODY = 4_000_000
"""Bytes of a reply we are willing to hold; the longest honest one is far below."""

MAX_RESULTS = 200_000_000
"""The same of a batch's results: a thousand replies, of which few are long."""

MAX_RAW = 20_000
"""Characters kept of a body that is not a usable reply."""

KEY_LENGTH = 8
"""A shorter key is no secret: local servers take "none" or "stub", which also stand in texts."""

_LONG_KEY = 20  # vendors' own keys are longer; nothing else contains one by chance

# A whole key, or one a vendor quotes with its middle masked.
_KEY_SHAPED = re.compile(
    r"\b(?:sk|rk|pk)-(?:[A-Za-z0-9_.\-]*\*[A-Za-z0-9_*.\-]*|[A-Za-z0-9_.\-]{17,})"
)
_TOO_LONG = re.compile(
    r"context[ _]length|context window|maximum context|prompt is too long"
    r"|too many (?:input )?tokens"
)
_FILTERED = re.compile(r"content[ _]?(?:filter|management|policy)")


# -- clients ------------------------------------------------------------------------------------

_clients: dict[tuple[object, ...], Any] = {}
_clients_lock = threading.Lock()


def client_for(vendor: str, key: str, base_url: str | None, make: Callable[[Any], Any]) -> Any:
    """One client per process, vendor, key and address; the SDK clients are thread-safe.

    The process id is part of the name because a connection pool must not be shared across a fork.
    `make` receives the event hooks for the HTTP client it hands to the SDK.
    """
    name = (os.getpid(), vendor, key, base_url)
    with _clients_lock:
        if name not in _clients:
            _clients[name] = make(_hooks())
        return _clients[name]


def address(client: Any, path: str) -> str:
    """Where a call goes: whole, since an SDK that is given the end of it reads it three times."""
    return f"{str(client.base_url).rstrip('/')}{path}"


def account_of(vendor: str, key: str, base_url: str | None) -> str:
    """An opaque name for a key: equal for equal keys, useless to whoever reads it."""
    digest = hashlib.sha256(f"{vendor}\n{key}\n{base_url or ''}".encode()).hexdigest()
    return f"{vendor}-{digest[:12]}"


def _hooks() -> dict[str, list[Callable[[Any], None]]]:
    """Event hooks that bound a whole reply in time and size.

    The HTTP library's own read timeout starts again with every piece received, so a server that
    drips one byte a second would hold a worker for ever.
    """
    import httpx2

    class Bounded(httpx2.SyncByteStream):
        def __init__(
            self, inner: Any, deadline: float | None, most: int, way: call_timing.Passage
        ) -> None:
            self.inner = inner
            self.most = most
            self.deadline = deadline
            self.way = way

        def __iter__(self) -> Iterator[bytes]:
            held = 0
            for piece in self.inner:
                held += len(piece)
                if held > self.most:
                    raise httpx2.DecodingError(f"The reply is larger than {self.most} bytes.")
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise httpx2.ReadTimeout("The reply took longer than the call may last.")
                yield piece

        def close(self) -> None:
            self.inner.close()
            self.way.end()

    def note_start(request: Any) -> None:
        way = call_timing.current()
        started = way.start()
        request.extensions = {
            **request.extensions, "assay.started": started, "assay.passage": way
        }  # fmt: skip

    def bound_reply(response: Any) -> None:
        extensions = response.request.extensions
        limit = (extensions.get("timeout") or {}).get("read")
        started = extensions.get("assay.started")
        deadline = None if limit is None or started is None else started + limit
        results = response.request.url.path.endswith(("/content", "/results"))
        most = MAX_RESULTS if results else MAX_BODY
        way = extensions["assay.passage"]
        response.stream = Bounded(response.stream, deadline, most, way)

    return {"request": [note_start], "response": [bound_reply]}


# -- parameters ---------------------------------------------------------------------------------


def refuse_non_finite(parameters: Mapping[str, Any]) -> None:
    """Raises `ProviderError` (BAD_REQUEST) for parameters that could only be sent as null."""
    if names := not_finite(parameters):
        raise ProviderError(
            ErrorKind.BAD_REQUEST,
            f"The parameter “{names[0]}” is not a finite number: {parameters[names[0]]}",
        )


def encoded(arguments: dict[str, Any], key: str) -> tuple[bytes, dict[str, Any]]:
    """A request as it is sent, and as it is kept: without the key, should it occur in there.

    Raises `ProviderError` (BAD_REQUEST) for what JSON cannot hold.
    """
    try:
        content = orjson.dumps(arguments)
        shown = orjson.dumps(key)[1:-1]
    except (TypeError, ValueError) as problem:
        raise ProviderError(
            ErrorKind.BAD_REQUEST,
            _hide(f"{type(problem).__name__}: {problem}"[:500], key),
            request=redact(arguments, key),
        ) from None
    # Looking for it in the bytes is thirty times faster than in every string of a schema.
    return content, redact(arguments, key) if shown in content else arguments


# -- what is not said ---------------------------------------------------------------------------


def unsaid(sdk: Any) -> dict[str, Any]:
    """Headers of an SDK that tell the vendor our system, machine and Python: left out.

    No answer depends on them, and making and checking nine of them is a tenth of a call's work.
    """
    return {f"X-Stainless-{name}": sdk.Omit() for name in _TELEMETRY}


_TELEMETRY = (
    *("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Async"),
    *("Retry-Count", "Read-Timeout", "Timeout"),
)


# -- secrets ------------------------------------------------------------------------------------


def redact(value: Any, key: str) -> Any:
    """`value` (JSON-able) without the key; letters within a longer word are no key and stay."""
    pattern = _standing(key)
    return _without(value, pattern) if pattern else value


@lru_cache(maxsize=16)
def _standing(key: str) -> re.Pattern[str] | None:
    """Finds a key where it stands by itself; None for one too short to be a secret.

    A reply is kept as the JSON it came in, where a line's end is the two characters "\\n": the
    letter of such an escape is no part of a word.
    """
    if len(key) < KEY_LENGTH:
        return None
    # A short key may be a word of a model's name, whose words are joined by hyphens.
    word = "[A-Za-z0-9_]" if len(key) >= _LONG_KEY else "[A-Za-z0-9_-]"
    return re.compile(rf"(?:(?<!{word})|(?<=\\[bfnrt])){re.escape(key)}(?!{word})")


def _without(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub("[key]", value)
    if isinstance(value, Mapping):
        return {name: _without(item, pattern) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without(item, pattern) for item in value]
    return value


def _hide(words: str, key: str) -> str:
    """`words` of a vendor without the key; vendors like to quote half of it in a refusal."""
    return str(_KEY_SHAPED.sub("[key]", redact(words, key)))


# -- errors -------------------------------------------------------------------------------------


def retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds to wait from `retry-after-ms` or `Retry-After` (seconds or an HTTP date)."""
    milliseconds = headers.get("retry-after-ms")
    if milliseconds and re.fullmatch(r"\d{1,9}(?:\.\d+)?", milliseconds.strip()):
        return float(milliseconds) / 1000
    text = (headers.get("retry-after") or "").strip()
    if not text:
        return None
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def kind_of_status(status: int, code: str, message: str) -> ErrorKind:
    """What an HTTP status means for us; `code` and `message` are the vendor's own words."""
    words = f"{code} {message}".lower()
    if status == 429:
        # An empty purse answers 429 too, but waiting does not fill it.
        return ErrorKind.AUTH if "insufficient_quota" in words else ErrorKind.RATE_LIMITED
    if status in (401, 402, 403):
        return ErrorKind.AUTH
    if status == 404:
        return ErrorKind.UNKNOWN_MODEL
    if status == 408:
        return ErrorKind.TIMEOUT
    if status == 413:
        return ErrorKind.CONTEXT_TOO_LONG
    if status in (409, 425) or status >= 500:
        return ErrorKind.SERVER
    if _TOO_LONG.search(words):
        return ErrorKind.CONTEXT_TOO_LONG
    if _FILTERED.search(words):
        return ErrorKind.CONTENT_FILTER
    if "model_not_found" in words:
        return ErrorKind.UNKNOWN_MODEL
    return ErrorKind.BAD_REQUEST


def error_from(
    problem: Exception, sdk: Any, *, request: dict[str, Any], key: str, seconds: float
) -> ProviderError:
    """The `ProviderError` for whatever an SDK raised; both SDKs name their errors alike."""

    def error(kind: ErrorKind, detail: str, **more: Any) -> ProviderError:
        return ProviderError(kind, _hide(detail, key), request=request, seconds=seconds, **more)

    if isinstance(problem, sdk.APITimeoutError):
        return error(ErrorKind.TIMEOUT, f"No complete reply within {seconds:.1f} s.")
    if isinstance(problem, sdk.APIStatusError):
        return _from_status(problem, error, key)
    if isinstance(problem, sdk.APIConnectionError):
        cause = problem.__cause__
        if type(cause).__name__ in ("UnsupportedProtocol", "LocalProtocolError", "InvalidURL"):
            # Our own address or key is not one that can be sent; asking again changes nothing.
            return error(
                ErrorKind.BAD_REQUEST,
                f"The provider's address or key cannot be used ({type(cause).__name__}).",
            )
        if type(cause).__name__ == "DecodingError":
            return error(ErrorKind.SERVER, str(cause) or "The reply could not be decoded.")
        return error(
            ErrorKind.CONNECTION, f"No connection to the provider ({type(cause).__name__})."
        )
    if type(problem).__name__ == "DecodingError":
        return error(ErrorKind.SERVER, str(problem) or "The reply could not be decoded.")
    if isinstance(problem, sdk.APIError):
        return error(ErrorKind.SERVER, f"The reply could not be read: {problem}")
    # Raised before anything was sent: an address or an argument the SDK does not take.
    return error(ErrorKind.BAD_REQUEST, f"{type(problem).__name__}: {problem}"[:500])


def _from_status(problem: Any, error: Callable[..., ProviderError], key: str) -> ProviderError:
    body = problem.body if isinstance(problem.body, Mapping) else {}
    inner = body.get("error")
    inner = inner if isinstance(inner, Mapping) else body
    code = " ".join(str(inner.get(name) or "") for name in ("code", "type"))
    message = str(inner.get("message") or "").strip() or "no explanation"
    status = int(problem.status_code)
    if 300 <= status < 400:
        # Following it would carry the key to an address nobody configured.
        return error(
            ErrorKind.BAD_REQUEST, f"The provider's address answers with a redirect ({status})."
        )
    try:
        raw = problem.response.text
    except Exception:  # the body was cut while an error was being read: the status still counts
        raw = ""
    return error(
        kind_of_status(status, code, message),
        f"HTTP {status}: {message}"[:500],
        retry_after=retry_after(problem.response.headers),
        raw=_hide(raw[:MAX_RAW], key),
    )


def wrong_body(
    detail: str, *, request: dict[str, Any], body: str, key: str, seconds: float
) -> ProviderError:
    """A status 200 that is not a reply."""
    return ProviderError(
        ErrorKind.SERVER,
        detail,
        request=request,
        raw=_hide(body[:MAX_RAW], key),
        seconds=seconds,
    )


def read_object(body: str, *, request: dict[str, Any], key: str, seconds: float) -> dict[str, Any]:
    """The JSON object in `body`. Raises `ProviderError` (SERVER) for anything else."""
    start = body.lstrip()[:15].lower()
    if start.startswith(("<!doctype", "<html")):
        detail = "The provider answered with a web page instead of a reply."
    else:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            detail = "The reply is not complete JSON."
        else:
            if isinstance(value, dict):
                return value
            detail = "The reply is JSON, but not an object."
    raise wrong_body(detail, request=request, body=body, key=key, seconds=seconds)


def count(value: Any) -> int | None:
    """A token count, or `None` where the vendor sent something else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
