"""Staff write a guideline and publish versions of it; people note that they have read one."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.notices.notify import domain_facts, send_notices
from curation.telling.guidelines.models import Guideline, GuidelineReading, GuidelineVersion
from curation.telling.guidelines.queries import readers_of

TEXT_LIMIT = 100_000  # characters
CHANGE_LIMIT = 1000


@action("staff.editing")
@transaction.atomic
def save_guideline(*, actor: Any, guideline: Guideline, version: int, text: str) -> Guideline:
    """Save the draft of a guideline; nobody but staff sees it.

    Args:
        guideline: may be unsaved, where it is the first draft.
        version: of the draft when it was read.

    Raises:
        BadInput: the text cannot be stored.
        Conflict: `changed_meanwhile`.
    """
    problem = storable.problem_with(text, limit=TEXT_LIMIT)
    if problem:
        raise BadInput(fields={"text": [problem]})
    guideline = _stored(guideline)
    mine = Guideline.objects.filter(pk=guideline.pk, draft_version=version)
    changed = mine.update(
        draft=storable.clean(text),
        draft_version=F("draft_version") + 1,
        draft_by=actor,
        draft_at=timezone.now(),
    )
    if not changed:
        raise _changed_meanwhile()
    guideline.refresh_from_db()
    return guideline


@action("staff.editing")
@transaction.atomic
def publish_guideline(
    *, actor: Any, guideline: Guideline, version: int, text: str, what_changed: str
) -> GuidelineVersion:
    """Publish a text as the next version, and tell everybody who works by it.

    Args:
        version: of the draft when it was read.
        what_changed: in a sentence or two; everybody reads them.

    Raises:
        BadInput: no text, or nothing is said of what changed.
        Conflict: `changed_meanwhile`; `no_change`, the version in force has this very text.
    """
    said = required_reason(
        what_changed,
        _("Say what changed; everybody who works by the guideline reads it."),
        limit=CHANGE_LIMIT,
        field="what_changed",
    )
    if storable.is_blank(text):
        raise BadInput(fields={"text": [_("Write the guideline first.")]})
    guideline = save_guideline(actor=actor, guideline=guideline, version=version, text=text)
    if guideline.versions.filter(number=guideline.current, text=guideline.draft).exists():
        raise Conflict(
            _("This is the text of the version in force, so there is nothing to publish."),
            code="no_change",
        )
    guideline.current += 1
    guideline.save(update_fields=["current"])
    published = GuidelineVersion.objects.create(
        guideline=guideline,
        number=guideline.current,
        text=guideline.draft,
        what_changed=said,
        published_by=actor,
    )
    _tell(published)
    return published


def _stored(guideline: Guideline) -> Guideline:
    if guideline.pk is not None:
        return guideline
    try:
        with transaction.atomic():
            guideline.save()
    except IntegrityError:
        raise _changed_meanwhile() from None
    return guideline


def _changed_meanwhile() -> Conflict:
    return Conflict(
        _("A colleague saved this guideline meanwhile. Load the page again to see how."),
        code="changed_meanwhile",
    )


def _tell(published: GuidelineVersion) -> None:
    guideline = published.guideline
    kind = "guideline_published" if guideline.domain else "programme_guideline_published"
    send_notices(
        readers_of(guideline).exclude(pk=published.published_by_id),
        kind,
        once=f"guideline-version-{published.pk}",
        url=reverse("guideline", args=[guideline.key]),
        version=published.number,
        reason=published.what_changed,
        **(domain_facts(guideline.domain) if guideline.domain else {}),
    )


@action("guideline.view", about="guideline")
@transaction.atomic
def note_reading(*, actor: Any, guideline: Guideline, number: int) -> None:
    """Note that a person has read a version. An older one than noted before changes nothing.

    Raises:
        BadInput: there is no such version.
    """
    if not 1 <= number <= guideline.current:
        raise BadInput(_("This guideline has no such version."))
    row, made = GuidelineReading.objects.get_or_create(
        guideline=guideline, user=actor, defaults={"number": number}
    )
    if not made:
        older = GuidelineReading.objects.filter(pk=row.pk, number__lt=number)
        older.update(number=number, at=timezone.now())
