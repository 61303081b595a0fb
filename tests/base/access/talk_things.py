"""Questions, guidelines and an announcement in the sample programme, with planted words."""

from typing import Any

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from curation.telling.guidelines.actions import publish_guideline, save_guideline
from curation.telling.guidelines.announcement_actions import announce
from curation.telling.guidelines.queries import guideline_named
from curation.telling.questions.actions import answer_question, ask_about_rule, ask_about_task
from curation.telling.questions.sharing_actions import share_answer

ABOUT_TASK = "planted question of a reviewer"
ABOUT_RULE = "planted question about a rule"
ANSWER = "planted answer of a senior"
SHARED = "planted answer for a domain"
RULE = "planted rule of finance"
DRAFT = "planted draft of a guideline"


def talk_things(people: dict[str, User], in_review: Task) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses, by the name the matrix uses."""
    staff = people["staff"]
    asked = ask_about_task(actor=people["reviewer"], task=in_review, text=f"Is it? {ABOUT_TASK}")
    finance = Domain.objects.get(key="finance")
    for text in ("# Rounding\n\nRound once.", f"# Rounding\n\n{RULE}"):
        found = guideline_named("finance")
        publish_guideline(
            actor=staff,
            guideline=found,
            version=found.draft_version,
            text=text,
            what_changed="Rounding.",
        )
    found = guideline_named("finance")
    save_guideline(actor=staff, guideline=found, version=found.draft_version, text=DRAFT)
    settled = ask_about_rule(
        actor=people["author"], domain=finance, rule="guideline:Rounding", text=ABOUT_RULE
    )
    answer_question(actor=people["senior"], question=settled, text=ANSWER)
    share_answer(actor=people["senior"], question=settled, asked="How often?", answered=SHARED)
    made = announce(
        actor=staff,
        title="Scoring pauses",
        text="No sheet falls due this week.",
        for_everybody=True,
        domains=(),
        shown_from=None,
        shown_until=None,
    )
    return {
        "asked_question": (asked.pk,),
        "answered_question": (settled.pk,),
        "guideline": ("finance",),
        "guideline_row": (found.pk,),
        "guideline_version": ("finance", 1),
        "announcement": (made.pk,),
    }
