"""Every address × every role × every verb, on the sample programme.

Complete by construction: the addresses are read from the URL configuration, and one without a
row in `matrix.py`, or without a row in the product's own table, fails.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client, TestCase, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from config.sample import anchors, story
from curation import access
from curation.actions.attachments import add_attachment
from curation.actions.exams import start_sitting
from curation.actions.invitations import invite_vendor
from curation.actions.texts import keep_submitted
from curation.actions.tokens import make_token
from curation.invitations import token_of
from curation.lifecycle import Stage
from curation.models import (
    Application,
    Domain,
    Notice,
    Origin,
    SittingQuestion,
    Task,
    Trial,
    User,
)
from curation.queries.notices import stop_token
from judge.actions.anchors import take_meta
from judge.actions.gold import release_gold
from judge.actions.registry import add_candidate, order_responses
from judge.actions.sheets import assign_alignment_sheet, fill_sheet
from judge.candidates import named
from judge.gold.draw import Wish
from judge.models import AlignmentSet, Anchor, Call, JudgeRun, MetaEvaluation, Response, Sheet
from judge.runs import plan_run, work_on_run
from review.actions.spot_checks import take_spot_check
from review.models import Review
from rubrics.actions import edit_line, import_version
from rubrics.models import Criterion, LineChange, RubricVersion
from tests.access.counting import count_once, keep_no_requests
from tests.access.matrix import MATRIX, ROLES
from tests.agreement.conftest import Desk
from tests.programme import sample_programme

VERBS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
REFUSED = {403, 404}


def routes(patterns: Any, prefix: str = "") -> Iterator[str]:
    """Names of all addresses; the admin's are checked apart."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace != "admin":
                yield from routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            assert pattern.name, f"{pattern} has no name, so no row can allow it"
            yield pattern.name


ALL_ROUTES = sorted(set(routes(get_resolver().url_patterns)))


class TestTheTables:
    def test_every_address_has_a_row_in_the_matrix_and_no_row_is_left_over(self):
        assert sorted(MATRIX) == ALL_ROUTES

    def test_every_address_has_a_row_in_the_products_own_table(self):
        without = [r for r in ALL_ROUTES if r not in access.routes() and MATRIX[r].verbs]
        assert without == []

    def test_the_products_table_names_no_address_that_does_not_exist(self):
        assert [r for r in access.routes() if r not in ALL_ROUTES and r != "admin:*"] == []

    def test_every_permission_a_route_names_is_known(self):
        named = {p for row in access.routes().values() for p in row.values()}
        # an unknown name raises; nobody signed in gets what is open, and nothing else
        assert {p for p in named if access.allows(AnonymousUser(), p, None)} == {"open"}

    def test_both_tables_name_the_same_verbs(self):
        differ = {
            route: (sorted(row.verbs), sorted(access.routes().get(route, {})))
            for route, row in MATRIX.items()
            if sorted(row.verbs) != sorted(access.routes().get(route, {}))
        }
        assert differ == {}


