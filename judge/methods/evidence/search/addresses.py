"""Addresses of documents: one form for each, and which lie in somebody's own network. Pure."""

import ipaddress
from urllib.parse import urlsplit

from judge.asking.providers.addresses import is_public
from judge.methods.evidence.tiers.hosts import host_of

_OWN = (".local", ".localhost", ".internal", ".intranet", ".lan", ".home", ".corp", ".home.arpa")


def canonical(address: str) -> str:
    """Return an address in one form: host in lower case and ASCII, no user, no part behind #.

    Returns:
        "" if it is no address of a page whose host is certain.
    """
    address = address.strip()
    host = host_of(address)
    if not host.name and host.why != "number":
        return ""
    parts = urlsplit(address)
    name = host.name or (parts.hostname or "")
    if ":" in name:
        name = f"[{name}]"
    port = parts.port
    usual = {"http": 80, "https": 443}[parts.scheme]
    place = name if port in (None, usual) else f"{name}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{place}{parts.path or '/'}{query}"


def is_private(address: str) -> bool:
    """Whether an address names a machine in somebody's own network, or a number that may.

    Nothing is resolved, as nothing is ever fetched. Numbers in unusual forms count as private:
    browsers read 127.1 and 0x7f000001 as the machine itself.
    """
    host = host_of(address.strip())
    if host.name:
        return host.name.endswith(_OWN)
    if host.why != "number":
        return host.why == "one_label"
    try:
        number = ipaddress.ip_address(urlsplit(address.strip()).hostname or "")
    except ValueError:
        return True
    return not is_public(number)
