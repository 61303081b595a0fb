"""Collecting answers by hand: who collects, what is ordered, and each step on a cell."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.accounts.adapter import end_sessions
from curation.joining.people import User
from judge.asking.candidates import families
from judge.asking.candidates.models import MOST_ANSWERS, Candidate, Response
from judge.base.gold_sets.task_sets import TaskSet
from judge.base.products import EvaluationPeriod
from judge.results.product_index.collecting import (
    CollectionCell,
    CollectionOrder,
    OperatorChange,
    free_cells,
)
from judge.results.registry.actions import tasks_to_answer

LEASE = timedelta(hours=4)  # of a cell that an operator takes; afterwards another may take it
MOST_CELLS = 20_000  # of one order
MOST_LINKS, LONGEST_LINK = 100, 2000
State = CollectionCell.State


@action("staff.administration")
@transaction.atomic
def set_operator(*, actor: Any, person: User, operator: bool, reason: str) -> None:
    """Make a person an operator, or end that, on the record.

    Experts are no operators: they score blind, and an operator knows which product answered.

    Raises:
        BadInput: no reason, or the person is a qualified expert.
        Conflict: `no_change`, it is so already.
    """
    reason = required_reason(reason, _("Say why. It stays on the record."), limit=2000)
    if operator and (not person.is_active or person.qualified_domain_ids()):
        raise BadInput(
            fields={
                "person": [
                    _(
                        "An expert scores responses blind, so an expert cannot collect them. "
                        "Choose somebody with an open account who is qualified in no domain."
                    )
                ]
            }
        )
    changed = User.objects.filter(pk=person.pk, is_operator=not operator).update(
        is_operator=operator
    )
    if not changed:
        raise Conflict(_("This was decided already."), code="no_change")
    OperatorChange.objects.create(person=person, actor=actor, operator=operator, reason=reason)
    if not operator:
        held = CollectionCell.objects.filter(operator=person, state=State.TAKEN)
        move(held, State.WAITING, leased_until=None)
        end_sessions(person)  # so that open pages lose the role at once


@action("staff.scoring")
@transaction.atomic
def make_order(
    *,
    actor: Any,
    period: EvaluationPeriod,
    candidates: Sequence[Candidate],
    tasks: TaskSet,
    domains: Sequence[str] = (),
    note: str = "",
) -> CollectionOrder:
    """Order one answer of each version to each task in a period.

    What another order has already, or what was answered in this period, is not ordered again.

    Args:
        domains: keys; none for all.

    Raises:
        BadInput: a candidate is no version of a product, nothing is left to order, too much is
            ordered, or the note cannot be stored.
    """
    note = storable.clean(note or "")
    faults: dict[str, list[str]] = {}
    if problem := storable.problem_with(note, limit=5000):
        faults["note"] = [problem]
    if not candidates or any(one.product_id is None for one in candidates):
        faults["candidates"] = [_("Choose versions of products.")]
    keys = list(
        tasks.within(tasks_to_answer(domains), "pk").order_by("key").values_list("pk", flat=True)
    )
    if not keys:
        faults["tasks"] = [_("There is no approved task to answer.")]
    if len(keys) * len(candidates) > MOST_CELLS:
        faults["tasks"] = [_("That is more than 20,000 answers. Order fewer.")]
    if faults:
        raise BadInput(fields=faults)
    # Locked, so that two orders at once see each other's cells.
    EvaluationPeriod.objects.select_for_update().get(pk=period.pk)
    there = set(
        CollectionCell.objects.filter(period=period)
        .exclude(state=State.CANCELLED)
        .values_list("candidate_id", "task_id")
    ) | set(
        Response.objects.filter(period=period, baseline=False).values_list(
            "candidate_id", "task_id"
        )
    )
    wanted = [(one.pk, task) for one in candidates for task in keys if (one.pk, task) not in there]
    if not wanted:
        raise BadInput(_("All of this is ordered or answered already."), code="nothing_to_order")
    made = CollectionOrder.objects.create(period=period, task_set=str(tasks), note=note, by=actor)
    CollectionCell.objects.bulk_create(
        [
            CollectionCell(order=made, candidate_id=candidate, task_id=task, period=period)
            for candidate, task in wanted
        ],
        batch_size=500,
    )
    return made


@action("staff.scoring")
@transaction.atomic
def cancel_order(*, actor: Any, order: CollectionOrder) -> int:
    """Cancel what an order still waits for; return how many cells. Collected answers stay.

    Raises:
        Conflict: `no_change`, nothing of it is open.
    """
    ended = move(order.cells.all(), State.CANCELLED, leased_until=None, ended_at=timezone.now())
    if not ended:
        raise Conflict(_("Nothing of this order is open."), code="no_change")
    return ended


# -- the operator's steps --------------------------------------------------------------------------


@action("collect")
@transaction.atomic
def take_next(*, actor: Any) -> CollectionCell:
    """Give an operator the next cell, or the one that they have.

    Raises:
        Denied: `expert`, the person is a qualified expert.
        Conflict: `nothing_waits`.
    """
    if actor.qualified_domain_ids():
        raise Denied(
            _("You are qualified as an expert and score blind, so you cannot collect answers."),
            code="expert",
        )
    # The person's row is locked: two presses at once take one cell.
    User.objects.select_for_update().get(pk=actor.pk)
    until = timezone.now() + LEASE
    mine = CollectionCell.objects.filter(operator=actor, state=State.TAKEN).first()
    if mine is not None:
        CollectionCell.objects.filter(pk=mine.pk).update(leased_until=until)
        mine.leased_until = until
        return mine
    for cell in free_cells()[:200]:
        # Compare and swap: whoever is first has it, and the others try the next one.
        as_seen = CollectionCell.objects.filter(
            pk=cell.pk, state=cell.state, leased_until=cell.leased_until
        )
        taken = move(as_seen, State.TAKEN, operator=actor, leased_until=until)
        if taken:
            cell.refresh_from_db()
            return cell
    raise Conflict(_("Nothing waits to be collected."), code="nothing_waits")


@action("collect")
@transaction.atomic
def store_answer(
    *,
    actor: Any,
    cell: CollectionCell,
    text: str,
    links: str = "",
    tools_off: str = "",
    asked_on: date | None = None,
    account: str = "",
    remark: str = "",
    text_version: int,
) -> Response:
    """Store what a product answered, as a response that is blind from then on.

    Args:
        links: addresses, one on a line.
        text_version: of the task's text that the operator had before them.

    Raises:
        BadInput: no answer, or something that cannot be stored.
        Conflict: `taken`, the cell is no longer the operator's; `earlier_text`, the task was
            amended meanwhile.
    """
    now = _own(actor, cell)
    values, found_links = _checked_answer(
        now, text=text, links=links, tools_off=tools_off, account=account, remark=remark,
        asked_on=asked_on,
    )  # fmt: skip
    if not now.task.prompt_since <= text_version <= now.task.version:
        raise Conflict(
            _(
                "The task's text changed since you opened it. Ask the product again with the text "
                "as it is now; what you pasted is kept below."
            ),
            code="earlier_text",
        )
    # Locked, so that two answers of one candidate are numbered one after the other.
    candidate = Candidate.objects.select_for_update().get(pk=now.candidate_id)
    last = families.last_sample(candidate.name, now.task_id)
    if last >= MOST_ANSWERS:
        raise BadInput(families.no_sample_left(now.task.key))
    response = Response.objects.create(
        key=f"collected-{now.pk}",
        task_id=now.task_id,
        candidate_id=now.candidate_id,
        period_id=now.period_id,
        sample=last + 1,
        text=values.pop("text"),
        source=Response.Source.COLLECTED,
        text_version=text_version,
    )
    move(
        CollectionCell.objects.filter(pk=now.pk),
        State.DONE,
        response=response,
        links=found_links,
        asked_on=asked_on,
        leased_until=None,
        ended_at=timezone.now(),
        **values,
    )
    return response


def _checked_answer(
    cell: CollectionCell, *, links: str, asked_on: date | None, **texts: str
) -> tuple[dict[str, str], list[str]]:
    faults: dict[str, list[str]] = {}
    values = {name: storable.clean(given or "") for name, given in texts.items()}
    for name, value in values.items():
        limit = storable.MAX_TEXT if name == "text" else 2000
        if problem := storable.problem_with(value, limit=limit):
            faults[name] = [problem]
    if storable.is_blank(values["text"]):
        faults["text"] = [_("Paste the answer, or skip this one and say why.")]
    found = [line.strip() for line in storable.clean(links or "").splitlines() if line.strip()]
    if len(found) > MOST_LINKS:
        faults["links"] = [_("Keep at most 100 links.")]
    for link in found:
        if problem := storable.problem_with_name(link, limit=LONGEST_LINK):
            faults["links"] = [problem]
        elif not link.startswith(("https://", "http://")):
            faults["links"] = [_("A link begins with https:// or http://, one on each line.")]
    first, last = cell.period.starts_on, min(cell.period.ends_on, timezone.localdate())
    if asked_on is None:
        faults["asked_on"] = [_("Choose the day on which you asked.")]
    elif not first <= asked_on <= last:
        faults["asked_on"] = [
            _("Period %(period)s is from %(first)s to %(last)s; choose a day of it up to today.")
            % {"period": cell.period.key, "first": first, "last": cell.period.ends_on}
        ]
    if faults:
        raise BadInput(fields=faults)
    return values, found


@action("collect")
@transaction.atomic
def skip_cell(*, actor: Any, cell: CollectionCell, reason: str, remark: str = "") -> None:
    """Put a cell aside, with the reason.

    Raises:
        BadInput: no reason, or "other" without a remark.
        Conflict: `taken`.
    """
    now = _own(actor, cell)
    remark = storable.clean(remark or "")
    faults: dict[str, list[str]] = {}
    if reason not in CollectionCell.Reason.values:
        faults["reason"] = [_("Choose why there is no answer.")]
    if problem := storable.problem_with(remark, limit=2000):
        faults["remark"] = [problem]
    elif reason == CollectionCell.Reason.OTHER and storable.is_blank(remark):
        faults["remark"] = [_("Say in a sentence what happened.")]
    if faults:
        raise BadInput(fields=faults)
    move(
        CollectionCell.objects.filter(pk=now.pk),
        State.SKIPPED,
        reason=reason,
        remark=remark,
        leased_until=None,
        ended_at=timezone.now(),
    )


@action("collect")
@transaction.atomic
def give_back(*, actor: Any, cell: CollectionCell) -> None:
    """Give a cell back to the queue. Raises Conflict: `taken`."""
    now = _own(actor, cell)
    move(CollectionCell.objects.filter(pk=now.pk), State.WAITING, leased_until=None)


@action("staff.scoring")
@transaction.atomic
def ask_again(*, actor: Any, cell: CollectionCell) -> None:
    """Put a skipped cell back into the queue; its earlier reason is forgotten.

    Raises:
        Conflict: `wrong_stage`, it is not skipped.
    """
    skipped = CollectionCell.objects.filter(pk=cell.pk, state=State.SKIPPED)
    changed = move(skipped, State.WAITING, reason="", ended_at=None)
    if not changed:
        raise Conflict(_("This one is not skipped any more."), code="wrong_stage")


def _own(actor: Any, cell: CollectionCell) -> CollectionCell:
    """Return the cell, locked, if the operator has it. Raises Conflict: `taken`."""
    now = (
        CollectionCell.objects.select_for_update(of=("self",))
        .select_related("task", "period")
        .get(pk=cell.pk)
    )
    if now.state != State.TAKEN or now.operator_id != actor.pk:
        raise Conflict(not_yours(), code="taken")
    return now


def not_yours() -> str:
    """Return the sentence for an operator who no longer has a cell."""
    return _("This one is no longer with you: its time ran out, or staff ended it.")
