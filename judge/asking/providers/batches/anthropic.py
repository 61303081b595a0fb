"""Anthropic's message batches: one request to start, one file of results."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from judge.asking.providers import wire
from judge.asking.providers.base import TIMEOUT, ErrorKind, Prompt, ProviderError, Reply
from judge.asking.providers.batches.interface import PAGES, BatchStatus, Line, rows_of
from judge.asking.providers.vendor import RawResponse, Vendor

# Names of errors in a batch -> HTTP statuses of the same errors outside of one.
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
    """Message batches by the SDK's methods; our mark is in the names of the questions only."""

    finds_its_own = False

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor

    def body(self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body of the request that `complete` would send."""
        return self._vendor.request_body(prompt, model=model, parameters=parameters)

    def upload(self, mark: str, lines: Sequence[Line], *, again: bool) -> str:
        """Do nothing: `create` sends the questions."""
        return ""

    def create(self, mark: str, upload_id: str, lines: Sequence[Line]) -> str:
        """Send all questions."""
        requests = [{"custom_id": line.name, "params": line.body} for line in lines]
        made = self._send("create", requests=requests)
        if not isinstance(made.get("id"), str):
            raise ProviderError(ErrorKind.SERVER, "The provider's reply names no id.")
        return str(made["id"])

    def find(
        self, mark: str, *, since: datetime, requests: int, known: Collection[str]
    ) -> str | None:
        """Return the oldest unknown batch of that size made since; None without one.

        Whether it is ours shows when its results arrive, whose names carry our mark.
        """
        oldest = None
        for row in self._list():  # the newest comes first
            counts = row.get("request_counts") or {}
            size = sum(n for n in counts.values() if isinstance(n, int))
            made = _moment(row.get("created_at"))
            # The two clocks may differ a little.
            if made is not None and made < since - timedelta(minutes=2):
                break
            if isinstance(row.get("id"), str) and row["id"] not in known and size == requests:
                oldest = str(row["id"])
        return oldest

    def _list(self) -> Iterator[dict[str, Any]]:
        query: dict[str, Any] = {"limit": 100}
        for _page in range(PAGES):
            found = self._send("list", **query)
            yield from found.get("data") or []
            if not found.get("has_more") or not found.get("last_id"):
                return
            query["after_id"] = found["last_id"]

    def status(self, remote_id: str) -> BatchStatus:
        return BatchStatus(self._send("retrieve", remote_id).get("processing_status") == "ended")

    def results(self, remote_id: str) -> Iterator[tuple[str, Reply | ProviderError]]:
        """Yield (name of a question, its outcome)."""
        for row in rows_of(self._text("results", remote_id)):
            yield str(row.get("custom_id")), self._result(row.get("result") or {})

    def cancel(self, remote_id: str) -> None:
        """Ask the provider to cancel a batch."""
        self._send("cancel", remote_id)

    def _result(self, result: Mapping[str, Any]) -> Reply | ProviderError:
        kind = result.get("type")
        if kind == "succeeded":
            try:
                body = json.dumps(result.get("message") or {}, ensure_ascii=False)
                return self._vendor.batched_reply(body)
            except ProviderError as error:
                return error
        if kind == "errored":
            inner = (result.get("error") or {}).get("error") or {}
            name, message = str(inner.get("type") or ""), str(inner.get("message") or "")
            kind_ = wire.kind_of_status(_STATUS.get(name, 500), name, message)
            return ProviderError(kind_, f"{name}: {message}"[:500])
        return ProviderError(ErrorKind.TIMEOUT, f"{kind} before it was answered")

    # -- calls ------------------------------------------------------------------------------------

    def _send(self, method: str, *names: str, **arguments: Any) -> dict[str, Any]:
        """Call one of the SDK's methods for batches; return the reply's object."""
        text = self._text(method, *names, **arguments)
        return wire.read_object(text, request={}, key=self._vendor.key, seconds=0.0)

    def _text(self, method: str, *names: str, **arguments: Any) -> str:
        def call(client: Any) -> RawResponse:
            methods = client.messages.batches.with_raw_response
            response: RawResponse = getattr(methods, method)(*names, **arguments, timeout=TIMEOUT)
            return response

        return self._vendor.send(call).body


def _moment(text: Any) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
