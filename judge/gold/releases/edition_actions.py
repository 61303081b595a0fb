"""Publish an edition, once for a quarter."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from judge.base.gold_sets.models import GoldItem, GoldRelease
from judge.base.queue.locks import Lock, take_lock
from judge.gold.releases.edition_content import Named, content_sha256, edition_content
from judge.gold.releases.editions import Edition, EditionRelease


def quarter_of(day: date) -> tuple[int, int]:
    """Return year and quarter of a day."""
    return day.year, (day.month - 1) // 3 + 1


def next_quarter(year: int, quarter: int) -> tuple[int, int]:
    """Return the quarter after one."""
    return (year + 1, 1) if quarter == 4 else (year, quarter + 1)


def newest() -> Edition | None:
    """Return the newest edition. One query."""
    return Edition.objects.first()


def planned(
    *,
    year: int,
    quarter: int,
    release: GoldRelease | None,
    by_domain: Mapping[Domain, GoldRelease],
) -> dict[str, Any]:
    """Return the content that an edition would have, without publishing it.

    Args:
        release: the release for all domains; None where each has its own.
        by_domain: domain -> its release; empty where one release is for all.

    Raises:
        BadInput: no release or both kinds are named; a release has no task of its domain; the
            quarter has not begun, or the newest edition is of the same quarter or a later one.
    """
    _check_quarter(year, quarter)
    named = _named(release, by_domain)
    return edition_content(f"{year}-Q{quarter}", named, newest())


@action("staff.gold")
@transaction.atomic
def publish_edition(
    *,
    actor: Any,
    year: int,
    quarter: int,
    release: GoldRelease | None = None,
    by_domain: Mapping[Domain, GoldRelease] | None = None,
) -> Edition:
    """Publish the edition of a quarter; it is never changed.

    Raises:
        BadInput: as `planned`.
        Conflict: `published_already`, a colleague published this quarter's at the same moment.
    """
    take_lock(Lock.FREEZE)  # no release is frozen meanwhile, and no other edition published
    by_domain = by_domain or {}
    content = planned(year=year, quarter=quarter, release=release, by_domain=by_domain)
    try:
        with transaction.atomic():
            edition = Edition.objects.create(
                year=year,
                quarter=quarter,
                content=content,
                sha256=content_sha256(content),
                by=actor,
            )
    except IntegrityError:
        raise Conflict(
            _("The edition of this quarter was published at the same moment."),
            code="published_already",
        ) from None
    EditionRelease.objects.bulk_create(
        EditionRelease(edition=edition, domain=one.domain, release=one.release)
        for one in _named(release, by_domain)
    )
    return edition


def _named(release: GoldRelease | None, by_domain: Mapping[Domain, GoldRelease]) -> list[Named]:
    if (release is None) == (not by_domain):
        detail = _("Name one release for all domains, or one for each domain, not both.")
        raise BadInput(detail, code="no_release", fields={"release": [detail]})
    if release is not None:
        return [Named(None, release)]
    named = [
        Named(domain, by_domain[domain]) for domain in sorted(by_domain, key=lambda one: one.key)
    ]
    missing = [
        str(one.domain)
        for one in named
        if not GoldItem.objects.filter(release=one.release, task__domain=one.domain).exists()
    ]
    if missing:
        detail = _("The release chosen has no task of %(domains)s. Choose another.") % {
            "domains": listed(missing)
        }
        raise BadInput(detail, code="no_task", fields={"release": [detail]})
    return named


def _check_quarter(year: int, quarter: int) -> None:
    wanted = (year, quarter)
    problem = ""
    if not 2000 <= year <= 2999 or not 1 <= quarter <= 4:
        problem = _("Choose a quarter from 1 to 4 of a year from 2000 on.")
    elif wanted > quarter_of(timezone.localdate()):
        problem = _("This quarter has not begun.")
    else:
        last = newest()
        if last is not None and wanted == (last.year, last.quarter):
            problem = _(
                "The edition %(key)s is published and stays as it is. A correction is part of the "
                "next one."
            ) % {"key": last.key}
        elif last is not None and wanted < (last.year, last.quarter):
            problem = _("The newest edition is %(key)s. Publish a later one.") % {"key": last.key}
    if problem:
        raise BadInput(problem, code="wrong_quarter", fields={"quarter": [problem]})
