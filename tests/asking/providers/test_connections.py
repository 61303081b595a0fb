"""Connections to a provider: kept for the next call, and left where they cannot be used again.

The server says byte by byte what comes over the wire. Each of its replies carries a number of its
own, so that a call that is handed another call's reply shows it.
"""

import base64
import json
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from judge.asking.providers import get
from judge.asking.providers.base import ErrorKind, ProviderError
from judge.asking.providers.limiter import Limiter
from judge.asking.providers.retry import Policy, call_with_retries
from tests.asking.providers.conftest import KEY, ask

VENDORS = ("openai", "anthropic")
OK = b"HTTP/1.1 200 OK\r\n"


def body(vendor: str, text: str) -> bytes:
    """A complete reply of the vendor that says `text`."""
    if vendor == "openai":
        choice = {"message": {"content": text}, "finish_reason": "stop"}
        reply = {"choices": [choice], "usage": {}}
    else:
        content = [{"type": "text", "text": text}]
        reply = {"content": content, "stop_reason": "end_turn", "usage": {}}
    return json.dumps(reply, ensure_ascii=False).encode()


def with_length(content: bytes, *, start: bytes = OK) -> bytes:
    return start + b"Content-Length: %d\r\n\r\n" % len(content) + content


def chunked(content: bytes) -> bytes:
    """In pieces of seven bytes, which part some letters, with a trailer behind the last."""
    pieces = [content[at : at + 7] for at in range(0, len(content), 7)]
    sent = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + sent + b"0\r\nX-Sum: 1\r\n\r\n"


def until_the_end(content: bytes, version: bytes = b"1.0") -> bytes:
    """Without a length: the reply is over when the server hangs up."""
    return b"HTTP/" + version + b" 200 OK\r\nContent-Type: application/json\r\n\r\n" + content


class Server:
    """Sends for each request the bytes it was told; else a reply with a length, and stays there."""

    def __init__(self, vendor: str) -> None:
        self.vendor = vendor
        self.connections = self.calls = 0
        self.headers: dict[str, str] = {}  # of all requests
        self.told: queue.SimpleQueue[tuple[Callable[[bytes], bytes], bool]] = queue.SimpleQueue()
        self.peers: list[socket.socket] = []
        self.parted = threading.Semaphore(0)  # one for each connection that is closed on both sides
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def tell(self, frame: Callable[[bytes], bytes], *, hang_up: bool = False) -> None:
        """The next request without word is answered by `frame` of a complete reply's body."""
        self.told.put((frame, hang_up))

    def call(self) -> str:
        """What a call through the vendor's SDK is answered."""
        vendor = get(self.vendor)
        return vendor.complete(ask("An answer."), model="m", parameters={}, timeout=5).text

    def _accept(self) -> None:
        while True:
            try:
                peer, _address = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            self.peers.append(peer)
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        with suppress(ConnectionError), peer, peer.makefile("rb") as reader:
            hang_up = False
            while not hang_up and self._request(reader):
                self.calls += 1
                frame, hang_up = (
                    self.told.get_nowait() if not self.told.empty() else (with_length, False)
                )
                peer.sendall(frame(body(self.vendor, f"Antwort für Nr. {self.calls}")))
        self.parted.release()

    def _request(self, reader) -> bool:
        """Whether a whole request came, or nobody is there any more."""
        length = 0
        while (line := reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            self.headers[name.lower().decode()] = value.strip().decode()
            length = int(value) if name.lower() == b"content-length" else length
        return bool(line) and len(reader.read(length)) == length

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)  # or the thread that accepts would wait on
        self._socket.close()


@pytest.fixture(params=VENDORS)
def server(request, monkeypatch) -> Iterator[Server]:
    serving = Server(request.param)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{serving.port}/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{serving.port}")
    yield serving
    serving.close()


def answers(server: Server, count: int) -> None:
    """The next calls get their own replies."""
    for number in range(server.calls + 1, server.calls + 1 + count):
        assert server.call() == f"Antwort für Nr. {number}"


# -- kept ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", [with_length, chunked])
def test_calls_one_after_the_other_share_a_connection(server, frame):
    for _ in range(3):
        server.tell(frame)
    answers(server, 3)
    assert (server.connections, server.calls) == (1, 3)


def test_a_refusal_that_was_read_to_its_end_leaves_the_connection_as_good_as_before(server):
    server.tell(lambda content: with_length(b"{}", start=b"HTTP/1.1 429 Slow Down\r\n"))
    with pytest.raises(ProviderError) as refused:
        server.call()
    assert refused.value.kind is ErrorKind.RATE_LIMITED
    answers(server, 1)
    assert (server.connections, server.calls) == (1, 2)


# -- not kept -----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_reply_without_a_length_is_whole_when_the_server_hangs_up(server, version):
    for _ in range(2):
        server.tell(lambda content: until_the_end(content, version), hang_up=True)
    answers(server, 3)
    assert (server.connections, server.calls) == (3, 3)


