"""The stub's batch desks, one for each vendor's protocol; they misbehave on demand too.

A batch ends after `looks` looks. Its results come in reverse order. What becomes of a batch is the
next word of `script`: "ok", "failed" (refused as a whole), "expired" (every other question
unanswered), "errors" (every third one fails on the server), "invalid" (the first one is refused),
"cut" (the last result is cut in half), "twice" (every result stands there twice), "full" (no room
in the queue), "revoked" (the model is refused in every third line), "odd" (lines of odd shapes),
"late" (the file of answers comes later than the end), "truncated", "missing", "malformed" or any
other behaviour that spoils a reply (then of every fourth one).

What has ended cannot be cancelled, and an unknown batch or file is answered with 404.
"""

import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs

ODD_BODIES: list[Any] = [None, "gateway", {"error": "busy"}, {"error": None}]
ODD_LINES: list[Any] = [
    {"custom_id": None, "response": None, "error": "gone"},
    {"custom_id": "nobody-1", "response": {"status_code": "200", "body": []}},
    {"custom_id": "nobody-2", "response": []},
]


@dataclass
class Batch:
    """One batch as the vendor keeps it."""

    id: str
    lines: list[tuple[str, dict[str, Any]]]
    behaviour: str
    metadata: dict[str, str] = field(default_factory=dict)
    looks: int = 0
    cancelled: bool = False
    made: str = field(default_factory=lambda: datetime.now(UTC).isoformat())


