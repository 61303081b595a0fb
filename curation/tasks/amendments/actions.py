"""Propose an amendment, withdraw it, agree to it or refuse it."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.roles import Role
from curation.base.process.signals import text_amended
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.tasks.amendments.exact import (
    exact_difference,
    exact_moved_on,
    words_of,
    write_amended,
)
from curation.tasks.amendments.models import Amendment
from curation.tasks.authoring.similar_actions import store_fingerprint
from curation.tasks.authoring.versions import keep_amended_text
from curation.tasks.business.reverification_access import verifies_it_again
from curation.tasks.business.reverification_actions import amendment_decided
from curation.tasks.task.fields import FIELD, PARTS, answers_exactly, needed_parts
from curation.tasks.task.holding import take_seat
from curation.tasks.task.models import Task
from curation.tasks.task.new_texts import clean_fields
from curation.tasks.task.queries import is_its_author, seat_role, writes_its_rubric
from curation.tasks.task.text_basis import AMENDABLE, PROMPT_PARTS

S = Stage
State = Amendment.State


def refuse_unless_amendable(task: Task) -> None:
    """Refuse a task whose text cannot be amended at its stage, saying what to do instead.

    Raises:
        Conflict: `wrong_stage`.
    """
    if task.external:
        sentence = _(
            "This task came from another benchmark, so its text is changed there and imported "
            "again."
        )
    elif task.is_skill:
        sentence = _("A skill has the text of its label. Staff change it in the skills library.")
    elif task.stage in AMENDABLE:
        return
    elif task.stage == S.DRAFT:
        sentence = _("This task is a draft: its author changes the text in the editor.")
    elif task.stage in (S.SUBMITTED, S.SCREENING):
        sentence = _(
            "The panel is judging this text. Propose the amendment once the panel has decided; if "
            "the panel returns the task, its author changes the text in the editor."
        )
    elif task.stage == S.DRAFTING:
        sentence = _(
            "The rubric is being drafted from this text. Propose the amendment once the draft is "
            "there, usually within minutes."
        )
    else:
        sentence = _("This task is closed, so its text stays as it is.")
    raise Conflict(sentence, code="wrong_stage", data={"stage": task.stage})


@action("task.amend", about="task")
@transaction.atomic
def propose_amendment(
    *,
    actor: Any,
    task: Task,
    version: int,
    reason: str,
    parts: Mapping[str, str],
    exact: Mapping[str, Any] | None = None,
) -> Amendment:
    """Propose another text for some parts of a task; a senior of the domain decides.

    Args:
        version: the version of the text that the proposer read.
        parts: any of title, scenario, materials, requirements and reference_answer; a part that is
            left out or equal stays as it is.
        exact: the exact answer as it should be, with all its fields; None leaves it.

    Raises:
        BadInput: no reason, no difference, an empty part, or one that cannot be stored.
        Conflict: `wrong_stage`; `changed_meanwhile`, the text is no longer the one that was read;
            `amendment_open`, another amendment waits for its decision.
        Denied: `not_qualified`, the author's qualification is suspended.
    """
    reason = required_reason(reason, _("Say what is wrong with the text; the senior reads it."))
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    refuse_unless_amendable(task)
    verifies = verifies_it_again(actor, task)
    by_staff = not (verifies or is_its_author(actor, task) or writes_its_rubric(actor, task))
    if not by_staff and task.domain_id not in actor.qualified_domain_ids():
        raise Denied(
            _(
                "Your qualification in this domain is suspended, so you cannot propose an "
                "amendment now. Staff can propose it."
            ),
            code="not_qualified",
        )
    if task.version != version:
        raise Conflict(
            _("The text was amended after you opened this page. Read it again, then propose."),
            code="changed_meanwhile",
        )
    changed = exact_difference(task, exact) if exact is not None else None
    before, after = _differences(task, parts, changed)
    try:
        with transaction.atomic():
            amendment = Amendment.objects.create(
                task=task,
                number=(task.amendments.aggregate(last=Max("number"))["last"] or 0) + 1,
                before=before,
                after=after,
                exact=changed,
                reason=reason,
                proposed_by=actor,
                by_staff=by_staff,
            )
    except IntegrityError:
        raise Conflict(
            _("Another amendment of this task waits for a senior. Propose this one after that."),
            code="amendment_open",
        ) from None
    task.note(
        "amendment_proposed",
        actor=actor,
        reason=reason,
        amendment=amendment.pk,
        number=amendment.number,
        by_staff=by_staff,
        **({"by_verifier": True} if verifies else {}),
    )
    return amendment


def _differences(
    task: Task, parts: Mapping[str, str], exact: Mapping[str, Any] | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the parts that differ as they are, and as proposed. Raises BadInput."""
    if answers_exactly(task):  # its reference answer is the exact answer in words
        parts = {name: text for name, text in parts.items() if name != "reference_answer"}
        if exact is not None:
            parts["reference_answer"] = words_of(exact["after"])
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise BadInput(fields={n: [_("This field cannot be amended.")] for n in unknown})
    wanted = clean_fields(parts)
    after = {n: wanted[n] for n in PARTS if n in wanted and wanted[n] != getattr(task, n)}
    needed = needed_parts(task)
    empty = {
        name: [str(FIELD[name].missing)]
        for name, text in after.items()
        if name in needed and storable.is_blank(text)
    }
    if empty:
        raise BadInput(fields=empty)
    if not after and exact is None:
        raise BadInput(
            _("Nothing differs from the present text. Change what is wrong, then propose."),
            code="nothing_changed",
        )
    return {name: getattr(task, name) for name in after}, after


