"""Verbs on pools, on what a selection task demands, and on real outcomes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import AnswerForm, Task
from judge.methods.profiles.models import (
    ChosenProfile,
    ConditionReason,
    Profile,
    ProfilePool,
    RealOutcome,
    Selection,
)
from rubrics.versions.models import RubricVersion

MOST_DEMANDED = 200  # profiles
MOST_CHOSEN = 1_000
CLIENT = "client"  # the usual rater of a real outcome


@action("staff.editing")
@transaction.atomic
def add_pool(*, actor: Any, key: str, name: str, description: str = "") -> ProfilePool:
    """Add an empty pool.

    Args:
        key: letters, digits, hyphens and underscores.

    Raises:
        BadInput: key or name cannot be used, or the key is taken.
    """
    fields: dict[str, list[str]] = {}
    if problem := storable.problem_with_name(key, limit=60):
        fields["key"] = [problem]
    elif not key.replace("-", "").replace("_", "").isalnum() or not key.isascii():
        fields["key"] = [_("A key has letters, digits, hyphens and underscores.")]
    elif ProfilePool.objects.filter(key=key).exists():
        fields["key"] = [_("There is a pool with this key.")]
    if problem := storable.problem_with_name(name, limit=200):
        fields["name"] = [problem]
    if problem := storable.problem_with(description, limit=5_000):
        fields["description"] = [problem]
    if fields:
        raise BadInput(fields=fields)
    description = storable.clean(description)
    try:
        with transaction.atomic():
            return ProfilePool.objects.create(key=key, name=name, description=description)
    except IntegrityError:
        raise BadInput(fields={"key": [_("There is a pool with this key.")]}) from None


@action("selection.set", about="task")
@transaction.atomic
def set_selection(
    *, actor: Any, task: Task, pool: ProfilePool, number: int, what: str
) -> Selection:
    """Say how many profiles of which pool a task asks for. Its next judgments are new ones.

    Raises:
        BadInput: the answer to the task is no selection, the number is out of range, the things
            have no name, or a real outcome is of another pool.
    """
    if task.answer_form != AnswerForm.SELECTION:
        raise BadInput(_("The answer to this task is no selection of profiles."))
    if fields := demand_problems(task, pool, number, what):
        raise BadInput(fields=fields)
    return write_selection(actor, task, pool, number, what)


def demand_problems(task: Task, pool: ProfilePool, number: int, what: str) -> dict[str, list[str]]:
    """Return what is wrong with what a selection task is to demand: field -> sentences."""
    fields: dict[str, list[str]] = {}
    if not 1 <= number <= MOST_DEMANDED:
        sentence = _("A selection has between 1 and %(most)s profiles.") % {"most": MOST_DEMANDED}
        fields["number"] = [sentence]
    if problem := storable.problem_with_name(what, limit=60):
        fields["what"] = [problem]
    chosen = ChosenProfile.objects.filter(outcome__task=task.pk).exclude(profile__pool=pool)
    if task.pk is not None and chosen.exists():
        sentence = _("The profiles that were really chosen are of another pool.")
        fields["pool"] = [sentence]
    return fields


def write_selection(by: Any, task: Task, pool: ProfilePool, number: int, what: str) -> Selection:
    """Store what a selection task demands; the same again changes nothing."""
    there = Selection.objects.filter(task=task).first()
    if there and (there.pool_id, there.number, there.what) == (pool.pk, number, what):
        return there
    values = {
        "pool": pool, "number": number, "what": what, "set_by": by, "since": timezone.now(),
    }  # fmt: skip
    return Selection.objects.update_or_create(task=task, defaults=values)[0]


@action("selection.set", about="task")
@transaction.atomic
def set_outcome(
    *, actor: Any, task: Task, chosen: Sequence[str], reason: str, rater: str = CLIENT
) -> RealOutcome:
    """Record which profiles were really chosen; earlier statements stay on record.

    The same profiles again change nothing.

    Args:
        chosen: keys of profiles of the task's pool; empty if none was chosen.

    Raises:
        BadInput: the task names no pool, a key is unknown or there twice, or there is no reason.
    """
    Task.objects.select_for_update().get(pk=task.pk)
    reason = required_reason(reason)
    fields: dict[str, list[str]] = {}
    if problem := storable.problem_with_name(rater, limit=120):
        fields["rater"] = [problem]
    selection = Selection.objects.filter(task=task).first()
    if selection is None:
        fields["chosen"] = [_("First say which pool this task chooses from.")]
        raise BadInput(fields=fields)
    found, faults = profiles_by_key(selection.pool_id, chosen)
    if faults:
        fields["chosen"] = faults
    if fields:
        raise BadInput(fields=fields)
    earlier = RealOutcome.objects.filter(task=task, rater=rater).first()
    if earlier is not None:
        before = set(earlier.chosen.values_list("profile_id", flat=True))
        if before == {profile.pk for profile in found}:
            return earlier
    last = RealOutcome.objects.filter(task=task).aggregate(n=Max("number"))["n"] or 0
    outcome = RealOutcome.objects.create(
        task=task, rater=rater, number=last + 1, reason=reason, set_by=actor
    )
    ChosenProfile.objects.bulk_create(
        [ChosenProfile(outcome=outcome, profile=profile) for profile in found]
    )
    return outcome


def profiles_by_key(pool: int, keys: Sequence[str]) -> tuple[list[Profile], list[str]]:
    """Return the profiles of a pool with these keys in their order, and what is wrong with keys."""
    if len(keys) > MOST_CHOSEN:
        return [], [_("Name at most %(n)s profiles.") % {"n": f"{MOST_CHOSEN:,}"}]
    faults = []
    known = [key for key in keys if not storable.problem_with(key, limit=120)]
    there = {p.key: p for p in Profile.objects.filter(pool=pool, key__in=known)}
    seen: set[str] = set()
    for key in keys:
        if key not in there:
            faults.append(_("There is no profile “%(key)s” in the pool.") % {"key": str(key)[:80]})
        elif key in seen:
            faults.append(_("The profile “%(key)s” stands there twice.") % {"key": key})
        seen.add(key)
    return ([] if faults else [there[key] for key in keys]), faults[:20]


def keep_reasons(version: RubricVersion, reasons: Mapping[str, str]) -> None:
    """Keep why a model drafted its lines.

    Args:
        reasons: text of a line -> reason. Lines of the draft that it does not name have none.
    """
    lines: Iterable[tuple[int, str]] = version.criteria.values_list("pk", "text")
    ConditionReason.objects.bulk_create(
        [
            ConditionReason(criterion_id=pk, reason=reasons[text])
            for pk, text in lines
            if reasons.get(text)
        ]
    )
