"""Many people, or many tabs, at the same moment."""

import threading
from typing import Any

from django.db import connection
from django.test import Client


def in_parallel(posts: list[tuple[Any, ...]], data: Any = None) -> list[int]:
    """Send POSTs at the same moment from real connections; their status codes.

    Each is (user, address), or (user, address, its own data).

    Everybody signs in before: a thread that waits must not hold a connection of the pool.
    """
    start, codes = threading.Barrier(len(posts)), []

    def send(client: Client, address: str, sent: Any) -> None:
        try:
            start.wait(timeout=60)
            codes.append(client.post(address, sent or {}).status_code)
        finally:
            connection.close()

    signed_in = []
    for user, address, *own in posts:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        signed_in.append((client, address, own[0] if own else data))
    threads = [threading.Thread(target=send, args=each) for each in signed_in]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return codes