@override_settings(
    SPOT_CHECK_RATE=0.3,
    ACCOUNT_RATE_LIMITS={},
    SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
)
class TestEveryAddress(TestCase):
    """The world is loaded once; each request is rolled back.

    As the world never changes, what waits for a person is counted once, not on each of their
    pages, and sessions need no table.
    """

    people: dict[str, User]
    things: dict[str, tuple[Any, ...]]
    bodies: dict[str, dict[str, Any]]

    @classmethod
    def setUpTestData(cls):
        sample_programme()
        cls.people = {
            name: User.objects.get(email=f"{name}@example.test")
            for name in ROLES
            if name != "anonymous"
        }
        cls.things = things(cls.people)
        cls.bodies = bodies()

    def setUp(self):
        count_once(self)
        keep_no_requests(self)

    def clients(self) -> Iterator[tuple[str, Client]]:
        for role in ROLES:
            client = Client(raise_request_exception=False)
            if role != "anonymous":
                client.force_login(
                    self.people[role], backend="django.contrib.auth.backends.ModelBackend"
                )
            yield role, client

    def ask(self, client: Client, verb: str, path: str, form: dict[str, Any] | None = None) -> Any:
        """One request whose effects are rolled back.

        GET asks as a browser does, the others as a script: both kinds of refusal are tried
        everywhere.
        """
        data = urlencode(form or {})
        accept = {"HTTP_ACCEPT": "application/json"} if verb != "GET" else {}
        with transaction.atomic():
            reply = client.generic(
                verb,
                path,
                data="{}" if path.startswith("/api/") and verb != "GET" else data,
                content_type="application/json"
                if path.startswith("/api/")
                else "application/x-www-form-urlencoded",
                **accept,
            )
            transaction.set_rollback(True)
        return reply

    def test_everybody_gets_exactly_what_the_matrix_says(self):
        wrong = []
        for role, client in self.clients():
            session = dict(client.cookies)
            for route in ALL_ROUTES:
                row = MATRIX[route]
                path = reverse(route, args=self.things[row.thing] if row.thing else ())
                for verb in VERBS:
                    client.cookies.update(session)
                    reply = self.ask(client, verb, path, self.bodies.get(row.body or ""))
                    problem = verdict(role, row.verbs, verb, reply)
                    if problem:
                        wrong.append(f"{verb:7} {route:34} as {role:10} {problem}")
        assert wrong == [], "\n" + "\n".join(wrong)

    def test_the_admin_is_for_staff_only(self):
        for role, client in self.clients():
            for path in ("/admin/", "/admin/curation/domain/"):
                status = self.ask(client, "GET", path).status_code
                if role == "staff":
                    assert status in (200, 403), (role, path, status)
                elif role == "anonymous":
                    assert status == 302
                else:
                    assert status == 403, (role, path, status)

    def test_a_missing_object_and_somebody_elses_answer_alike(self):
        client = Client()
        client.force_login(
            self.people["author2"], backend="django.contrib.auth.backends.ModelBackend"
        )
        for route in ("task", "task-edit", "rubric", "api-task"):
            hidden = client.get(reverse(route, args=self.things["draft"]))
            missing = client.get(reverse(route, args=(99_999_999,)))
            assert hidden.status_code == missing.status_code == 404, route
            assert normal(hidden, self.things["draft"][0]) == normal(missing, 99_999_999), route


def normal(reply: Any, number: int) -> bytes:
    """A page without what differs by address or by request."""
    import re

    body = re.sub(rb'"[A-Za-z0-9]{64}"', b'"a CSRF token"', reply.content)
    return body.replace(str(number).encode(), b"N")


def kept(reply: Any) -> set[str]:
    """What browsers are told about keeping this answer."""
    return {word.strip() for word in reply.headers.get("Cache-Control", "").split(",")}


def verdict(role: str, verbs: dict[str, set[str]], verb: str, reply: Any) -> str | None:
    """What is wrong with an answer; None if it is as the matrix says."""
    status = reply.status_code
    if status >= 500 and status != 503:
        return f"broke with {status}"
    column = "GET" if verb == "HEAD" else verb
    reader = getattr(reply.wsgi_request, "user", AnonymousUser())  # none where nobody is asked for
    if reader.is_authenticated and not {"private", "no-store"} <= kept(reply):
        return f"may be kept by a browser: {reply.headers.get('Cache-Control')}"
    if not verbs:
        return None if status == 404 else f"answered {status}, expected 404"
    if column not in verbs:
        return None if status == 405 else f"answered {status}, expected 405"
    to_sign_in = status == 401 or (
        status == 302 and reply.headers.get("Location", "").startswith("/account/login/?next=")
    )
    if role in verbs[column]:
        return f"refused with {status}" if to_sign_in or status in {403, 404, 405} else None
    if role == "anonymous":
        return None if to_sign_in else f"answered {status}, expected the sign-in"
    return None if status in REFUSED else f"answered {status}, expected a refusal"


