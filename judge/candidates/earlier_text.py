"""Which responses and scores rest on an earlier text of their task, since it was amended.

A response is stale if the prompt was amended after it was asked for. Scores are stale if the
response is, or if the rubric they follow was written for a text that a later amendment replaced.
The rule is in `curation/tasks/text_basis.py` and docs/corrections.md.
"""

from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

CODE = "earlier_text"  # of the reason why a response has no score, or was skipped
RUBRIC_CODE = "rubric_of_earlier_text"
LABELS: dict[str, Any] = {
    CODE: _("answers an earlier text of the task"),
    RUBRIC_CODE: _("scored by the rubric of an earlier text"),
}


def answers_earlier_text(response: str = "") -> Q:
    """Return the condition that a response answers an earlier prompt.

    Args:
        response: lookup prefix from the filtered rows to the response, such as "response__".
    """
    return Q(**{f"{response}text_version__lt": F(f"{response}task__prompt_since")})


def rests_on_earlier_text(response: str = "response__", version: str = "version__") -> Q:
    """Return the condition that a score of a response rests on an earlier prompt or rubric.

    Args:
        response, version: lookup prefixes to the response, and to the rubric's version of the
            score; a score without a version rests on the response alone.
    """
    behind = Q(**{f"{version}text_version__lt": F(f"{response}task__rubric_since")})
    return answers_earlier_text(response) | behind


# Columns of a score's row that `code_of` reads.
COLUMNS = (
    "response__text_version",
    "response__task__prompt_since",
    "version__text_version",
    "response__task__rubric_since",
)


def code_of(answered: int, prompt_since: int, scored: int | None, rubric_since: int) -> str:
    """Return why a score is stale, as a code; "" for one that rests on the present text.

    Args:
        answered, prompt_since, scored, rubric_since: the values of `COLUMNS`.
    """
    if answered < prompt_since:
        return CODE
    return RUBRIC_CODE if scored is not None and scored < rubric_since else ""