@pytest.mark.parametrize(
    "start", [OK + b"Connection: close\r\n", b"HTTP/1.0 200 OK\r\n"], ids=["close", "1.0"]
)
def test_a_connection_the_server_will_not_keep_is_left_at_once(server, start):
    server.tell(lambda content: with_length(content, start=start))
    answers(server, 1)
    assert server.parted.acquire(timeout=5), "we hung up, though the server did not"
    answers(server, 1)
    assert (server.connections, server.calls) == (2, 2)


@pytest.mark.parametrize("frame", [with_length, chunked])
def test_a_connection_the_server_closed_meanwhile_is_not_used_again(server, frame):
    server.tell(frame, hang_up=True)
    answers(server, 1)
    assert server.parted.acquire(timeout=5)
    answers(server, 1)
    assert (server.connections, server.calls) == (2, 2), (
        "nothing failed, and nothing was sent twice"
    )


def test_a_request_that_met_a_closing_connection_is_told_and_not_sent_twice_in_silence(server):
    """The server may have read it and may bill it: whoever counts calls must know."""
    answers(server, 1)
    server.tell(lambda content: b"", hang_up=True)
    with pytest.raises(ProviderError) as refused:
        server.call()
    assert refused.value.kind is ErrorKind.CONNECTION
    assert (server.connections, server.calls) == (1, 2)
    server.tell(lambda content: b"", hang_up=True)
    attempts = []
    reply = call_with_retries(
        get(server.vendor),
        ask("An answer."),
        model="m",
        parameters={},
        timeout=5,
        policy=Policy(base=0.0),
        limiter=Limiter(1),
        on_attempt=lambda attempt: attempts.append(attempt.event.value),
        sleep=lambda seconds: None,
    )
    assert reply.text == "Antwort für Nr. 4"
    assert attempts == ["starting", "failed", "starting", "answered"]


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (with_length, ErrorKind.CONNECTION),
        (chunked, ErrorKind.CONNECTION),
        (until_the_end, ErrorKind.SERVER),  # which only its JSON tells
    ],
)
def test_a_reply_that_was_cut_is_no_reply_and_its_connection_is_not_used_again(server, frame, kind):
    answers(server, 1)
    server.tell(lambda content: frame(content)[:-20], hang_up=True)
    with pytest.raises(ProviderError) as refused:
        server.call()
    assert refused.value.kind is kind
    answers(server, 1)
    assert (server.connections, server.calls) == (2, 3)


# -- more than was asked for --------------------------------------------------------------------


def stray(server: Server) -> bytes:
    return with_length(body(server.vendor, "another call's reply"))


@pytest.mark.parametrize("frame", [with_length, chunked])
@pytest.mark.parametrize("most", [None, 12, 2], ids=["whole", "begun", "two bytes"])
def test_what_comes_behind_a_reply_is_never_the_next_calls(server, frame, most):
    server.tell(lambda content: frame(content) + stray(server)[:most])
    answers(server, 2)
    assert server.calls == 2


def test_what_comes_while_nothing_is_asked_is_never_the_next_calls(server):
    answers(server, 1)
    server.peers[0].sendall(stray(server))
    answers(server, 1)
    assert (server.connections, server.calls) == (2, 2)


def test_what_comes_behind_a_refusal_is_never_the_next_calls(server):
    refusal = with_length(b"{}", start=b"HTTP/1.1 500 Broken\r\n")
    server.tell(lambda content: refusal + stray(server))
    with pytest.raises(ProviderError):
        server.call()
    answers(server, 1)
    assert server.calls == 2


def through_proxy(server, monkeypatch, user: str = "") -> None:
    """Let the server stand for a proxy: it is handed requests for a host it never looks up."""
    for name in ("all_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("http_proxy", f"http://{user}127.0.0.1:{server.port}")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://vendor-{server.port}.invalid/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://vendor-{server.port}.invalid")


@pytest.mark.parametrize("frame", [with_length, chunked])
def test_what_comes_behind_a_reply_is_never_the_next_calls_through_a_proxy_either(
    server, monkeypatch, frame
):
    through_proxy(server, monkeypatch)
    server.tell(lambda content: frame(content) + stray(server))
    answers(server, 2)
    assert server.calls == 2


def test_a_proxy_whose_address_names_a_user_is_signed_in_to(server, monkeypatch):
    through_proxy(server, monkeypatch, user="staff:p%40ss@")
    answers(server, 1)
    named = server.headers["proxy-authorization"].removeprefix("Basic ")
    assert base64.b64decode(named) == b"staff:p@ss"


@pytest.mark.parametrize("interim", [b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"])
def test_an_interim_reply_never_moves_a_reply_to_the_next_call(server, interim):
    server.tell(lambda content: interim + with_length(content))
    with pytest.raises(ProviderError) as refused:
        server.call()
    assert refused.value.kind is ErrorKind.CONNECTION
    answers(server, 2)


def test_a_reply_is_asked_for_as_it_is_and_not_compressed(server):
    answers(server, 1)
    assert server.headers["accept-encoding"] == "identity"
