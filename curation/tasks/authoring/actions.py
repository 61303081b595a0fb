"""Actions of an author on a task: write, submit, withdraw; and the slots that staff grant."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.access.permissions import is_staff
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied, Stale
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.authoring.requirements import require_all
from curation.tasks.authoring.similar_actions import store_fingerprint
from curation.tasks.authoring.versions import keep_replaced_text, keep_submitted_text
from curation.tasks.business.actions import require_deidentified
from curation.tasks.file_views.readiness import file_gaps
from curation.tasks.task.answer_form_actions import begin_form, known_form
from curation.tasks.task.demands import Demand, missing_demand
from curation.tasks.task.exact_queries import gaps_of
from curation.tasks.task.fields import missing_facts, missing_parts
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import AnswerForm, Slot, SlotGrant, Task
from curation.tasks.task.new_texts import clean_fields, new_key
from curation.tasks.task.queries import slot_limit


@action("signed_in")
@transaction.atomic
def create_task(
    *,
    actor: Any,
    domain: Domain,
    key: str | None = None,
    bounded: bool = True,
    answer_form: str = AnswerForm.TEXT,
    demand: Demand | None = None,
    **fields: Any,
) -> Task:
    """Start a draft in a domain the author is qualified in. It takes no slot yet.

    Args:
        bounded: refuse more open drafts than DRAFTS_PER_AUTHOR. Imports by staff are unlimited.
        answer_form: what an answer looks like; it can change until the first submission.
        demand: how many of what are asked for, where the form has that; it can follow later.

    Raises:
        Denied: the author is not qualified in the domain.
        Conflict: `training` has to be passed first, or `draft_limit` is reached.
        BadInput: a field cannot be stored.
    """
    answer_form = known_form(answer_form)
    if domain.pk not in actor.qualified_domain_ids():
        raise _not_qualified()
    require_all(actor)
    values = clean_fields(fields)
    _refuse_answer_as_text(answer_form, values)
    check_category(domain, values)
    if bounded:
        _refuse_more_drafts(actor)
    task = Task.objects.create(
        key=key or new_key(), domain=domain, author=actor, answer_form=answer_form, **values
    )
    begin_form(actor, task, demand)
    take_seat(task=task, user=actor, role=Role.AUTHOR)
    task.record_start(actor=actor)
    return task


def _refuse_answer_as_text(answer_form: str, values: Mapping[str, Any]) -> None:
    """Refuse a reference answer as a text where the answer is exact, and so has its own page."""
    if answer_form == AnswerForm.EXACT and "reference_answer" in values:
        raise BadInput(
            fields={
                "reference_answer": [
                    _("The answer of this task is exact: write it on the page of the answer.")
                ]
            }
        )


def _refuse_more_drafts(author: Any) -> None:
    # The lock makes drafts that are started at the same time count one after the other.
    User.objects.select_for_update().only("pk").get(pk=author.pk)
    drafts = Task.objects.filter(author=author, stage=Stage.DRAFT).count()
    if drafts >= settings.DRAFTS_PER_AUTHOR:
        raise Conflict(
            ngettext(
                "You have %(n)s open draft, which is the limit. Submit or withdraw it first, "
                "then start another one.",
                "You have %(n)s open drafts, which is the limit. Submit or withdraw one first, "
                "then start another one.",
                drafts,
            )
            % {"n": drafts},
            code="draft_limit",
        )


def check_category(
    domain: Domain, values: Mapping[str, Any], *, held: Any = None, every: bool = False
) -> None:
    """Refuse a category of another domain, and a work type that no task can be written for.

    Args:
        held: the work type the task has already, which may stay.
        every: whether any work type of the domain may be chosen, as staff may.

    Raises:
        BadInput: category or work type belong to another domain, or the work type is retired, or
            not both feasible and evaluable.
    """
    work_type = values.get("work_type")
    if work_type is not None and work_type.domain_id != domain.pk:
        raise BadInput(fields={"work_type": [_("This work type belongs to another domain.")]})
    if work_type is not None and work_type != held and not (every or work_type.benchmarked):
        raise BadInput(
            fields={
                "work_type": [
                    _(
                        "Tasks are written for work that is both feasible and evaluable. Choose "
                        "another work type, or none; staff can set this one."
                    )
                ]
            }
        )
    category = values.get("category")
    if category is not None and category.domain_id != domain.pk:
        raise BadInput(fields={"category": [_("This category belongs to another domain.")]})


@action("task.write", about="task")
@transaction.atomic
def save_draft(
    *, actor: Any, task: Task, version: int, domain: Domain | None = None, **fields: Any
) -> Task:
    """Save an author's text, unless somebody changed it since `version` was read.

    Args:
        version: the version of the text when the editor was opened.
        domain: a new domain, allowed until the first submission. It clears the category, unless
            one of the new domain is given.
        fields: any of EDITABLE; fields left out stay as they are.

    Raises:
        Stale: with both texts, if another save came first; nothing is written.
        Conflict: `wrong_stage` if the task is no longer a draft; `domain_fixed` if it was
            submitted before, so that its domain stays.
        Denied: `not_qualified`, the author is not qualified in the new domain.
        BadInput: a field cannot be stored.
    """
    values = clean_fields(fields)
    _refuse_answer_as_text(task.answer_form, values)
    domain_changes = domain is not None and domain.pk != task.domain_id
    if domain_changes and domain is not None:
        _check_domain_change(actor, task, domain)
        values = {"category": None, "work_type": None, **values, "domain": domain}
    check_category(
        values.get("domain", task.domain),
        values,
        held=task.work_type,
        every=task.collected or is_staff(actor, task),
    )
    before = task if task.version == version else None  # the text that this save replaces
    rows = Task.objects.filter(pk=task.pk, version=version, stage=Stage.DRAFT)
    if domain_changes:
        rows = rows.filter(screening_round=0)
    saved = rows.update(**values, version=version + 1, updated_at=timezone.now())
    now = Task.objects.get(pk=task.pk)
    if saved:
        if before is not None:
            keep_replaced_text(before, now)
        return now
    if now.stage != Stage.DRAFT:
        raise Conflict(
            _("This task was submitted, so its text can no longer be changed here."),
            code="wrong_stage",
            data={"stage": now.stage, "yours": to_plain(values)},
        )
    if domain_changes and domain is not None:
        _check_domain_change(actor, now, domain)
    theirs = {name: getattr(now, name) for name in values}
    if to_plain(theirs) == to_plain(values):  # the same text: no conflict
        return now
    raise Stale(
        data={
            "yours": to_plain(values),
            "theirs": to_plain(theirs),
            "version": now.version,
            "at": now.updated_at.isoformat(),
        }
    )


def _check_domain_change(actor: Any, task: Task, domain: Domain) -> None:
    """Refuse to change the domain after a submission, or to one the author is not qualified in."""
    if task.screening_round:
        reason = _(
            "The domain stays %(domain)s, because you have submitted this task to its panel. To "
            "write it for another domain, start a new draft."
        ) % {"domain": task.domain}
        raise Conflict(reason, code="domain_fixed", fields={"domain": [reason]})
    if domain.pk not in actor.qualified_domain_ids():
        raise _not_qualified()


def _not_qualified() -> Denied:
    return Denied(
        _("You can write tasks in the domains you are qualified in. This is not one of them."),
        code="not_qualified",
    )


def to_plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values for comparing and showing them: keys of rows, days as ISO 8601."""
    return {
        k: v.isoformat() if isinstance(v, date) else getattr(v, "key", v) for k, v in values.items()
    }


