"""Freezing a release: draw, write, check, number. There is never half a release.

Files are written into a temporary folder and moved into place while the rows are committed. The
same tasks, wish and formats give the same files and the same release hash; asking for a release
that exists already gives that one.
"""

import os
import secrets
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.access.action import action
from curation.process.lifecycle import Stage
from curation.tasks.models import Task
from curation.web.refusals import BadInput, Conflict
from judge.queue.turns import Turn, wait_for_turn
from judge.releases import datasheet
from judge.releases.attachments import any_of
from judge.releases.checking import content_sha256, folder_of, verify
from judge.releases.contents import Facts, Known, content_of, watched
from judge.releases.draw import Entry, Plan, Pool, Wish, plan, pool
from judge.releases.files import DATASHEET, FORMATS, MANIFEST, write_tables, write_text
from judge.releases.models import GoldItem, GoldRelease
from judge.releases.texts import chunks
from rubrics.versions.queries import versions_that_count


@action("staff")
def release_gold(
    *,
    actor: Any,
    wish: Wish,
    formats: Sequence[str] = ("jsonl",),
    with_responses: bool = False,
) -> GoldRelease:
    """Draw, freeze and write a release; its files lie in `folder_of(release)`.

    Args:
        with_responses: also export candidates' responses, experts' sheets and judges' verdicts.

    Raises:
        BadInput: a wish that makes no sense, a shortfall (strata in `data`), an unknown format,
            or a member's e-mail address inside a task.
        Conflict: a drawn task was moved on while the files were written, or a file of one is
            gone from the storage.
    """
    chosen = tuple(name for name in FORMATS if name in set(formats))
    if not chosen or set(formats) - set(FORMATS):
        detail = _("The formats are jsonl, csv and parquet. Name at least one.")
        raise BadInput(detail, fields={"formats": [detail]})
    found = pool()
    made = plan(found, wish)
    home = Path(settings.MEDIA_ROOT) / "gold"
    home.mkdir(parents=True, exist_ok=True)
    part = home / f".{os.getpid()}-{secrets.token_hex(6)}.part"
    part.mkdir()
    try:
        manifest = _write(part, found, made, chosen, with_responses=with_responses)
        return _commit(part, home, manifest, made, actor)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def export(release: GoldRelease, out: Path) -> None:
    """Copy a release's files to `out`, completely or not at all.

    Raises:
        BadInput: `out` holds something already, or its parent is missing.
    """
    check_target(out)
    part = out.parent / f".{out.name}.{os.getpid()}.part"
    try:
        shutil.copytree(folder_of(release), part)
        part.rename(out)  # takes the place of an empty folder as well
    finally:
        shutil.rmtree(part, ignore_errors=True)


def check_target(out: Path) -> None:
    """Refuse a folder that cannot take a release. Raises BadInput."""
    problem = ""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        problem = _("%(out)s is not a folder. Name one that is empty or does not exist yet.")
    elif out.is_dir() and any(out.iterdir()):
        problem = _("%(out)s is not empty. Name a folder that is empty or does not exist yet.")
    elif not out.parent.is_dir():
        problem = _("There is no folder above %(out)s. Make it first.")
    if problem:
        detail = problem % {"out": out.name}
        raise BadInput(detail, code="not_empty", fields={"out": [detail]})


# -- writing --------------------------------------------------------------------------------------


def _write(
    folder: Path, found: Pool, made: Plan, formats: Sequence[str], *, with_responses: bool
) -> dict[str, Any]:
    """Write all files but the manifest; returns the manifest without its release block."""
    facts = Facts()
    known = Known.load()
    rows = chunks(made.drawn, facts.people, with_responses=with_responses)
    written = write_tables(
        folder,
        watched(rows, facts, known),
        formats,
        with_responses=with_responses,
        with_files=any_of([entry.pk for entry in made.drawn]),
    )
    if facts.addressed:
        raise BadInput(
            _(
                "The e-mail address of a member stands in the text of: %(tasks)s. Reopen these "
                "tasks and have it taken out; nothing was written."
            )
            % {"tasks": ", ".join(facts.addressed[:12])},
            code="address_found",
            data={"tasks": facts.addressed},
        )
    content = content_of(found, made, facts, formats, with_responses=with_responses)
    content["privacy"]["tasks_with_a_members_name"] = facts.named
    sheet = write_text(folder, DATASHEET, datasheet.render(content, written))
    content["files"] = [one.as_dict() for one in (*written, sheet)]
    return content


