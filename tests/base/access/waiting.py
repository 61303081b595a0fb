"""People and tasks at the steps where the sample programme has nobody and nothing."""

import shutil
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from config.sample.people import send_application, walk_to_trial
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User, confirm_address
from curation.qualifying.qualification.actions import admit
from curation.screening.panels import policy as panel_policies
from curation.screening.panels.voting_actions import open_screening
from curation.tasks.attachments.models import Attachment
from curation.tasks.authoring.actions import create_task, submit_task
from curation.tasks.task.models import Task
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Response
from judge.scoring.anchors.actions import take_anchor
from judge.scoring.sheets.actions import fill_sheet
from review.policy import actions as review_policies
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_actions import assign
from review.rounds.assignment_models import Review, Round
from review.rounds.expiry import expire_overdue
from rubrics.sending.actions import send_to_review
from tests.conftest import PASSWORD
from tests.rubrics.walk import PARTS, keep_it, to_refining
from tests.scoring.pages.conftest import answered, verdicts

People = dict[str, User]
MEMBERS = ("author", "author2", "reviewer", "scorer", "senior")


def more_people(staff: User) -> list[str]:
    """Make applicants who have applied, were admitted and have passed the training."""
    row = {
        "applicant_in": "finance", "affiliation": "A bank", "degree": "BSc", "years": 6,
        "credentials": "Six years in lending.",
        "certifications": [{"title": "CFA", "issuer": "CFA Institute", "year": 2019}],
    }  # fmt: skip
    made = {}
    for name in ("applied", "admitted", "trainee"):
        made[name] = User.objects.create_user(
            f"{name}@example.test", PASSWORD, display_name=name.title()
        )
        confirm_address(made[name])
    send_application(made["applied"], row)
    admit(actor=staff, application=send_application(made["admitted"], row))
    walk_to_trial(made["trainee"], row, staff)
    return list(made)


@override_settings(SPOT_CHECK_RATE=0.0)  # what is approved stays approved
def more_tasks(people: People) -> dict[str, list[str]]:
    """Bring tasks of a domain of their own to each step that waits for somebody.

    Returns:
        Addresses to read, by role.
    """
    domain, shipping = small_domain(people), domain_of_two(people)
    people = {role: User.objects.get(pk=user.pk) for role, user in people.items()}
    pooled = to_review(people, domain, "Waits for a reviewer")
    left = assigned(people, to_review(people, domain, "Was not reviewed in time"))
    Review.objects.filter(task=left.version.task).update(due_at=timezone.now() - timedelta(hours=1))
    assert expire_overdue() == 1
    stuck = reviewed(people, to_review(people, domain, "Waits for a decision"), changes=1)
    answered(reviewed(people, to_review(people, domain, "Waits for a scorer")))
    scored = answered(reviewed(people, to_review(people, domain, "Waits for a check")))
    sheet = take_anchor(actor=people["scorer"], anchor=scored)
    fill_sheet(actor=people["scorer"], sheet=sheet, verdicts=verdicts(sheet))
    for n in (1, 2):
        Response.objects.create(
            key=f"to-align-{n}",
            task=scored.task,
            candidate=candidate_named(f"Larch {n}"),
            text="I recommend to refuse.",
            source=Response.Source.IMPORTED,
        )
    lonely = without_voters(people, shipping)
    return {
        "staff": [
            reverse("staff-review-assign", args=[pooled.pk]),
            reverse("staff-one-more-round", args=[stuck.pk]),
            reverse("staff-panel", args=[lonely.pk]),
        ],
    }


def small_domain(people: People) -> Domain:
    """Make a domain whose reviewers take tasks themselves and have one round."""
    domain = Domain.objects.create(key="insurance", name="Insurance")
    for role in MEMBERS:
        Qualification.objects.create(user=people[role], domain=domain, senior=role == "senior")
    rules = review_policies.rules_of(review_policies.common_policy())
    review_policies.change_policy(
        actor=people["staff"], domain=domain, **rules | {"draw": False, "rounds": 1}
    )
    return domain


def to_review(people: People, domain: Domain, title: str) -> Task:
    task = to_refining(people["author"], people["author2"], domain, title=title)
    send_to_review(actor=people["author"], task=task)
    task.refresh_from_db()
    return task


def assigned(people: People, task: Task) -> Round:
    review = assign(task=task, reviewer=people["reviewer"], actor=people["staff"])
    return review.rounds.get()


def reviewed(people: People, task: Task, *, changes: int = 0) -> Task:
    """Have every line approved but the first few."""
    round_1 = assigned(people, task)
    for n, line in enumerate(round_1.version.criteria.order_by("position")):
        said = {"verdict": "change", "comment": "Which figure?"} if n < changes else {}
        set_verdict(
            actor=people["reviewer"],
            round=round_1,
            criterion=line,
            **{"verdict": "approve", **said},
        )
    finish_round(actor=people["reviewer"], round=round_1)
    task.refresh_from_db()
    return task


def domain_of_two(people: People) -> Domain:
    """Make a domain whose panels ask two people, and where only one may vote on the other's."""
    domain = Domain.objects.create(key="shipping", name="Shipping")
    for role in ("author", "author2"):
        Qualification.objects.create(user=people[role], domain=domain)
    rules = panel_policies.rules_of(panel_policies.common_policy())
    panel_policies.change_policy(
        actor=people["staff"], domain=domain, **rules | {"draw": False, "quorum": 2}
    )
    return domain


def without_voters(people: People, domain: Domain) -> Task:
    """Make a task in screening whose panel has one vote, and nobody left to ask for the other."""
    task = create_task(actor=people["author"], domain=domain, title="Demurrage", **PARTS)
    submit_task(actor=people["author"], task=task)
    open_screening(task=task)
    keep_it(people["author2"], task)
    return task


def bring_files(before: Path) -> None:
    """Copy the files of rows that come from an earlier walk through the sample programme."""
    for name in Attachment.objects.values_list("file", flat=True):
        here, there = Path(settings.MEDIA_ROOT) / name, before / name
        if not here.exists() and there.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, here)
