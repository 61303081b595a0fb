"""Write down an exact answer with its steps; keep the list of sources that do not count."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.web.reasons import required_reason
from curation.base.web.refusals import BadInput, Conflict, Stale
from curation.tasks.task.exact_checks import MOST_STEPS, Step, in_words, is_address
from curation.tasks.task.exact_models import ExactAnswer, RefusedSource, SolutionStep
from curation.tasks.task.fields import answers_exactly
from curation.tasks.task.models import Task

TEXT_LIMIT, SOURCE_LIMIT, STEP_LIMIT = 5000, 500, 2000
MOST_ALTERNATIVES = 10
LONGEST = {"answer": 200, "unit": 40, "alternative": 200}
WRITTEN = (
    *("answer", "kind", "tolerance", "tolerance_is_percent", "unit", "alternatives"),
    *("level", "cutoff", "why_unique", "why_stable"),
)
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")


def clean_exact(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of an exact answer as they are stored.

    Args:
        values: any of `WRITTEN`.

    Raises:
        BadInput: values that cannot be stored, all of them at once.
    """
    problems: dict[str, list[str]] = {}
    found = dict(values)
    for name in ("answer", "unit"):
        if name in values and (problem := storable.problem_with(values[name], limit=LONGEST[name])):
            problems[name] = [problem]
        elif name in values:
            found[name] = storable.one_line(values[name]).strip()
    for name in ("why_unique", "why_stable"):
        if name in values and (problem := storable.problem_with(values[name], limit=TEXT_LIMIT)):
            problems[name] = [problem]
        elif name in values:
            found[name] = storable.clean(values[name])
    if "alternatives" in values:
        found["alternatives"], problem = _alternatives(values["alternatives"])
        if problem:
            problems["alternatives"] = [problem]
    if values.get("kind", ExactAnswer.Kind.WORDS) not in ExactAnswer.Kind.values:
        problems["kind"] = [_("Choose a few words or one number.")]
    if values.get("level") not in (None, *ExactAnswer.Level.values):
        problems["level"] = [_("Choose the level, from 1 to 3.")]
    problems |= _of_the_tolerance(found)
    if problems:
        raise BadInput(fields=problems)
    return found


def _alternatives(typed: Any) -> tuple[list[str], str | None]:
    if not isinstance(typed, (list, tuple)) or not all(isinstance(one, str) for one in typed):
        return [], _("Write each further form on a line of its own.")
    forms = list(dict.fromkeys(storable.one_line(one).strip() for one in typed))
    forms = [form for form in forms if not storable.is_blank(form)]
    if len(forms) > MOST_ALTERNATIVES:
        return [], _("At most %(n)s further forms.") % {"n": MOST_ALTERNATIVES}
    problems = (storable.problem_with(form, limit=LONGEST["alternative"]) for form in forms)
    return forms, next((problem for problem in problems if problem), None)


def _of_the_tolerance(values: dict[str, Any]) -> dict[str, list[str]]:
    tolerance = values.get("tolerance")
    if tolerance is None:
        if values.get("tolerance_is_percent"):
            return {"tolerance": [_("Say how many per cent the answer may be off.")]}
        return {}
    if values.get("kind") != ExactAnswer.Kind.NUMBER:
        return {"tolerance": [_("Only a number has a tolerance. Words have further forms.")]}
    usable = isinstance(tolerance, Decimal) and tolerance.is_finite()
    if not usable or not 0 <= tolerance < 10**12 or tolerance != round(tolerance, 6):
        return {
            "tolerance": [
                _("Type a number from 0 on, below 1,000,000,000,000, with at most six decimals.")
            ]
        }
    return {}


def clean_steps(steps: Sequence[Step]) -> list[Step]:
    """Return the steps as they are stored.

    Raises:
        BadInput: a step cannot be stored; `fields` names its box ("step-1-text").
    """
    problems: dict[str, list[str]] = {}
    found = []
    for n, step in enumerate(steps, 1):
        if problem := storable.problem_with(step.text, limit=STEP_LIMIT):
            problems[f"step-{n}-text"] = [problem]
        elif storable.is_blank(step.text):
            problems[f"step-{n}-text"] = [_("Say what is done in this step, or empty its row.")]
        source = step.source.strip()
        if problem := storable.problem_with(source, limit=SOURCE_LIMIT):
            problems[f"step-{n}-source"] = [problem]
        elif source and not is_address(source):
            problems[f"step-{n}-source"] = [
                _("Give the page's whole address, with http:// or https://.")
            ]
        found.append(Step(storable.clean(step.text), source, step.source_date))
    if len(steps) > MOST_STEPS:
        problems["steps"] = [_("At most %(n)s steps.") % {"n": MOST_STEPS}]
    if problems:
        raise BadInput(fields=problems)
    return found


