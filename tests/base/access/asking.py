"""What the sweeps ask with: bare answers, by one handler, of people who stay signed in."""

from functools import cache
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.http import SimpleCookie
from django.test import Client, RequestFactory
from django.test.client import ClientHandler
from django.urls import Resolver404, resolve

from curation.joining.people import User

REDIRECTS = {301, 302, 303, 307, 308}


class Asker(RequestFactory):
    """One window of a browser, whose cookies are those it began with at each request.

    Django's own client copies the context of every template it sees rendered, in whichever thread,
    and each one builds the middleware for itself. A sweep of thousands of requests reads neither.

    Args:
        handler: the product; one for all windows.
        cookies: what the browser has kept from signing in.
    """

    def __init__(self, handler: BaseHandler, cookies: SimpleCookie | None = None) -> None:
        super().__init__()
        self.handler = handler
        self.signed_in = dict(cookies or {})

    def request(self, **asked: Any) -> Any:
        """The answer to one request; what breaks is answered with 500, as by a server."""
        reply = self.handler(super().request(**asked).environ)
        self.cookies.update(reply.cookies)
        return reply

    def follow(self, path: str) -> tuple[Any, str]:
        """The answer at the end of what an address redirects to, and the address of that."""
        reply, seen = self.get(path), {path}
        while reply.status_code in REDIRECTS:
            path = urljoin(path, reply["Location"]).removeprefix("http://testserver")
            assert path not in seen, f"{path} leads to itself"
            seen.add(path)
            reply = self.get(path)
        return reply, path

    def anew(self) -> "Asker":
        """The same window, as it was after signing in."""
        self.cookies.clear()
        self.cookies.update(self.signed_in)
        return self


def handler() -> ClientHandler:
    """The product, as one process of it answers."""
    return ClientHandler(enforce_csrf_checks=False)


def asker_of(user: User | None, product: ClientHandler) -> Asker:
    """A window of somebody who is signed in, or of nobody."""
    client = Client()
    if user is not None:
        client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return Asker(product, client.cookies).anew()


@cache
def route_of(path: str) -> str | None:
    """The name of our address at this path; None if there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return None
