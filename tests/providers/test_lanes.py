"""Connections to a provider: kept for the next call, and left where they cannot be used again."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from judge.providers import ErrorKind, ProviderError, get
from tests.providers.conftest import KEY, ask

REPLY = json.dumps(
    {"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": {}}
).encode()


class Counting:
    """A server that counts its connections and hangs up as it is told."""

    def __init__(self) -> None:
        self.connections = self.calls = 0
        self.calls_each = 1_000  # calls answered before a connection is closed without a word
        self.short = 0  # bytes held back from the next reply
        self.hung_up = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                peer, _address = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        with peer, peer.makefile("rb") as reader:
            for _ in range(self.calls_each):
                length = 0
                while (line := reader.readline()) not in (b"\r\n", b""):
                    name, _, value = line.partition(b":")
                    length = int(value) if name.lower() == b"content-length" else length
                if not line:
                    return
                reader.read(length)
                self.calls += 1
                kept, self.short = self.short, 0
                head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(REPLY)}\r\n\r\n"
                peer.sendall(head.encode() + REPLY[: len(REPLY) - kept])
                if kept:
                    return
        self.hung_up.set()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)  # or the thread that accepts would wait on
        self._socket.close()


@pytest.fixture
def server(monkeypatch) -> Iterator[Counting]:
    counting = Counting()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{counting.port}/v1")
    yield counting
    counting.close()


def call() -> None:
    get("openai").complete(ask("An answer."), model="m", parameters={}, timeout=5)


def test_calls_one_after_the_other_share_a_connection(server):
    for _ in range(3):
        call()
    assert (server.connections, server.calls) == (1, 3)


def test_a_connection_the_server_closed_meanwhile_is_not_used_again(server):
    server.calls_each = 1
    call()
    assert server.hung_up.wait(5)
    call()
    assert (server.connections, server.calls) == (2, 2), (
        "nothing failed, and nothing was sent twice"
    )


def test_a_connection_whose_reply_was_cut_is_not_used_again(server):
    call()
    server.short = 10
    with pytest.raises(ProviderError) as refused:
        call()
    assert refused.value.kind is ErrorKind.CONNECTION
    call()
    assert (server.connections, server.calls) == (2, 3)
