"""Every main page of the sample programme, by who reads it."""

from typing import Any

from django.core.management import call_command

from config.sample.people import walk_to_trial
from curation.base.process.lifecycle import Stage
from curation.joining.domains.models import Domain
from curation.joining.invitations.actions import invite_vendor, use_invitation
from curation.joining.invitations.links import path_of
from curation.joining.invitations.models import Invitation
from curation.joining.people import User
from curation.qualifying.applications.models import Application
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.trials.models import Trial
from curation.screening.panels.actions import join_panel
from curation.tasks.task.models import Task
from curation.telling.guidelines.actions import publish_guideline
from curation.telling.guidelines.models import PROGRAMME, GuidelineReading
from curation.telling.guidelines.queries import guideline_named
from review.decisions.actions import take_decision
from review.policy.actions import change_policy, common_policy, rules_of
from review.rounds.actions import finish_round, set_verdict
from review.rounds.assignment_models import Review
from rubrics.sending.actions import send_to_review
from tests.base.access.roles import ROLES
from tests.base.access.sample_things import things
from tests.conftest import PASSWORD
from tests.programme import sample_programme

WRITER = "writer.finance"  # an applicant in the middle of the trial task
CANDIDATE = "candidate.finance"  # whose exam waits for a senior's marks
NEWCOMER = "newcomer.finance"  # just accepted, with no guideline read


def programme() -> dict[str, Any]:
    """The sample programme with something on every page; numbers of things by their names."""
    sample_programme()
    people = {
        name: User.objects.get(email=f"{name}@example.test")
        for name in ROLES
        if name != "anonymous"
    }
    found = {name: args[0] for name, args in things(people).items()}
    reading = Task.objects.get(pk=found["screening"])
    join_panel(actor=people["scorer"], task=reading)
    writer = User.objects.create_user(f"{WRITER}@example.test", PASSWORD)
    row = {
        "applicant_in": "finance",
        "affiliation": "Lantern Bank",
        "degree": "MSc",
        "years": 5,
        "credentials": "Lending.",
    }
    application = walk_to_trial(writer, row, people["staff"])
    found["own_trial"] = Trial.objects.get(application=application).pk
    found["own_application"] = application.pk
    found["own_result"] = application.sittings.get().pk
    waiting = ExamSitting.objects.get(application__user__email=f"{CANDIDATE}@example.test")
    found["waiting_result"] = waiting.pk
    invitation = Invitation.objects.get(pk=found["invitation"])
    found["join_link"] = path_of(invitation)
    spent = invite_vendor(actor=people["staff"], vendor="Kestrel Staffing", max_uses=1)
    use_invitation(spent)
    found["spent_link"] = path_of(spent)
    GuidelineReading.objects.filter(user__email=f"{NEWCOMER}@example.test").delete()
    own = guideline_named(PROGRAMME)
    text = "Work as you would for a client."
    publish_guideline(
        actor=people["staff"], guideline=own, version=own.draft_version, text=text,
        what_changed="It says whom to work for.",
    )  # fmt: skip
    accepted = Application.objects.filter(stage="qualified").latest("pk")
    found["accepted"] = accepted.pk
    found["record"] = people["author"].pk
    found["accepted_trial"] = accepted.trials.latest("pk").pk
    found["undecided"] = left_open(people).pk
    for method in ("zero_shot", "one_shot"):
        call_command("judge", "--method", method, "--provider", "offline", "--json")
    return found


def left_open(people: dict[str, User]) -> Task:
    """A task whose only round left one line to a senior, who has taken it."""
    domain = Domain.objects.get(key="engineering")
    task = Task.objects.get(domain=domain, stage=Stage.REFINING)
    rules = {**rules_of(common_policy()), "rounds": 1}
    change_policy(actor=people["staff"], domain=domain, **rules)
    send_to_review(actor=task.author, task=task)
    current = Review.objects.get(task=task).rounds.get()
    reviewer = current.review.reviewer
    first, *others = current.version.criteria.order_by("position", "id")
    asked = {"verdict": "change", "aspect": "clarity", "suggestion": {"weight": 4}}
    set_verdict(actor=reviewer, round=current, criterion=first, **asked)
    for line in others:
        set_verdict(actor=reviewer, round=current, criterion=line, verdict="approve")
    finish_round(actor=reviewer, round=current)
    task.refresh_from_db()
    return take_decision(actor=people["senior"], task=task)


