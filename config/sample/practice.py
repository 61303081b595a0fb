"""Practice in the sample programme: one sheet, explained, that somebody has practised on."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.notices.models import Notice
from curation.joining.people import User
from judge.scoring.anchors.models import Anchor
from judge.scoring.practice.actions import let_through, start_practice
from judge.scoring.practice.choosing import add_practice_sheet, explain_lines
from judge.scoring.scorers.policy import change_policy, policy_for, rules_of
from judge.scoring.scorers.practice_models import PracticeAttempt
from judge.scoring.scorers.readiness import held_up
from judge.scoring.sheets.actions import score_line, submit_sheet
from judge.scoring.sheets.models import Sheet

DOMAIN = "finance"
# They have no other role on the task. Which of them has a sheet to score already depends on which
# tasks the installation's own salt draws for a spot check.
PRACTISE = ("expert.finance2", "newcomer.finance")
SHARE = 75  # percent of lines that have to agree
EXPLAINED = {  # place of a line -> why its verdict is what it is
    3: "Naming the leases is not enough. The line asks for the reason: the EBITDA behind the price "
    "is struck after rent.",
    5: "The deficit counts net of tax, at 3,000. Deducting 4,000 and calling the relief something "
    "to ask for does not meet the line.",
    14: "One named concession with an amount meets the line, even a weak one: it does not ask for "
    "the best.",
}
DIFFERS = {  # on these lines the practice differs, for these reasons
    5: "Tax relief on the pension is mentioned.",
    14: "The tax effect on the pension is the weakest point one could concede.",
}
WHY = "Scored in the pilot, before practice sheets were in use."
PRACTISED_AGO = timedelta(days=6)


def load_practice(people: dict[str, User]) -> None:
    """Choose a practice sheet, have one expert practise, and let the others through."""
    staff, domain = people["staff"], Domain.objects.get(key=DOMAIN)
    rules = rules_of(policy_for(domain.pk)) | {"practice_share": SHARE}
    change_policy(actor=staff, domain=domain, **rules)
    anchor = Anchor.objects.select_related("response__task").get(task__domain=domain)
    assert anchor.response is not None
    made = add_practice_sheet(actor=staff, response=anchor.response)
    lines = list(made.lines.all())
    said = {lines[place - 1].pk: text for place, text in EXPLAINED.items()}
    explain_lines(actor=staff, practice_sheet=made, explanations=said, revision=made.revision)
    held = held_up([(people[name].pk, domain.pk) for name in PRACTISE])
    _practise(next(people[n] for n in PRACTISE if (people[n].pk, domain.pk) in held), domain)
    _let_through(staff, domain)


def _practise(person: User, domain: Domain) -> None:
    sheet = start_practice(actor=person, domain=domain)
    assert sheet is not None
    agreed = sheet.practice_attempt.practice_sheet.lines.select_related("criterion")
    for place, line in enumerate(agreed, start=1):
        met = line.met != (place in DIFFERS)
        why = DIFFERS.get(place, "" if met else "Not found in the answer.")
        score_line(actor=person, sheet=sheet, criterion=line.criterion_id, met=met, rationale=why)
    submit_sheet(actor=person, sheet=sheet)
    rows: Any = Sheet.objects.filter(pk=sheet.pk)
    rows.update(
        **{n: F(n) - PRACTISED_AGO for n in ("opened_at", "due_at", "saved_at", "submitted_at")}
    )
    PracticeAttempt.objects.filter(sheet=sheet).update(
        begun_at=F("begun_at") - PRACTISED_AGO, ended_at=F("ended_at") - PRACTISED_AGO
    )


def _let_through(staff: User, domain: Domain) -> None:
    """Let everybody else through, and mark the notice of it as read: it was some time ago."""
    people = User.objects.filter(qualifications__domain=domain, qualifications__active=True)
    held = held_up([(person.pk, domain.pk) for person in people])
    for person in people:
        if (person.pk, domain.pk) in held:
            let_through(actor=staff, person=person, domain=domain, reason=WHY)
    Notice.objects.filter(kind="scorer_ready").update(
        read_at=timezone.now(), mailed_at=timezone.now()
    )
