"""Clients, secrets and the meaning of errors, for both vendors."""

import base64
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from judge.asking.providers.base import ErrorKind, ProviderError, Usage, not_finite
from judge.asking.providers.inputs import Picture

if TYPE_CHECKING:
    from judge.asking.providers.transport import BoundedTransport

MAX_RAW = 20_000
"""Characters kept of a body that is not a usable reply."""

KEY_LENGTH = 8
"""A shorter key is no secret: local servers take "none" or "stub", words of ordinary texts."""

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


def client_for(
    vendor: str,
    key: str,
    base_url: str,
    make: Callable[["BoundedTransport"], Any],
    *,
    private: Sequence[str] | None = None,
) -> Any:
    """Return the one client of this process for a vendor, key and address.

    The SDKs' clients are thread-safe. The process id is part of the name because open connections
    must not be shared across a fork. `make` receives the transport its HTTP client uses; `private`
    is what that transport takes.
    """
    from judge.asking.providers.transport import (
        BoundedTransport,  # the HTTP library is slow to import
    )

    name = (os.getpid(), vendor, key, base_url, None if private is None else tuple(private))
    with _clients_lock:
        if name not in _clients:
            _clients[name] = make(BoundedTransport(base_url, private=private))
        return _clients[name]


def account_of(vendor: str, key: str, base_url: str) -> str:
    """Return an opaque name for a key: equal for equal keys, useless to whoever reads it."""
    digest = hashlib.sha256(f"{vendor}\n{key}\n{base_url}".encode()).hexdigest()
    return f"{vendor}-{digest[:12]}"


# -- parameters ---------------------------------------------------------------------------------


def refuse_non_finite(parameters: Mapping[str, Any]) -> None:
    """Raise ProviderError (BAD_REQUEST) for parameters that could only be sent as null."""
    if names := not_finite(parameters):
        raise ProviderError(
            ErrorKind.BAD_REQUEST,
            f"The parameter “{names[0]}” is not a finite number: {parameters[names[0]]}",
        )


# -- secrets ------------------------------------------------------------------------------------


def redact(value: Any, key: str) -> Any:
    """Return `value` (JSON-able) without the key; letters within a longer word stay."""
    pattern = _standing(key)
    return _without(value, key, pattern) if pattern else value


@lru_cache(maxsize=16)
def _standing(key: str) -> re.Pattern[str] | None:
    """Return a pattern that finds a key as a whole word; None if it is too short to be a secret.

    A reply is stored as the JSON it came in, where a line ends by the two characters "\\n": the
    letter of such an escape is no part of a word.
    """
    if len(key) < KEY_LENGTH:
        return None
    # A short key may be a word of a model's name, whose words are joined by hyphens.
    word = "[A-Za-z0-9_]" if len(key) >= _LONG_KEY else "[A-Za-z0-9_-]"
    return re.compile(rf"(?:(?<!{word})|(?<=\\[bfnrt])){re.escape(key)}(?!{word})")