@action("task.write", about="task")
@transaction.atomic
def submit_task(*, actor: Any, task: Task) -> Task:
    """Submit a complete draft. The first submission takes a slot; a returned task keeps its own.

    Staff submit a collected task. It takes no slot, and two people have to have de-identified it.

    Raises:
        Conflict: `prompt_limit` when all slots are taken, `training` has to be passed first,
            `not_deidentified`, two people have not gone through a collected task;
            `wrong_stage` otherwise.
        BadInput: a component or a fact is missing, or a file is unread or refused; `fields` says
            which. Checked last.
        Denied: somebody else's task, or the author's qualification is suspended.
    """
    # Lock the task, so that no save changes the text after the check.
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    if not task.collected and task.domain_id not in actor.qualified_domain_ids():
        raise Denied(
            _("Your qualification in this domain is not active, so you cannot submit now."),
            code="not_qualified",
        )
    Task.process.check(task.stage, Stage.SUBMITTED)
    # A returned task goes on under the training it began with.
    if not task.collected and not task.screening_round:
        require_all(actor)
    # Rolled back if the submission is refused below; a collected task has no author and no slot.
    slot = None if task.collected else take_slot(expert=actor, task=task)
    gaps = {
        **missing_parts(task),
        **missing_facts(task),
        **_gaps_of_the_answer(task),
        **missing_demand(task),
        **file_gaps(task),
    }
    if gaps:
        raise BadInput(
            _("The task is not complete yet. Everything you typed is kept."),
            code="incomplete",
            fields=gaps,
        )
    if task.collected:
        require_deidentified(task)
    Task.objects.filter(pk=task.pk).update(screening_round=task.screening_round + 1)
    task.screening_round += 1
    again: dict[str, Any] = {"again": True} if task.screening_round > 1 else {}
    taken: dict[str, Any] = {"slot": slot.number} if slot else {"collected": True}
    task.advance(Stage.SUBMITTED, actor=actor, **taken, **again)
    keep_submitted_text(task)
    store_fingerprint(task)
    return task


