"""A request as it is stored: what it shares with its siblings is named there, and kept once.

Ten kilobytes of a judge's request are the same for all candidates of a task, and storing them with
every call was a third of the database's work for a response. In their place stands an object with
one key of ours and their SHA-256. Vendors' blocks have a string there, so that no request that was
sent looks like it. Texts are never searched: what a candidate wrote stays what it is.
"""

from typing import Any

MARK = "assay.prompt_prefix"


def taken_out(request: dict[str, Any], prefix: str, sha256: str) -> dict[str, Any]:
    """The request with `prefix` named by its hash; the request itself where it does not hold it.

    OpenAI has it in `messages[0].content`, Anthropic in `system[0].text`. Only the containers
    around it are made anew.
    """
    for name, blocks in request.items():
        if isinstance(blocks, list) and blocks and isinstance(blocks[0], dict):
            for part, text in blocks[0].items():
                if text == prefix:
                    return _with(request, name, part, {MARK: sha256})
    return request


def put_back(request: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The request as it was sent, from one that names `prefix`."""
    name, part, _sha256 = _named(request)
    return _with(request, name, part, prefix)


def named_in(request: dict[str, Any]) -> str:
    """The hash of the prefix that was taken out; "" for a request that is whole."""
    return _named(request)[2]


def _named(request: dict[str, Any]) -> tuple[str, str, str]:
    for name, blocks in request.items():
        if isinstance(blocks, list) and blocks and isinstance(blocks[0], dict):
            for part, mark in blocks[0].items():
                if isinstance(mark, dict) and mark.keys() == {MARK}:
                    return name, part, str(mark[MARK])
    return "", "", ""


def _with(request: dict[str, Any], name: str, part: str, value: object) -> dict[str, Any]:
    first, *rest = request[name]
    return {**request, name: [{**first, part: value}, *rest]}
