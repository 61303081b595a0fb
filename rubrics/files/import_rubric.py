"""Importing a file into the open version: planning the changes and applying them as one step."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from curation.base.access.action import action
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.base.web.refusals import BadInput, Conflict
from curation.tasks.task.models import Task
from rubrics.files.format import Content, Fault, FileLine
from rubrics.lines import history
from rubrics.lines.actions import line_problems, new_keys, provenance
from rubrics.policy.checkpoints import policy_of, stored_weight
from rubrics.policy.policy import HIGHEST, RubricPolicy
from rubrics.versions import diff
from rubrics.versions.actions import open_version_of, open_working_version
from rubrics.versions.diff import CONTENT
from rubrics.versions.models import Criterion, LineChange, RubricVersion

ID_LIMIT = 80


@dataclass
class Plan:
    """What importing a file would change in the open version.

    Attributes:
        revision: revision of the version it was planned for; must be the same when it is applied.
        whole: whether lines that are not in the file are removed and the file's order is used.
        rows: the present lines aligned with the future ones.
        faults: everything that cannot be used; with any of them nothing is applied.
        reordered: whether the order of the lines changes.
    """

    revision: int
    whole: bool
    rows: list[diff.Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    reordered: bool = False

    @property
    def counts(self) -> diff.Counts:
        return diff.count(self.rows)

    @property
    def changes(self) -> bool:
        """Whether applying the plan changes anything."""
        return bool(self.counts.differ) or self.reordered

    @property
    def lines(self) -> int:
        """How many lines the rubric would have."""
        return sum(row.new is not None for row in self.rows)


def plan_import(*, task: Task, content: Content, whole: bool) -> Plan:
    """Plan the import of a file into the open version; nothing is stored.

    Raises:
        Conflict: `wrong_stage`, the rubric is not open.
    """
    return _plan(open_version_of(task), content, whole)


def _plan(version: RubricVersion, content: Content, whole: bool) -> Plan:
    old = history.in_order(version)
    now = {line.key: line for line in old}
    faults = list(content.faults)
    task = version.task
    incoming = [_line(entry, skill=task.is_skill) for entry in content.lines]
    for entry, line in zip(content.lines, incoming, strict=True):
        faults += _line_faults(entry, line, now.get(line.key), skill=task.is_skill)
    faults += _repeated_ids(content.lines, "id")
    new = incoming if whole else _merged(old, incoming)
    plan = Plan(version.revision, whole, faults=faults)
    policy = policy_of(version.task)
    most = policy.most if policy.beyond == RubricPolicy.Beyond.REFUSE else HIGHEST
    plan.faults += _rubric_faults(old, new, content.lines, most)
    plan.faults.sort(key=lambda fault: fault.line)
    if not plan.faults:
        plan.rows = diff.align(old, new)
        plan.reordered = _reordered(old, new)
    return plan


def _line(entry: FileLine, *, skill: bool) -> SimpleNamespace:
    """Return a line of the file; its key is None if it has no id, which makes it a new line."""
    values = {name: entry.values.get(name) for name in CONTENT}
    if skill and isinstance(values["weight"], int):  # it follows from the others
        values["weight"] = stored_weight(str(values["importance"]), str(values["dimension"]))
    key = entry.values.get("id")
    return SimpleNamespace(key=key if isinstance(key, str) else None, number=entry.number, **values)


def _merged(old: Sequence[Any], incoming: Sequence[SimpleNamespace]) -> list[Any]:
    """Return the present lines, replaced by those of the file, then the file's new lines."""
    by_key = {line.key: line for line in incoming if line.key is not None}
    known = {line.key for line in old}
    return [
        *(by_key.get(line.key, line) for line in old),
        *(line for line in incoming if line.key is None or line.key not in known),
    ]


def _line_faults(
    entry: FileLine, line: SimpleNamespace, old: Criterion | None, *, skill: bool
) -> list[Fault]:
    """Return the faults of a line of the file; a line that changes nothing has none."""
    if old is not None and diff.same_content(old, line):
        return []
    found = []
    key = entry.values.get("id")
    if key is not None and not _is_an_id(key):
        found.append(
            Fault(
                entry.number,
                "id",
                _("An id is one line of at most %(n)s characters. Leave it empty for a new line.")
                % {"n": ID_LIMIT},
            )
        )
    said_there = {name: entry.values.get(name, "") for name in CONTENT}
    problems = line_problems(said_there, skill=skill)
    for name, sentences in problems.items():
        said = entry.values.get(name)
        sentence = (
            sentences[0]
            if name == "text" or said is None
            else _("%(sentence)s The file says “%(value)s”.")
            % {"sentence": sentences[0], "value": _shown(said)}
        )
        found.append(Fault(entry.number, name, sentence))
    return found


def _is_an_id(key: Any) -> bool:
    return (
        isinstance(key, str)
        and 0 < len(key) <= ID_LIMIT
        and key == key.strip()
        and key.isprintable()
        and not storable.is_blank(key)
    )


def _shown(value: Any) -> str:
    words = "".join(c if c.isprintable() else "?" for c in str(value))
    return words if len(words) <= 40 else f"{words[:39]}…"


def _repeated_ids(lines: Iterable[FileLine], name: str) -> list[Fault]:
    first: dict[str, int] = {}
    found = []
    for line in lines:
        value = line.values.get(name)
        if not isinstance(value, str):
            continue
        if value in first:
            found.append(
                Fault(
                    line.number,
                    name,
                    _("“%(id)s” is already on line %(n)s.")
                    % {"id": _shown(value), "n": first[value]},
                )
            )
        first.setdefault(value, line.number)
    return found