# -- committing -----------------------------------------------------------------------------------


def _commit(part: Path, home: Path, content: dict[str, Any], made: Plan, actor: Any) -> GoldRelease:
    """Give the files a number, or give back the release that has this content already.

    One release at a time: two would look for the content and for the last number at the same
    moment, and find neither each other's content nor each other's number.
    """
    sha256 = content_sha256(content)
    with transaction.atomic():
        wait_for_turn(Turn.FREEZE)
        known = GoldRelease.objects.filter(sha256=sha256, same_as__isnull=True).first()
        if known is not None:
            _restore(known, part)
            return known
        _check_unchanged(made.drawn)
        return _number(part, home, content, sha256, made, actor)


def _number(
    part: Path, home: Path, content: dict[str, Any], sha256: str, made: Plan, actor: Any
) -> GoldRelease:
    number = 1 + (GoldRelease.objects.aggregate(last=Max("number"))["last"] or 0)
    now = timezone.now()
    manifest = {
        **content,
        "release": {
            "number": number,
            "frozen_at": now.isoformat(timespec="seconds"),
            "code_version": code_version(),
            "sha256": sha256,
        },
    }
    wish = made.wish
    release = GoldRelease.objects.create(
        number=number,
        size=len(made.drawn),
        seed=wish.seed,
        strata=wish.strata,
        allocation=wish.allocation,
        allow_unanchored=wish.allow_unanchored,
        manifest=manifest,
        sha256=sha256,
        created_by=actor,
        created_at=now,
    )
    GoldItem.objects.bulk_create(
        [
            GoldItem(
                release=release,
                task_id=entry.pk,
                version=entry.version,
                anchor_id=entry.anchor,
                position=position,
            )
            for position, entry in enumerate(made.drawn, start=1)
        ],
        batch_size=500,
    )
    _write_manifest(part, manifest)
    target = home / str(number)
    if target.exists():
        shutil.rmtree(target)  # of a release whose rows were never committed
    part.rename(target)
    return release


def _restore(release: GoldRelease, part: Path) -> None:
    """Put the files of a known release back if they are gone or damaged."""
    if all(check.fine for check in verify(release)):
        return
    _write_manifest(part, release.manifest)
    target = folder_of(release)
    shutil.rmtree(target, ignore_errors=True)
    part.rename(target)


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    data = orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    (folder / MANIFEST).write_bytes(data + b"\n")


def _check_unchanged(drawn: Sequence[Entry]) -> None:
    """What was written must still be what is approved."""
    pks = [entry.pk for entry in drawn]
    approved: set[int] = set()
    for start in range(0, len(pks), 500):
        approved.update(
            Task.objects.filter(pk__in=pks[start : start + 500], stage=Stage.APPROVED).values_list(
                "pk", flat=True
            )
        )
    versions = versions_that_count(pks)
    moved = [
        entry.key
        for entry in drawn
        if entry.pk not in approved
        or entry.pk not in versions
        or versions[entry.pk].pk != entry.version.pk
    ]
    if moved:
        raise Conflict(
            _("These tasks were moved on while the files were written: %(tasks)s. Draw again.")
            % {"tasks": ", ".join(moved[:12])},
            code="tasks_moved",
        )


@cache
def code_version() -> str:
    """The version of the product that wrote a release."""
    path = Path(settings.BASE_DIR) / "pyproject.toml"
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
