"""The content of a manifest: counts taken while the rows are written, and a search for people."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from allauth.account.models import EmailAddress

from curation.base.text import storable
from curation.joining.people import User
from curation.tasks.task.fields import ALL_TEXTS
from judge.gold.releases.draw import Plan
from judge.gold.releases.rows import Chunk, PersonIndex
from judge.gold.transfer.stored_sheets import texts_in

_WORD = re.compile(r"[^\W\d_]+")


@dataclass
class ReleaseCounts:
    """Counts of a release, and the tasks whose texts hold a member's address or name."""

    people: PersonIndex = field(default_factory=PersonIndex)
    lines: list[int] = field(default_factory=list)
    anchors: int = 0
    rescored: int = 0
    rounds: int = 0
    spot_checked: Counter[str] = field(default_factory=Counter)
    categories: set[tuple[str, str]] = field(default_factory=set)
    tasks_with_address: list[str] = field(default_factory=list)
    tasks_with_name: list[str] = field(default_factory=list)
    responses: int = 0
    stale_responses: int = 0
    flagged_sheets: int = 0
    attachments: int = 0
    attached_bytes: int = 0


def manifest_content(
    made: Plan, facts: ReleaseCounts, formats: Sequence[str], *, with_responses: bool
) -> dict[str, Any]:
    """Return what a release says of itself: how it was drawn, what it holds and leaves out.

    Args:
        facts: filled by `counted`, so complete only after the last chunk.
    """
    spec = made.spec
    drawn = made.drawn
    return {
        "format": 1,
        "draw": {
            "size": spec.size,
            "seed": spec.seed,
            "strata": spec.strata,
            "allocation": spec.allocation if spec.quotas is None else "own quotas",
            "redistribute": spec.redistribute,
            "allow_unanchored": spec.allow_unanchored,
            "order": "HMAC-SHA256 of the task's id under the seed, lowest first, per stratum",
            **_more_of_the_draw(made),
        },
        "formats": list(formats),
        "with_responses": with_responses,
        "strata": [
            {
                "stratum": row.stratum,
                "name": row.in_english,
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
            "approved": made.approved,
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
        **_exceptions(made),
        "left_out": _left_out(made, with_responses=with_responses) + _left_out_of_files(facts),
        "privacy": {
            "people": "an index within this release, in the order of the files",
        },
    }


def _more_of_the_draw(made: Plan) -> dict[str, Any]:
    """Return what only some draws have; absent otherwise, so that older files stay the same."""
    more: dict[str, Any] = {}
    if made.spec.minimum:
        more["minimum"] = made.spec.minimum
        more["set_aside"] = [one.as_dict() for one in made.aside]
    if made.origin is not None:
        more["number"] = made.origin.draw
        more["drawn_on"] = made.origin.drawn_on
        more["drawn"] = made.origin.drawn
    return more


def _exceptions(made: Plan) -> dict[str, Any]:
    if made.origin is None:
        return {}
    return {"exceptions": [one.as_dict() for one in made.origin.exceptions]}


def _left_out(made: Plan, *, with_responses: bool) -> list[dict[str, Any]]:
    """Return what the release leaves out on purpose, with the reason; `count` may be None."""
    found = made.pool
    rows: list[dict[str, Any]] = [
        {
            "what": "approved tasks that were not drawn",
            "count": made.not_drawn,
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
    rows[1:1] = _not_ready(made)
    if made.aside:
        rows.insert(
            1,
            {
                "what": "approved tasks of strata that were set aside",
                "count": sum(one.approved for one in made.aside),
                "why": "their strata have too few tasks to say anything about them",
            },
        )
    if found.expired:
        rows.insert(
            1,
            {
                "what": "approved tasks whose dynamic answer has expired",
                "count": found.expired,
                "why": "no expert has verified them since their last day",
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


def _not_ready(made: Plan) -> list[dict[str, Any]]:
    """Return what was left out because no anchor was ready."""
    if made.origin is not None:
        return [
            {
                "what": "drawn tasks that staff left out",
                "count": len(made.origin.exceptions),
                "why": "each has its reason under the exceptions",
            }
        ]
    if made.spec.allow_unanchored:
        return []
    entries = made.pool.entries
    return [
        {
            "what": "approved tasks without a validated anchor",
            "count": sum(1 for entry in entries if entry.anchor is None and not entry.outdated),
            "why": "a judge would have no example for them",
        },
        {
            "what": "approved tasks whose anchor belongs to an older rubric",
            "count": sum(1 for entry in entries if entry.outdated),
            "why": "its verdicts are about other lines",
        },
    ]


def _left_out_of_files(facts: ReleaseCounts) -> list[dict[str, Any]]:
    """Return what the files with responses leave out; no row where there is nothing of a kind."""
    rows = [
        {
            "what": "responses to an earlier text of their task, and the scores of these",
            "count": facts.stale_responses,
            "why": "the task was amended after they were given",
        },
        {
            "what": "experts' sheets for responses with a flagged verdict",
            "count": facts.flagged_sheets,
            "why": "flags asked for them, so they are not a random sample",
        },
    ]
    return [row for row in rows if row["count"]]


@dataclass(frozen=True)
class KnownPeople:
    """The addresses, and the last two words of the names, of all accounts."""

    addresses: frozenset[str]
    names: frozenset[tuple[str, str]]

    @classmethod
    def load(cls) -> "KnownPeople":
        rows = list(User.objects.values_list("email", "display_name"))
        words = [_WORD.findall(name.casefold()) for _email, name in rows]
        further = EmailAddress.objects.values_list("email", flat=True)
        return cls(
            frozenset(email.casefold() for email in (*(row[0] for row in rows), *further)),
            frozenset((parts[-2], parts[-1]) for parts in words if len(parts) > 1),
        )

    def has_address(self, text: str) -> bool:
        return any(found.casefold() in self.addresses for found in storable.addresses(text))

    def has_name(self, text: str) -> bool:
        if not self.names:
            return False
        words = _WORD.findall(text.casefold())
        return not self.names.isdisjoint(zip(words, words[1:], strict=False))


def counted(
    rows: Iterator[Chunk], facts: ReleaseCounts, known: KnownPeople, strata: Mapping[str, str]
) -> Iterator[Chunk]:
    """Yield the chunks unchanged, after counting them into `facts` and searching for people.

    Args:
        strata: key of a task -> its stratum.
    """
    for chunk in rows:
        for task in chunk.tasks:
            facts.lines.append(len(task["rubric"]))
            if task.get("category"):
                facts.categories.add((task["domain"], task["category"]))
        for row in chunk.provenance:
            facts.spot_checked[strata[row["task"]]] += row["spot_checked"]
            facts.rounds += row["review_rounds"]
            facts.rescored += row["anchor_scorings"] > 1
        facts.anchors += len(chunk.anchors)
        facts.responses += len(chunk.responses)
        facts.stale_responses += chunk.stale_responses
        facts.flagged_sheets += chunk.flagged_sheets
        facts.attachments += len(chunk.attachments)
        facts.attached_bytes += sum(row["bytes"] for row in chunk.attachments)
        _search(chunk, facts, known)
        yield chunk


def _search(chunk: Chunk, facts: ReleaseCounts, known: KnownPeople) -> None:
    """Record the tasks whose texts hold a member's address or name."""
    with_address, with_name = set(), set()
    for key, row in _texts(chunk):
        text = "\n".join(row)
        if known.has_address(text):
            with_address.add(key)
        if known.has_name(text):
            with_name.add(key)
    facts.tasks_with_address += sorted(with_address)
    facts.tasks_with_name += sorted(with_name)


def _texts(chunk: Chunk) -> Iterable[tuple[str, list[str]]]:
    for task in chunk.tasks:
        yield (
            task["id"],
            [task.get(name, "") for name in ALL_TEXTS]
            + [line["text"] for line in task["rubric"]]
            + [str(label) for label in task.get("labels", [])]
            + [*texts_in(task.get("exact", {})), *texts_in(task.get("demand", {}))],
        )
    for row in chunk.provenance:
        yield row["task"], [row["title"]]
    for sheet in (*chunk.anchors, *chunk.scores):
        yield (
            sheet["task"],
            [
                sheet.get("text", ""),
                *sheet.get("rationales", {}).values(),
                *texts_in(sheet.get("findings", {})),
            ],
        )
    for file in chunk.attachments:
        yield file["task"], [file["name"]]
    for response in chunk.responses:
        yield response["task"], [response["text"]]