def things(people: dict[str, User]) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses, by the name the matrix uses."""
    draft = Task.objects.get(key="finance-receivables-sale")
    suspect = Task.objects.get(key="education-ratio-misconception-lesson")
    refining = Task.objects.get(key="law-germany-redundancies")
    in_review = Task.objects.get(key="finance-fx-hedge-policy")
    version = RubricVersion.objects.get(task=refining, frozen_at__isnull=True)
    line = version.criteria.order_by("position").first()
    review = Review.objects.get(task=in_review)
    reviewed_line = review.rounds.get().version.criteria.order_by("position").last()
    application = Application.objects.get(user=people["applicant"])
    sitting = start_sitting(actor=people["applicant"], application=application)
    audited = Task.objects.get(stage=Stage.SPOT_CHECK)
    edit_line(actor=people["author"], task=refining, criterion=line, revision=None, weight=3)
    run, call = judged()
    finish_scoring(data_of=anchors.UNDER_WAY)
    anchor = Anchor.objects.get(task__key=anchors.UNDER_WAY)
    take_meta(actor=people["senior"], anchor=anchor)
    sheet = open_sheet_of(people["scorer"])
    release = release_gold(actor=people["staff"], wish=Wish(size=3, seed=1))
    known = {"provider": "offline", "model": "rules-1"}
    candidate = add_candidate(actor=people["staff"], name="Larch mini 3", **known)
    generation = order_responses(actor=people["staff"], candidate=candidate, domains=["law"])
    address = EmailAddress.objects.create(user=people["applicant"], email="new@example.test")
    assert sheet.version is not None
    cell = sheet.version.criteria.order_by("position").last()
    assert cell is not None
    trial = Trial.objects.get(verdict="", submitted_at__isnull=False)
    applicant = people["applicant"]
    token, _key = make_token(actor=applicant, name="nightly export")
    assert line is not None
    assert reviewed_line is not None
    invitation = invite_vendor(actor=people["staff"], vendor="Kestrel Staffing", max_uses=5)
    file = add_attachment(
        actor=draft.author, thing=draft, upload=SimpleUploadedFile("annex.txt", b"Cash flows.")
    )
    short_text = SittingQuestion.objects.get(points=None, sitting__submitted_at__isnull=False)
    return {
        "short_text": (short_text.pk,),
        "training_unit": ("task",),
        "exam_of": ("finance",),
        "question": (short_text.question_id,),
        "attachment": (file.pk,),
        "draft_holder": ("task", draft.pk),
        "certification": (application.certifications.order_by("pk")[0].pk,),
        "invitation": (invitation.pk,),
        "invitation_link": (token_of(invitation),),
        "api_token": (token.pk,),
        "persons_api_token": (applicant.pk, token.pk),
        "passkey": (1,),  # nobody has one: whose it is is asked after the password
        "draft": (draft.pk,),
        "kept_text": (draft.pk, keep_submitted(draft).number),
        "refining": (refining.pk,),
        "refining_csv": (refining.pk, "csv"),
        "refining_line": (refining.pk, line.pk),
        "refining_change": (refining.pk, LineChange.objects.latest("pk").pk),
        "in_review": (in_review.pk,),
        "review": (review.pk,),
        "review_line": (review.pk, reviewed_line.pk),
        "screening": (Task.objects.get(key="education-inclusive-reading-plan").pk,),
        "suspect": (suspect.pk,),
        "held_place": (suspect.panel_places.get(member=people["scorer"]).pk,),
        "domain_key": (suspect.domain.key,),
        "screened": (Task.objects.get(key="law-lease-break").pk,),
        "spot_check": (audited.pk,),
        "spot_check_taken": (take_spot_check(actor=people["senior"], task=audited).pk,),
        "alignment_set": (alignment_set(people["staff"], sheet).pk,),
        "candidate": (generation.candidate_id,),
        "generation": (generation.pk,),
        "response": (sheet.response_id,),
        "anchor": (anchor.pk,),
        "sheet": (sheet.pk,),
        "submitted_sheet": (Sheet.objects.filter(state="submitted").latest("pk").pk,),
        "check": (MetaEvaluation.objects.get(verdict="").pk,),
        "sheet_line": (sheet.pk, cell.pk),
        "sheet_line_key": (sheet.pk, cell.key),
        "meta": (anchor.pk,),
        "run": (run.pk,),
        "call": (call.pk,),
        "release": (release.number,),
        "release_file": (release.number, "manifest-json"),
        "approved": (Task.objects.get(key="law-lease-break").pk,),
        "disputed": (disputed(people).pk,),
        "application": (application.pk,),
        "sitting": (sitting.pk,),
        "trial": (trial.pk,),
        "person": (applicant.pk,),
        "notice": (Notice.objects.filter(recipient=applicant).latest("pk").pk,),
        "stop_token": (stop_token(applicant),),
        "mail_key": (EmailConfirmationHMAC(address).key,),
        "reset_key": (user_pk_to_url_str(applicant), default_token_generator.make_token(applicant)),
    }


def disputed(people: dict[str, User]) -> Task:
    """A task on one of whose lines two reviewers differ."""
    desk = Desk(people["author"])
    task = desk.task("disputed-margins", Domain.objects.get(key="finance"))
    version = desk.version(task, ["Gives the margin of 2025 as 14.2 %.", "Names its source."])
    desk.round(version, people["author2"], "11")
    desk.round(version, people["scorer"], "10", remark="Which source?")
    return task


def judged() -> tuple[JudgeRun, Call]:
    """A finished run of one response, and its call."""
    run = plan_run(
        actor=None,
        method=JudgeRun.Method.ONE_SHOT,
        provider="offline",
        model="rules-1",
        task_keys=["finance-equity-bridge"],
    )
    work_on_run(run)
    return run, Call.objects.filter(run=run).latest("pk")


def finish_scoring(*, data_of: str) -> None:
    """Submit the sheet that the sample leaves half done."""
    anchor = Anchor.objects.select_related("task").get(task__key=data_of)
    data = story(data_of)
    sheet = Sheet.objects.get(response=anchor.response_id)
    fill_sheet(
        actor=sheet.user, sheet=sheet, verdicts=anchors.by_key(anchor.task, data, data["anchor"])
    )


def open_sheet_of(scorer: User) -> Sheet:
    """An open sheet on a response of another benchmark."""
    domain = Domain.objects.create(key="elsewhere", name="Elsewhere", external=True)
    task = Task.objects.create(
        key="elsewhere-1", origin=Origin.EXTERNAL, domain=domain, stage=Stage.APPROVED
    )
    line = {"text": "Names x.", "importance": "important", "weight": 5, "dimension": "accuracy"}
    import_version(task=task, lines=[line, line | {"text": "Names y."}])
    response = Response.objects.create(
        key="elsewhere-r", task=task, candidate=named("Cedar 3"), text="x", source="imported"
    )
    return assign_alignment_sheet(actor=None, response=response, scorer=scorer)


def alignment_set(staff: User, sheet: Sheet) -> AlignmentSet:
    """A set that holds the response of this sheet."""
    assert sheet.version is not None
    made = AlignmentSet.objects.create(
        seed=1, quota=1, domains=["elsewhere"], candidates=["Cedar 3"], created_by=staff
    )
    made.items.create(response=sheet.response, version=sheet.version, domain="elsewhere")
    return made


def bodies() -> dict[str, dict[str, Any]]:
    """Forms for the addresses that find their object through what is sent."""
    refining = Task.objects.get(key="law-germany-redundancies")
    drafted = Criterion.objects.filter(version__task=refining, version__origin="draft").last()
    line = Criterion.objects.filter(version__task=refining, version__frozen_at__isnull=True).first()
    assert drafted is not None
    assert line is not None
    return {
        "drafted_line": {"bring_back": drafted.pk},
        "sign_out_elsewhere": {"end": "others"},
        "reply": {"key": line.key, "comment": "Done as asked."},
    }
