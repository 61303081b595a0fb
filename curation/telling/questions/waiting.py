"""Questions that wait for a person, for Home: to answer, or the answer to one's own."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from curation.base.process.waiting import Waiting
from curation.telling.questions.models import AskedQuestion
from curation.telling.questions.queries import answerable

AT_MOST = 10  # on Home, of each kind


def waiting(user: Any) -> list[Waiting]:
    """Return the questions to answer, and those of one's own that have an answer.

    One query for an expert, one more for seniors and staff, two more where there are some.
    """
    mine = AskedQuestion.objects.filter(asked_by=user, state=AskedQuestion.State.ANSWERED)
    rows = mine.select_related("domain").order_by("pk")[:AT_MOST]
    return [
        *(_to_answer(one) for one in answerable(user, AT_MOST)),
        *(_answered(one) for one in rows),
    ]


def _detail(question: AskedQuestion) -> str:
    return _("%(domain)s · %(who)s asks about %(what)s") % {
        "domain": question.domain,
        "who": question.asker,
        "what": question.about,
    }


def _to_answer(question: AskedQuestion) -> Waiting:
    return Waiting(
        due=None,
        title=_("Answer a question"),
        detail=_detail(question),
        url=reverse("asked-question", args=[question.pk]),
        button=_("Read the question"),
        blocks=True,
    )


def _answered(question: AskedQuestion) -> Waiting:
    return Waiting(
        due=None,
        title=_("Your question has an answer"),
        detail=_("%(domain)s · about %(what)s")
        % {"domain": question.domain, "what": question.about},
        url=reverse("asked-question", args=[question.pk]),
        button=_("Read the answer"),
        later=True,
    )
