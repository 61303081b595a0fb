"""Every main page of the sample programme, by who reads it."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command

from config.management.commands.sample_programme import load
from config.sample.people import walk_to_trial
from curation.actions.screening import join_panel
from curation.models import Application, Task, Trial, User
from tests.access.test_matrix import ROLES, things
from tests.conftest import PASSWORD

HEAVY = ("serious", "critical")
WRITER = "writer.finance"  # an applicant in the middle of the trial task


def programme() -> dict[str, Any]:
    """The sample programme with something on every page; numbers of things by their names."""
    load(PASSWORD)
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
    accepted = Application.objects.filter(stage="qualified").latest("pk")
    found["accepted"] = accepted.pk
    for method in ("zero_shot", "one_shot"):
        call_command("judge", "--method", method, "--provider", "offline", "--json")
    return found


def pages(n: dict[str, Any]) -> dict[str, list[str]]:
    """Addresses by the person who opens them."""
    return {
        "": ["/account/login/", "/account/password/reset/"],
        "applicant": [
            "/",
            "/apply/",
            f"/applications/{n['application']}/",
            f"/exams/{n['sitting']}/",
        ],
        WRITER: [
            f"/applications/{n['own_application']}/training/",
            f"/applications/{n['own_application']}/training/?unit=check",
            f"/trials/{n['own_trial']}/",
        ],
        "author": [
            "/",
            "/tasks/",
            "/tasks/new/",
            f"/tasks/{n['draft']}/edit/",
            f"/tasks/{n['draft']}/withdraw/",
            f"/tasks/{n['in_review']}/",
            f"/tasks/{n['refining']}/rubric/",
            f"/tasks/{n['refining']}/rubric/draft/",
            f"/tasks/{n['refining']}/rubric/versions/",
            "/preferences/",
        ],
        "reviewer": ["/reviews/", f"/reviews/{n['review']}/", f"/reviews/{n['review']}/decline/"],
        "scorer": [
            "/screening/",
            f"/screening/{n['screening']}/",
            "/scoring/",
            f"/sheets/{n['sheet']}/",
        ],
        "senior": [
            "/",
            "/seniors/trials/",
            f"/seniors/trials/{n['trial']}/",
            "/spot-checks/",
            f"/spot-checks/{n['spot_check_taken']}/",
            f"/meta/{n['meta']}/",
            "/staff/alignment/?bootstrap=1000",
        ],
        "staff": [
            "/",
            "/staff/pipeline/",
            "/staff/tasks/",
            f"/staff/tasks/{n['in_review']}/",
            f"/staff/tasks/{n['in_review']}/reviewer/",
            f"/staff/tasks/{n['approved']}/reopen/",
            "/staff/people/",
            f"/staff/people/{n['person']}/",
            "/staff/people/invite/",
            "/staff/applications/",
            f"/staff/applications/{n['application']}/",
            "/staff/audit/",
            "/staff/runs/",
            "/staff/runs/new/",
            f"/staff/runs/{n['run']}/",
            f"/staff/calls/{n['call']}/",
            "/staff/candidates/",
            "/staff/alignment/?bootstrap=1000",
            "/staff/alignment/thresholds/",
            "/leaderboard/",
            "/staff/gold/",
            "/staff/gold/draw/",
            "/staff/gold/releases/new/",
            f"/staff/gold/releases/{n['release']}/",
        ],
    }


def faults_on(page: Any) -> list[str]:
    """What is wrong with a page as it stands: its width, and what axe finds heavy."""
    found = []
    width, room = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    if width > room:
        found.append(f"{page.url}: {width} px wide in a window of {room} px")
    for violation in Axe().run(page).response["violations"]:
        if violation["impact"] in HEAVY:
            where = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
            found.append(f"{page.url}, {room} px: {violation['help']} ({violation['id']}): {where}")
    return found
