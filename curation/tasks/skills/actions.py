"""Staff edit the taxonomy of a domain, begin the skills of its labels, and account for hours."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Category, Domain
from curation.tasks.skills.access import may_write_skills
from curation.tasks.skills.models import (
    MOST_HOURS,
    CategorySuitability,
    EffortEntry,
    Level,
    SkillChange,
    SkillLabel,
)
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Origin, Task
from curation.tasks.task.new_texts import new_key

Kind = SkillChange.Kind
VALUES = ("level", "name", "name_zh", "description", "description_zh", "position")
TEXT_LIMIT = 2000  # characters of a description
NAME_LIMIT = 120
HIGHEST_POSITION = 999


def key_of(name: str) -> str:
    """Return the key that a label gets from its name."""
    return slugify(name, allow_unicode=True)[:60].strip("-_")


def lock_taxonomy(domain: Domain) -> None:
    """Let changes of a domain's taxonomy run one after the other."""
    Domain.objects.select_for_update().only("pk").get(pk=domain.pk)


def record(
    domain: Domain,
    kind: str,
    *,
    by: Any,
    label: SkillLabel | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> None:
    """Write one change to the history of a taxonomy."""
    SkillChange.objects.create(
        domain=domain,
        label=label,
        kind=kind,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason,
        actor=by,
    )


def tidy(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a label as they are stored."""
    found = {name: values[name] for name in VALUES}
    for name in ("name", "name_zh"):
        found[name] = storable.one_line(found[name]).strip()
    for name in ("description", "description_zh"):
        found[name] = storable.clean(found[name]).strip()
    return found


def label_problems(values: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong with the values of a label: field -> sentences."""
    problems: dict[str, list[str]] = {}
    if sentence := storable.problem_with_name(values["name"], limit=NAME_LIMIT):
        problems["name"] = [sentence]
    elif not key_of(values["name"]):
        problems["name"] = [_("A name needs a letter or a digit.")]
    for name, limit in (
        ("name_zh", NAME_LIMIT),
        ("description", TEXT_LIMIT),
        ("description_zh", TEXT_LIMIT),
    ):
        if values[name] and (sentence := storable.problem_with(values[name], limit=limit)):
            problems[name] = [sentence]
    if values["level"] not in Level.values:
        problems["level"] = [_("Choose one of the three levels.")]
    if not 0 <= values["position"] <= HIGHEST_POSITION:
        problems["position"] = [_("Give a place from 1 to %s.") % HIGHEST_POSITION]
    return problems


def _checked(domain: Domain, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return tidy values with a place; without one the label comes last at its level."""
    found = tidy({**values, "position": values["position"] or 0})
    if not found["position"]:
        last = SkillLabel.objects.filter(domain=domain, level=found["level"])
        found["position"] = max(last.values_list("position", flat=True), default=0) + 1
    if problems := label_problems(found):
        raise BadInput(fields=problems)
    return found


@action("staff.editing")
@transaction.atomic
def add_label(*, actor: Any, domain: Domain, **values: Any) -> SkillLabel:
    """Add a label to a domain's taxonomy.

    Args:
        values: one for each of VALUES; `position` None for the last place of its level.

    Raises:
        BadInput: a value cannot be stored, or the name is taken.
    """
    lock_taxonomy(domain)
    found = _checked(domain, values)
    try:
        with transaction.atomic():
            made = SkillLabel.objects.create(domain=domain, key=key_of(found["name"]), **found)
    except IntegrityError:
        raise BadInput(
            fields={"name": [_("This domain has a label of this name already.")]}
        ) from None
    record(domain, Kind.ADDED, by=actor, label=made, after=found)
    return made


@action("staff.editing")
@transaction.atomic
def change_label(*, actor: Any, label: SkillLabel, version: int, **values: Any) -> SkillLabel:
    """Change a label. Its key stays, and its skill takes over the name and the description.

    Args:
        version: of the label, as the page was read.

    Raises:
        BadInput: a value cannot be stored.
        Conflict: `changed_meanwhile`.
    """
    lock_taxonomy(label.domain)
    return store_changes(label, _checked(label.domain, values), version=version, by=actor)


def store_changes(
    label: SkillLabel, values: Mapping[str, Any], *, version: int, by: Any
) -> SkillLabel:
    """Store checked values of a label and record what changed; nothing if nothing did.

    Raises:
        Conflict: `changed_meanwhile`.
    """
    before = {name: getattr(label, name) for name in VALUES}
    changed = [name for name in VALUES if before[name] != values[name]]
    rows = SkillLabel.objects.filter(pk=label.pk, version=version)
    new = {name: values[name] for name in changed}
    if not rows.update(**new, version=version + (1 if changed else 0)):
        raise _changed_meanwhile()
    label.refresh_from_db()
    if not changed:
        return label
    if label.skill_id is not None:
        Task.objects.filter(pk=label.skill_id).update(
            title=label.name, scenario=label.description, updated_at=timezone.now()
        )
    record(
        label.domain,
        Kind.CHANGED,
        by=by,
        label=label,
        before={name: before[name] for name in changed},
        after=new,
    )
    return label


def _changed_meanwhile() -> Conflict:
    return Conflict(
        _(
            "Somebody changed this label after you opened the page, so nothing was saved. "
            "Load the page again, and repeat your change."
        ),
        code="changed_meanwhile",
    )


@action("staff.editing")
@transaction.atomic
def retire_label(*, actor: Any, label: SkillLabel, version: int, reason: str) -> SkillLabel:
    """Retire a label: it keeps its skill and its tasks, and activates nothing any more.

    Raises:
        BadInput: no reason.
        Conflict: `changed_meanwhile`, or it is retired already.
    """
    reason = required_reason(reason, _("Say in a sentence why it is retired."))
    _switch(label, version, retired=True)
    record(label.domain, Kind.RETIRED, by=actor, label=label, reason=reason)
    return label


@action("staff.editing")
@transaction.atomic
def restore_label(*, actor: Any, label: SkillLabel, version: int) -> SkillLabel:
    """Bring a retired label back.

    Raises:
        Conflict: `changed_meanwhile`, or it is not retired.
    """
    _switch(label, version, retired=False)
    record(label.domain, Kind.RESTORED, by=actor, label=label)
    return label


def _switch(label: SkillLabel, version: int, *, retired: bool) -> None:
    rows = SkillLabel.objects.filter(pk=label.pk, version=version, retired_at__isnull=retired)
    if not rows.update(retired_at=timezone.now() if retired else None, version=version + 1):
        raise _changed_meanwhile()
    label.refresh_from_db()


@action("staff.editing")
@transaction.atomic
def begin_skill(*, actor: Any, label: SkillLabel, version: int, writer: Any) -> Task:
    """Begin the skill of a label: a task whose rubric the writer fills with checkpoints.

    It begins where a rubric is refined, since a skill has no text to screen. A label whose skill
    was discarded may get another one.

    Raises:
        BadInput: the writer is neither staff nor a qualified expert of the domain.
        Conflict: `changed_meanwhile`; `has_a_skill`; `label_retired`.
    """
    if not may_write_skills(label.domain_id).filter(pk=writer.pk).exists():
        raise BadInput(
            fields={"writer": [_("Choose an expert of the domain, or a member of staff.")]}
        )
    label = SkillLabel.objects.select_for_update(of=("self",)).get(pk=label.pk)
    if label.retired_at is not None:
        raise Conflict(_("This label is retired. Bring it back first."), code="label_retired")
    if label.skill is not None and label.skill.stage != Stage.DISCARDED:
        raise Conflict(_("This label has a skill already."), code="has_a_skill")
    if label.version != version:
        raise _changed_meanwhile()
    task = new_skill(label, writer, Stage.REFINING)
    SkillLabel.objects.filter(pk=label.pk).update(skill=task, summary=None, version=version + 1)
    task.record_start(
        actor=actor, skill=True
    )  # opens the rubric; see rubrics/versions/registrations.py
    record(label.domain, Kind.SKILL, by=actor, label=label, after={"skill": task.key})
    return task


def new_skill(label: SkillLabel, writer: Any, stage: str) -> Task:
    """Create the task of a skill with the texts of its label, and give its writer the seat."""
    task = Task.objects.create(
        key=new_key(),
        domain=label.domain,
        origin=Origin.SKILL,
        stage=stage,
        rubric_author=writer,
        title=label.name,
        scenario=label.description,
    )
    take_seat(task=task, user=writer, role=Role.RUBRIC_AUTHOR)
    return task


@action("staff.editing")
@transaction.atomic
def set_suitability(
    *, actor: Any, category: Category, verdict: str, reason: str
) -> CategorySuitability:
    """Say whether answers of a category can be judged openly, with the reason.

    Raises:
        BadInput: no such verdict, or no reason.
    """
    reason = required_reason(reason, _("Say in a sentence why."))
    if verdict not in CategorySuitability.Verdict.values:
        raise BadInput(fields={"verdict": [_("Choose one of the three.")]})
    lock_taxonomy(category.domain)
    held = CategorySuitability.objects.filter(category=category).first()
    before = {"verdict": held.verdict, "reason": held.reason} if held else {}
    after = {"verdict": verdict, "reason": reason}
    if held is not None and before == after:
        return held
    made, _new = CategorySuitability.objects.update_or_create(
        category=category, defaults={**after, "set_by": actor, "set_at": timezone.now()}
    )
    named = {"category": category.key}
    record(category.domain, Kind.SUITABILITY, by=actor, before=before, after=after | named)
    return made


@action("staff.editing")
@transaction.atomic
def enter_effort(
    *, actor: Any, label: SkillLabel, person: Any, hours: Decimal, note: str = ""
) -> EffortEntry:
    """Account for hours that a person worked on a skill.

    Args:
        hours: above 0, at most MOST_HOURS, with at most two digits after the point.

    Raises:
        BadInput: the hours are out of range, the note is too long, or the person writes no skills.
    """
    problems: dict[str, list[str]] = {}
    if not 0 < hours <= MOST_HOURS or hours != round(hours, 2):
        problems["hours"] = [_("Give hours above 0, at most %s.") % MOST_HOURS]
    if problem := storable.problem_with(note, limit=TEXT_LIMIT):
        problems["note"] = [problem]
    if not may_write_skills(label.domain_id).filter(pk=person.pk).exists():
        problems["person"] = [_("Choose an expert of the domain, or a member of staff.")]
    if problems:
        raise BadInput(fields=problems)
    return EffortEntry.objects.create(
        label=label, person=person, hours=hours, note=storable.clean(note), entered_by=actor
    )


@action("staff.editing")
@transaction.atomic
def take_back_effort(*, actor: Any, entry: EffortEntry) -> None:
    """Take back an entry that was wrong. It stays in the account, crossed out.

    Raises:
        Conflict: `wrong_stage`, it was taken back already.
    """
    rows = EffortEntry.objects.filter(pk=entry.pk, taken_back_at__isnull=True)
    if not rows.update(taken_back_at=timezone.now(), taken_back_by=actor):
        raise Conflict(_("This entry was taken back already."), code="wrong_stage")