def pages(n: dict[str, Any]) -> dict[str, list[str]]:
    """Addresses by the person who opens them."""
    return {
        "": [
            "/account/login/",
            "/account/signup/",
            "/account/password/reset/",
            "/account/password/reset/done/",
            "/account/password/reset/key/7-too-old/",
            f"/account/confirm-email/{n['mail_key']}/",
            f"/notices/stop/{n['unsubscribe_token']}/",
            n["join_link"],
        ],
        CANDIDATE: [f"/exams/{n['waiting_result']}/"],
        NEWCOMER: ["/", f"/applications/{n['accepted']}/", f"/trials/{n['accepted_trial']}/"],
        "applicant": [
            "/",
            "/apply/",
            "/terms/",
            f"/applications/{n['application']}/",
            f"/exams/{n['sitting']}/",
            "/errata/",
        ],
        WRITER: [
            "/training/",
            "/training/changes/",
            "/training/granularity/",
            f"/trials/{n['own_trial']}/",
            f"/applications/{n['own_application']}/",
            f"/exams/{n['own_result']}/",
        ],
        "author": [
            "/",
            "/tasks/",
            "/tasks/new/",
            f"/tasks/{n['draft']}/edit/",
            f"/tasks/{n['draft']}/versions/",
            f"/tasks/{n['draft']}/versions/1/",
            f"/tasks/{n['draft']}/withdraw/",
            f"/tasks/{n['in_review']}/",
            f"/tasks/{n['in_review']}/story/",
            f"/tasks/{n['refining']}/rubric/",
            f"/tasks/{n['refining']}/rubric/draft/",
            f"/tasks/{n['refining']}/rubric/versions/",
            f"/tasks/{n['refining']}/rubric/copy/",
            f"/tasks/{n['refining']}/rubric/import/",
            f"/tasks/{n['refining']}/rubric/drafts/",
            "/questions/",
            "/questions/about-a-rule/",
            f"/questions/about-a-task/{n['in_review']}/",
            f"/questions/{n['answered_question']}/",
            "/questions/shared/finance/",
            "/guidelines/",
            "/guidelines/finance/",
            "/guidelines/finance/versions/2/",
            f"/announcements/{n['announcement']}/",
            "/preferences/",
            "/preferences/referral/",
            "/notices/",
            "/account/email/",
            "/account/password/change/",
            "/account/sessions/",
            "/account/second-factor/",
            "/account/logout/",
            n["join_link"],
        ],
        "reviewer": [
            f"/screening/{n['suspect']}/check/",
            "/reviews/",
            f"/reviews/{n['review']}/",
            f"/reviews/{n['review']}/decline/",
        ],
        "scorer": [
            "/screening/",
            f"/screening/{n['screening']}/",
            f"/screening/{n['suspect']}/",
            f"/screening/{n['suspect']}/skip/",
            "/scoring/",
            f"/sheets/{n['sheet']}/",
        ],
        "senior": [
            "/",
            f"/questions/{n['asked_question']}/",
            "/seniors/trials/",
            f"/seniors/trials/{n['trial']}/",
            "/seniors/answers/",
            f"/seniors/answers/{n['short_text']}/",
            "/spot-checks/",
            f"/spot-checks/{n['spot_check_taken']}/",
            f"/decisions/{n['undecided']}/",
            f"/meta/{n['meta']}/",
            "/staff/alignment/?bootstrap=1000",
            f"/staff/agreement/{n['disputed']}/",
        ],
        "observer": ["/staff/people/invite/", "/staff/prices/", "/staff/members/"],
        "staff": [
            "/staff/members/",
            "/staff/settings/",
            "/staff/settings/history/",
            "/",
            "/staff/pipeline/",
            "/staff/questions/",
            f"/questions/{n['answered_question']}/",
            "/staff/announcements/",
            "/staff/announcements/new/",
            f"/staff/announcements/{n['announcement']}/",
            "/staff/guidelines/finance/",
            "/staff/tasks/",
            "/staff/tasks/?q=nothing+fits",
            "/staff/tasks/?days=3&sort=-since",
            "/staff/jobs/",
            "/staff/marks/",
            "/staff/screening/",
            f"/staff/screening/{n['suspect']}/",
            "/staff/screening/?show=late",
            f"/staff/screening/places/{n['held_place']}/take-back/",
            "/staff/screening/rules/",
            "/staff/screening/rules/law/",
            "/staff/rubrics/rules/",
            "/staff/rubrics/rules/law/",
            "/staff/reviews/",
            "/staff/reviews/rules/",
            "/staff/reviews/rules/law/",
            f"/staff/tasks/{n['in_review']}/",
            f"/staff/tasks/{n['in_review']}/alike/",
            f"/staff/tasks/{n['in_review']}/reviewer/",
            f"/staff/tasks/{n['approved']}/reopen/",
            f"/staff/tasks/{n['approved']}/discard/",
            "/staff/people/",
            f"/staff/people/{n['person']}/",
            f"/staff/people/{n['record']}/",
            "/staff/people/invite/",
            "/staff/people/invite/many/",
            f"/staff/people/{n['person']}/account/",
            "/staff/invitations/",
            f"/staff/invitations/{n['invitation']}/",
            "/staff/invitations/vendor/",
            "/staff/exams/",
            "/staff/exams/finance/",
            "/staff/exams/finance/questions/",
            "/staff/exams/finance/questions/?words=nothing+fits",
            "/staff/exams/finance/questions/new/",
            "/staff/exams/finance/import/",
            "/staff/exams/finance/items/",
            f"/staff/questions/{n['question']}/",
            "/staff/applications/",
            "/staff/applications/?q=expert&years=3&sort=-years",
            "/staff/applications/?q=nobody+fits",
            f"/staff/applications/{n['application']}/",
            "/staff/audit/",
            f"/tasks/{n['approved']}/story/",
            "/staff/audit/?after=2099-01-01",
            "/staff/runs/",
            "/staff/runs/new/",
            f"/staff/runs/{n['run']}/",
            f"/staff/calls/{n['call']}/",
            "/staff/models/",
            "/staff/models/new/",
            "/staff/models/programme/",
            "/staff/endpoints/new/",
            "/staff/endpoints/openai/",
            "/staff/candidates/",
            "/staff/candidates/new/",
            f"/staff/candidates/{n['candidate']}/",
            f"/staff/candidates/{n['candidate']}/generate/",
            f"/staff/generations/{n['generation']}/",
            "/staff/responses/",
            f"/staff/responses/{n['response']}/",
            "/staff/drafts/",
            "/staff/alignment/?bootstrap=1000",
            "/staff/alignment/?bootstrap=1000&domain=finance",
            "/staff/alignment/thresholds/",
            f"/staff/alignment/sheets/{n['submitted_sheet']}/?judge={n['run']}",
            "/staff/alignment/sheets/",
            "/staff/sheets/",
            "/staff/graded-sheets/",
            "/staff/audit/?kind=sign-in",
            "/staff/alignment/sets/",
            "/staff/alignment/sets/new/",
            f"/staff/alignment/sets/{n['alignment_set']}/",
            "/staff/agreement/",
            f"/staff/agreement/{n['disputed']}/",
            "/leaderboard/",
            "/leaderboard/?by=importance&group=essential",
            "/leaderboard/?by=category",
            "/leaderboard/table/",
            "/leaderboard/halves/",
            f"/leaderboard/candidates/{n['candidate']}/",
            "/market-fit/",
            "/market-fit/finance/",
            "/market-fit/finance/price/",
            "/market-fit/finance/demand/",
            "/staff/errata/",
            "/staff/errata/new/",
            f"/staff/errata/{n['erratum']}/",
            "/staff/editions/",
            "/staff/editions/new/",
            f"/staff/editions/{n['edition']}/",
            "/staff/gold/",
            "/staff/gold/draw/",
            "/staff/gold/anchors/",
            f"/staff/gold/anchors/{n['anchor']}/baseline/",
            "/staff/gold/releases/new/",
            f"/staff/gold/releases/{n['release']}/",
        ],
    }


def refusals(n: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Addresses that refuse by the person who opens them, and the status they answer."""
    return {
        "": {n["spent_link"]: 410, "/join/cut-off/": 404, "/nothing/": 404},
        WRITER: {"/staff/people/": 403},
    }
