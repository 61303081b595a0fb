"""OpenAI's batches: a file is uploaded, a batch is made of it, one or two files are results."""

import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from judge.asking.providers import wire
from judge.asking.providers.base import TIMEOUT, ErrorKind, Prompt, ProviderError, Reply
from judge.asking.providers.batches.interface import FULL, PAGES, BatchStatus, Line, rows_of
from judge.asking.providers.vendor import RawResponse, Vendor

LATE = 86_400  # seconds to wait for a file of answers after its batch has ended
_ENDED = frozenset({"completed", "expired", "cancelled", "failed"})


class OpenAIBatches:
    """Batches of chat completions by the SDK's methods."""

    finds_its_own = True

    def __init__(self, vendor: Vendor) -> None:
        self._vendor = vendor

    def body(self, prompt: Prompt, *, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the body of the request that `complete` would send."""
        return self._vendor.request_body(prompt, model=model, parameters=parameters)

    def upload(self, mark: str, lines: Sequence[Line], *, again: bool) -> str:
        """Upload the questions as a file with our mark in its name; return the file's id."""
        name = f"assay-{mark}.jsonl"
        if again:
            for row in self._list("files", purpose="batch", limit=1000):
                if row.get("filename") == name and isinstance(row.get("id"), str):
                    return str(row["id"])
        content = "\n".join(
            json.dumps(
                {
                    "custom_id": line.name,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": line.body,
                },
                ensure_ascii=False,
            )
            for line in lines
        )
        file = (name, content.encode())
        return _id_of(self._send("files", "create", file=file, purpose="batch"))

    def create(self, mark: str, upload_id: str, lines: Sequence[Line]) -> str:
        """Make a batch of the file, with our mark in its metadata; return its id."""
        made = self._send(
            "batches",
            "create",
            input_file_id=upload_id,
            endpoint="/v1/chat/completions",
            completion_window="24h",
            metadata={"assay": mark},
        )
        return _id_of(made)

    def find(
        self, mark: str, *, since: datetime, requests: int, known: Collection[str]
    ) -> str | None:
        """Return the id of the batch with our mark in its metadata; None without one."""
        for row in self._list("batches", limit=100):
            if _of(row.get("metadata")).get("assay") == mark and isinstance(row.get("id"), str):
                return str(row["id"])
        return None

    def status(self, remote_id: str) -> BatchStatus:
        found = self._send("batches", "retrieve", remote_id)
        status = found.get("status")
        if status == "failed":
            first = next(iter(_of(found.get("errors")).get("data") or ()), None)
            words = str(_of(first).get("message") or "the provider refused the file")
            # Marked by FULL, because without the mark the run would pause though waiting helps.
            full = _of(first).get("code") == FULL
            return BatchStatus(True, f"{FULL}: {words}" if full else words)
        return BatchStatus(status in _ENDED)

    def results(self, remote_id: str) -> Iterator[tuple[str, Reply | ProviderError]]:
        """Yield the lines of the output file, then those of the error file."""
        found = self._send("batches", "retrieve", remote_id)
        answered = _of(found.get("request_counts")).get("completed")
        done = found.get("completed_at")
        late = isinstance(done, int) and time.time() - done < LATE
        if answered and late and not found.get("output_file_id"):
            raise ProviderError(ErrorKind.SERVER, "The file of answers is not there yet.")
        for field in ("output_file_id", "error_file_id"):
            if not found.get(field):
                continue
            text = self._text("files", "content", found[field])
            for row in rows_of(text):
                yield str(row.get("custom_id")), self._result(row)

    def cancel(self, remote_id: str) -> None:
        """Ask the provider to cancel a batch."""
        self._send("batches", "cancel", remote_id)

    def _result(self, row: Mapping[str, Any]) -> Reply | ProviderError:
        response = row.get("response")
        if not isinstance(response, Mapping):
            error = _of(row.get("error"))
            words = f"{error.get('code') or ''}: {error.get('message') or 'no reply'}"
            return ProviderError(ErrorKind.TIMEOUT, words[:500])
        status, body = response.get("status_code"), _of(response.get("body"))
        if status == 200:
            try:
                return self._vendor.batched_reply(json.dumps(body, ensure_ascii=False))
            except ProviderError as error:
                return error
        inner = _of(body.get("error"))
        code, message = str(inner.get("code") or ""), str(inner.get("message") or "")
        # Some lines have the status 0 and nothing else.
        number = status if isinstance(status, int) and status else 500
        kind = wire.kind_of_status(number, code, message)
        if code.startswith("billing_"):  # an empty account is no fault of the response
            kind = ErrorKind.AUTH
        return ProviderError(kind, f"HTTP {status}: {message}"[:500], raw=json.dumps(body))

    # -- calls ------------------------------------------------------------------------------------

    def _list(self, kind: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, at most PAGES pages."""
        for _page in range(PAGES):
            found = self._send(kind, "list", **query)
            rows = found.get("data") or []
            yield from rows
            if not found.get("has_more") or not rows or not rows[-1].get("id"):
                return
            query = {**query, "after": rows[-1]["id"]}

    def _send(self, kind: str, method: str, *names: str, **arguments: Any) -> dict[str, Any]:
        """Call one of the SDK's methods for "files" or "batches"; return the reply's object."""
        text = self._text(kind, method, *names, **arguments)
        return wire.read_object(text, request={}, key=self._vendor.key, seconds=0.0)

    def _text(self, kind: str, method: str, *names: str, **arguments: Any) -> str:
        def call(client: Any) -> RawResponse:
            methods = getattr(client, kind).with_raw_response
            response: RawResponse = getattr(methods, method)(*names, **arguments, timeout=TIMEOUT)
            return response

        return self._vendor.send(call).body


def _of(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _id_of(made: Mapping[str, Any]) -> str:
    if not isinstance(made.get("id"), str):
        raise ProviderError(ErrorKind.SERVER, "The provider's reply names no id.")
    return str(made["id"])