def _rubric_faults(
    old: Sequence[Criterion], new: Sequence[Any], lines: Sequence[FileLine], most: int
) -> list[Fault]:
    """Return faults of the whole: too many lines, none, duplicates.

    Excess lines and duplicates that the rubric had before are no faults of the file.
    """
    found = []
    if len(new) > max(most, len(old)):
        found.append(
            Fault(
                0,
                "file",
                _(
                    "A rubric has at most %(most)s lines; with this file yours would have %(n)s. "
                    "Nothing is taken from it until it fits."
                )
                % {"most": most, "n": len(new)},
            )
        )
    if not new:
        found.append(Fault(0, "file", _("The file would leave no line in your rubric.")))
    before = {line.key: line for line in old}
    seen: dict[str, Any] = {}
    for line in new:
        if not isinstance(line.text, str):
            continue
        folded = key_of(line.text)
        earlier = seen.setdefault(folded, line)
        if earlier is line or not folded:
            continue
        if _text_unchanged(line, before) and _text_unchanged(earlier, before):
            continue
        changed = earlier if _text_unchanged(line, before) else line
        at = getattr(changed, "number", 0)
        found.append(
            Fault(
                at,
                "text",
                _("Another line of the rubric says the same: “%(text)s”.")
                % {"text": _shown(line.text)},
            )
        )
    return found


def _text_unchanged(line: Any, before: dict[str, Criterion]) -> bool:
    old = before.get(line.key)
    return old is not None and old.text == line.text


def _reordered(old: Sequence[Any], new: Sequence[Any]) -> bool:
    """Return whether old lines change their order or a new line precedes an old one."""
    was = {line.key for line in old}
    stays = {line.key for line in new if line.key is not None}
    first = [line.key for line in old if line.key in stays]
    then = [line.key for line in new]
    return then[: len(first)] != first or any(key in was for key in then[len(first) :])


@action("rubric.refine", about="task")
@transaction.atomic
def import_lines(
    *,
    actor: Any,
    task: Task,
    content: Content,
    whole: bool,
    revision: int | None = None,
) -> Plan:
    """Import a file into the open version, as one step with one undo.

    Args:
        revision: revision of the version that was previewed; None without a preview.

    Raises:
        BadInput: `file_refused`, with every fault in `data["faults"]`.
        Conflict: `changed_since`, the rubric changed after the preview; `wrong_stage`.
    """
    version = open_working_version(task)
    version.refresh_from_db(fields=["revision"])
    if revision is not None and version.revision != revision:
        raise Conflict(
            _("The rubric changed since this file was compared with it. Look at it once more."),
            code="changed_since",
        )
    plan = _plan(version, content, whole)
    if plan.faults:
        raise refusal_of(plan.faults)
    if plan.changes:
        _apply(actor, task, version, plan)
    return plan


def refusal_of(faults: Sequence[Fault]) -> BadInput:
    """Return all faults of a file as one refusal."""
    fields: dict[str, list[str]] = {}
    for fault in faults:
        fields.setdefault(f"{fault.line}.{fault.field}", []).append(fault.sentence)
    return BadInput(
        _("Nothing was changed: the file has lines that cannot be used."),
        code="file_refused",
        fields=fields,
        data={"faults": [vars(fault) for fault in faults]},
    )


def _apply(actor: Any, task: Task, version: RubricVersion, plan: Plan) -> None:
    """Write the planned rows and record the step.

    If the order does not change, lines are recorded without their index, so that an undo does not
    change the order either.
    """
    lines = {line.key: line for line in history.in_order(version)}
    order = list(lines)
    at = {key: n for n, key in enumerate(order)}
    before, after, final = [], [], []
    added = [row.new.key for row in plan.rows if row.kind == "added"]
    ids = [key for key in added if key]
    drafted = _drafted(task, ids)
    fresh = iter(new_keys(task, len(added) - len(ids), taken=ids))
    for row in plan.rows:
        if row.kind == "removed":
            before.append(history.snapshot(row.old, at[row.old.key]))
    Criterion.objects.filter(
        version=version, key__in=[row.old.key for row in plan.rows if row.kind == "removed"]
    ).delete()
    for row in plan.rows:
        if row.new is None:
            continue
        if row.old is None:
            key = row.new.key or next(fresh)
            line = _created(version, row.new, key, drafted.get(key))
            after.append((line, True))
        else:
            line = lines[row.old.key]
            if row.kind == "edited" or plan.reordered:
                index = at[line.key] if plan.reordered else None
                before.append(history.snapshot(line, index))
                for name in CONTENT:
                    setattr(line, name, getattr(row.new, name))
                line.provenance = provenance(line)
                line.save(update_fields=[*CONTENT, "provenance"])
                after.append((line, plan.reordered))
        final.append(line)
    history.renumber(final)
    indexes = {line.pk: n for n, line in enumerate(final)}
    history.record(
        version,
        actor=actor,
        kind=LineChange.Kind.IMPORTED,
        key="",
        before=before,
        after=[
            history.snapshot(line, indexes[line.pk] if placed else None) for line, placed in after
        ],
    )


def _drafted(task: Task, keys: Iterable[str]) -> dict[str, Criterion]:
    """Return key -> the line of the task's drafts with that key."""
    rows = Criterion.objects.filter(
        version__task=task, version__origin=RubricVersion.Origin.DRAFT, key__in=list(keys)
    )
    return {line.key: line for line in rows.order_by("-version__number")}


def _created(
    version: RubricVersion, line: SimpleNamespace, key: str, source: Criterion | None
) -> Criterion:
    """Create a line the file adds; `source` is the drafted line with its key."""
    made = Criterion(
        version=version,
        key=key,
        position=0,
        quote=source.quote if source else "",
        source=source,
        **{name: getattr(line, name) for name in CONTENT},
    )
    made.provenance = provenance(made)
    made.save()
    return made
