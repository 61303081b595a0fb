"""Steps of the skills library that somebody is told of."""

from typing import Any

from curation.joining.domains.models import Domain
from curation.joining.people import User
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from review.spot_checks.actions import decide_spot_check, take_spot_check
from rubrics.sending.actions import send_to_review
from tests.tasks.skills.conftest import new_skill, written


def skills(w: Any) -> None:
    """A skill is begun, reviewed and approved."""
    domain = Domain.objects.get(key="finance")
    writer = User.objects.get(email="author@example.test")
    task = written(writer, new_skill(w.staff, domain, "Compare offers", writer))
    w.open_all()
    send_to_review(actor=writer, task=task)
    review = Review.objects.get(task=task)
    round_1 = review.rounds.get()
    for line in round_1.version.criteria.all():
        set_verdict(actor=review.reviewer, round=round_1, criterion=line, verdict="approve")
    finish_round(actor=review.reviewer, round=round_1)
    task.refresh_from_db()
    if task.stage == "spot_check":
        senior = User.objects.get(email="senior@example.test")
        take_spot_check(actor=senior, task=task)
        task.refresh_from_db()
        decide_spot_check(
            actor=senior,
            task=task,
            consistent=True,
            aligned=True,
            evaluable=True,
            verdict="accept",
            remarks="Each checkpoint can be decided.",
        )
