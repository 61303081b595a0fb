"""What of judge leads to a task, and how it rests on the task's text."""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.text_basis import Basis, Rests, independent, records
from judge.asking.candidates.earlier_text import (
    answers_earlier_text,
    rests_on_earlier_text,
    waits_on_earlier_text,
)


def _rows(model: str, response: str, stale: Q) -> Callable[[Any], "QuerySet[Any]"]:
    """Return the query of a model's stale rows, given its path to the response."""

    def select(task: Any) -> "QuerySet[Any]":
        rows: QuerySet[Any] = apps.get_model("judge", model)._default_manager.all()
        return rows.filter(stale, **{f"{response}task": task})

    return select


def _score(
    model: str,
    label: Any,
    then: Any,
    through: str = "",
    *,
    on: Basis = Basis.ALL,
    score: str | None = None,
) -> Rests:
    """Return the rule of a score, which has a response and a version at the end of a path.

    Args:
        score: lookup prefix to the row that knows its reference answer, where that is another one.
    """
    response, version = f"{through}response__", f"{through}version__"
    stale = rests_on_earlier_text(response, version, score)
    return Rests(
        model=f"judge.{model}",
        label=label,
        on=on,
        then=then,
        stale=_rows(model, response, stale),
    )


def _flags(task: Any) -> "QuerySet[Any]":
    """Select the flags on stale verdicts, of runs and of imported judges."""
    flags: QuerySet[Any] = apps.get_model("judge", "VerdictFlag")._default_manager.all()
    on_stale = Q()
    for path in ("verdict__judgment__", "sheet_line__sheet__"):
        stale = rests_on_earlier_text(f"{path}response__", f"{path}version__")
        on_stale |= stale & Q(**{f"{path}response__task": task})
    return flags.filter(on_stale)


def _practice(model: str, label: Any, through: str) -> Rests:
    """Return the rule of practice sheets, whose verdicts are of a response by a version."""
    response, version = f"{through}response__", f"{through}version__"
    return Rests(
        model=f"judge.{model}",
        label=label,
        on=Basis.BOTH,
        then=_("It is given to nobody any more. Choose another response to practise on."),
        stale=_rows(model, response, waits_on_earlier_text(response, version)),
    )


_LEFT_OUT = _("It stays on record and is left out of every result.")

ROWS = [
    Rests(
        model="judge.Response",
        label=_("Responses"),
        on=Basis.PROMPT,
        then=_("It leaves every result, and is neither judged nor scored. Ask candidates again."),
        stale=_rows("Response", "", answers_earlier_text()),
    ),
    Rests(
        model="judge.Anchor",
        label=_("Anchors"),
        on=Basis.BOTH,
        then=_(
            "If the prompt changed, the baseline is written and scored again at once; if the "
            "rubric is affected, it is scored again when the new rubric is approved."
        ),
        stale=_rows(
            "Anchor", "response__", rests_on_earlier_text("response__", "sheet__version__")
        ),
    ),
    _score(
        "Sheet",
        _("Sheets"),
        _("An open one on a response to the earlier prompt ends; a submitted one is left out."),
    ),
    _score(
        "GradedSheet",
        _("Graded sheets"),
        _(
            "An open one on a response to the earlier prompt ends, or loses its grade where the "
            "reference answer changed; a submitted one is left out."
        ),
    ),
    _score("SheetLine", _("Lines of sheets"), _LEFT_OUT, "sheet__"),
    _score(
        "KnownSheet",
        _("Known sheets"),
        _("An open one ends with its sheet; a submitted one is left out of its scorer's figures."),
        "sheet__",
    ),
    _score("KnownLine", _("Lines of known sheets"), _LEFT_OUT, "known_sheet__sheet__"),
    _practice("PracticeSheet", _("Practice sheets"), ""),
    _practice("PracticeLine", _("Lines of practice sheets"), "practice_sheet__"),
    _score("MetaEvaluation", _("Checks of anchors"), _LEFT_OUT, "sheet__"),
    _score("Judgment", _("Judgments"), _LEFT_OUT),
    _score("Verdict", _("Verdicts of judges"), _LEFT_OUT, "judgment__"),
    Rests(
        model="judge.VerdictFlag",
        label=_("Flags"),
        on=Basis.ALL,
        then=_LEFT_OUT,
        stale=_flags,
    ),
    Rests(
        model="judge.CodedError",
        label=_("Error codes"),
        on=Basis.PROMPT,
        then=_LEFT_OUT,
        stale=_rows("CodedError", "response__", answers_earlier_text("response__")),
    ),
    _score("Finding", _("Findings of judges"), _LEFT_OUT, "judgment__"),
    _score("Overrule", _("Overruled findings"), _LEFT_OUT, "judgment__"),
    _score("OverruledScore", _("Scores with overrules"), _LEFT_OUT, "judgment__"),
    _score(
        "RunItem",
        _("Responses in runs"),
        _("One that waits is skipped with the reason; one that is judged is left out."),
        score="judgment__",
    ),
    Rests(
        model="judge.AlignmentItem",
        label=_("Responses in alignment sets"),
        on=Basis.PROMPT,
        then=_("It keeps its place in the set, needs no scorer, and is left out of the report."),
        stale=_rows("AlignmentItem", "response__", answers_earlier_text("response__")),
    ),
    Rests(
        model="judge.GoldItem",
        label=_("Releases that hold it"),
        on=Basis.TEXT,
        then=_("A frozen release keeps its files; its page names the amended tasks."),
        stale=_rows("GoldItem", "", Q(text_version__lt=F("task__version"))),
    ),
    *records(
        _("A model was asked about the text of its time; a later question uses the new one."),
        "judge.Call",
        "judge.BatchLine",
        "judge.CodeRequest",
        "judge.GenerationItem",
        "judge.ProbeSample",
        "judge.DraftRequest",
        "judge.OpinionRequest",
        "judge.LabelRequest",
        "judge.LineOpinion",
    ),
    *records(
        _("It was decided or written on a line as it was."),
        "judge.Adjudication",
        "judge.AnchorEvent",
        "judge.MetaLine",
        "judge.ProposalOutcome",
        "judge.ShareDecision",
        "judge.ConditionReason",
    ),
    *records(
        _("It says how a person practised on the text of that time."), "judge.PracticeAttempt"
    ),
    *independent(_("It says that no new draw takes the task."), "judge.Retirement"),
    *records(
        _("It says what was wrong with the task in a release that keeps its files."),
        "judge.Erratum",
    ),
    *independent(
        _("It says which tasks were drawn, and for what."),
        "judge.GoldDrawItem",
        "judge.GoldException",
        "judge.TaskHalf",
    ),
    *independent(
        _("Who asks it gets the text of the day, and the answer says which text it is to."),
        "judge.CollectionCell",
    ),
    *independent(
        _("It says how many items are asked for; judgments by another number are made again."),
        "judge.ListDemand",
        "judge.Selection",
    ),
    *independent(
        _("It follows the task's labels; the person who amends the text looks at them."),
        "judge.QueryChecklist",
        "judge.QueryChecklistLine",
        "judge.ChecklistOverrule",
    ),
    *independent(
        _("It says who was really chosen, whatever the task's text says."),
        "judge.RealOutcome",
        "judge.ChosenProfile",
    ),
]
