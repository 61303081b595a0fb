"""Every page and API address, as each person, searched for what that person must not see.

Secrets are planted in the sample programme: a sentence of its own for every answer key, evidence
file, draft, vote and name. Each person then follows every link from their home page, and asks
every address of the product for every planted thing, linked or not.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.contrib.auth.models import AnonymousUser
from django.core.files.base import ContentFile
from django.test import TestCase, override_settings
from django.urls import reverse
from django.utils import timezone

from curation.base.access import permissions as access
from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.qualifying.applications.models import Application, Certification
from curation.qualifying.applications.profiles import CertificateCheck, ExpertProfile
from curation.qualifying.exams.bank_models import Question
from curation.qualifying.exams.models import ExamSitting
from curation.qualifying.trials.models import Trial
from curation.screening.panels.models import ReferenceCheck, ScreeningVote
from curation.tasks.amendments.models import Amendment
from curation.tasks.attachments.models import Attachment
from curation.tasks.business.models import Collection
from curation.tasks.task.exact_models import ExactAnswer
from curation.tasks.task.models import Task, TextVersion
from judge.asking.candidates.models import Response
from judge.methods.profiles.models import ChosenProfile
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from review.conflicts.models import ConflictOfInterest
from tests.attached import attach
from tests.base.access import talk_things
from tests.base.access.asking import Asker, asker_of, handler, route_of
from tests.base.access.counting import counted_once, no_requests_kept
from tests.base.access.judge_secrets import JudgeSecrets
from tests.base.access.matrix import MATRIX
from tests.base.access.roles import ROLES
from tests.base.access.sample_things import things
from tests.base.access.secret import Secret
from tests.programme import sample_programme

PEOPLE = [role for role in ROLES if role != "anonymous"]
LINK = re.compile(rb'(?:href|src|data-refresh|action)="([^"#]+)')
TASKS = {
    *("draft", "refining", "in_review", "screening", "screened", "spot_check", "approved"),
    *("exact_draft", "solving", "judged_exact"),
}
PLANTED = ("answer", "uniqueness", "form", "step")  # of an exact answer
ENDS_THE_SESSION = ("account_logout", "account_reset_password_from_key", "account_confirm_email")
MEANT_FOR_STAFF = (
    b"Plantedname", b"Planted Firm", b"planted-evidence", b"planted draft", b"planted flag",
    b"planted file content", b"of business",
    b"planted file content", b"Plantedproduct", b"Plantedmatrix",
    b"Planted account of an operator",
    b"planted file content", b"Planted source of a price.", b"Planted reason off the board.",
    b"Planted report of a reader.", b"Planted view", b"Planted problem of a job.",
    b"planted note of hours", b"planted reason about a category", b"planted model of labels",
    b"planted reason why a model failed", b"planted reason of an overrule",
    b"planted checkpoint of a skill", b"planted reason to retire a label",
    b"planted reason of source tiers", b"planted-tier.example",
    b"Planted report of a reader.", b"planted reason of an overruled finding",
)  # fmt: skip
SHORT = {"Accept": "application/json"}  # refusals alone depend on it
MANY = 150  # pages one person may reach by links before something is clearly going in circles


def any_of(texts: Iterable[str]) -> re.Pattern[bytes]:
    """One search for all of these; where one begins another, the longer is found."""
    longest_first = sorted(set(texts), key=len, reverse=True)
    return re.compile(b"|".join(re.escape(text.encode()) for text in longest_first) or b"(?!)")


@override_settings(
    ACCOUNT_RATE_LIMITS={}, SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies"
)
class TestNothingIsReadByTheWrongPerson(JudgeSecrets, TestCase):
    people: dict[str, User]
    things: dict[str, tuple[Any, ...]]
    secrets: list[Secret]
    kinds: dict[str, list[int]]

    @classmethod
    def setUpTestData(cls):
        sample_programme()
        cls.people = {name: User.objects.get(email=f"{name}@example.test") for name in PEOPLE}
        cls.things = things(cls.people)
        cls.names = {user.pk: user.email.split("@")[0] for user in User.objects.all()}
        planters = [
            name
            for owner in (cls, JudgeSecrets)
            for name in vars(owner)
            if name.startswith("plant_")
        ]
        cls.secrets = [secret for name in planters for secret in getattr(cls, name)()]
        cls.kinds = {
            "task": list(
                Task.objects.filter(
                    stage__in=[Stage.DRAFT, Stage.SCREENING, Stage.REFINING]
                ).values_list("pk", flat=True)[:8]
            )
            + [cls.things[name][0] for name in sorted(TASKS)],
            "application": list(Application.objects.values_list("pk", flat=True)),
            "sitting": list(ExamSitting.objects.values_list("pk", flat=True)[:4]),
            "trial": list(Trial.objects.values_list("pk", flat=True)),
            "person": list(User.objects.values_list("pk", flat=True)[:6]),
            "attachment": list(Attachment.objects.values_list("pk", flat=True)[:8])
            + cls.planted_files,
            "sheet": list(Sheet.objects.filter(user__isnull=False).values_list("pk", flat=True)[:8])
            + [cls.things["sheet"][0]],
            "graded_sheet": list(GradedSheet.objects.values_list("pk", flat=True)),
            "response": list(Response.objects.values_list("pk", flat=True)[:4]),
            "check": list(ReferenceCheck.objects.values_list("pk", flat=True)),
        }

    @classmethod
    def plant_keys(cls) -> Iterator[Secret]:
        seniors = {
            name for name, user in cls.people.items() if user.is_staff or user.senior_domain_ids()
        }
        for question in Question.objects.filter(kind="numeric"):
            value = f"9182{question.pk:04}.5"
            Question.objects.filter(pk=question.pk).update(
                key={"value": value, "tolerance": "0.25"}
            )
            yield Secret(value, {"staff"})
        for question in Question.objects.filter(kind="short"):
            guide = f"planted guide {question.pk} for the marker"
            Question.objects.filter(pk=question.pk).update(key={"guide": guide})
            yield Secret(guide, seniors)

    @classmethod
    def plant_evidence(cls) -> Iterator[Secret]:
        for application in Application.objects.select_related("user"):
            word = f"planted-evidence-{application.pk}"
            held = Attachment(
                application=application,
                uploaded_by=application.user,
                name=f"{word}.pdf",
                content_type="application/pdf",
                size=30,
                sha256=f"{application.pk:064x}",
            )
            held.file.save("x", ContentFile(f"%PDF-1.4 {word} %%EOF".encode()), save=False)
            held.save()
            yield Secret(word, {cls.names[application.user_id], "staff"})

    @classmethod
    def plant_drafts(cls) -> Iterator[Secret]:
        for task in Task.objects.filter(stage=Stage.DRAFT, author__isnull=False):
            word = f"planted draft {task.pk} of its author"
            Task.objects.filter(pk=task.pk).update(materials=word)
            TextVersion.objects.create(
                task=task, number=900, why="writing", parts={"materials": f"{word}, older"}
            )
            yield Secret(word, {cls.names.get(task.author_id, "staff"), "staff"})

    @classmethod
    def plant_business(cls) -> Iterator[Secret]:
        """Whose case a task from business was, and the permission to use it."""
        for name in ("owner", "permitted_by", "permission_scope", "permission_text"):
            word = f"planted {name} of business"
            Collection.objects.update(**{name: word})
            yield Secret(word, {"staff"})

    @classmethod
    def plant_skills(cls) -> Iterator[Secret]:
        """Hours, reasons, and the texts of the skills library."""
        yield Secret("planted note of hours", {"staff"})
        yield Secret("planted reason about a category", {"staff"})
        yield Secret("planted reason to retire a label", {"staff"})
        yield Secret("planted reason why a model failed", {"staff"})
        yield Secret("planted model of labels", {"staff", "senior"})
        yield Secret("planted description of a label", {"staff", "senior", "author"})
        yield Secret("planted reason of an overrule", {"staff", "senior"})
        yield Secret("planted checkpoint of a skill", {"staff", "senior", "author"})

    @classmethod
    def plant_talk(cls) -> Iterator[Secret]:
        """Questions, which others with a part in the task must not see; rules of a domain."""
        finance = {"author", "reviewer", "scorer", "senior", "staff"}
        yield Secret(talk_things.ABOUT_TASK, {"reviewer", "senior", "staff"})
        yield Secret(talk_things.ABOUT_RULE, {"author", "senior", "staff"})
        yield Secret(talk_things.ANSWER, {"author", "senior", "staff"})
        yield Secret(talk_things.SHARED, finance)
        yield Secret(talk_things.RULE, finance)
        yield Secret(talk_things.DRAFT, {"staff"})

    @classmethod
    def plant_source_tiers(cls) -> Iterator[Secret]:
        """Which sources count how much: responses could be written for them."""
        yield Secret("planted reason of source tiers", {"staff"})
        yield Secret("planted-tier.example", {"staff"})

    @classmethod
    def plant_files(cls) -> Iterator[Secret]:
        """The content of files: whoever may not read the task reads neither it nor its text."""
        cls.planted_files: list[int] = []
        held = Task.objects.filter(stage__in=[Stage.DRAFT, Stage.REFINING], author__isnull=False)
        for task in held.order_by("pk")[:6]:
            word = f"planted file content of task {task.pk}"
            cls.planted_files.append(attach(task, "table.csv", f"a,b\n{word},1\n".encode()).pk)
            seats = task.seats.all() if task.stage == Stage.REFINING else task.seats.none()
            readers = {cls.names[pk] for pk in seats.values_list("user_id", flat=True)}
            if task.amendments.filter(state=Amendment.State.PROPOSED).exists():
                # A senior without a part in the task decides, and reads the files for that.
                readers |= {
                    name
                    for name, user in cls.people.items()
                    if task.domain_id in user.senior_domain_ids()
                    and not task.seats.filter(user=user).exists()
                }
            yield Secret(word, readers | {cls.names[task.author_id], "staff"})

    @classmethod
    def plant_choices(cls) -> Iterator[Secret]:
        """Who was really chosen for a selection task."""
        for one in ChosenProfile.objects.select_related("outcome__task", "profile"):
            author = one.outcome.task.author_id
            yield Secret(one.profile.name, {cls.names[author], "staff"})

    @classmethod
    def plant_votes(cls) -> Iterator[Secret]:
        """Votes of panels that have not decided: nobody without a vote of their own reads them."""
        for vote in ScreeningVote.objects.filter(task__stage=Stage.SCREENING):
            word = f"planted vote {vote.pk} with its reasons"
            ScreeningVote.objects.filter(pk=vote.pk).update(reasons=word)
            voted = ScreeningVote.objects.filter(task=vote.task, round=vote.round)
            readers = {cls.names[pk] for pk in voted.values_list("member_id", flat=True)}
            yield Secret(word, readers | {"staff"})

    @classmethod
    def plant_checks(cls) -> Iterator[Secret]:
        """A reference answer is read by no checker before their own answer is in."""
        for check in ReferenceCheck.objects.filter(answered_at__isnull=True):
            word = f"planted reference of task {check.task_id}"
            Task.objects.filter(pk=check.task_id).update(reference_answer=word)
            seats = check.task.seats.exclude(role="checker").values_list("user_id", flat=True)
            if check.checker_id:
                everybody = set(cls.names.values())
                yield Secret(word, everybody - {cls.names[check.checker_id]})
            else:
                yield Secret(
                    word, {cls.names[pk] for pk in seats} | {"staff"} | set(cls.names.values())
                )

    @classmethod
    def plant_names(cls) -> Iterator[Secret]:
        """Names, addresses and employers: to everybody else a person is a number.

        But who is asked to confirm a conflict of interest reads with whom.
        """
        asked: dict[int, set[str]] = {user.pk: set() for user in User.objects.all()}
        for conflict in ConflictOfInterest.objects.all():
            asked[conflict.one_id].add(cls.names[conflict.other_id])
            asked[conflict.other_id].add(cls.names[conflict.one_id])
        for user in User.objects.all():
            name, firm = f"Plantedname{user.pk}x", f"Planted Firm {user.pk}x"
            User.objects.filter(pk=user.pk).update(display_name=name, affiliation=firm)
            Application.objects.filter(user=user).update(affiliation=firm)
            me = cls.names[user.pk]
            yield Secret(name, {me, "staff"} | asked[user.pk])
            for text in (firm, user.email):
                yield Secret(text, {me, "staff"})

    @classmethod
    def plant_profiles(cls) -> Iterator[Secret]:
        """Degree of an expert, and where staff looked a certificate up."""
        staff = cls.people["staff"]
        degree, how = "planted degree of an expert", "planted register of a certificate"
        ExpertProfile.objects.create(user=cls.people["author"], degree=degree, entered_by=staff)
        CertificateCheck.objects.create(
            certification=Certification.objects.earliest("pk"),
            outcome="confirmed",
            checked_on=timezone.localdate(),
            how=how,
            checked_by=staff,
        )
        yield Secret(degree, {"staff"})
        yield Secret(how, {"staff"})

    @classmethod
    def plant_exact_answers(cls) -> Iterator[Secret]:
        """Answer and steps: no solver reads them before handing in, and nobody without a seat."""
        for name in ("exact_draft", "solving"):
            exact = ExactAnswer.objects.get(task=cls.things[name][0])
            seats = exact.task.seats.exclude(role="solver").values_list("user_id", flat=True)
            readers = {cls.names[pk] for pk in seats} | {"staff"}
            words = {part: f"planted {part} of question {exact.task_id}" for part in PLANTED}
            ExactAnswer.objects.filter(pk=exact.pk).update(
                kind="words",
                answer=words["answer"],
                why_unique=words["uniqueness"],
                alternatives=[words["form"]],
            )
            Task.objects.filter(pk=exact.task_id).update(reference_answer=words["answer"])
            exact.steps.update(text=words["step"], source=f"https://{words['step'][8:12]}.test/x")
            yield from (Secret(word, readers) for word in words.values())

    @classmethod
    def plant_second_looks(cls) -> Iterator[Secret]:
        """Why an answer is looked at again, and what a colleague found. `things` wrote them."""
        yield Secret("Planted words of a second look", {"reviewer", "scorer", "staff"})
        yield Secret("Planted opinion of a solver", {"scorer", "staff"})

    def addresses(self, role: str) -> list[str]:
        """Every address that answers GET, for every planted thing it could be about.

        Those are left out that the table of permissions refuses before the view reads anything:
        `test_matrix.py` sees that it does.
        """
        found, visitor = [], self.people.get(role, AnonymousUser())
        for route, verbs in access.routes().items():
            row = MATRIX.get(route)
            if row is None or "GET" not in verbs or route.startswith(ENDS_THE_SESSION):
                continue
            if not access.allows(visitor, verbs["GET"]):
                continue
            if row.thing is None:
                found.append(reverse(route))
                continue
            arguments = self.things[row.thing]
            kind = "task" if row.thing in TASKS else row.thing
            if len(arguments) == 1 and kind in self.kinds:
                found += [reverse(route, args=[pk]) for pk in self.kinds[kind]]
            else:
                found.append(reverse(route, args=arguments))
        return found

    def pages_of(self, role: str, client: Asker) -> Iterator[tuple[str, bytes]]:
        """Whatever one person can get to read: by links from home, and by typing addresses.

        The page of a refusal is read once for each kind of address. Of the other things there, a
        refusal is asked for as a program asks: the same words, without the page around them.
        """
        typed = self.addresses(role)
        overruled = reverse("verdict", args=self.things["overruled_response"])
        judged = f"{overruled}?judge={self.things['overruled_run'][0]}"
        waiting, seen = deque(["/", *typed, judged]), set()
        kinds = {kind: path for path in reversed(typed) if (kind := route_of(path))}
        again = set(typed) - set(kinds.values())
        followed = 0
        while waiting:
            path = waiting.popleft()
            if path in seen or "/logout" in path or path.startswith(("/static/", "/admin/")):
                continue
            seen.add(path)
            reply = client.get(path, headers=SHORT if path in again else {})
            body = b"".join(reply.streaming_content) if reply.streaming else reply.content
            head = "\n".join(f"{name}: {value}" for name, value in reply.headers.items())
            yield path, head.encode() + b"\n" + body
            if reply.status_code != 200 or b"<html" not in body[:300].lower():
                continue
            for link in LINK.findall(body):
                where = urlsplit(urljoin(f"http://testserver{path}", unescape(link.decode())))
                if where.netloc == "testserver" and followed < MANY:
                    target = where.path + (f"?{where.query}" if where.query else "")
                    if target not in seen:
                        followed += 1
                        waiting.append(target)

    def setUp(self):
        self.enterContext(counted_once())
        self.enterContext(no_requests_kept())

    def test_nobody_reads_a_planted_secret_they_are_not_meant_to(self):
        """And staff do meet those that are meant for them: otherwise this could not fail."""
        leaks, unread = [], set(MEANT_FOR_STAFF)
        product = handler()
        for role in ROLES:
            hidden = any_of(secret.text for secret in self.secrets if role not in secret.readers)
            for path, content in self.pages_of(role, asker_of(self.people.get(role), product)):
                read = {found.decode() for found in hidden.findall(content)}
                leaks += [f"{role} reads “{text}” at {path}" for text in sorted(read)]
                if role == "staff":
                    unread = {word for word in unread if word not in content}
        assert leaks == [], "\n" + "\n".join(leaks[:40])
        assert unread == set()

    def test_a_screener_meets_no_number_that_names_the_author(self):
        """On the pages of blind work, not even the author's pseudonym."""
        product = handler()
        for role, route in (("scorer", "screening-vote"), ("reviewer", "review")):
            client = asker_of(self.people[role], product)
            if route == "review":
                task = Task.objects.get(pk=self.things["in_review"][0])
                page = client.get(reverse(route, args=self.things["review"]))
            else:
                task = Task.objects.get(pk=self.things["screening"][0])
                page = client.get(reverse(route, args=(task.pk,)))
            assert task.author is not None
            assert task.author.pseudonym.encode() not in page.content, (role, route)
