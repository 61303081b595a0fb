"""Looks a claim up in a source of documents: what a verifier is shown, numbered from 1."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judge.methods.evidence.search import words
from judge.methods.evidence.search.addresses import canonical
from judge.methods.evidence.search.interface import Gap, Note, Search
from judge.methods.jade.facts import Data

MOST_EXCERPTS = 8
HITS = 4  # of a query
CITED_CHARACTERS = 6_000  # of the cited page that are shown: most pages whole
EXCERPT_CHARACTERS = 600  # of any other


def look_up(search: Search, claim: Data) -> dict[str, Any]:
    """Return the excerpts for a claim: the page it cites first, then the hits of its queries.

    Returns:
        `excerpts`, each with `n`, address, title, text, `fetched_at` (ISO 8601) and notes; `cited`:
        the cited address with the number of its excerpt or the gap, and whether it is shown whole;
        None where none is cited;
        `left_off`: how many hits are beyond the bound.

    Raises:
        SearchError: the source failed, which is not the same as nothing found.
    """
    excerpts: list[dict[str, Any]] = []
    cited = None
    if claim["source"]:
        cited = _cited(search, claim, excerpts)
    seen = {canonical(one["address"]) or one["address"] for one in excerpts}
    left_off = 0
    for hits in [search.find(query, HITS) for query in claim["queries"]]:
        for hit in hits:
            address = canonical(hit.address) or hit.address
            if address in seen:
                continue
            seen.add(address)
            if len(excerpts) >= MOST_EXCERPTS:
                left_off += 1
                continue
            text = hit.excerpt[:EXCERPT_CHARACTERS]
            _add(excerpts, hit.address, hit.title, text, hit.fetched_at, hit.notes)
    return {"excerpts": excerpts, "cited": cited, "left_off": left_off}


def _cited(search: Search, claim: Data, excerpts: list[dict[str, Any]]) -> dict[str, Any]:
    page = search.page(claim["source"])
    number, whole = None, False
    if page.gap is None and page.text.strip() and page.fetched_at is not None:
        wanted = words.terms(f"{claim['text']} {claim['quote']}")
        text = words.excerpt(page.text, wanted, CITED_CHARACTERS)
        whole = len(page.text) <= CITED_CHARACTERS and Note.CUT not in page.notes
        number = _add(excerpts, page.final, page.title, text, page.fetched_at, page.notes)
    gap = page.gap if page.gap or number else Gap.EMPTY
    return {
        "address": page.address,
        "final": page.final,
        "excerpt": number,
        "whole": whole,
        "gap": None if gap is None else str(gap),
        "notes": [str(one) for one in page.notes],
    }


def _add(
    excerpts: list[dict[str, Any]],
    address: str,
    title: str,
    text: str,
    fetched_at: datetime,
    notes: Sequence[Note],
) -> int:
    excerpts.append(
        {
            "n": len(excerpts) + 1,
            "address": address,
            "title": " ".join(title.split())[:200],
            "text": text,
            "fetched_at": fetched_at.isoformat(),
            "notes": [str(one) for one in notes],
        }
    )
    return len(excerpts)