class Desk:
    """Files and batches. `reply` is told path, body and how to spoil; it gives status and body."""

    def __init__(self, reply: Callable[[str, dict[str, Any], str], tuple[int, Any]]) -> None:
        self.reply = reply
        self.looks = 1
        self.script: deque[str] = deque()
        self.files: dict[str, tuple[str, bytes]] = {}
        self.batches: dict[str, Batch] = {}
        self.lost: set[str] = set()  # verbs whose answer never arrives: "upload", "create"
        self.page = 100  # batches in one answer to a listing
        self.unknown_files = 0  # times a file that was just uploaded is not known yet
        self._lock = threading.Lock()

    def handle(
        self, verb: str, path: str, content: bytes, kind: str
    ) -> tuple[int, Any] | bytes | None:
        """The answer to a request; None if this is no path of ours, b"" to hang up."""
        path, _mark, query = path.partition("?")
        with self._lock:
            parts = path.strip("/").split("/")
            if parts[:2] == ["v1", "files"]:
                return self._files(verb, parts[2:], content, kind)
            if parts[:2] == ["v1", "batches"]:
                return self._openai(verb, parts[2:], content)
            if parts[:3] == ["v1", "messages", "batches"]:
                return self._anthropic(verb, parts[3:], content, query)
            return None

    def sent(self) -> int:
        """Questions in all batches."""
        return sum(len(batch.lines) for batch in self.batches.values())

    # -- OpenAI -----------------------------------------------------------------------------------

    def _files(
        self, verb: str, rest: list[str], content: bytes, kind: str
    ) -> tuple[int, Any] | bytes:
        if verb == "GET" and not rest:
            rows = [{"id": pk, "filename": name} for pk, (name, _c) in self.files.items()]
            return 200, {"data": rows, "has_more": False}
        if verb == "GET":
            found = self.files.get(rest[0])
            return found[1] if found else (404, _error("no such file"))
        boundary = kind.partition("boundary=")[2].strip('"').encode()
        name, body = "", b""
        for part in content.split(b"--" + boundary):
            head, _gap, value = part.partition(b"\r\n\r\n")
            if b'name="file"' in head:
                name = head.partition(b'filename="')[2].partition(b'"')[0].decode()
                body = value.removesuffix(b"\r\n")
        pk = f"file-{len(self.files) + 1}"
        self.files[pk] = (name, body)
        return self.unless_lost("upload", {"id": pk, "filename": name, "object": "file"})

    def _openai(self, verb: str, rest: list[str], content: bytes) -> tuple[int, Any] | bytes:
        if verb == "POST" and not rest:
            asked = json.loads(content)
            if self.unknown_files:
                self.unknown_files -= 1
                return 400, _error(f"Cannot find file {asked['input_file_id']}, or organization")
            rows = [json.loads(row) for row in self.files[asked["input_file_id"]][1].splitlines()]
            lines = [(row["custom_id"], row["body"]) for row in rows]
            batch = self.make("batch", lines, asked.get("metadata") or {})
            return self.unless_lost("create", self._openai_row(batch))
        if not rest:
            rows = [self._openai_row(b) for b in reversed(self.batches.values())]
            return 200, {"data": rows, "has_more": False}
        batch = self.batches.get(rest[0])
        if batch is None:
            return 404, _error("No batch found")
        if verb == "POST":
            if self._openai_row(batch)["status"] in ("completed", "expired", "failed"):
                return 409, _error("Cannot cancel a batch that has ended")
            batch.cancelled = True
        else:
            batch.looks += 1
        return 200, self._openai_row(batch)

    def _openai_row(self, batch: Batch) -> dict[str, Any]:
        row: dict[str, Any] = {"id": batch.id, "metadata": batch.metadata, "status": "in_progress"}
        if batch.cancelled:
            row["status"] = "cancelled"
        elif batch.behaviour == "failed":
            row |= {"status": "failed", "errors": {"data": [{"message": "a line is wrong"}]}}
        elif batch.behaviour == "full":
            error = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached"}
            row |= {"status": "failed", "errors": {"data": [error]}}
        elif batch.looks > self.looks:
            good, bad = [], []
            for name, status, body in self._outcomes(batch, "/v1/chat/completions"):
                if status is None:
                    error = {"code": "batch_expired", "message": "not done in time"}
                    bad.append({"custom_id": name, "response": None, "error": error})
                    continue
                response = {"status_code": status, "body": body}
                line = {"custom_id": name, "response": response, "error": None}
                (good if status == 200 else bad).append(line)
            row["status"] = "expired" if batch.behaviour == "expired" else "completed"
            row["completed_at"] = int(datetime.now(UTC).timestamp())
            row["request_counts"] = {"completed": len(good), "failed": len(bad)}
            if batch.behaviour == "late" and batch.looks < self.looks + 4:
                return row | {"output_file_id": None, "error_file_id": None}
            if batch.behaviour == "odd":
                bad += ODD_LINES
            for field_, rows in (("output_file_id", good), ("error_file_id", bad)):
                if rows:
                    pk = f"{batch.id}-{field_}"
                    self.files[pk] = (pk, _jsonl(rows, cut=batch.behaviour == "cut"))
                    row[field_] = pk
        return row

    # -- Anthropic --------------------------------------------------------------------------------

    def _anthropic(
        self, verb: str, rest: list[str], content: bytes, query: str
    ) -> tuple[int, Any] | bytes:
        if verb == "POST" and not rest:
            asked = json.loads(content)["requests"]
            batch = self.make("msgbatch", [(r["custom_id"], r["params"]) for r in asked], {})
            if batch.behaviour == "failed":
                del self.batches[batch.id]
                return 400, _error("a request is not allowed")
            return self.unless_lost("create", self._anthropic_row(batch))
        if not rest:
            rows = [self._anthropic_row(b) for b in reversed(self.batches.values())]
            names = [row["id"] for row in rows]
            after = parse_qs(query).get("after_id", [""])[0]
            start = names.index(after) + 1 if after else 0
            part = rows[start : start + self.page]
            more = start + self.page < len(rows)
            return 200, {
                "data": part,
                "has_more": more,
                "last_id": part[-1]["id"] if part else None,
            }
        batch = self.batches.get(rest[0])
        if batch is None:
            return 404, _error("Message batch not found", "not_found_error")
        if rest[1:] == ["results"]:
            rows = []
            for name, status, body in self._outcomes(batch, "/v1/messages"):
                if status == 200:
                    result: dict[str, Any] = {"type": "succeeded", "message": body}
                elif status is None:
                    result = {"type": "expired"}
                else:
                    result = {"type": "errored", "error": {"type": "error", **body}}
                rows.append({"custom_id": name, "result": result})
            return _jsonl(rows, cut=batch.behaviour == "cut")
        if verb == "POST":
            if self._anthropic_row(batch)["processing_status"] == "ended":
                return 400, _error("This batch has ended and cannot be canceled")
            batch.cancelled = True
        else:
            batch.looks += 1
        return 200, self._anthropic_row(batch)

    def _anthropic_row(self, batch: Batch) -> dict[str, Any]:
        ended = batch.cancelled or batch.looks > self.looks
        return {
            "id": batch.id,
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"processing": len(batch.lines), "succeeded": 0, "errored": 0},
            "created_at": batch.made,
            "results_url": f"/v1/messages/batches/{batch.id}/results" if ended else None,
        }

    # -- both -------------------------------------------------------------------------------------

    def make(
        self, kind: str, lines: list[tuple[str, dict[str, Any]]], metadata: dict[str, str]
    ) -> Batch:
        behaviour = self.script.popleft() if self.script else "ok"
        batch = Batch(f"{kind}_{len(self.batches) + 1}", lines, behaviour, metadata)
        self.batches[batch.id] = batch
        return batch

    def _outcomes(self, batch: Batch, path: str) -> list[tuple[str, int | None, Any]]:
        """(name, status, body) of every question, in reverse; status None is unanswered."""
        known = (
            "ok",
            "failed",
            "expired",
            "errors",
            "invalid",
            "cut",
            "twice",
            "late",
            "odd",
            "revoked",
        )
        rows: list[tuple[str, int | None, Any]] = []
        for n, (name, body) in enumerate(batch.lines):
            if batch.behaviour == "expired" and n % 2:
                rows.append((name, None, None))
            elif batch.behaviour == "errors" and n % 3 == 0:
                rows.append((name, 500, _error("it broke", "api_error")))
            elif batch.behaviour == "revoked" and n % 3 == 0:
                rows.append((name, 404, _error("no such model", "not_found_error")))
            elif batch.behaviour == "odd" and n % 3 == 0:
                rows.append((name, 0, ODD_BODIES[n // 3 % len(ODD_BODIES)]))
            elif batch.behaviour == "invalid" and n == 0:
                rows.append((name, 400, _error("a field is wrong")))
            else:
                spoil = "ok" if batch.behaviour in known or n % 4 else batch.behaviour
                rows.append((name, *self.reply(path, body, spoil)))
        return [*reversed(rows), *(rows if batch.behaviour == "twice" else [])]

    def unless_lost(self, verb: str, answer: Any) -> tuple[int, Any] | bytes:
        if verb in self.lost:
            self.lost.discard(verb)
            return b""
        return 200, answer


def _jsonl(rows: list[dict[str, Any]], *, cut: bool) -> bytes:
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return (text[: -len(json.dumps(rows[-1])) // 2] if cut and rows else text).encode()


def _error(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"error": {"type": kind, "code": kind, "message": message}}
