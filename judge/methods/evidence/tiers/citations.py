"""The addresses that a text cites, in their order. Pure.

Found are the targets of Markdown links (whatever their text says), reference definitions, and bare
addresses. Pictures and fenced code cite nothing. Sources named without an address are not found.
"""

import re
from collections.abc import Iterator

MOST = 200  # addresses of one response that count, the first ones

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# What ends a bare address: white space, controls, quotation marks and brackets of any width, and
# full-width punctuation. Chinese text puts no space after an address.
_ENDS = (
    '\\s\x00-\x1f\x7f-\x9f<>"`|'
    "\u2018-\u201f\u2026\u3000-\u3003\u3008-\u301f\uff01\uff02\uff07-\uff09\uff0c\uff1a\uff1b"
    "\uff1e\uff1c\uff1f\uff3b\uff3d\uff5b-\uff65"
)
_BARE = rf"(?:https?://|(?<![\w./@-])www\.)[^{_ENDS}]{{1,4000}}"
_TARGET = (
    r"<(?P<angle>[^<>\n]{1,4000})>"
    r"|(?P<plain>[^\s<>()]{1,4000}(?:\([^\s()]{0,400}\)[^\s()]{0,400}){0,4})"
)
_FOUND = re.compile(
    r"(?P<fence>^[ ]{0,3}(?P<mark>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=mark)|\Z))"
    rf"|(?P<picture>!\[[^\[\]\n]{{0,500}}\]\([^()\n]{{0,4000}}\))"
    rf"|\[[^\[\]\n]{{0,500}}\]\(\s{{0,9}}(?:{_TARGET})"
    rf"|(?P<bare>{_BARE})",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
# Chinese, Japanese or Korean letters right behind Latin ones or digits are text, not address.
_TEXT_AFTER = re.compile(rf"(?<=[a-z0-9~%)])(?=[{_CJK}])", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,30}://", re.IGNORECASE)
_AFTER = ".,;:!?'*_~"
_OPENING = {")": "(", "]": "["}


def cited_addresses(text: str) -> tuple[str, ...]:
    """Return the addresses a text cites, each once, at the place where it stands first.

    Addresses that differ only behind a # are one. A Markdown link to another scheme than http
    (ftp, file) is one too; a link to a place in the text or an e-mail address is none.
    """
    found: dict[str, None] = {}
    for address in _addresses(text):
        found.setdefault(address.partition("#")[0])
        if len(found) == MOST:
            break
    return tuple(found)


def _addresses(text: str) -> Iterator[str]:
    for match in _FOUND.finditer(text):
        target = match["angle"] or match["plain"]
        if target:
            target = target.strip().replace(" ", "%20")
            if target.lower().startswith("www."):
                yield f"https://{target}"
            elif _SCHEME.match(target):
                yield target
        elif match["bare"]:
            address = _trimmed(match["bare"])
            if address.lower().startswith("www."):
                address = f"https://{address}"
            if len(address) > len("https://"):
                yield address


def _trimmed(address: str) -> str:
    """Return a bare address without the text and punctuation behind it."""
    address = _TEXT_AFTER.split(address, maxsplit=1)[0]
    while address:
        last = address[-1]
        opening = _OPENING.get(last)
        if last not in _AFTER and not (opening and address.count(last) > address.count(opening)):
            return address
        address = address[:-1]
    return address
