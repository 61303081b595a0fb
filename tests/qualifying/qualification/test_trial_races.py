"""Several seniors at one trial task: one decision counts."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import close_old_connections, connection
from django.test import Client

from curation.base.web.refusals import Conflict
from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.qualifying.trials.actions import decide_trial
from curation.qualifying.trials.models import Trial

pytestmark = pytest.mark.django_db
HandedIn = Callable[..., Trial]
SignIn = Callable[[User], Client]


def test_two_seniors_decide_once(person: Any, senior: User, applicant: User, finance: Domain,
                                 handed_in: HandedIn, sign_in: SignIn) -> None:  # fmt: skip
    trial = handed_in(applicant)
    other = person("other-senior", finance, senior=True)
    decide_trial(
        actor=other, trial=trial, verdict="returned", remarks="", parts={"scenario": "Shorter."}
    )
    data = {"verdict": "rejected", "remarks": "No."}
    assert sign_in(senior).post(f"/seniors/trials/{trial.pk}/", data).status_code == 409
    trial.application.refresh_from_db()
    assert trial.application.stage == "trial"


@pytest.mark.django_db(transaction=True)
def test_of_many_decisions_at_the_same_moment_one_counts(
    person: Any, applicant: User, finance: Domain, handed_in: HandedIn
) -> None:
    trial = handed_in(applicant)
    seniors = [person(f"senior{n}", finance, senior=True) for n in range(4)]
    outcomes: list[str] = []
    start = threading.Barrier(len(seniors))

    def decide(senior: User, verdict: str) -> None:
        close_old_connections()
        try:
            start.wait(timeout=20)
            mine = Trial.objects.select_related("application").get(pk=trial.pk)
            parts = {"title": "Name the work."}
            decide_trial(actor=senior, trial=mine, verdict=verdict, remarks="So.", parts=parts)
            outcomes.append(verdict)
        except Conflict as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    verdicts = ("accepted", "returned", "rejected", "accepted")
    threads = [
        threading.Thread(target=decide, args=pair) for pair in zip(seniors, verdicts, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    decided = [outcome for outcome in outcomes if outcome in verdicts]
    assert len(decided) == 1, outcomes
    assert outcomes.count("wrong_stage") == 3
    trial.refresh_from_db()
    assert trial.verdict == decided[0]
    assert trial.part_remarks.count() == 1
    assert Trial.objects.count() == (2 if decided == ["returned"] else 1)
    assert Qualification.objects.filter(user=applicant).count() == (decided == ["accepted"])
