"""The steps of the world around exact answers: solvers are asked, disagree, and look again."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.screening.panels.actions import assign_place
from curation.screening.panels.models import PanelPlace
from curation.screening.panels.voting_actions import vote
from curation.screening.solving.actions import begin_solve, decide_solve, hand_in
from curation.screening.solving.models import SecondLook
from curation.screening.solving.second_looks import ask_second_look
from curation.tasks.task.models import Task
from curation.telling.activity import reminders
from tests.conftest import new_person
from tests.tasks.exact_answers.conftest import EXACT_TESTS, new_question, to_panel

PEOPLE = ("riddler", "member", "one", "two")


def exact_answers(w: Any) -> None:
    """A question whose solvers doubt it, and one that goes through and is looked at again."""
    domain = Domain.objects.create(key="riddles", name="Riddles")
    for name in PEOPLE:
        new_person(f"{name}.of.riddles", domain)
    people = {n: User.objects.get(email=f"{n}.of.riddles@example.test") for n in PEOPLE}
    doubted = to_panel(new_question(people["riddler"], domain, title="Is doubted"))
    asked(w, doubted, people["one"])
    solved(doubted, people["one"], "wrong")
    w.open_all()
    good = to_panel(new_question(people["riddler"], domain, title="Is looked at again"))
    for name in ("one", "two"):
        asked(w, good, people[name])
        solved(good, people[name], "right")
    assign_place(actor=w.staff, task=good, member=people["member"])
    yes = dict.fromkeys(("difficult", "representative", "gradable", *EXACT_TESTS), True)
    vote(actor=people["member"], task=good, decision="keep", reasons="Good.", **yes)
    ask_second_look(
        actor=w.staff,
        task=Task.objects.get(pk=good.pk),
        why=SecondLook.Why.FEW_RIGHT,
        words="Look again.",
    )


def asked(w: Any, task: Task, solver: User) -> None:
    """Give a solve, and remind of it a day before it is due."""
    assign_place(actor=w.staff, task=task, member=solver, kind="solve")
    now = timezone.now()
    PanelPlace.objects.filter(task=task, member=solver).update(
        given_at=now - timedelta(days=4), due_at=now + timedelta(hours=20)
    )
    reminders.remind_people(now)
    w.open_all()


def solved(task: Task, solver: User, verdict: str) -> None:
    begin_solve(actor=solver, task=task)
    hand_in(actor=solver, task=task, answer="12")
    decide_solve(actor=solver, task=task, verdict=verdict, remarks="Counted.")