def _gaps_of_the_answer(task: Task) -> dict[str, list[str]]:
    """Return what an exact answer lacks, at the boxes of the editor: field -> sentences."""
    gaps = gaps_of(task)
    of_the_editor = {name: gaps.pop(name) for name in ("change",) if name in gaps}
    sentences = [sentence for found in gaps.values() for sentence in found]
    return of_the_editor | ({"reference_answer": sentences} if sentences else {})


def take_slot(*, expert: Any, task: Task) -> Slot:
    """Return the task's slot; without one, take the lowest free number.

    The unique constraint on the number enforces the limit against concurrent submissions.

    Raises:
        Conflict: `prompt_limit`.
    """
    held = Slot.objects.filter(task=task).first()
    if held is not None:
        return held
    limit = slot_limit(expert)
    while True:
        taken = set(Slot.objects.filter(expert=expert).values_list("number", flat=True))
        free = next((n for n in range(1, limit + 1) if n not in taken), None)
        if len(taken) >= limit:  # slots above a limit that was lowered count too
            free = None
        if free is None:
            raise Conflict(
                ngettext(
                    "Your only slot is used; a withdrawn prompt keeps its slot. This draft stays "
                    "yours, and you can go on writing it.",
                    "All %(limit)s of your slots are used; a withdrawn prompt keeps its slot. This "
                    "draft stays yours, and you can go on writing it.",
                    limit,
                )
                % {"limit": limit},
                code="prompt_limit",
                data={"limit": limit},
            )
        try:
            with transaction.atomic():
                return Slot.objects.create(expert=expert, number=free, task=task)
        except IntegrityError:
            held = Slot.objects.filter(task=task).first()
            if held is not None:
                return held  # another request submitted the same task


@action("task.write", about="task")
@transaction.atomic
def withdraw_task(*, actor: Any, task: Task, reason: str) -> Task:
    """Withdraw a task. It keeps its slot, so a withdrawal frees none for another prompt.

    Raises:
        BadInput: without a reason.
        Conflict: `wrong_stage`.
    """
    reason = required_reason(reason, _("Say in a sentence why you withdraw it."))
    task.advance(Stage.WITHDRAWN, actor=actor, reason=reason)
    return task


@action("staff.recruiting")
@transaction.atomic
def grant_slot(*, actor: Any, expert: Any, reason: str, number: int | None = None) -> SlotGrant:
    """Grant an expert one more slot.

    Args:
        number: the number of the grant that the page showed, so that a repeated request grants
            nothing; None for the next one.

    Raises:
        BadInput: without a reason.
        Conflict: `changed_meanwhile`, this slot was granted already.
        Denied: the actor is not staff, or is the expert.
    """
    if expert.pk == actor.pk:
        raise Denied(_("You cannot decide on your own slots. Somebody else has to."))
    reason = required_reason(reason, _("Say why this expert gets another slot."))
    following = expert.slot_grants.count() + 1
    if number not in (None, following):
        raise _slot_given()
    try:
        with transaction.atomic():
            return SlotGrant.objects.create(
                expert=expert, number=following, granted_by=actor, reason=reason
            )
    except IntegrityError:
        raise _slot_given() from None


def _slot_given() -> Conflict:
    return Conflict(
        _(
            "This expert was given a slot after you opened the page, so none was added. Load the "
            "page again, and give another one if they need it."
        ),
        code="changed_meanwhile",
    )
