"""Which assigned sheets a known sheet follows, and on which response: decided by a hash."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from curation.base.web.refusals import Conflict, Denied
from curation.tasks.task.queries import kept_off
from judge.asking.candidates.models import Response
from judge.scoring.assignments.notices import sheet_assigned
from judge.scoring.practice.known_models import KnownLine, KnownSheet
from judge.scoring.practice.known_verdicts import KnownVerdicts, known_in
from judge.scoring.scorers.policy import policy_for
from judge.scoring.scorers.practice_models import PracticeSheet
from judge.scoring.scorers.readiness import standing_of
from judge.scoring.sheets.models import Sheet
from judge.scoring.sheets.opening import open_sheet
from judge.scoring.sheets.signals import alignment_sheet_assigned, uncounted_sheet_handed_back
from review.policy.sampling import draw_value, is_drawn


def connect() -> None:
    """Connect the receivers. Idempotent."""
    alignment_sheet_assigned.connect(
        _follow, sender=Sheet, dispatch_uid="judge.known_sheets.follow"
    )
    uncounted_sheet_handed_back.connect(
        _handed_back, sender=Sheet, dispatch_uid="judge.known_sheets.handed_back"
    )


def _follow(
    sender: Any, instance: Sheet, due_at: datetime | None, batch: Collection[int], **_: Any
) -> None:
    follow(instance, due_at, batch)


def _handed_back(sender: Any, instance: Sheet, reason: str, **_: Any) -> None:
    KnownSheet.objects.filter(sheet=instance).update(handed_back=reason)


@transaction.atomic
def follow(
    sheet: Sheet, due_at: datetime | None = None, batch: Collection[int] = ()
) -> Sheet | None:
    """Open a known sheet after an assigned one if the scorer's next is drawn; else None.

    The n-th sheet of a person in a domain is drawn by HMAC-SHA256 of the secret salt, the person,
    the domain and n, as spot checks are, and so is the response: an audit can repeat both, and
    nobody can foresee them. Without a response that is left for the person nothing is opened, and
    their standing says so to staff.

    Args:
        due_at: as for `open_sheet`: what the assigned sheet was opened with.
        batch: ids of the responses that the person is being assigned with this one.
    """
    user, domain = sheet.user, sheet.response.task.domain_id
    if sheet.response.task.domain.external:
        return None  # its scorers come from every domain, and no rules are set for it
    rate = policy_for(domain).known_rate
    if not rate:
        return None
    # Locked, so that two assignments at once get numbers of their own.
    standing = standing_of(user, domain)
    standing.assigned += 1
    place = f"known-sheet:{user.pk}:{domain}"  # type: ignore[union-attr]  # written here
    opened: Sheet | None = None
    if is_drawn(settings.SPOT_CHECK_SALT, f"{place}:{standing.assigned}", rate / 100):
        opened = _open_one(user, domain, standing.assigned, place, due_at, batch)
        standing.none_left_at = None if opened else timezone.now()
    standing.save(update_fields=["assigned", "none_left_at"])
    return opened


def left_for(user: Any, domain: int) -> list[KnownVerdicts]:
    """Return the known responses that a person could still get, but for seats and conflicts.

    Responses of tasks with a practice sheet are kept for practice.
    """
    practice = set(
        PracticeSheet.objects.filter(domain=domain).values_list("response__task_id", flat=True)
    )
    had = {
        *KnownSheet.objects.filter(user=user).values_list("response_id", flat=True),
        *Sheet.objects.filter(user=user).values_list("response_id", flat=True),
        *user.graded_sheets.values_list("response_id", flat=True),
    }
    return [one for one in known_in(domain) if one.response not in had and one.task not in practice]


def _open_one(
    user: Any,
    domain: int,
    number: int,
    place: str,
    due_at: datetime | None,
    batch: Collection[int],
) -> Sheet | None:
    def lot(one: KnownVerdicts) -> tuple[float, int]:
        return draw_value(settings.SPOT_CHECK_SALT, f"{place}:{one.key}"), one.response

    left = (one for one in left_for(user, domain) if one.response not in batch)
    for one in sorted(left, key=lot):
        response = Response.objects.select_related("task__domain", "task__author").get(
            pk=one.response
        )
        if user.pk in kept_off(response.task):
            continue
        try:
            with transaction.atomic():
                sheet = open_sheet(
                    response=response,
                    scorer=user,
                    purpose=Sheet.Purpose.ALIGNMENT,
                    due_at=due_at,
                    kind=Sheet.Kind.KNOWN,
                )
        except (Conflict, Denied):
            continue  # another seat on the task, or its anchor's scorer
        known = KnownSheet.objects.create(
            user=user, domain_id=domain, response=response, sheet=sheet, number=number
        )
        KnownLine.objects.bulk_create(
            KnownLine(known_sheet=known, criterion_id=line, met=met)
            for line, met in one.met.items()
        )
        sheet_assigned(sheet)
        return sheet
    return None
