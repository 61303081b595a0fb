"""Anthropic's message batches: one request up, one file of results down."""

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.providers import wire
from judge.providers.base import TIMEOUT, ErrorKind, Prompt, ProviderError, Reply
from judge.providers.batching import Line, Look, rows_of

_PATH = "/v1/messages/batches"
PAGES = 10
# The names of errors inside a batch, as the statuses they have outside of one.
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
}


class AnthropicBatches:
    """Message batches. They carry no name of ours, but each question in them does.

    Args:
        client: makes the SDK's client; raises ProviderError without a key.
        body: builds a request's body.
        read: reads a reply's body.
    """

    finds_its_own = False

    def __init__(
        self,
        client: Callable[[], Any],
        key: Callable[[], str],
        body: Callable[[Prompt, str, Mapping[str, Any]], dict[str, Any]],
        read: Callable[[str, str], Reply],
    ) -> None:
        self._client, self._key, self._body, self._read = client, key, body, read

    def body(self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The request that `complete` would send."""
        return self._body(prompt, model, parameters)

    def upload(self, mark: str, lines: Sequence[Line], *, again: bool) -> str:
        """Nothing: the questions go along with `create`."""
        return ""

    def create(self, mark: str, upload_id: str, lines: Sequence[Line]) -> str:
        """Send all questions."""
        body = {"requests": [{"custom_id": line.name, "params": line.body} for line in lines]}
        made = self._send("post", _PATH, body=body)
        if not isinstance(made.get("id"), str):
            raise ProviderError(ErrorKind.SERVER, "The provider's reply names no id.")
        return str(made["id"])

    def find(
        self, mark: str, *, since: datetime, requests: int, known: Collection[str]
    ) -> str | None:
        """The one batch of that size that was made since and that we do not know.

        Whether it is ours is certain when its results arrive: their names carry our mark.
        """
        oldest = None
        for row in self._list():  # the newest comes first
            counts = row.get("request_counts") or {}
            size = sum(n for n in counts.values() if isinstance(n, int))
            made = _moment(row.get("created_at"))
            # Their clock and ours may differ a little.
            if made is not None and made < since - timedelta(minutes=2):
                break
            if isinstance(row.get("id"), str) and row["id"] not in known and size == requests:
                oldest = str(row["id"])
        return oldest

    def _list(self) -> Iterator[dict[str, Any]]:
        query: dict[str, Any] = {"limit": 100}
        for _page in range(PAGES):
            found = self._send("get", _PATH, params=query)
            yield from found.get("data") or []
            if not found.get("has_more") or not found.get("last_id"):
                return
            query["after_id"] = found["last_id"]

    def look(self, remote_id: str) -> Look:
        """How it stands."""
        return Look(self._send("get", f"{_PATH}/{remote_id}").get("processing_status") == "ended")

    def results(self, remote_id: str) -> Iterator[tuple[str, Reply | ProviderError]]:
        """Every question's outcome."""
        for row in rows_of(self._text("get", f"{_PATH}/{remote_id}/results")):
            yield str(row.get("custom_id")), self._result(row.get("result") or {})

    def cancel(self, remote_id: str) -> None:
        """Ask for its end."""
        self._send("post", f"{_PATH}/{remote_id}/cancel", body={})

    def _result(self, result: Mapping[str, Any]) -> Reply | ProviderError:
        kind = result.get("type")
        if kind == "succeeded":
            try:
                return self._read(
                    json.dumps(result.get("message") or {}, ensure_ascii=False), self._key()
                )
            except ProviderError as error:
                return error
        if kind == "errored":
            inner = (result.get("error") or {}).get("error") or {}
            name, message = str(inner.get("type") or ""), str(inner.get("message") or "")
            kind_ = wire.kind_of_status(_STATUS.get(name, 500), name, message)
            return ProviderError(kind_, f"{name}: {message}"[:500])
        return ProviderError(ErrorKind.TIMEOUT, f"{kind} before it was answered")

    # -- the wire -------------------------------------------------------------------------------

    def _send(self, verb: str, path: str, **more: Any) -> dict[str, Any]:
        text = self._text(verb, path, **more)
        return wire.read_object(text, request={}, key=self._key(), seconds=0.0)

    def _text(
        self, verb: str, path: str, *, body: Any = None, params: Mapping[str, Any] | None = None
    ) -> str:
        import anthropic
        import httpx2

        client = self._client()
        options: dict[str, Any] = {"timeout": TIMEOUT}
        if params:
            options["params"] = dict(params)
        arguments = {"body": body} if verb == "post" else {}
        started = time.monotonic()
        try:
            reply = getattr(client, verb)(
                path, cast_to=httpx2.Response, options=options, **arguments
            )
            return str(reply.text)
        except Exception as problem:
            seconds = time.monotonic() - started
            raise wire.error_from(
                problem, anthropic, request={}, key=self._key(), seconds=seconds
            ) from None


def _moment(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
