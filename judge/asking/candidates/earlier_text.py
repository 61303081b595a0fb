"""Which responses and scores rest on an earlier text of their task, since it was amended.

A response is stale if the prompt was amended after it was asked for. Scores are stale if the
response is, if the rubric they follow was written for a text that a later amendment replaced, or if
whoever scored had a reference answer in view that was amended since. A score that rests on the
reference answer stores the version of the text it was read in (`answer_version`, null for others).
The rule is in `curation/tasks/task/text_basis.py` and docs/corrections.md.
"""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from curation.tasks.task.text_basis import Basis, Rests

CODE = "earlier_text"  # of the reason why a response has no score, or was skipped
RUBRIC_CODE = "rubric_of_earlier_text"
ANSWER_CODE = "earlier_reference_answer"
LABELS: dict[str, Any] = {
    CODE: _("answers an earlier text of the task"),
    RUBRIC_CODE: _("scored by the rubric of an earlier text"),
    ANSWER_CODE: _("scored with an earlier reference answer in view"),
}


def answers_earlier_text(response: str = "") -> Q:
    """Return the condition that a response answers an earlier prompt.

    Args:
        response: lookup prefix from the filtered rows to the response, such as "response__".
    """
    return Q(**{f"{response}text_version__lt": F(f"{response}task__prompt_since")})


def waits_on_earlier_text(response: str = "response__", version: str = "version__") -> Q:
    """Return the condition that what is not scored yet rests on an earlier prompt or rubric.

    The reference answer is read when it is scored.

    Args:
        response, version: as for `rests_on_earlier_text`.
    """
    behind = Q(**{f"{version}text_version__lt": F(f"{response}task__rubric_since")})
    return answers_earlier_text(response) | behind


def rests_on_earlier_text(
    response: str = "response__", version: str = "version__", score: str | None = None
) -> Q:
    """Return the condition that a score rests on an earlier prompt, rubric or reference answer.

    Args:
        response, version: lookup prefixes to the response, and to the rubric's version of the
            score; a score without a version rests on the response, and on the reference answer if
            it was in view.
        score: lookup prefix to the row with `answer_version`; by default the row that has the
            version.
    """
    row = version.removesuffix("version__") if score is None else score
    read, task = f"{row}answer_version__lt", f"{response}task__"
    return (
        waits_on_earlier_text(response, version)
        | Q(**{read: F(f"{task}answer_since")})
        | Q(**{read: F(f"{task}rubric_since"), f"{version}isnull": True})
    )


# Columns of a score's row that `code_of` reads: of a sheet or judgment, and of a response in a run.
_TEXTS = (
    "response__text_version",
    "response__task__prompt_since",
    "version__text_version",
    "response__task__rubric_since",
)
COLUMNS = (*_TEXTS, "answer_version", "response__task__answer_since")
ITEM_COLUMNS = (*_TEXTS, "judgment__answer_version", "response__task__answer_since")


def code_of(
    answered: int,
    prompt_since: int,
    scored: int | None,
    rubric_since: int,
    read: int | None,
    answer_since: int,
) -> str:
    """Return why a score is stale, as a code; "" for one that rests on the present text.

    Args:
        answered, prompt_since, scored, rubric_since, read, answer_since: the values of `COLUMNS`.
    """
    if answered < prompt_since:
        return CODE
    if scored is not None and scored < rubric_since:
        return RUBRIC_CODE
    if read is None:
        return ""
    if read < answer_since:
        return ANSWER_CODE
    return RUBRIC_CODE if scored is None and read < rubric_since else ""


# --- rules of the models that rest on a text ----------------------------------------------------
LEFT_OUT = _("It stays on record and is left out of every result.")


def stale_rows(model: str, response: str, stale: Q) -> Callable[[Any], "QuerySet[Any]"]:
    """Return the query of a model's stale rows, given its path to the response."""

    def select(task: Any) -> "QuerySet[Any]":
        rows: QuerySet[Any] = apps.get_model("judge", model)._default_manager.all()
        return rows.filter(stale, **{f"{response}task": task})

    return select


def rule_of_score(
    model: str,
    label: Any,
    then: Any = LEFT_OUT,
    through: str = "",
    *,
    score: str | None = None,
) -> Rests:
    """Return the rule of a score, which has a response and a version at the end of a path.

    Args:
        score: lookup prefix to the row that knows its reference answer, where that is another one.
    """
    response, version = f"{through}response__", f"{through}version__"
    stale = stale_rows(model, response, rests_on_earlier_text(response, version, score))
    return Rests(model=f"judge.{model}", label=label, on=Basis.ALL, then=then, stale=stale)
