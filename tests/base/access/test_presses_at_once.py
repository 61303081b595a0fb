"""Every button of the product pressed three times at once: it acts once.

The pages of every role are read, and each button found on them is pressed in the same world twice:
once by one browser, and once by three windows of it at the same moment. The rows there are
afterwards must be the same. The page a press leads to is read as well, for buttons that only then
appear.

Complete by construction: every address that takes POST is pressed, or listed here with the reason
why it is not.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from django.urls import reverse

from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.amendments.actions import agree_to_amendment, propose_amendment
from curation.tasks.task.models import Task
from judge.scoring.sheets.actions import score_line
from judge.scoring.sheets.models import Sheet as ScoringSheet
from tests.base.access.asking import Asker, handler
from tests.base.access.buttons import Press, Sheet, of_the_library, sheet_of
from tests.base.access.counting import counted_once, no_requests_kept
from tests.base.access.matrix import MATRIX
from tests.base.access.roles import ROLES
from tests.base.access.sample_things import things
from tests.base.access.waiting import bring_files, more_people, more_tasks
from tests.base.access.worlds import PostgreSQLWorld, SQLiteWorld, World
from tests.conftest import PASSWORD
from tests.programme import sample_programme
from tests.rubrics.walk import drafted_lines, to_refining

PEOPLE = [role for role in ROLES if role != "anonymous"]
TIMES = 3  # one that acts, one that waits for it, one that comes when both are through
TRIES = 6  # forms tried for one button until one is accepted
DEEP = 4  # presses in a row
OF_A_KIND = 2  # links followed to the same address with another thing
# Each press is a step of its own, as each press of its key is.
EACH_PRESS_ACTS = {
    "account_login": "the audit keeps each refused sign-in",
    "rubric-line-move": "ten places up are ten presses, and the key repeats",
    "rubric-lines-several": "the same for several lines",
    "settings-mail-test": "each press sends an e-mail, at most five an hour",
    "staff-model-test": "each press asks the model once more",
}
BY_SCRIPT = "a script sends it while somebody works; what it saves lies over the last"
BY_DEVICE = "needs a code or a key of a device"
BY_PROGRAM = "for programs, which send no form"
NOT_PRESSED = {
    "staff-method-demand": "the sample programme has no task that asks for a list",
    "staff-import-options": "the sample programme has no upload with faults that an option settles",
    "api-candidates": BY_PROGRAM,
    "api-rubric": BY_PROGRAM,
    "api-graded-sheet-submit": BY_PROGRAM,
    "api-sheet-submit": BY_PROGRAM,
    "api-task-files": BY_PROGRAM,
    "api-task-submit": BY_PROGRAM,
    "api-tasks": BY_PROGRAM,
    "account_reset_password_from_key": "opens in the session of whoever followed the link",
    "account_set_password": "for accounts without a password; everybody has one",
    "mfa_activate_totp": BY_DEVICE,
    "mfa_add_webauthn": BY_DEVICE,
    "mfa_authenticate": BY_DEVICE,
    "mfa_deactivate_totp": BY_DEVICE,
    "mfa_edit_webauthn": BY_DEVICE,
    "mfa_generate_recovery_codes": BY_DEVICE,
    "mfa_reauthenticate": BY_DEVICE,
    "mfa_reauthenticate_webauthn": BY_DEVICE,
    "mfa_remove_webauthn": BY_DEVICE,
    "sessions": "ends the sessions of other browsers; what is ended stays ended",
    "judge-prompt-new": "begins with a text that is stored already: somebody has to write",
    "practice-start": "everybody in the sample programme has practised or scored",
    "domain-scorer": "nobody is paused, and nobody has a practice sheet left",
    "apply-draft": BY_SCRIPT,
    "exam-save": BY_SCRIPT,
    "rubric-comment": BY_SCRIPT,
    "rubric-line-passage": BY_SCRIPT,
    "task-save": BY_SCRIPT,
    "trial-save": BY_SCRIPT,
}
REFUSED = {
    ("gallery", ""): "an example among the parts of pages",
    ("staff-generation", ""): "the form of three buttons, sent without one",
    ("rubric-mark", ""): "scripts fill it in; its buttons with a name are pressed",
    ("rubric-send", ""): "asks first where marks are open; that button is pressed",
    ("exam-hand-in", ""): "asks whether to hand in with open questions; that button is pressed",
}
# Where a thing goes on to somebody else: whose page has the next button.
GOES_ON = {
    "staff-spot-check-release": [("senior", "spot-checks")],
    "staff-sheet-release": [("scorer", "scoring")],
    "staff-check-release": [("senior", "scoring")],
    "review-decline": [("scorer", "reviews"), ("senior", "reviews")],
}


# --- the sweep ------------------------------------------------------------------------------------
@dataclass
class Sweep:
    """The browsers of each person, and the world they press in."""

    world: World
    things: dict[str, tuple[Any, ...]]
    more: dict[str, list[str]] = field(default_factory=dict)  # addresses of more things
    browsers: dict[str, list[Asker]] = field(default_factory=dict)
    product: Any = field(default_factory=handler)
    pool: Any = field(default_factory=lambda: ThreadPoolExecutor(TIMES))

    def sign_in(self, role: str) -> None:
        """The windows of one browser: they share its cookies."""
        signed_in = Client()
        if role != "anonymous":
            form = {"login": f"{role}@example.test", "password": PASSWORD}
            assert signed_in.post(reverse("account_login"), form).status_code == 302
            again = {"password": PASSWORD}  # some pages ask for it once more
            assert signed_in.post(reverse("account_reauthenticate"), again).status_code == 302
        self.browsers[role] = [Asker(self.product, signed_in.cookies) for _ in range(TIMES)]

    # --- reading ---
    def pages(self, role: str) -> Iterator[Sheet]:
        """What a person reads: their addresses of the matrix, and some links of each kind."""
        waiting, seen = deque(["/", *self.addresses(role)]), set()
        kinds: Counter[Any] = Counter()
        while waiting:
            path = waiting.popleft()
            page = None if path in seen else self.page(role, path)
            seen.add(path)
            if page is None:
                continue
            yield page
            for kind, target in page.leads_to():
                if target not in seen and kinds[kind] < OF_A_KIND:
                    kinds[kind] += 1
                    waiting.append(target)

    def page(self, role: str, path: str) -> Sheet | None:
        """A page, at the end of what it redirects to."""
        return self.read(self.browsers[role][0].anew(), path)

    @staticmethod
    def read(client: Asker, path: str) -> Sheet | None:
        reply, where = client.follow(path)
        return sheet_of(reply, where) if reply.status_code == 200 else None

    def addresses(self, role: str) -> Iterator[str]:
        for route, row in MATRIX.items():
            if role in row.verbs.get("GET", ()) and not of_the_library(route):
                yield reverse(route, args=self.things[row.thing] if row.thing else ())
        yield from self.more.get(role, ())

    def buttons(self) -> Iterator[Press]:
        for role in self.browsers:
            for page in self.pages(role):
                yield from page.presses(role)

    # --- pressing ---
    def press(self, client: Asker, press: Press) -> Any:
        headers = {"Referer": f"http://testserver{press.page}"}
        return client.anew().post(press.path, data=press.data(), headers=headers)

    def lead_up(self, press: Press) -> None:
        for earlier in press.before:
            self.press(self.browsers[earlier.role][0], earlier)

    def once(self, press: Press) -> tuple[Any, dict[str, int], list[Press]]:
        """The answer to one press, the rows after it, and the buttons of the page it led to.

        After a refused press nobody looks at the rows.
        """
        self.lead_up(press)
        reply = self.press(self.browsers[press.role][0], press)
        after = {} if refused(reply) else self.world.counts()
        before = press.before if refused(reply) else (*press.before, press)
        found: list[Press] = []
        for role, page in self.led_to(press, reply) if len(before) < DEEP else ():
            found += page.presses(role, before) if page else ()
        self.world.restore()
        return reply, after, found

    def led_to(self, press: Press, reply: Any) -> Iterator[tuple[str, Sheet | None]]:
        if "Location" in reply:
            where = urljoin(press.page, reply["Location"])
            client = self.browsers[press.role][0]  # as it is: its cookies hold what is said there
            yield press.role, self.read(client, where)
        else:
            yield press.role, sheet_of(reply, press.page)
        for role, route in GOES_ON.get(press.route, ()):
            yield role, self.page(role, reverse(route))

    def in_each_thread(self, do: Callable[[Asker], Any], role: str) -> list[Any]:
        """Do this at the same moment in threads, each with one window of a person.

        The threads keep their connections to the database from one press to the next.
        """
        start = threading.Barrier(TIMES)

        def one(client: Asker) -> Any:
            start.wait(timeout=60)
            return do(client)

        return list(self.pool.map(one, self.browsers[role]))

    def leave(self) -> None:
        """Close the connections and end the threads."""
        self.in_each_thread(lambda _client: connection.close(), PEOPLE[0])
        self.pool.shutdown()

    def at_once(self, press: Press) -> tuple[list[int], dict[str, int]]:
        self.lead_up(press)
        codes = self.in_each_thread(
            lambda client: int(self.press(client, press).status_code), press.role
        )
        after = self.world.counts()
        self.world.restore()
        return codes, after


def behind_its_text(people: dict[str, User], screener: User, **where: Any) -> Task:
    """A task whose text was amended and whose rubric was not compared with it since."""
    lines = [line | {"quote": ""} for line in drafted_lines(15)]
    task = to_refining(people["author"], screener, lines=lines, title="Amended", **where)
    amendment = propose_amendment(
        actor=people["staff"],
        task=task,
        version=task.version,
        reason="A misprint.",
        parts={"reference_answer": "Net debt rises to EUR 135.4 million."},
    )
    agree_to_amendment(
        actor=people["senior"], amendment=amendment, rubric_affected=True, reason="It is one."
    )
    return task


def refused(reply: Any) -> bool:
    """A step whose thing moved on shows that thing, with 303; that is a refusal as well."""
    return reply.status_code >= 400 or reply.status_code == 303


@pytest.fixture
def sweep(transactional_db: Any, settings: Any, tmp_path: Path) -> Iterator[Sweep]:
    before = Path(settings.MEDIA_ROOT)
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.SPOT_CHECK_RATE = 0.3
    settings.PROMPTS_PER_EXPERT = 20
    settings.OPEN_SIGNUP = True
    settings.LINT_MODEL = "offline:rules-1"
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 24 * 3600  # the whole sweep
    sample_programme()
    people = {role: User.objects.get(email=f"{role}@example.test") for role in PEOPLE}
    found = things(people)
    finance = Domain.objects.get(key="finance")
    category = finance.categories.first()
    other = User.objects.get(email="expert.finance@example.test")
    ready = to_refining(people["author"], other, finance, category=category)
    behind = behind_its_text(people, other, domain=finance, category=category)
    sheet = ScoringSheet.objects.get(pk=found["sheet"][0])
    line = found["sheet_line"][1]
    score_line(actor=sheet.user, sheet=sheet, criterion=line, met=True, rationale="It does.")
    Task.objects.filter(pk=found["draft"][0]).update(materials="Other than in the kept text.")
    Authenticator.objects.create(user=other, type=Authenticator.Type.TOTP, data={})
    more, waiting = more_people(people["staff"]), more_tasks(people)
    bring_files(before)
    world = (SQLiteWorld if connection.vendor == "sqlite" else PostgreSQLWorld)()
    swept = Sweep(world, found)
    swept.more = {role: waiting.get(role, []) for role in people}
    swept.more["author"] += [
        reverse("rubric", args=[ready.pk]),
        reverse("rubric-amended", args=[behind.pk]),
        reverse("rubric-copy", args=[ready.pk]) + f"?from={found['refining'][0]}",
    ]
    swept.more["author"] += [
        reverse(page)
        for page in ("account_email", "account_change_password", "account_reauthenticate")
    ]
    swept.more["anonymous"] = [
        *(reverse(page) for page in ("account_login", "account_signup", "account_reset_password")),
        reverse("account_confirm_email", args=found["mail_key"]),
    ]
    swept.more["staff"] += [
        reverse("staff-person", args=[people["author"].pk]),
        reverse("staff-account", args=[other.pk]),
        reverse("practice-add", args=["engineering"]),  # it has a validated anchor
        reverse("verdict", args=found["overruled_response"])
        + f"?judge={found['overruled_run'][0]}",
        reverse("task-analysis-task", args=found["analysed"]) + "?candidates=3&responses=3",
    ]
    for role in [*ROLES, *more]:
        swept.sign_in(role)
    world.keep()
    with counted_once(), no_requests_kept():
        yield swept
    swept.leave()
    world.forget()


@dataclass
class Outcome:
    """What came of all presses."""

    acted: dict[tuple[str, str], str] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def press_everything(sweep: Sweep) -> Outcome:
    """Each button of each address, until a form of it is accepted; then three times at once."""
    outcome, tried = Outcome(), Counter[Any]()
    waiting = deque(sweep.buttons())
    sweep.world.restore()
    while waiting:
        press = waiting.popleft()
        if press.key in outcome.acted or tried[press.key, press.path, len(press.before)] >= 6:
            continue
        if len([1 for key, _path, _deep in tried if key == press.key]) > TRIES:
            continue
        tried[press.key, press.path, len(press.before)] += 1
        reply, one, found = sweep.once(press)
        waiting.extend(found)
        if reply.status_code >= 500:
            outcome.wrong.append(f"{press.key} as {press.role}: {reply.status_code}")
        if refused(reply):
            outcome.refused[press.key] = f"{reply.status_code} at {press.path} as {press.role}"
            continue
        codes, several = sweep.at_once(press)
        more = {
            name: f"{one[name]}, then {several[name]}" for name in one if one[name] != several[name]
        }
        outcome.acted[press.key] = f"{press.path} as {press.role}"
        if (more and press.route not in EACH_PRESS_ACTS) or max(codes) >= 500:
            outcome.wrong.append(f"{press.key} at {press.path} as {press.role}: {more} {codes}")
    return outcome


def test_every_button_pressed_several_times_at_once_acts_once(sweep):
    outcome = press_everything(sweep)
    posts = {r for r, row in MATRIX.items() if "POST" in row.verbs}
    left = posts - {route for route, _button in outcome.acted}
    wrong = outcome.wrong
    wrong += [f"no button of {route} was pressed" for route in sorted(left - set(NOT_PRESSED))]
    wrong += [f"{route} was pressed after all" for route in sorted(set(NOT_PRESSED) - left)]
    for key, why in sorted(outcome.refused.items()):
        if key not in outcome.acted and key not in REFUSED and key[0] not in NOT_PRESSED:
            wrong.append(f"{key} was refused each time: {why}")
    assert wrong == [], "\n" + "\n".join(wrong)
