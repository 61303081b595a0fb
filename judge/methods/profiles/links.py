"""When two links lead to the same profile, and two names are the same. Pure."""

import re
import unicodedata
from urllib.parse import unquote, urlsplit

MOST_LINK = 2_000  # characters
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_HOSTS = ("www.", "m.", "mobile.")


def link_key(link: str) -> str:
    """Return what is compared of a link; "" where it is no link to a page.

    Left out are the scheme, "www.", "m." or "mobile.", the port, a query, a fragment and slashes
    at the end. The host, and a part of the path that begins with "@", are compared in lower case;
    the rest of the path is not, as its case may matter. "%40" and "@" are the same.
    """
    text = link.strip()
    if not text or len(text) > MOST_LINK or _SPACE.search(text):
        return ""
    try:
        parts = urlsplit(text if _SCHEME.match(text) else f"https://{text}")
        host = parts.hostname or ""
    except ValueError:  # such as an unclosed bracket
        return ""
    web = parts.scheme.lower() in ("http", "https") and "@" not in parts.netloc
    if not web or "." not in host.strip("."):
        return ""
    for start in _HOSTS:
        host = host.removeprefix(start)
    if "\x00" in (way := unquote(parts.path)):
        return ""
    steps = [step for step in way.split("/") if step]
    path = "/".join(step.lower() if step.startswith("@") else step for step in steps)
    return f"{host.strip('.')}/{path}".rstrip("/")


def name_key(name: str) -> str:
    """Return what is compared of a name: without case, width of signs and double spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", name).casefold()).strip()
