"""Sending a rubric to its reviewers, and the checks before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.text.comparisons import key_of
from curation.base.web.refusals import BadInput, Denied
from curation.joining.people import Qualification
from curation.tasks.task.models import AnswerForm, Task
from rubrics.lines import history, threads
from rubrics.lines.reference_marks import ReferenceScore, reference_score
from rubrics.lines.threads import Request
from rubrics.marks.actions import count_marks
from rubrics.policy.checkpoints import is_flaw, policy_of
from rubrics.policy.policy import RubricPolicy, default_policy
from rubrics.versions.actions import freeze, open_working_version
from rubrics.versions.diff import same_content
from rubrics.versions.lines import unanswered
from rubrics.versions.models import Criterion, RubricVersion
from rubrics.versions.queries import is_behind_the_text

REASON_LIMIT = 500


@dataclass(frozen=True)
class Gap:
    """One thing that keeps a rubric from being sent.

    Attributes:
        code: stable name.
        line: the line it is about; None where it is about the whole rubric.
        by_reason: the policy lets it pass with a reason.
    """

    code: str
    sentence: str
    line: Criterion | None = None
    fields: Mapping[str, list[str]] = field(default_factory=dict)
    by_reason: bool = False


def gaps_before_sending(
    lines: Sequence[Criterion],
    requests: Mapping[str, Request] | None = None,
    *,
    policy: RubricPolicy | None = None,
    behind: bool = False,
    form: str = AnswerForm.TEXT,
) -> list[Gap]:
    """Return what keeps these lines from being sent, in the order to resolve it.

    Args:
        lines: the working version, in order.
        requests: line key -> what the last round asked for.
        policy: the rules of the task's domain; None for those in the settings.
        behind: whether the text was amended, and the lines not compared with it since.
        form: what an answer to the task looks like.
    """
    gaps = []
    if behind:
        gaps.append(
            Gap(
                "text_amended",
                _(
                    "The task's text was amended. Go through the rubric with the new text and "
                    "confirm that it fits, then send it."
                ),
            )
        )
    policy = policy or default_policy()
    low, high = policy.fewest, policy.most
    by_reason = policy.beyond == RubricPolicy.Beyond.REASON
    if len(lines) < low:
        missing = low - len(lines)
        gaps.append(
            Gap(
                "too_few_lines",
                ngettext(
                    "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                    "A rubric has at least %(low)s lines; yours has %(have)s. Add %(n)s more.",
                    missing,
                )
                % {"low": low, "have": len(lines), "n": missing},
                fields={
                    "rubric": [
                        ngettext("%(n)s line is missing.", "%(n)s lines are missing.", missing)
                        % {"n": missing}
                    ]
                },
                by_reason=by_reason,
            )
        )
    if len(lines) > high:
        excess = len(lines) - high
        gaps.append(
            Gap(
                "too_many_lines",
                _("A rubric has at most %(high)s lines; yours has %(have)s. Merge or remove %(n)s.")
                % {"high": high, "have": len(lines), "n": excess},
                fields={
                    "rubric": [
                        ngettext("%(n)s line too many.", "%(n)s lines too many.", excess)
                        % {"n": excess}
                    ]
                },
                by_reason=by_reason,
            )
        )
    seen: dict[str, int] = {}
    for n, line in enumerate(lines, start=1):
        folded = key_of(line.text)
        if folded in seen:
            gaps.append(
                Gap(
                    "duplicate_lines",
                    _("Lines %(one)s and %(other)s say the same. Remove one of them.")
                    % {"one": seen[folded], "other": n},
                    line,
                )
            )
        seen.setdefault(folded, n)
    open_questions = unanswered(lines) if form == AnswerForm.PROFILE else []
    if open_questions:
        gaps.append(
            Gap(
                "question_unanswered",
                _(
                    "Line %(n)s is a question without its right answer. Write the answer after "
                    "“|”: Where did she study?|Zürich"
                )
                % {"n": lines.index(open_questions[0]) + 1},
                open_questions[0],
            )
        )
    waiting = unsettled(lines, requests or {})
    if waiting:
        gaps.append(
            Gap(
                "requests_open",
                ngettext(
                    "A reviewer asked for a change on %(n)s line that you have neither changed "
                    "nor answered. Change or answer it first.",
                    "A reviewer asked for changes on %(n)s lines that you have neither changed "
                    "nor answered. Change or answer them first.",
                    len(waiting),
                )
                % {"n": len(waiting)},
                waiting[0],
            )
        )
    return gaps


def unsettled(lines: Sequence[Criterion], requests: Mapping[str, Request]) -> list[Criterion]:
    """Return the lines with a reviewer's request that were neither changed nor answered."""
    return [
        line
        for line in lines
        if (asked := requests.get(line.key)) is not None
        and not asked.answered
        and same_content(line, asked.asked)
    ]


