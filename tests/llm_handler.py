"""How the stub answers one request, well or badly, in either vendor's protocol."""

import json
import time
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from tests.llm_rule import Asked, spoilt

if TYPE_CHECKING:
    from tests.llm_stub import Behaviour, Stub


class StubHandler(BaseHTTPRequestHandler):
    """Answers one connection as its stub says."""

    owner: "Stub"
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args: Any) -> None:
        """Quiet: the requests are recorded."""

    def do_GET(self) -> None:
        if self.path == "/stats":
            self._send(200, self.owner.stats())
        elif not self._at_desk("GET", b""):
            self._error(404, "not_found_error", f"no such path {self.path}")

    def parse_request(self) -> bool:
        # The latency is the server's whole time: reading the headers is part of it.
        self.arrived = time.monotonic()
        return super().parse_request()

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self._at_desk("POST", content):
            return
        try:
            body = json.loads(content)
        except ValueError:
            self._send(400, {"error": {"message": "not JSON", "type": "invalid_request_error"}})
            return
        path = self.path.split("?")[0]
        if not path.endswith(("/chat/completions", "/messages")):
            self._error(404, "not_found_error", f"no such path {path}")
            return
        headers = {k.lower(): v for k, v in self.headers.items()}
        record = self.owner.begin(path, headers, body, content)
        asked = None
        try:
            asked = Asked.read(path, body)
            # What a cache holds counts when the call arrives, not when it is answered.
            asked.hit = asked.caches and self.owner.cached(asked.prefix, finished=False)
            if record.latency:
                # What it does itself is part of its latency as well.
                asked.answer()
                self.owner.closing.wait(max(0.0, self.arrived + record.latency - time.monotonic()))
            if not self._refuses(headers, body):
                self._misbehave(record.behaviour, asked)
        finally:
            self.owner.end(record, asked)

    def _refuses(self, headers: dict[str, str], body: dict[str, Any]) -> bool:
        """Refuse as this vendor does: a wrong key, an unknown model, a field it does not know."""
        stub, model = self.owner, body.get("model")
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if stub.key and stub.key not in (given, headers.get("x-api-key")):
            self._error(401, "authentication_error", "Incorrect key provided.")
        elif stub.serves and model not in stub.serves:
            self._error(404, "model_not_found", f"The model {model} does not exist.")
        elif wrong := sorted(set(stub.refuses) & set(body)):
            words = f"Unsupported parameter: {wrong[0]}."
            self._error(400, "unsupported_parameter", words)
        else:
            return False
        return True

    def _at_desk(self, verb: str, content: bytes) -> bool:
        """Files and batches; False if the path is none of theirs."""
        kind = self.headers.get("content-type") or ""
        found = self.owner.desk.handle(verb, self.path, content, kind)
        if found == b"":
            self.close_connection = True
        elif isinstance(found, bytes):
            self._bytes(200, found, {"content-type": "application/octet-stream"})
        elif found is not None:
            self._send(*found)
        return found is not None

    def _misbehave(self, behaviour: "Behaviour", asked: Asked) -> None:
        """One branch per behaviour; what is not known is a bug of the test, said loudly."""
        name = behaviour.name
        wait = behaviour.retry_after
        if name in ("ok", "slow"):
            if name == "slow":
                self.owner.closing.wait(0.2)
            text = asked.answer() if behaviour.text is None else behaviour.text
            self._reply(asked, text, behaviour.stop, parts=behaviour.parts)
        elif name == "429":
            wait = self.owner.retry_after if wait is None else wait
            self._error(429, "rate_limit_error", "slow down", {"retry-after": wait} if wait else {})
        elif name == "quota":
            self._error(429, "insufficient_quota", "the purse is empty")
        elif name in ("500", "503"):
            headers = {"retry-after": wait} if wait else {}
            self._error(int(name), "api_error", "something broke", headers)
        elif name == "529":
            self._error(529, "overloaded_error", "overloaded")
        elif name == "401":
            given = self.headers.get("authorization") or self.headers.get("x-api-key") or ""
            self._error(401, "authentication_error", f"Incorrect key provided: {given}")
        elif name == "403":
            self._error(403, "permission_error", "not for you")
        elif name == "404":
            self._error(404, "model_not_found", f"no model {asked.model}")
        elif name == "400":
            self._error(400, "invalid_request_error", "a field is wrong")
        elif name == "413":
            self._error(413, "request_too_large", "too large")
        elif name == "context":
            self._error(400, "context_length_exceeded", "prompt is too long: 300000 tokens")
        elif name == "filter_400":
            self._error(400, "content_filter", "filtered by the content management policy")
        elif name == "redirect":
            self._bytes(302, b"", {"location": f"{self.owner.url}/elsewhere"})
        elif name == "hold":
            self.owner.closing.wait(self.owner.hold)
            self.close_connection = True
        elif name == "drop":
            self.close_connection = True
        elif name == "cut":
            self._cut(asked)
        elif name == "drip":
            self._drip()
        elif name == "html":
            page = b"<!DOCTYPE html><html><body>Sign in to the proxy</body></html>"
            self._bytes(200, page, {"content-type": "text/html"})
        elif name == "broken_json":
            self._bytes(200, b'{"id": "x", "choices": [', {"content-type": "application/json"})
        elif name == "wrong_shape":
            self._send(200, {"hello": "world"})
        elif name == "billed_shape":
            self._send(200, asked.reply("") | {"choices": None, "content": None})
        elif name == "429_inside":
            self._send(
                200, {"error": {"code": 429, "message": "slow down, says the server behind"}}
            )
        elif name == "list":
            self._send(200, [1, 2, 3])
        elif name == "huge":
            self._reply(asked, "x" * 10_000_000)
        elif name == "truncated":
            self._reply(asked, asked.answer()[: len(asked.answer()) // 2], stop="length")
        elif name == "refusal":
            self._reply(asked, "I would rather not.", stop="refusal")
        elif name == "filter":
            self._reply(asked, "", stop="filter")
        else:
            self._reply(asked, spoilt(name, asked))

    # -- the two protocols ----------------------------------------------------------------------

    def _reply(self, asked: Asked, text: str, stop: str = "", *, parts: bool = False) -> None:
        reply = asked.reply(text, stop)
        if parts:
            _in_parts(reply, text)
        self.owner.cached(asked.prefix, finished=True)
        self._send(200, reply)

    def _error(
        self, status: int, kind: str, message: str, headers: dict[str, str] | None = None
    ) -> None:
        error = {"type": kind, "code": kind, "message": message}
        self._send(status, {"type": "error", "error": error}, headers)

    def _send(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        content = json.dumps(value, ensure_ascii=False).encode()
        self._bytes(status, content, {"content-type": "application/json", **(headers or {})})

    def _bytes(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.send_header("x-request-id", "req-stub")
        self.send_header("request-id", "req-stub")
        self._headers_buffer.append(b"\r\n")
        # One write: headers and body in two packets would wait for each other's acknowledgement.
        self.wfile.write(b"".join(self._headers_buffer) + content)
        self._headers_buffer = []

    def _cut(self, asked: Asked) -> None:
        """Promise a whole body, send half of it and hang up."""
        content = asked.answer().encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content) * 2))
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True

    def _drip(self) -> None:
        """A byte now and then, for ever: each one alone is in time."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "100000")
        self.end_headers()
        self.close_connection = True
        try:
            while not self.owner.closing.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            return


def _in_parts(reply: dict[str, Any], text: str) -> None:
    """Send a reply's text in two parts, after a part with the model's thoughts."""
    halves = [{"type": "text", "text": text[:9]}, {"type": "text", "text": text[9:]}]
    parts = [{"type": "thinking", "thinking": "Hm."}, *halves]
    if "content" in reply:
        reply["content"] = parts
    else:
        reply["choices"][0]["message"]["content"] = parts
