"""Which addresses an endpoint may have: public ones by HTTPS, private ones where a setting allows.

Staff type these addresses, and the server calls them. Without a rule a page could make it ask the
services of its own network, such as the address at which a cloud hands out its credentials.
"""

import socket
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS = {"http": 80, "https": 443}
_NAT64 = ip_network("64:ff9b::/96")  # its last four bytes are an IPv4 address (RFC 6052)

# Our own list, as Python's `is_global` differs between its patch releases. Whole blocks of IANA's
# registries of special-purpose addresses (IPv4 as of 2020-09-04, IPv6 as of 2024-10-22), those that
# are globally reachable included: no endpoint is ever there.
# https://www.iana.org/assignments/iana-ipv4-special-registry
# https://www.iana.org/assignments/iana-ipv6-special-registry
_SPECIAL_V4 = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
    "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "240.0.0.0/4",
    "224.0.0.0/4",  # multicast (RFC 5771)
    "168.63.129.16/32",  # a public address that Azure answers to its machines from inside
)  # fmt: skip
# Of IPv6 only what IANA hands out (RFC 4291), which leaves out local, mapped and reserved blocks
# and NAT64 prefixes of somebody's own network (RFC 8215).
_GLOBAL_V6 = ip_network("2000::/3")
_SPECIAL_V6 = ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
_SPECIAL = tuple(ip_network(text) for text in _SPECIAL_V4 + _SPECIAL_V6)


class Problem(StrEnum):
    """Why an address is refused."""

    SHAPE = "shape"  # no https://host, or with a user, a query or a fragment
    PRIVATE = "private"
    PLAIN_HTTP = "plain_http"  # outside of the private networks that are allowed


class AddressError(ValueError):
    """An address is refused; `problem` says why, and the message says it in a sentence."""

    def __init__(self, problem: Problem, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = problem


def parts_of(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an endpoint's address. Raises AddressError (SHAPE)."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if (
        not host
        or parts.scheme not in PORTS
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
        or not url.isascii()
        or any(letter.isspace() or letter == "\\" for letter in url)
    ):
        raise AddressError(Problem.SHAPE, "The address is not of the form https://host/path.")
    return parts.scheme, host, port if port is not None else PORTS[parts.scheme]


def resolved(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the system's order. Raises OSError for an unknown host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def check(scheme: str, found: Iterable[str], private: Sequence[str]) -> None:
    """Raise AddressError unless every address may be called.

    Args:
        found: IP addresses, as `resolved` returns them.
        private: networks such as "10.1.0.0/16" whose addresses may be called, also by plain HTTP.
    """
    allowed = _networks(tuple(private))
    for text in found:
        ip = _inner(ip_address(text))
        if any(ip in network for network in allowed):
            continue
        if not is_public(ip):
            raise AddressError(
                Problem.PRIVATE, "The address leads into a private network, so it was not called."
            )
        if scheme != "https":
            raise AddressError(Problem.PLAIN_HTTP, "A public address is called by https:// only.")


def is_public(ip: Address) -> bool:
    """Return whether an address, or the IPv4 address inside it, is one of the open internet."""
    ip = _inner(ip)
    if isinstance(ip, IPv6Address) and ip not in _GLOBAL_V6:
        return False
    return not any(ip in network for network in _SPECIAL)


@lru_cache(maxsize=8)
def _networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ip_network(text) for text in texts)


def _inner(ip: Address) -> Address:
    """Return the IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return ip.ipv4_mapped
        if ip in _NAT64:
            return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip
