"""Questions, an announcement and guidelines, for every kind of notice about them."""

from typing import Any

from curation.joining.domains.models import Domain
from curation.telling.guidelines.actions import publish_guideline
from curation.telling.guidelines.announcement_actions import announce
from curation.telling.guidelines.queries import guideline_named
from curation.telling.questions.actions import (
    answer_question,
    ask_about_rule,
    correct_answer,
    follow_up,
)
from curation.telling.questions.sharing_actions import share_answer

PLANTED = "planted-7f3a"  # as in the world: no notice may hold it


def talk(w: Any) -> None:
    """Ask, answer, correct, ask on and share; announce; publish two guidelines."""
    finance = Domain.objects.get(key="finance")
    rule = "linter:vague_words"
    question = ask_about_rule(actor=w.author, domain=finance, rule=rule, text=PLANTED)
    w.open_all()
    answer = answer_question(actor=w.senior, question=question, text=PLANTED)
    correct_answer(actor=w.staff, question=question, entry=answer, text=f"{PLANTED}, corrected")
    share_answer(actor=w.staff, question=question, asked=PLANTED, answered=f"{PLANTED}, shared")
    follow_up(actor=w.author, question=question, text=PLANTED)
    w.open_all()
    for key in ("finance", "programme"):
        found = guideline_named(key)
        publish_guideline(
            actor=w.staff,
            guideline=found,
            version=found.draft_version,
            text=PLANTED,
            what_changed="Rounding is described.",
        )
    announce(
        actor=w.staff,
        title="Scoring pauses this week",
        text=PLANTED,
        for_everybody=True,
        domains=(),
        shown_from=None,
        shown_until=None,
    )
