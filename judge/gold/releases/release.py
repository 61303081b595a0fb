"""Freeze a release: draw, write, check and number it, completely or not at all.

Files are written into a temporary folder and moved into place while the rows are committed. The
same tasks, settings and formats give the same files and the same release hash; a release that
exists already is returned instead of made again.
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
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.web.refusals import BadInput
from judge.base.gold_sets.models import GoldDraw, GoldException, GoldItem, GoldRelease
from judge.base.gold_sets.task_sets import closed
from judge.base.queue.locks import Lock, take_lock
from judge.gold.releases import datasheet
from judge.gold.releases.attachments import have_attachments
from judge.gold.releases.checking import content_sha256, folder_of, verify
from judge.gold.releases.coded_errors import errors_to_publish
from judge.gold.releases.draw import DrawSpec, Plan, plan
from judge.gold.releases.drawn_tasks import plan_of_draw
from judge.gold.releases.erratum_published import Held, upheld_errata
from judge.gold.releases.files import (
    DATASHEET,
    ERRATA,
    ERROR_CODES,
    FORMATS,
    MANIFEST,
    write_list,
    write_tables,
    write_text,
)
from judge.gold.releases.manifest import KnownPeople, ReleaseCounts, counted, manifest_content
from judge.gold.releases.pool import pool
from judge.gold.releases.rows import chunks
from judge.gold.releases.unchanged import check_unchanged
from rubrics.composition.data_card import composition_of


@action("staff.gold")
def release_gold(
    *,
    actor: Any,
    spec: DrawSpec,
    formats: Sequence[str] = ("jsonl",),
    with_responses: bool = False,
    with_composition: bool = False,
) -> GoldRelease:
    """Draw, freeze and write a release; its files are in `folder_of(release)`.

    Args:
        with_responses: also export candidates' responses, experts' sheets and judges' verdicts.
        with_composition: the data card has today's panel, the prompts and rubrics in numbers.

    Raises:
        BadInput: invalid settings, a shortfall (strata in `data`), an unknown format, or a
            member's e-mail address in a task.
        Conflict: a drawn task changed while the files were written, or its file is gone from the
            storage.
    """
    chosen = _chosen(formats)
    spec.check()
    made = plan(pool(spec.strata), spec)
    return _freeze(
        actor, made, chosen, with_responses=with_responses, with_composition=with_composition
    )


@action("staff.gold")
def release_draw(
    *,
    actor: Any,
    draw: GoldDraw,
    exceptions: Mapping[str, str] | None = None,
    formats: Sequence[str] = ("jsonl",),
    with_responses: bool = False,
    with_composition: bool = False,
) -> GoldRelease:
    """Freeze the tasks of a draw, all of them but those that staff name, and no others.

    Args:
        exceptions: key of a drawn task -> why it is left out; both are published.

    Raises:
        BadInput: as `release_gold`; `not_anchored`, a task is neither anchored nor an exception
            (states and numbers in `data`); an exception names no task of the draw or has no reason.
        Conflict: as `release_gold`.
    """
    chosen = _chosen(formats)
    made = plan_of_draw(draw, exceptions or {})
    return _freeze(
        actor,
        made,
        chosen,
        with_responses=with_responses,
        with_composition=with_composition,
        draw=draw,
    )


def _chosen(formats: Sequence[str]) -> tuple[str, ...]:
    chosen = tuple(name for name in FORMATS if name in set(formats))
    if not chosen or set(formats) - set(FORMATS):
        detail = _("The formats are jsonl, csv and parquet. Name at least one.")
        raise BadInput(detail, fields={"formats": [detail]})
    return chosen


def _freeze(
    actor: Any,
    made: Plan,
    chosen: Sequence[str],
    *,
    with_responses: bool,
    with_composition: bool,
    draw: GoldDraw | None = None,
) -> GoldRelease:
    if with_responses:
        _refuse_closed(made)
    home = Path(settings.MEDIA_ROOT) / "gold"
    home.mkdir(parents=True, exist_ok=True)
    part = home / f".{os.getpid()}-{secrets.token_hex(6)}.part"
    part.mkdir()
    try:
        manifest = _write(part, made, chosen, with_responses, with_composition)
        return _commit(part, home, manifest, made, actor, draw)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _refuse_closed(made: Plan) -> None:
    """Refuse to publish verdicts on tasks of a closed held-out half."""
    shut = set(closed().values_list("task", flat=True)) & {entry.pk for entry in made.drawn}
    if shut:
        detail = ngettext(
            "%(n)s task of this release is in a held-out half that is closed. Freeze it without "
            "responses, or open the half first.",
            "%(n)s tasks of this release are in a held-out half that is closed. Freeze it without "
            "responses, or open the half first.",
            len(shut),
        ) % {"n": f"{len(shut):,}"}
        raise BadInput(detail, code="held_out", fields={"with_responses": [detail]})


def export(release: GoldRelease, out: Path) -> None:
    """Copy a release's files to `out`, completely or not at all.

    Raises:
        BadInput: `out` is not empty, or its parent is missing.
    """
    check_target(out)
    part = out.parent / f".{out.name}.{os.getpid()}.part"
    try:
        shutil.copytree(folder_of(release), part)
        part.rename(out)  # replaces an empty folder, too
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
    folder: Path, made: Plan, formats: Sequence[str], with_responses: bool, with_composition: bool
) -> dict[str, Any]:
    """Write all files but the manifest; return the manifest without its release block."""
    facts = ReleaseCounts()
    known = KnownPeople.load()
    _check_reasons(made, known)
    rows = chunks(made.drawn, facts.people, with_responses=with_responses)
    written = write_tables(
        folder,
        counted(rows, facts, known, {entry.key: entry.stratum for entry in made.drawn}),
        formats,
        with_responses=with_responses,
        with_files=have_attachments([entry.pk for entry in made.drawn]),
    )
    if facts.tasks_with_address:
        raise BadInput(
            _(
                "The text of these tasks contains the e-mail address of somebody in the "
                "programme: %(tasks)s. Reopen the tasks and have it taken out; nothing was "
                "written."
            )
            % {"tasks": ", ".join(facts.tasks_with_address[:12])},
            code="address_found",
            data={"tasks": facts.tasks_with_address},
        )
    content = manifest_content(made, facts, formats, with_responses=with_responses)
    if with_composition:
        versions = {entry.pk: entry.version.pk for entry in made.drawn}
        domains = sorted({entry.domain for entry in made.drawn})
        content["composition"] = composition_of(versions, domains)
    if errata := _errata(made, known):  # a key of its own, so that other files stay the same
        content["errata"] = errata
    written += write_list(folder, ERRATA, errata)
    if with_responses:
        coded = errors_to_publish([entry.pk for entry in made.drawn], known, facts)
        written += write_list(folder, ERROR_CODES, coded)
    content["privacy"]["tasks_with_a_members_name"] = facts.tasks_with_name
    sheet = write_text(folder, DATASHEET, datasheet.render(content, written))
    content["files"] = [one.as_dict() for one in (*written, sheet)]
    return content


def _check_reasons(made: Plan, known: KnownPeople) -> None:
    """Refuse a reason that holds a member's e-mail address, since reasons are published."""
    exceptions = made.origin.exceptions if made.origin else ()
    named = [one.key for one in exceptions if known.has_address(one.reason)]
    if named:
        detail = _(
            "The reason for these tasks contains the e-mail address of somebody in the programme: "
            "%(tasks)s. Take it out; nothing was written."
        ) % {"tasks": ", ".join(named[:12])}
        raise BadInput(detail, code="address_found", fields={"exceptions": [detail]})