@action("amendment.withdraw", about="amendment")
@transaction.atomic
def withdraw_amendment(*, actor: Any, amendment: Amendment) -> Amendment:
    """Withdraw a proposal that no senior has decided.

    Raises:
        Conflict: `wrong_stage`, it is decided or withdrawn already.
    """
    task = _lock(amendment)
    _close(amendment, State.WITHDRAWN, decided_at=timezone.now())
    task.note("amendment_withdrawn", actor=actor, amendment=amendment.pk, number=amendment.number)
    amendment_decided(task, amendment.proposed_by, agreed=False)
    return amendment


@action("amendment.decide", about="amendment")
@transaction.atomic
def refuse_amendment(*, actor: Any, amendment: Amendment, reason: str) -> Amendment:
    """Refuse an amendment with a reason. The text stays as it is.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, it is decided or withdrawn already.
    """
    reason = required_reason(reason, _("Say why you refuse it; who proposed it reads it."))
    task = _lock(amendment)
    _seat(task, actor)
    _close(
        amendment,
        State.REFUSED,
        decided_by=actor,
        decided_at=timezone.now(),
        answer=reason,
    )
    task.note(
        "amendment_refused",
        actor=actor,
        reason=reason,
        amendment=amendment.pk,
        number=amendment.number,
    )
    amendment_decided(task, amendment.proposed_by, agreed=False)
    return amendment


@action("amendment.decide", about="amendment")
@transaction.atomic
def agree_to_amendment(
    *, actor: Any, amendment: Amendment, rubric_affected: bool, reason: str
) -> Amendment:
    """Agree to an amendment: the text changes, and what rests on the earlier text goes stale.

    One transaction does all of it. The receivers of `text_amended` end or restart the work that
    rests on the earlier text (docs/corrections.md has the rule).

    Args:
        rubric_affected: whether the rubric has to be gone through with the new text.
        reason: why the senior agrees, and where `rubric_affected`, what to look at.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, it is decided already, or the task cannot be amended now.
    """
    reason = required_reason(reason, _("Say why you agree; the author reads it."))
    task = _lock(amendment)
    refuse_unless_amendable(task)
    _seat(task, actor)
    texts_differ = any(getattr(task, name) != text for name, text in amendment.before.items())
    if texts_differ or exact_moved_on(task, amendment.exact):
        raise Conflict(
            _("The text is no longer the one that this amendment changes. Refuse it."),
            code="changed_meanwhile",
        )
    version = task.version + 1
    # The one line of an exact answer is made from it, so it is always affected.
    rubric_affected = rubric_affected or amendment.exact is not None
    _close(
        amendment,
        State.AGREED,
        decided_by=actor,
        decided_at=timezone.now(),
        answer=reason,
        rubric_affected=rubric_affected,
        text_version=version,
    )
    prompt_changed = not PROMPT_PARTS.isdisjoint(amendment.after)
    if amendment.exact is not None:
        write_amended(task, amendment.exact)
    answer_changed = amendment.exact is not None or "reference_answer" in amendment.after
    since = {
        name: version
        for name, changed in (
            ("prompt_since", prompt_changed),
            ("rubric_since", rubric_affected),
            ("answer_since", answer_changed),
        )
        if changed
    }
    _write(task, amendment.after, version, since)
    task.note(
        "amendment_agreed",
        actor=actor,
        reason=reason,
        amendment=amendment.pk,
        number=amendment.number,
        parts=sorted(amendment.after, key=PARTS.index),
        rubric_affected=rubric_affected,
    )
    amendment_decided(task, amendment.proposed_by, agreed=True)
    text_amended.send(
        sender=Task,
        instance=task,
        prompt_changed=prompt_changed,
        rubric_affected=rubric_affected,
        answer_changed=answer_changed,
        amendment=amendment,
    )
    return amendment


def _write(task: Task, parts: Mapping[str, str], version: int, since: Mapping[str, int]) -> None:
    """Store the new text of a locked task, and keep the earlier one.

    Args:
        since: which columns of the task say from now on that this version changed their part.
    """
    keep_amended_text(task)
    Task.objects.filter(pk=task.pk).update(
        **parts, **since, version=version, updated_at=timezone.now()
    )
    task.refresh_from_db()
    if "prompt_since" in since:
        store_fingerprint(task)


def _lock(amendment: Amendment) -> Task:
    """Lock the task, so that steps on it run one after the other, and return it."""
    task = Task.objects.select_related("domain", "category", "author").select_for_update(
        of=("self",)
    )
    return task.get(pk=amendment.task_id)


def _seat(task: Task, actor: Any) -> None:
    """Give the senior a seat, so that they judge nothing else of the task but as its senior."""
    if seat_role(actor, task) is None:
        take_seat(task=task, user=actor, role=Role.AMENDMENT_DECIDER)


def _close(amendment: Amendment, to: str, **values: Any) -> None:
    if not move(Amendment.objects.filter(pk=amendment.pk), to, **values):
        raise Conflict(
            _("This amendment was decided or withdrawn before you, so nothing was changed."),
            code="wrong_stage",
        )
    amendment.refresh_from_db()
