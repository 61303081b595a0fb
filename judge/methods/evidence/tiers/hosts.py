"""From an address to the host that a browser would ask, and whether a host lies in a domain. Pure.

Nothing is looked up. Whoever writes an address may want it to look like another one, so what
browsers and libraries read differently has no host here.
"""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

LONGEST_ADDRESS = 4000  # characters; what is longer has no host
LONGEST_HOST = 253  # RFC 1035, in characters
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_SCHEME = re.compile(r"https?://", re.ASCII | re.IGNORECASE)
# Browsers take a backslash for a slash; white space, control and direction characters are dropped
# or refused, depending on who reads.
_READ_DIFFERENTLY = re.compile(r"[\\\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f]")
# Two standards of international names (IDNA 2003 and 2008) disagree on these letters.
_DISPUTED = frozenset("ßẞς\u200c\u200d")


class Host(NamedTuple):
    """A host, or why there is none: `name` is "" then.

    Attributes:
        name: in lower case and ASCII (punycode), without a dot at the end.
        why: "" or "no_web_address" (not http or https), "unreadable", "number" (an IP address),
            "one_label" (no dot in it).
    """

    name: str
    why: str = ""


def host_of(address: str) -> Host:
    """Return the host of an address: behind the last @, before port, path and query."""
    if not _SCHEME.match(address):
        return Host("", "no_web_address")
    if len(address) > LONGEST_ADDRESS or _READ_DIFFERENTLY.search(address):
        return Host("", "unreadable")
    try:
        parts = urlsplit(address)
        netloc, found = parts.netloc, parts.hostname or ""
        parts.port  # noqa: B018  raises where it is no number
    except ValueError:  # no port, no IPv6 address in brackets, letters that normalise to a slash
        return Host("", "unreadable")
    if "[" in netloc:
        return Host("", "number" if is_number(found) else "unreadable")
    name = ascii_name(found)
    if not name:
        return Host("", "unreadable")
    if is_number(name):
        return Host("", "number")
    return Host(name) if "." in name else Host("", "one_label")


def ascii_name(name: str) -> str:
    """Return a domain in lower case and ASCII; "" if it is none.

    Full-width letters and ideographic dots become plain ones, as in browsers.
    """
    if not name or _DISPUTED.intersection(name):
        return ""
    try:
        plain = name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
    plain = plain.removesuffix(".")
    fits = len(plain) <= LONGEST_HOST and all(_LABEL.fullmatch(one) for one in plain.split("."))
    return plain if fits else ""


def is_number(name: str) -> bool:
    """Whether a host is an IP address in a form that browsers read (127.1, 0x7f000001)."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        last = name.rsplit(".", 1)[-1]
        return last.isdigit() or bool(re.fullmatch(r"0x[0-9a-f]*", last))
    return True


def shown_name(name: str) -> str:
    """Return a domain as people write it; punycode that cannot be read stays."""
    try:
        return name.encode("ascii").decode("idna")
    except UnicodeError:
        return name


def suffixes(name: str) -> tuple[str, ...]:
    """Return a host and the domains it lies in, the longest first: a.b.c, b.c, c."""
    labels = name.split(".")
    return tuple(".".join(labels[at:]) for at in range(len(labels)))
