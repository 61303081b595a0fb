"""Staff enter a task from business, keep its owner's permission, and have it de-identified."""

import hashlib
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.process.states import move
from curation.base.text import storable
from curation.base.web.fields import FIRST
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict
from curation.joining.domains.models import Domain
from curation.tasks.business.models import CHECKED, Collection, Deidentification
from curation.tasks.task.answer_form_actions import begin_form, known_form
from curation.tasks.task.demands import Demand
from curation.tasks.task.fields import ALL_TEXTS
from curation.tasks.task.models import AnswerForm, Origin, Task
from curation.tasks.task.new_texts import clean_fields, new_key

RECORD = (
    *("owner", "permitted_by", "permitted_on", "permission_scope"),
    *("permission_text", "permission_document", "collected_on"),
)
LINE_LIMITS = {"owner": 200, "permitted_by": 200, "permission_document": 300}
TEXT_LIMIT = 20_000
HIGHEST_RATE = Decimal("999999.99")
State = Deidentification.State


def record_problems(values: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what is wrong with a record of a collected task: field -> sentences.

    Args:
        values: one for each of RECORD, and `hourly_rate`.
    """
    found: dict[str, list[str]] = {}
    for name, sentence in (
        ("owner", _("Say whose case it is: the firm or the person.")),
        ("permitted_by", _("Say who gave the permission.")),
        ("permission_scope", _("Say what the permission covers.")),
    ):
        if storable.is_blank(values[name]):
            found[name] = [sentence]
    for name in (*LINE_LIMITS, "permission_scope", "permission_text"):
        limit = LINE_LIMITS.get(name, TEXT_LIMIT)
        if problem := storable.problem_with(values[name], limit=limit):
            found[name] = [problem]
    if storable.is_blank(values["permission_text"]) and storable.is_blank(
        values["permission_document"]
    ):
        found["permission_text"] = [
            _("Copy the words of the permission here, or say where the signed document is kept.")
        ]
    for name, missing in (
        ("permitted_on", _("Give the day of the permission.")),
        ("collected_on", _("Give the day on which the task was collected.")),
    ):
        day = values[name]
        if day is None:
            found[name] = [missing]
        elif not FIRST <= day <= timezone.localdate():
            found[name] = [_("Choose a day that is not in the future.")]
    rate = values["hourly_rate"]
    if rate is not None and not 0 < rate <= HIGHEST_RATE:
        found["hourly_rate"] = [_("Give an hourly rate above zero, or leave it empty.")]
    elif rate is not None and rate != round(rate, 2):
        found["hourly_rate"] = [_("Give the rate with at most two digits after the point.")]
    return found


def _tidy(values: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: values[name] for name in RECORD}
    for name in LINE_LIMITS:
        found[name] = storable.one_line(found[name]).strip()
    for name in ("permission_scope", "permission_text"):
        found[name] = storable.clean(found[name])
    return found


@action("staff.editing")
@transaction.atomic
def enter_task(
    *,
    actor: Any,
    domain: Domain,
    record: Mapping[str, Any],
    hourly_rate: Decimal | None = None,
    key: str | None = None,
    answer_form: str = AnswerForm.TEXT,
    demand: Demand | None = None,
    **fields: Any,
) -> Task:
    """Start a draft of a task from business. It has no author and takes no slot.

    Args:
        actor: the member of staff; None for an import on the command line.
        record: one value for each of RECORD.
        hourly_rate: US dollars for an hour of this work; None if it is not known.
        answer_form, demand: what an answer looks like, and what the form demands.
        fields: any fields of a task.

    Raises:
        BadInput: a field is missing or cannot be stored, all of them at once.
    """
    problems = record_problems({**record, "hourly_rate": hourly_rate})
    try:
        values = clean_fields(fields)
    except BadInput as refusal:
        problems |= {name: list(map(str, said)) for name, said in refusal.fields.items()}
    for name in ("category", "work_type"):
        row = fields.get(name)
        if row is not None and row.domain_id != domain.pk:
            problems[name] = [_("This belongs to another domain.")]
    if problems:
        raise BadInput(fields=problems)
    collection = Collection.objects.create(entered_by=actor, **_tidy(record))
    task = Task.objects.create(
        key=key or new_key(),
        domain=domain,
        origin=Origin.COLLECTED,
        collection=collection,
        hourly_rate=hourly_rate,
        answer_form=known_form(answer_form),
        **values,
    )
    begin_form(actor, task, demand)
    task.record_start(actor=actor, collected=True)
    return task


@action("staff.editing")
@transaction.atomic
def change_record(
    *,
    actor: Any,
    task: Task,
    version: int,
    record: Mapping[str, Any],
    hourly_rate: Decimal | None,
) -> Task:
    """Change the record of a collected task: whose it is, the permission, the day, the rate.

    Raises:
        BadInput: a field is missing or cannot be stored.
        Conflict: `not_collected`, the task has no record; `changed_meanwhile`, somebody changed
            the record after the page was read.
    """
    if task.collection_id is None:
        raise Conflict(_("This task was not collected from business."), code="not_collected")
    if problems := record_problems({**record, "hourly_rate": hourly_rate}):
        raise BadInput(fields=problems)
    # By its own columns alone: behind a join, PostgreSQL would not look at the version again after
    # it has waited for a change at the same moment.
    rows = Collection.objects.filter(pk=task.collection_id, version=version)
    if not rows.update(**_tidy(record), version=version + 1):
        raise Conflict(
            _("Somebody changed this record after you opened the page. Load it again."),
            code="changed_meanwhile",
        )
    Task.objects.filter(pk=task.pk).update(hourly_rate=hourly_rate)
    task.note("collection_changed", actor=actor)
    return task


# --- de-identification --------------------------------------------------------------------------
def file_ids(task: Task) -> list[int]:
    """Return the ids of a task's files, which a check covers too. One query."""
    rows: Any = task.attachments  # type: ignore[attr-defined]
    return list(rows.filter(removed_at__isnull=True).order_by("pk").values_list("pk", flat=True))


def texts_sha256(task: Task) -> str:
    """Return the digest of a task's texts: facts such as the minutes tell nobody's case."""
    texts = [getattr(task, name) for name in ALL_TEXTS]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _lock(task: Task) -> Task:
    return Task.objects.select_for_update(of=("self",)).select_related("domain").get(pk=task.pk)


def _refuse_unless_draft(task: Task) -> None:
    if not task.collected or task.stage != Stage.DRAFT:
        raise Conflict(
            _("De-identification comes before screening. This task is no draft of a collection."),
            code="wrong_stage",
        )


@action("staff.editing")
@transaction.atomic
def check_deidentified(
    *, actor: Any, task: Task, version: int, note: str = "", **checked: bool
) -> Deidentification:
    """Record that a person went through the text and files of a collected draft.

    A second person confirms it before the task can be submitted.

    Args:
        version: the version of the text that was read.
        checked: True for each of CHECKED.

    Raises:
        BadInput: something of the checklist is not done.
        Conflict: `wrong_stage`; `changed_meanwhile`, the text is no longer the one that was read;
            `waits_already`, a check of this text waits for its second person.
    """
    missing = [name for name in CHECKED if not checked.get(name)]
    problems = {name: [_("Go through this too, then tick it.")] for name in missing}
    if problem := storable.problem_with(note, limit=TEXT_LIMIT):
        problems["note"] = [problem]
    if problems:
        raise BadInput(fields=problems)
    task = _lock(task)
    _refuse_unless_draft(task)
    if task.version != version:
        raise Conflict(
            _("The text was changed after you opened this page. Read it again, then tick."),
            code="changed_meanwhile",
        )
    files = file_ids(task)
    waiting = task.deidentifications.filter(state=State.WAITING).first()
    if waiting is not None and _holds(waiting, task, files):
        raise Conflict(
            _("This text waits for a second person already. Ask a colleague to read it."),
            code="waits_already",
        )
    if waiting is not None:  # of an earlier text: this one replaces it
        move(Deidentification.objects.filter(pk=waiting.pk), State.REPLACED)
    made = Deidentification.objects.create(
        task=task,
        read_sha256=texts_sha256(task),
        file_ids=files,
        note=storable.clean(note),
        done_by=actor,
        **dict.fromkeys(CHECKED, True),
    )
    task.note("deidentified", actor=actor)
    return made


@action("deidentification.confirm", about="check")
@transaction.atomic
def confirm_deidentified(*, actor: Any, check: Deidentification) -> Deidentification:
    """Confirm as a second person that nothing tells whose case a task was.

    Raises:
        Conflict: `wrong_stage`, somebody was faster; `changed_meanwhile`, the text was changed
            since the first person read it.
    """
    task = _lock(check.task)
    _refuse_unless_draft(task)
    if not _holds(check, task, file_ids(task)):
        raise Conflict(
            _("Text or files were changed after the first check, so it has to be done again."),
            code="changed_meanwhile",
        )
    _close(check, State.CONFIRMED, actor)
    task.note("deidentification_confirmed", actor=actor)
    return check


@action("deidentification.confirm", about="check")
@transaction.atomic
def send_deidentification_back(
    *, actor: Any, check: Deidentification, reason: str
) -> Deidentification:
    """Send a check back: something in the text still tells whose case it was.

    Raises:
        BadInput: no reason.
        Conflict: `wrong_stage`, somebody was faster.
    """
    reason = required_reason(reason, _("Say what still tells whose case it was."))
    task = _lock(check.task)
    _close(check, State.SENT_BACK, actor, answer=reason)
    task.note("deidentification_sent_back", actor=actor, reason=reason)
    return check


def _close(check: Deidentification, to: str, actor: Any, **values: Any) -> None:
    rows = Deidentification.objects.filter(pk=check.pk)
    if not move(rows, to, second=actor, second_at=timezone.now(), **values):
        raise Conflict(_("A colleague has answered this check already."), code="wrong_stage")
    check.refresh_from_db()


def _holds(check: Deidentification, task: Task, files: list[int]) -> bool:
    """Return whether a check is about the present text and files."""
    return check.read_sha256 == texts_sha256(task) and check.file_ids == files


def holds_now(check: Deidentification | None, task: Task) -> bool:
    """Return whether a check is there and about the present text and files. One query."""
    return check is not None and _holds(check, task, file_ids(task))


def require_deidentified(task: Task) -> None:
    """Refuse a collected task whose present text two people have not gone through.

    Raises:
        Conflict: `not_deidentified`.
    """
    confirmed = task.deidentifications.filter(state=State.CONFIRMED).first()
    if not holds_now(confirmed, task):
        raise Conflict(
            _(
                "Two people go through this text before the panel reads it. Open the task under "
                "“Tasks from business”: one of you ticks the list, and a colleague confirms it."
            ),
            code="not_deidentified",
        )