def _errata(made: Plan, known: KnownPeople) -> list[dict[str, Any]]:
    """Return the errata list. Raises BadInput where it holds a member's e-mail address."""
    held = {
        entry.pk: Held(entry.version.pk, entry.version.number, entry.text_version)
        for entry in made.drawn
    }
    rows = upheld_errata(held)
    named = [row["task"] for row in rows if known.has_address(row["what_was_wrong"])]
    if named:
        raise BadInput(
            _(
                "What was upheld about these tasks contains the e-mail address of somebody in the "
                "programme, and a release prints it: %(tasks)s. Nothing was written."
            )
            % {"tasks": ", ".join(named[:12])},
            code="address_found",
        )
    return rows


# -- committing -----------------------------------------------------------------------------------


def _commit(
    part: Path,
    home: Path,
    content: dict[str, Any],
    made: Plan,
    actor: Any,
    draw: GoldDraw | None,
) -> GoldRelease:
    """Number the release, or return the existing one with this content.

    One at a time: two at once would see neither each other's content nor each other's number.
    """
    sha256 = content_sha256(content)
    with transaction.atomic():
        take_lock(Lock.FREEZE)
        known = GoldRelease.objects.filter(sha256=sha256, same_as__isnull=True).first()
        if known is not None:
            _restore(known, part)
            return known
        check_unchanged(made.drawn)
        return _number(part, home, content, sha256, made, actor, draw)


def _number(
    part: Path,
    home: Path,
    content: dict[str, Any],
    sha256: str,
    made: Plan,
    actor: Any,
    draw: GoldDraw | None,
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
    spec = made.spec
    release = GoldRelease.objects.create(
        number=number,
        size=len(made.drawn),
        seed=spec.seed,
        strata=spec.strata,
        allocation=spec.allocation,
        allow_unanchored=spec.allow_unanchored,
        draw=draw,
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
                stratum=entry.stratum,
                text_version=entry.text_version,
            )
            for position, entry in enumerate(made.drawn, start=1)
        ],
        batch_size=500,
    )
    GoldException.objects.bulk_create(
        [
            GoldException(release=release, task_id=one.task, reason=one.reason, state=one.state)
            for one in (made.origin.exceptions if made.origin else ())
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
    """Restore the files of an existing release if they are gone or damaged."""
    if all(check.fine for check in verify(release)):
        return
    _write_manifest(part, release.manifest)
    target = folder_of(release)
    shutil.rmtree(target, ignore_errors=True)
    part.rename(target)


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    data = orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    (folder / MANIFEST).write_bytes(data + b"\n")


@cache
def code_version() -> str:
    """Return the version of the product, for the manifest."""
    path = Path(settings.BASE_DIR) / "pyproject.toml"
    return str(tomllib.loads(path.read_text(encoding="utf-8"))["project"]["version"])
