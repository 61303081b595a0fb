"""What a release's manifest says: counted while the rows pass by, and searched for people."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from curation.people.models import User
from curation.text import storable
from judge.releases.draw import Plan, Pool
from judge.releases.texts import Chunk, People

_WORD = re.compile(r"[^\W\d_]+")


@dataclass
class Facts:
    """What is counted while the rows pass by."""

    people: People = field(default_factory=People)
    lines: list[int] = field(default_factory=list)
    anchors: int = 0
    rescored: int = 0
    rounds: int = 0
    spot_checked: Counter[str] = field(default_factory=Counter)
    categories: set[tuple[str, str]] = field(default_factory=set)
    addressed: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    responses: int = 0
    attachments: int = 0
    attached_bytes: int = 0


def content_of(
    found: Pool, made: Plan, facts: Facts, formats: Sequence[str], *, with_responses: bool
) -> dict[str, Any]:
    """What a release says about itself: how it was drawn, what is in it, what is not.

    Args:
        facts: counted while the rows passed through `watched`; complete only after the last.
    """
    wish = made.wish
    drawn = made.drawn
    return {
        "format": 1,
        "draw": {
            "size": wish.size,
            "seed": wish.seed,
            "strata": wish.strata,
            "allocation": wish.allocation if wish.quotas is None else "own quotas",
            "redistribute": wish.redistribute,
            "allow_unanchored": wish.allow_unanchored,
            "order": "HMAC-SHA256 of the task's id under the seed, lowest first, per stratum",
        },
        "formats": list(formats),
        "with_responses": with_responses,
        "strata": [
            {
                "stratum": row.stratum,
                "name": found.domains[row.stratum].name,
                "approved": row.approved,
                "anchored": row.anchored,
                "wanted": row.wanted,
                "drawn": len(row.drawn),
                "spot_checked": facts.spot_checked[row.stratum],
            }
            for row in made.rows
        ],
        "counts": {
            "tasks": len(drawn),
            "approved": len(found.entries),
            "domains": len({entry.domain for entry in drawn}),
            "categories": len(facts.categories),
            "lines": sum(facts.lines),
            "lines_fewest": min(facts.lines, default=0),
            "lines_most": max(facts.lines, default=0),
            "anchors": facts.anchors,
            "anchors_scored_again": facts.rescored,
            "review_rounds": facts.rounds,
            "spot_checked": sum(facts.spot_checked.values()),
            "authors": facts.people.count("author"),
            "responses": facts.responses,
            "attachments": facts.attachments,
            "attachment_bytes": facts.attached_bytes,
        },
        "rubrics": {entry.key: entry.version.sha256 for entry in drawn},
        "left_out": _left_out(found, made, with_responses=with_responses),
        "privacy": {
            "people": "an index within this release, in the order of the files",
        },
    }


def _left_out(found: Pool, made: Plan, *, with_responses: bool) -> list[dict[str, Any]]:
    """What is not in the release on purpose, with the reason; counts where there is one."""
    unanchored = sum(1 for entry in found.entries if entry.anchor is None and not entry.outdated)
    outdated = sum(1 for entry in found.entries if entry.outdated)
    rows: list[dict[str, Any]] = [
        {
            "what": "approved tasks that were not drawn",
            "count": len(found.ready(allow_unanchored=made.wish.allow_unanchored))
            - len(made.drawn),
            "why": "the sample is smaller than the pool",
        },
        {
            "what": "tasks of other benchmarks",
            "count": found.external,
            "why": "they were not written and reviewed here",
        },
        {
            "what": "names, e-mail addresses, affiliations and accounts",
            "count": None,
            "why": "people appear as an index within the release",
        },
        {
            "what": "exam questions and their keys",
            "count": None,
            "why": "they still examine applicants",
        },
        {
            "what": "review threads and staff's remarks",
            "count": None,
            "why": "they were written in confidence",
        },
    ]
    if not made.wish.allow_unanchored:
        rows.insert(
            1,
            {
                "what": "approved tasks without a validated anchor",
                "count": unanchored,
                "why": "a judge would have no example for them",
            },
        )
        rows.insert(
            2,
            {
                "what": "approved tasks whose anchor belongs to an older rubric",
                "count": outdated,
                "why": "its verdicts are about other lines",
            },
        )
    if not with_responses:
        rows.append(
            {
                "what": "candidates' responses, experts' sheets and judges' verdicts",
                "count": None,
                "why": "they were not asked for",
            }
        )
    return rows


@dataclass(frozen=True)
class Known:
    """Addresses, and the last two words of full names, of everybody who has an account."""

    addresses: frozenset[str]
    names: frozenset[tuple[str, str]]

    @classmethod
    def load(cls) -> "Known":
        rows = list(User.objects.values_list("email", "display_name"))
        words = [_WORD.findall(name.casefold()) for _email, name in rows]
        return cls(
            frozenset(email.casefold() for email, _name in rows),
            frozenset((parts[-2], parts[-1]) for parts in words if len(parts) > 1),
        )

    def addressed(self, text: str) -> bool:
        return any(found.casefold() in self.addresses for found in storable.addresses(text))

    def named(self, text: str) -> bool:
        if not self.names:
            return False
        words = _WORD.findall(text.casefold())
        return not self.names.isdisjoint(zip(words, words[1:], strict=False))


def watched(rows: Iterator[Chunk], facts: Facts, known: Known) -> Iterator[Chunk]:
    """The same chunks, counted into `facts` and searched for people as they pass."""
    for chunk in rows:
        domains = {}
        for task in chunk.tasks:
            domains[task["id"]] = task["domain"]
            facts.lines.append(len(task["rubric"]))
            if task.get("category"):
                facts.categories.add((task["domain"], task["category"]))
        for row in chunk.provenance:
            facts.spot_checked[domains[row["task"]]] += row["spot_checked"]
            facts.rounds += row["review_rounds"]
            facts.rescored += row["anchor_scorings"] > 1
        facts.anchors += len(chunk.anchors)
        facts.responses += len(chunk.responses)
        facts.attachments += len(chunk.attachments)
        facts.attached_bytes += sum(row["bytes"] for row in chunk.attachments)
        _search(chunk, facts, known)
        yield chunk


def _search(chunk: Chunk, facts: Facts, known: Known) -> None:
    """Note the tasks in whose texts a member's address or name stands."""
    addressed, named = set(), set()
    for key, row in _texts(chunk):
        text = "\n".join(row)
        if known.addressed(text):
            addressed.add(key)
        if known.named(text):
            named.add(key)
    facts.addressed += sorted(addressed)
    facts.named += sorted(named)


def _texts(chunk: Chunk) -> Iterable[tuple[str, list[str]]]:
    for task in chunk.tasks:
        parts = ("scenario", "materials", "requirements", "reference_answer")
        yield (
            task["id"],
            [task.get(part, "") for part in parts]
            + [line["text"] for line in task["rubric"]]
            + [str(label) for label in task.get("labels", [])],
        )
    for row in chunk.provenance:
        yield row["task"], [row["title"]]
    for sheet in (*chunk.anchors, *chunk.scores):
        yield sheet["task"], [sheet.get("text", ""), *sheet.get("rationales", {}).values()]
    for file in chunk.attachments:
        yield file["task"], [file["name"]]
    for response in chunk.responses:
        yield response["task"], [response["text"]]
