"""Every action × every role: an action refuses the same person as its page does.

Complete by construction: a function of a noun's actions that takes an `actor` is registered with
its permission, or named here with the reason.
"""

import ast
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Model
from django.test import TestCase

from curation.base.access.action import Action, actions
from curation.base.lists.models import SavedView
from curation.base.web.refusals import Denied
from curation.joining.accounts.api_tokens import ApiToken
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.qualifying.applications.models import Application, Certification
from curation.qualifying.exams.bank_models import Exam, Question
from curation.qualifying.exams.models import ExamSitting, SittingQuestion
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import PanelPlace
from curation.screening.solving.models import SecondLook
from curation.staff.honoraria.models import Honorarium
from curation.tasks.amendments.models import Amendment
from curation.tasks.business.models import Deidentification
from curation.tasks.business.reverification_models import Reverification
from curation.tasks.task.models import Task
from curation.telling.guidelines.announcements import Announcement
from curation.telling.guidelines.models import Guideline
from curation.telling.questions.models import AskedQuestion
from judge.gold.transfer.import_models import DataImport, KeptMapping
from judge.methods.query_checklists.models import QueryChecklist
from judge.results.flags.overrules import Overrule
from judge.runs.engine.models import Judgment
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Review, Round
from tests.base.access.members import everybody
from tests.base.access.roles import (
    ADMINISTRATION,
    DUTY_OF,
    EDITING,
    EXPERTS,
    GOLD,
    NOBODY,
    RECRUITING,
    SCORING,
    SENIOR,
    SIGNED,
    STAFF,
)
from tests.base.access.roles import ROLES_AND_MEMBERS as ROLES
from tests.base.access.sample_things import things
from tests.programme import sample_programme

