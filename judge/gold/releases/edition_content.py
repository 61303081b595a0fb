"""What an edition says: its releases, and what is new, changed and retired since the one before.

The content is computed once, when the edition is published, and kept. It is in English and names
tasks by their keys, like the files of releases.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from curation.joining.domains.models import Domain
from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.gold.releases.editions import Edition, EditionRelease


class Named(NamedTuple):
    """A release that an edition names, for one domain or for all (None)."""

    domain: Domain | None
    release: GoldRelease


class Held(NamedTuple):
    """A task as a release holds it."""

    domain: str
    rubric: str  # SHA-256 of the rubric's version
    text: int  # version of the text


def edition_content(key: str, named: Sequence[Named], previous: Edition | None) -> dict[str, Any]:
    """Return the content of an edition. Two queries for each release named.

    Args:
        key: its name, such as 2026-Q2.
        named: its releases.
        previous: the edition before; None for the first, in which every task is new.
    """
    now, before = _tasks(named), _tasks(named_by(previous)) if previous else {}
    changed = [
        {
            "task": task,
            "domain": held.domain,
            "text": held.text != before[task].text,
            "rubric": held.rubric != before[task].rubric,
        }
        for task, held in sorted(now.items())
        if task in before and (held.rubric, held.text) != (before[task].rubric, before[task].text)
    ]
    return {
        "format": 1,
        "edition": key,
        "previous": previous.key if previous else None,
        "releases": [
            {
                "domain": one.domain.key if one.domain else None,
                "release": one.release.number,
                "sha256": one.release.sha256,
                "frozen_at": one.release.created_at.isoformat(timespec="seconds"),
                "tasks": len(_tasks([one])),
            }
            for one in named
        ],
        "tasks": len(now),
        "unchanged": len(now.keys() & before.keys()) - len(changed),
        "new": _listed(now, now.keys() - before.keys()),
        "changed": changed,
        "retired": _listed(before, before.keys() - now.keys()),
        "errata": _errata(named, {**before, **now}),
    }


def named_by(edition: Edition) -> list[Named]:
    """Return the releases of an edition, that for all domains or one for each. One query."""
    rows = EditionRelease.objects.filter(edition=edition).select_related("domain", "release")
    return [Named(row.domain, row.release) for row in rows.order_by("domain__key")]


def content_sha256(content: Mapping[str, Any]) -> str:
    """Return the hash of a content."""
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _tasks(named: Iterable[Named]) -> dict[str, Held]:
    """Return key of a task -> as the releases hold it, of one domain where they are for one."""
    found: dict[str, Held] = {}
    for domain, release in named:
        rows = GoldItem.objects.filter(release=release)
        if domain is not None:
            rows = rows.filter(task__domain=domain)
        for key, where, rubric, text in rows.order_by("task__key").values_list(
            "task__key", "task__domain__key", "version__sha256", "text_version"
        ):
            found[key] = Held(where, rubric, text)
    return found


def _listed(tasks: Mapping[str, Held], keys: Iterable[str]) -> list[dict[str, str]]:
    return [{"task": key, "domain": tasks[key].domain} for key in sorted(keys)]


def _errata(named: Iterable[Named], tasks: Mapping[str, Held]) -> list[dict[str, Any]]:
    """Return the errata about tasks of this edition or the one before.

    Every release lists those of all domains, with what became of each in that release. So a task's
    are read from the release that is named for its domain.
    """
    found = []
    for domain, release in named:
        for row in release.manifest.get("errata", ()):
            held = tasks.get(row["task"])
            if held is not None and (domain is None or held.domain == domain.key):
                found.append(row)
    return found


# -- Markdown -------------------------------------------------------------------------------------


def as_markdown(content: Mapping[str, Any], sha256: str) -> str:
    """Render a content as Markdown."""
    previous = content["previous"]
    since = f"since {previous}" if previous else "in this first edition"
    return "\n".join(
        [
            f"# Edition {content['edition']}",
            "",
            f"{content['tasks']:,} tasks. {content['unchanged']:,} are the same as before, "
            f"{len(content['new']):,} new, {len(content['changed']):,} changed and "
            f"{len(content['retired']):,} retired {since}. Nothing in a published edition changes; "
            "a correction is part of the next one.",
            "",
            "## Releases",
            "",
            *_table(
                ("Domain", "Release", "Tasks", "SHA-256"),
                [
                    (
                        row["domain"] or "all",
                        str(row["release"]),
                        f"{row['tasks']:,}",
                        row["sha256"],
                    )
                    for row in content["releases"]
                ],
            ),
            "",
            *_section(
                "New", ("Task", "Domain"), [(r["task"], r["domain"]) for r in content["new"]]
            ),
            *_section(
                "Changed",
                ("Task", "Domain", "What changed"),
                [(row["task"], row["domain"], _what(row)) for row in content["changed"]],
            ),
            *_section(
                "Retired",
                ("Task", "Domain"),
                [(row["task"], row["domain"]) for row in content["retired"]],
            ),
            *_section(
                "Errata",
                ("Task", "Wrong since release", "What was wrong", "Here"),
                [
                    (row["task"], str(row["wrong_since"]), row["what_was_wrong"], row["outcome"])
                    for row in content["errata"]
                ],
            ),
            f"SHA-256 of the content: `{sha256}`",
            "",
        ]
    )


def _what(row: Mapping[str, Any]) -> str:
    return " and ".join(name for name in ("text", "rubric") if row[name])


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"## {title}", "", *(_table(head, rows) if rows else ["None."]), ""]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    cells = [[" ".join(cell.split()).replace("|", "/") for cell in row] for row in rows]
    rule = ["---"] * len(head)
    return [f"| {' | '.join(row)} |" for row in (head, rule, *cells)]