@action("task.write", about="task")
@transaction.atomic
def save_exact(
    *, actor: Any, task: Task, revision: int, steps: Sequence[Step], **values: Any
) -> ExactAnswer:
    """Write down the exact answer of a draft and its steps. It may still have gaps.

    Args:
        revision: of the answer when the page was opened; a save on an older one is refused.
        steps: all of them, in order.
        values: all of `WRITTEN`.

    Raises:
        BadInput: a value cannot be stored.
        Conflict: `wrong_stage`, the task is no draft, or has another form of answer.
        Stale: another save came first; nothing is written.
    """
    refuse_other_forms(task)
    values, steps = clean_exact(values), clean_steps(steps)
    task.refresh_from_db(from_queryset=Task.objects.select_for_update())
    if task.stage != Stage.DRAFT:
        raise Conflict(
            _("This task was submitted, so its answer can no longer be changed here."),
            code="wrong_stage",
            data={"stage": task.stage},
        )
    exact, _made = ExactAnswer.objects.select_for_update().get_or_create(task=task)
    if exact.revision != revision:
        raise Stale(
            data={
                "yours": {"answer": in_words(ExactAnswer(**values).expected)},
                "theirs": {"answer": in_words(exact.expected)},
                "version": exact.revision,
                "at": exact.saved_at.isoformat(),
            }
        )
    return write_exact(task, exact, values, steps)


def refuse_other_forms(task: Task) -> None:
    """Refuse a task whose answer is a text.

    Raises:
        Conflict: `wrong_form`.
    """
    if not answers_exactly(task):
        raise Conflict(
            _("An answer to this task is a text, so it has no exact answer."), code="wrong_form"
        )


def write_exact(
    task: Task,
    exact: ExactAnswer,
    values: Mapping[str, Any],
    steps: Sequence[Step] | None = None,
) -> ExactAnswer:
    """Store clean values of a locked task, and its reference answer in words.

    Args:
        steps: the new steps; None leaves them.
    """
    for name, value in values.items():
        setattr(exact, name, value)
    exact.revision += 1
    exact.saved_at = timezone.now()
    exact.save()
    if steps is not None:
        exact.steps.all().delete()
        SolutionStep.objects.bulk_create(
            SolutionStep(exact=exact, position=n, **vars(step)) for n, step in enumerate(steps, 1)
        )
    words = in_words(exact.expected) if exact.answer else ""
    if task.stage == Stage.DRAFT and task.reference_answer != words:
        Task.objects.filter(pk=task.pk).update(
            reference_answer=words, version=F("version") + 1, updated_at=exact.saved_at
        )
        task.refresh_from_db()
    return exact


# --- sources that do not count --------------------------------------------------------------------
@action("staff.editing")
@transaction.atomic
def refuse_source(*, actor: Any, suffix: str, reason: str) -> RefusedSource:
    """Put the end of a host name on the list of sources that do not count.

    Raises:
        BadInput: it is no host name, or the reason is missing.
        Conflict: `on_the_list` already.
    """
    problems: dict[str, list[str]] = {}
    suffix = storable.one_line(suffix).strip().lower().lstrip(".")
    if len(suffix) > 120 or not _HOST.fullmatch(suffix):
        problems["suffix"] = [_("Write a host name such as blogs.example.com, without http://.")]
    try:
        reason = required_reason(reason, _("Say why its pages do not count; authors read it."))
    except BadInput as refusal:
        problems |= refusal.fields
    if problems:
        raise BadInput(fields=problems)
    try:
        with transaction.atomic():
            return RefusedSource.objects.create(suffix=suffix, reason=reason, added_by=actor)
    except IntegrityError:
        raise Conflict(
            _("%(host)s is on the list already.") % {"host": suffix}, code="on_the_list"
        ) from None


@action("staff.editing")
def accept_source(*, actor: Any, source: RefusedSource) -> None:
    """Take a host name off the list. Its row stays as history.

    Raises:
        Conflict: it was taken off already.
    """
    taken_off = RefusedSource.objects.filter(pk=source.pk, removed_at__isnull=True).update(
        removed_at=timezone.now(), removed_by=actor
    )
    if not taken_off:
        raise Conflict(_("It was taken off the list before you."), code="changed_meanwhile")