AUTHOR, APPLICANT, SCORER, REVIEWER = {"author"}, {"applicant"}, {"scorer"}, {"reviewer"}
OF_A_PERSON = {
    "signed_in": SIGNED,
    "expert": EXPERTS,
    "staff": STAFF,
    "collect": SCORING,
    "import": EDITING | SCORING,
    **{f"staff.{duty}": {"staff", f"staff_{duty}"} for duty in DUTY_OF.values() if duty},
}
# (permission, argument) -> (object of the sample, its model, who may).
ABOUT: dict[tuple[str, str], tuple[str, type[Model], set[str]]] = {
    ("token.end", "token"): ("api_token", ApiToken, APPLICANT | ADMINISTRATION),
    ("view.remove", "view"): ("saved_view", SavedView, {"staff"}),
    ("payee.set", "person"): ("person", User, APPLICANT | ADMINISTRATION),
    ("honorarium.decide", "entry"): ("honorarium", Honorarium, ADMINISTRATION),
    ("account.close", "person"): ("person", User, APPLICANT | ADMINISTRATION),
    ("application.work_on", "application"): ("application", Application, APPLICANT),
    ("application.work_on", "certification"): ("certification", Certification, APPLICANT),
    ("application.work_on", "sitting"): ("sitting", ExamSitting, APPLICANT),
    ("application.work_on", "trial"): ("trial", Trial, NOBODY),  # the trainee's own
    ("application.decide", "application"): ("application", Application, RECRUITING),
    ("exam.mark", "answer"): ("short_text", SittingQuestion, SENIOR),
    ("exam.administer", "domain"): ("domain", Domain, RECRUITING),
    ("exam.administer", "exam"): ("exam", Exam, RECRUITING),
    ("exam.administer", "question"): ("question", Question, RECRUITING),
    ("trial.decide", "trial"): ("trial", Trial, SENIOR),
    ("task.write", "task"): ("draft", Task, AUTHOR),
    ("task.administer", "task"): ("screening", Task, EDITING),
    ("task.remind", "task"): ("screening", Task, EDITING | SCORING),
    ("task.administer", "place"): ("held_place", PanelPlace, EDITING),
    ("task.retire", "task"): ("approved", Task, GOLD),
    ("task.check", "task"): ("suspect", Task, REVIEWER),
    ("task.solve", "task"): ("solving", Task, REVIEWER),
    ("look.answer", "look"): ("second_look", SecondLook, REVIEWER | SCORER),
    ("task.administer", "look"): ("second_look", SecondLook, EDITING),
    ("task.amend", "task"): ("refining", Task, AUTHOR | EDITING),
    ("amendment.decide", "amendment"): ("amendment", Amendment, SENIOR),
    ("amendment.withdraw", "amendment"): ("amendment", Amendment, AUTHOR),
    ("task.label", "task"): ("in_review", Task, SENIOR | EDITING),
    ("task.label", "checklist"): ("checklist", QueryChecklist, SENIOR | EDITING),
    ("checklist.use", "checklist"): ("checklist", QueryChecklist, SENIOR | EDITING),
    ("judgment.overrule", "judgment"): ("judgment", Judgment, SCORING),
    ("judgment.overrule", "overrule"): ("overruled_finding", Overrule, SCORING),
    ("deidentification.confirm", "check"): ("deidentification", Deidentification, EDITING),
    ("reverification.take", "row"): (
        "reverification",
        Reverification,
        REVIEWER | SCORER | SENIOR,
    ),
    ("reverification.answer", "row"): ("reverification_taken", Reverification, SCORER),
    ("reverification.administer", "row"): ("reverification", Reverification, EDITING),
    ("task.ask", "task"): ("in_review", Task, AUTHOR | REVIEWER | STAFF),
    ("domain.ask", "domain"): ("domain", Domain, AUTHOR | REVIEWER | SCORER | SENIOR),
    ("question.follow_up", "question"): ("asked_question", AskedQuestion, REVIEWER),
    ("question.settle", "question"): ("asked_question", AskedQuestion, REVIEWER),
    ("question.answer", "question"): ("asked_question", AskedQuestion, SENIOR | EDITING),
    ("guideline.view", "guideline"): (
        "guideline_row",
        Guideline,
        AUTHOR | REVIEWER | SCORER | SENIOR | STAFF,
    ),
    ("announcement.view", "announcement"): ("announcement", Announcement, SIGNED),
    ("rubric.refine", "task"): ("refining", Task, AUTHOR),
    ("rubric.hand_over", "task"): ("refining", Task, EDITING),
    ("selection.set", "task"): ("draft", Task, AUTHOR | EDITING),
    ("draft.ask", "task"): ("refining", Task, AUTHOR),
    ("review.view", "review"): ("review", Review, REVIEWER),
    ("review.work", "round"): ("round", Round, REVIEWER),
    ("review.administer", "task"): ("in_review", Task, EDITING),
    ("decision.decide", "task"): ("spot_check", Task, NOBODY),  # nobody holds it to decide
    ("spot_check.decide", "task"): ("spot_check_taken", Task, SENIOR),
    ("sheet.score", "sheet"): ("sheet", Sheet, SCORER),
    ("sheet.hand_back", "sheet"): ("sheet", Sheet, SCORER | SCORING),
    ("sheet.score", "graded_sheet"): ("graded_sheet", GradedSheet, SCORER),
    ("sheet.hand_back", "graded_sheet"): ("graded_sheet", GradedSheet, SCORER | SCORING),
    ("import.change", "row"): ("import_table", DataImport, EDITING),
    ("import.change", "kept"): ("kept_mapping", KeptMapping, EDITING),
    ("anchor.check", "evaluation"): ("check", MetaEvaluation, SENIOR),
}
# What other actions do for a person they have authorised, and what they themselves look at.
INNER = {
    "curation.qualifying.applications.actions.qualify",
    "curation.qualifying.exams.actions.complete",
    "curation.qualifying.experts.suspension.check_decision",
    "curation.qualifying.experts.suspension.end_qualification",
    "curation.qualifying.experts.suspension.hand_over_work",
    "curation.base.lists.bulk.do_all",  # each action it calls authorises the person
    "curation.base.lists.bulk.try_out",
    "curation.screening.panels.actions.give_place",
    "curation.screening.panels.seats.end_place",
    "curation.screening.panels.seats.refuse_in_conflict",
    "curation.screening.panels.voting_actions.open_screening",
    "curation.screening.panels.voting_actions.decide_if_complete",
    "curation.qualifying.training.actions.require_training",
    "judge.scoring.agreement.actions.check_eligible",
    "judge.scoring.anchors.actions.hand_to_senior",
    "judge.scoring.anchors.replace.replace",
    "judge.scoring.agreement.meta_actions.rule_on",
    "judge.scoring.agreement.meta_actions.settle_anchor",
    "judge.scoring.assignments.actions.assign_alignment_sheet",
    "judge.runs.engine.planning.plan.plan_run",
    "judge.runs.pages.actions.start_again",
    "review.conflicts.actions.keep_colleagues_apart",
    "review.rounds.assignment_actions.assign",  # by the draw, by oneself, or by staff, as it asks
    "review.rounds.closing.approve_or_spot_check",
    "review.rounds.actions.comment_on_line",
    "review.senior_seats.actions.record_release",
    "review.senior_seats.actions.take_as_senior",
    "review.staff.handover.hand_over_spot_checks",
    "rubrics.lines.history.record",
    "rubrics.lines.history.revert_step",
    "rubrics.versions.actions.import_version",
    "rubrics.versions.actions.open_version",
    "rubrics.versions.actions.record_draft",
}
NOT_ACTIONS = ("views.py", "registrations.py", "forms.py", "api.py")


