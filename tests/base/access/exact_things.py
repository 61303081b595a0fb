"""Tasks with an exact answer at each step, to try addresses and actions on."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from curation.joining.domains.models import Domain
from curation.joining.people import Qualification, User
from curation.screening.panels.actions import join_panel
from curation.screening.panels.models import Solve
from curation.screening.panels.voting_actions import vote
from curation.screening.solving.actions import begin_solve, decide_solve, hand_in
from curation.screening.solving.models import SecondLook
from curation.screening.solving.second_looks import ask_second_look, give_opinion
from curation.tasks.task.exact_actions import refuse_source
from curation.tasks.task.models import Task
from judge.asking.candidates.families import candidate_named
from judge.asking.candidates.models import Response
from judge.results.difficulty.actions import set_rules
from judge.runs.engine.planning.plan import plan_run
from judge.runs.engine.work import work_on_run
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.sheets.actions import fill_sheet
from tests.conftest import new_person
from tests.tasks.exact_answers.conftest import EXACT_TESTS, new_question, to_panel

MEMBERS = ("author", "author2", "reviewer", "scorer", "senior")


def exact_things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of exact answers, by the name the matrix uses."""
    domain = Domain.objects.create(key="riddles", name="Riddles")
    for role in MEMBERS:
        Qualification.objects.create(user=people[role], domain=domain)
    people = {role: User.objects.get(pk=user.pk) for role, user in people.items()}
    people["riddler"] = new_person("riddler", domain)  # the author has no slot left
    refuse_source(actor=people["staff"], suffix="blogs.example.com", reason="Second hand.")
    solving = to_panel(new_question(people["riddler"], domain, title="Is being solved"))
    join_panel(actor=people["reviewer"], task=solving, kind="solve")
    begin_solve(actor=people["reviewer"], task=solving)
    Solve.objects.filter(task=solving, number=1).update(
        started_at=timezone.now() - timedelta(minutes=20)  # past the mark
    )
    set_rules(actor=people["staff"], read=0, fewest=2, drop=80, look=10, agree=50)
    return {
        "exact_draft": (new_question(people["author"], domain, title="Has an answer").pk,),
        "solving": (solving.pk,),
        **looked_at(people, domain),
    }


def looked_at(people: dict[str, User], domain: Domain) -> dict[str, tuple[Any, ...]]:
    """An approved question, answered and judged, with a second look that one has answered."""
    task = to_panel(new_question(people["riddler"], domain, title="Is looked at again"))
    join_panel(actor=people["author2"], task=task)
    yes = dict.fromkeys(("difficult", "representative", "gradable", *EXACT_TESTS), True)
    vote(actor=people["author2"], task=task, decision="keep", reasons="Good.", **yes)
    for role in ("reviewer", "scorer"):
        join_panel(actor=people[role], task=task, kind="solve")
        begin_solve(actor=people[role], task=task)
        hand_in(actor=people[role], task=task, answer="12")
        decide_solve(actor=people[role], task=task, verdict="right", remarks="Counted.")
    task.refresh_from_db()
    for name in ("Yew 1", "Zelkova 1"):
        Response.objects.create(
            key=f"exact-{name}",
            task=task,
            candidate=candidate_named(name),
            text="Answer: 13",
            source=Response.Source.IMPORTED,
            text_version=task.version,
        )
    _scored(task, people["senior"])
    run = plan_run(
        actor=None,
        method="exact",
        provider="offline",
        model="rules-1",
        task_keys=[task.key],
    )
    work_on_run(run)
    look = ask_second_look(
        actor=people["staff"],
        task=Task.objects.get(pk=task.pk),
        why=SecondLook.Why.OTHER_ANSWER,
        words="Planted words of a second look.",
        shown={"models": 2, "right_percent": "0", "other": "13", "other_percent": "100"},
    )
    give_opinion(
        actor=people["scorer"],
        look=look,
        verdict="right",
        remarks="Planted opinion of a solver.",
    )
    return {"judged_exact": (task.pk,), "second_look": (look.pk,)}


def _scored(task: Task, scorer: User) -> None:
    """Have each response scored by an expert, so that no page offers it to be scored."""
    for response in task.responses.select_related("candidate"):
        sheet = assign_alignment_sheet(actor=None, response=response, scorer=scorer)
        fill_sheet(actor=scorer, sheet=sheet, verdicts={"answer": (False, "It says 13.")})
