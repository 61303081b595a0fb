"""Notices of questions. They name a domain, and neither a task nor a person."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.joining.notices.notify import Kind, Topic, domain_facts, send_notice, send_notices
from curation.telling.questions.models import AskedQuestion, QuestionEntry
from curation.telling.questions.queries import answerers_of

KINDS = (
    Kind(
        "question_asked",
        Topic.PROGRAMME,
        _("A question in %(domain)s waits for an answer"),
        _("You may answer it. The first answer counts; the page says what the question is about."),
        _("Read the question"),
    ),
    Kind(
        "question_asked_on",
        Topic.PROGRAMME,
        _("Somebody asks on about your answer in %(domain)s"),
        _("The question waits for an answer again."),
        _("Read the question"),
    ),
    Kind(
        "question_answered",
        Topic.PROGRAMME,
        _("Your question in %(domain)s has an answer"),
        _("Read it, ask on if something is still open, or mark the question as settled."),
        _("Read the answer"),
    ),
    Kind(
        "question_answer_corrected",
        Topic.PROGRAMME,
        _("The answer to your question in %(domain)s was corrected"),
        _("Please read the new words; the earlier ones stand below them."),
        _("Read the answer"),
    ),
    Kind(
        "question_shared",
        Topic.PROGRAMME,
        _("Your question in %(domain)s is among the shared answers now"),
        _("The experts of the domain read it in general words, without your name."),
        _("Open your question"),
    ),
)


def tell_answerers(question: AskedQuestion, entry: QuestionEntry) -> None:
    """Tell those who may answer; of a follow-up, those who answered before, if they may."""
    people, kind = answerers_of(question), "question_asked"
    if entry.kind == QuestionEntry.Kind.FOLLOW_UP:
        before = set(question.thread.exclude(by=question.asked_by_id).values_list("by", flat=True))
        again = [person for person in people if person.pk in before]
        people, kind = (again, "question_asked_on") if again else (people, kind)
    send_notices(
        people,
        kind,
        once=f"question-entry-{entry.pk}",
        url=reverse("asked-question", args=[question.pk]),
        **domain_facts(question.domain),
    )


def tell_asker(question: AskedQuestion, kind: str, occasion: Any) -> None:
    """Tell the asker what happened to the question.

    Args:
        occasion: the row that happened; one notice is sent about it.
    """
    send_notice(
        question.asked_by,
        kind,
        once=f"{kind}-{occasion.pk}",
        url=reverse("asked-question", args=[question.pk]),
        **domain_facts(question.domain),
    )