def takes_an_actor() -> set[str]:
    """The public functions of the nouns that take an `actor`, by their full names."""
    root, found = Path(settings.BASE_DIR), set()
    for app in ("curation", "rubrics", "review", "judge"):
        for path in (root / app).rglob("*/*.py"):
            if path.name.endswith(NOT_ACTIONS) or "migrations" in path.parts:
                continue
            module = ".".join(path.relative_to(root).with_suffix("").parts)
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    names = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)]
                    found |= {f"{module}.{node.name}"} if "actor" in names else set()
    return found


def test_every_function_with_an_actor_authorises_itself_or_is_named_here():
    assert takes_an_actor() - set(actions()) == INNER


class TestEveryAction(TestCase):
    """Each call is rolled back."""

    people: dict[str, Any]
    things: dict[str, Any]

    @classmethod
    def setUpTestData(cls):
        sample_programme()
        people = everybody()
        cls.things = {name: given[-1] for name, given in things(people).items() if given}
        cls.things["domain"] = Domain.objects.get(key="finance").pk
        cls.things["exam"] = Exam.objects.get(domain__key="finance").pk
        cls.things["spot_check_taken"] = cls.things["spot_check"]
        cls.things["round"] = Round.objects.get(review=cls.things["review"]).pk
        cls.people = people | {"anonymous": AnonymousUser()}

    def refused(self, action: Action, role: str, about: dict[str, Any]) -> bool:
        """Whether the action refuses this person before it looks at anything else."""
        with transaction.atomic():
            try:
                action.run(actor=self.people[role], **about)
            except Denied as refusal:
                return refusal.code in ("denied", "duty_needed") and (
                    refusal.code != "denied" or str(refusal.detail) == str(Denied().detail)
                )
            except Exception:  # noqa: S110  it got through, and misses its other arguments
                pass
            finally:
                transaction.set_rollback(True)
        return False

    def test_an_action_refuses_whoever_its_permission_refuses(self):
        wrong = {}
        for name, action in actions().items():
            about: dict[str, Any] = {}
            if action.about:
                argument = action.about.partition(".")[0]
                thing, model, may = ABOUT[action.permission, argument]
                about = {argument: model._default_manager.get(pk=self.things[thing])}
            else:
                may = OF_A_PERSON[action.permission]
            through = {role for role in ROLES if not self.refused(action, role, about)}
            if through != may:
                wrong[name] = (sorted(through), sorted(may))
        assert wrong == {}