def may_author_work(task: Task) -> bool:
    """Return whether the rubric's author may go on with it.

    That is somebody qualified in the domain; in an external domain anybody; for a skill also staff.
    """
    if task.domain.external or (
        task.is_skill and task.rubric_author is not None and task.rubric_author.is_staff
    ):
        return True
    standing = Qualification.objects.filter(domain=task.domain_id, active=True)
    return standing.filter(user=task.rubric_author_pk).exists()


@action("rubric.refine", about="task")
@transaction.atomic
def send_to_review(
    *, actor: Any, task: Task, as_drafted: bool = True, reason: str = ""
) -> RubricVersion:
    """Freeze the working version and hand it to the reviewers.

    Args:
        as_drafted: whether the author confirmed sending with drafted lines nobody has read, and
            with lines without a reference mark where the policy only asks for one.
        reason: why the rubric has fewer or more lines than usual, where the policy accepts a
            reason. It is stored in the task's history.

    Raises:
        BadInput: too few or too many lines, two lines that say the same, or a request that was
            neither followed nor answered (it would come back unchanged); `lines_unread`;
            `reference_unmarked`; `text_amended`, the lines were not compared with the new text.
        Conflict: the task is not being refined.
        Denied: the author's qualification is suspended; the rubric waits.
    """
    if not may_author_work(task):
        raise Denied(
            _(
                "Your qualification in this domain is suspended, so the rubric is not sent now. "
                "Everything you wrote is kept."
            ),
            code="not_qualified",
        )
    # Locked before the version, so that no amendment comes between the check and the move.
    # Without its key: lines that are saved meanwhile refer to the task.
    text = Task.objects.select_for_update(no_key=True).only("rubric_since").get(pk=task.pk)
    version = open_working_version(task)
    lines = history.in_order(version)
    policy = policy_of(task)
    if task.is_skill and lines and all(is_flaw(line.dimension) for line in lines):
        raise BadInput(
            _("Add what a good answer does: a skill of critical flaws alone can earn nothing."),
            code="only_flaws",
        )
    gaps = gaps_before_sending(
        lines,
        threads.requests([task.pk]).get(task.pk),
        policy=policy,
        behind=is_behind_the_text(version, text),
        form=task.answer_form,
    )
    reason = _clean_reason(reason) if any(gap.by_reason for gap in gaps) else ""
    for gap in gaps:
        if not (gap.by_reason and reason):
            raise BadInput(
                gap.sentence,
                code=gap.code,
                fields=gap.fields,
                data={"line": gap.line.pk} if gap.line else None,
            )
    _ask_before_sending(task, version, lines, policy, as_drafted)
    history.renumber(lines)
    count_marks(task, version, lines)
    freeze(version)
    task.advance(
        Stage.IN_REVIEW, actor=actor, reason=reason, version=version.number, lines=len(lines)
    )
    return version


def _clean_reason(reason: str) -> str:
    """Return a reason as it is stored; empty if it is blank."""
    problem = storable.problem_with(reason, limit=REASON_LIMIT)
    if problem:
        raise BadInput(str(problem), fields={"reason": [problem]})
    return "" if storable.is_blank(reason) else storable.clean(reason)


def _ask_before_sending(
    task: Task,
    version: RubricVersion,
    lines: Sequence[Criterion],
    policy: RubricPolicy,
    as_drafted: bool,
) -> None:
    """Refuse drafted lines nobody read and missing reference marks, as the policy says."""
    unread = [] if as_drafted else history.unread(version, lines)
    if unread:
        raise BadInput(
            ngettext(
                "%(n)s drafted line is not confirmed yet.",
                "%(n)s drafted lines are not confirmed yet.",
                len(unread),
            )
            % {"n": len(unread)},
            code="lines_unread",
            data={"line": unread[0].pk},
        )
    required = policy.reference == RubricPolicy.Reference.REQUIRE
    asked = policy.reference == RubricPolicy.Reference.ASK and not as_drafted
    if not required and not (asked and not sent_before(task)):
        return
    score = reference_score(task, lines)
    if score.open:
        raise BadInput(
            _unmarked_sentence(score),
            code="reference_unmarked",
            data={"line": score.open[0].pk, "required": required},
        )


def sent_before(task: Task) -> bool:
    """Return whether a version written by the author was sent to review before."""
    by_experts = RubricVersion.objects.exclude(origin=RubricVersion.Origin.DRAFT)
    return by_experts.filter(task=task, frozen_at__isnull=False).exists()


def _unmarked_sentence(score: ReferenceScore) -> str:
    """Say on how many lines the author has not marked the reference answer."""
    n = len(score.open)
    return ngettext(
        "On %(n)s line you have not said whether your reference answer meets it.",
        "On %(n)s lines you have not said whether your reference answer meets them.",
        n,
    ) % {"n": n}