def _without(value: Any, key: str, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub("[key]", value) if key in value else value
    if isinstance(value, Mapping):
        return {name: _without(item, key, pattern) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without(item, key, pattern) for item in value]
    return value


def _hide(words: str, key: str) -> str:
    """Return a vendor's words without the key; refusals often quote half of it."""
    return str(_KEY_SHAPED.sub("[key]", redact(words, key)))


# -- pictures -----------------------------------------------------------------------------------

_MARK = "sha256:"


def picture_mark(picture: Picture) -> str:
    """Return what stands for a picture's bytes in a request until it is sent, and for good where
    the request is stored: megabytes that the storage has already would be no record."""
    return _MARK + picture.sha256


def with_pictures(body: Mapping[str, Any], read: Callable[[str], bytes]) -> dict[str, Any]:
    """Return a request with the pictures in the places of their marks, as base64.

    Args:
        read: returns the bytes of the picture with this SHA-256; raises OSError without them.

    Raises:
        ProviderError: PICTURE_GONE, a picture is gone from the storage or is another one now.
    """
    return {name: _filled(v, read) if name == "messages" else v for name, v in body.items()}


def _filled(value: Any, read: Callable[[str], bytes]) -> Any:
    if isinstance(value, list):
        return [_filled(item, read) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("type") == "image_url":  # OpenAI's content parts
        start, _mark, sha256 = value["image_url"]["url"].partition(_MARK)
        return {**value, "image_url": {"url": start + _base64_of(sha256, read)}}
    if value.get("type") == "image":  # Anthropic's content blocks
        sha256 = value["source"]["data"].removeprefix(_MARK)
        return {**value, "source": {**value["source"], "data": _base64_of(sha256, read)}}
    return {name: _filled(item, read) for name, item in value.items()}


def _base64_of(sha256: str, read: Callable[[str], bytes]) -> str:
    try:
        data = read(sha256)
    except (OSError, KeyError):
        data = b""
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ProviderError(
            ErrorKind.PICTURE_GONE, "A picture of the task is gone from the storage or damaged."
        )
    return base64.b64encode(data).decode()


# -- errors -------------------------------------------------------------------------------------


def retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Return the seconds to wait by `retry-after-ms` or `Retry-After` (seconds or a date)."""
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
    """Return what an HTTP status means; `code` and `message` are the vendor's own words."""
    words = f"{code} {message}".lower()
    if status == 429:
        # A vendor answers 429 for an empty account too, and waiting does not help.
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
    """Return the ProviderError for what an SDK raised; both SDKs name their errors alike."""

    def error(kind: ErrorKind, detail: str, **more: Any) -> ProviderError:
        return ProviderError(kind, _hide(detail, key), request=request, seconds=seconds, **more)

    if isinstance(problem, sdk.APITimeoutError):
        return error(ErrorKind.TIMEOUT, f"No complete reply within {seconds:.1f} s.")
    if isinstance(problem, sdk.APIStatusError):
        return _from_status(problem, error, key)
    if isinstance(problem, sdk.APIConnectionError):
        cause = problem.__cause__
        if type(cause).__name__ == "RefusedAddressError":
            return error(ErrorKind.BAD_REQUEST, str(cause))
        if type(cause).__name__ in ("UnsupportedProtocol", "LocalProtocolError", "InvalidURL"):
            # Our own address or key cannot be sent; asking again changes nothing.
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
    # Raised before anything was sent: an address or argument the SDK does not take.
    return error(ErrorKind.BAD_REQUEST, f"{type(problem).__name__}: {problem}"[:500])


def _from_status(problem: Any, error: Callable[..., ProviderError], key: str) -> ProviderError:
    body = problem.body if isinstance(problem.body, Mapping) else {}
    inner = body.get("error")
    code, message = _words_of(inner if isinstance(inner, Mapping) else body)
    status = int(problem.status_code)
    if 300 <= status < 400:
        # Following it would send the key to an address nobody configured.
        return error(
            ErrorKind.BAD_REQUEST, f"The provider's address answers with a redirect ({status})."
        )
    try:
        raw = problem.response.text
    except Exception:  # the body was cut; the status still counts
        raw = ""
    return error(
        kind_of_status(status, code, message),
        f"HTTP {status}: {message}"[:500],
        retry_after=retry_after(problem.response.headers),
        raw=_hide(raw[:MAX_RAW], key),
    )


def _words_of(error: Mapping[str, Any]) -> tuple[str, str]:
    """Return the code and the message of a vendor's error."""
    code = " ".join(str(error.get(name) or "") for name in ("code", "type"))
    return code, str(error.get("message") or "").strip() or "no explanation"


def wrong_body(
    detail: str,
    *,
    request: dict[str, Any],
    body: str,
    key: str,
    seconds: float,
    reply: Mapping[str, Any] | None = None,
    usage: Usage | None = None,
) -> ProviderError:
    """Return the error for a status 200 that is not a reply.

    Args:
        reply: the object in the body, if there is one. Gateways put the error of the server behind
            them into it, with its status as the code.
    """
    kind, inner = ErrorKind.SERVER, (reply or {}).get("error")
    if isinstance(inner, Mapping):
        code, message = _words_of(inner)
        status = inner.get("code")
        if isinstance(status, int) and 400 <= status < 600:
            kind = kind_of_status(status, code, message)
        detail = _hide(f"HTTP 200 with an error: {message}"[:500], key)
    return ProviderError(
        kind,
        detail,
        request=request,
        raw=_hide(body[:MAX_RAW], key),
        seconds=seconds,
        usage=usage,
    )


def read_object(body: str, *, request: dict[str, Any], key: str, seconds: float) -> dict[str, Any]:
    """Return the JSON object in `body`. Raises ProviderError (SERVER) for anything else."""
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
    """Return a token count, or None if the vendor sent something else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
