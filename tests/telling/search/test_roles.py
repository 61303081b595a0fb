"""The search of every role, on the sample programme: all they may open, and nothing else."""

import html
import re
from typing import ClassVar

from django.test import TestCase
from django.urls import reverse
from django.utils import translation

from curation.base.access.permissions import allows
from curation.joining.people import User
from curation.screening.panels.models import PanelPlace
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.base.gold_sets.models import GoldRelease
from judge.runs.engine.models import JudgeRun
from judge.runs.engine.planning.plan import plan_run
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Review
from review.spot_checks.actions import take_spot_check
from tests.base.access.asking import Asker, asker_of, handler
from tests.markup import one_line
from tests.programme import sample_programme

BLIND = ("applicant", "author", "author2", "reviewer", "scorer", "senior")
HIT = re.compile(
    r'role="option" id="search-\w+-\d+" href="([^"]+)"[^>]*>\s*<span[^>]*>(.*?)</span>'
)
KIND = re.compile(r'id="search-kind-(\w+)"')


class TestEveryRole(TestCase):
    people: ClassVar[dict[str, User]]
    judge_run: ClassVar[JudgeRun]

    @classmethod
    def setUpTestData(cls) -> None:
        sample_programme()
        cls.people = {
            role: User.objects.get(email=f"{role}@example.test") for role in (*BLIND, "staff")
        }
        for user in User.objects.all():
            User.objects.filter(pk=user.pk).update(
                display_name=f"Zz-Planted Person{user.pk}", affiliation=f"Zz-Planted {user.pk} GmbH"
            )
        for one in Candidate.objects.all():
            Candidate.objects.filter(pk=one.pk).update(
                name=f"zz-planted-{one.pk}", family="zz-planted-house"
            )
        cls.judge_run = plan_run(
            actor=cls.people["staff"], method="zero_shot", provider="offline", model="zz-planted-j",
            parameters={}, calls_mode="per_response", concurrency=2, budget_micro=None,
            max_calls=None, experts="", task_keys=None, candidates=None, allow_same_family=False,
        )  # fmt: skip

    def found(self, role: str, typed: str) -> tuple[str, list[tuple[str, str]]]:
        """What the search box shows; address and title of every hit."""
        answer = self.signed(role).get(reverse("search-found"), {"q": typed})
        assert answer.status_code == 200
        text = one_line(answer.content.decode())
        return text, [(html.unescape(url), html.unescape(name)) for url, name in HIT.findall(text)]

    def signed(self, role: str) -> Asker:
        if role not in self.signed_in:
            self.signed_in[role] = asker_of(self.people[role], self.product)
        return self.signed_in[role]

    def setUp(self) -> None:
        self.product = handler()
        self.signed_in: dict[str, Asker] = {}

    def test_a_task_is_found_by_those_who_may_open_its_page_and_names_nobody_to_the_blind(self):
        for role in (*BLIND, "staff"):
            for task in Task.objects.exclude(title="").select_related("domain"):
                page = "staff-task" if role == "staff" else "task"
                text, hits = self.found(role, task.title)
                if role in BLIND:
                    assert not re.search(r"(?i)zz-planted", text), (role, task.title)
                listed = (reverse(page, args=[task.pk]), task.title) in hits
                user = User.objects.get(pk=self.people[role].pk)
                assert listed == allows(user, "task.view", task), (role, task.title)

    def test_every_hit_opens(self):
        for role in (*BLIND, "staff"):
            urls = {url for typed in ("a", "e", "的") for url, _name in self.found(role, typed)[1]}
            assert len(urls) > 3, role
            for url in urls:
                answer, _where = self.signed(role).follow(url)
                assert answer.status_code == 200, (role, url)

    def test_no_search_confirms_a_name_to_somebody_blind(self):
        person = f"Person{self.people['applicant'].pk}"
        names = ("zz-planted", "GmbH", "zz-planted-j", "@example", person, "offline")
        for role in BLIND:
            for typed in names:
                assert self.found(role, typed)[1] == [], (role, typed)
        # Staff, who may read them, find each.
        for typed in names:
            assert self.found("staff", typed)[1], typed

    def test_a_blind_reader_finds_a_task_by_its_title_and_not_by_a_key_they_never_read(self):
        sheet = Sheet.objects.filter(user=self.people["scorer"]).first()
        task = sheet.response.task
        Task.objects.filter(pk=task.pk).update(key="of-zz-somebody-they-know")
        assert self.found("scorer", task.title)[1]
        assert self.found("scorer", "zz-somebody")[1] == []
        assert self.found("staff", "zz-somebody")[1]

    def test_work_in_hand_comes_first_and_leads_to_the_work(self):
        sheet = Sheet.objects.filter(user=self.people["scorer"], state="open").first()
        text, hits = self.found("scorer", sheet.response.task.title)
        assert (reverse("sheet", args=[sheet.pk]), sheet.response.task.title) in hits
        assert KIND.findall(text)[0] == "sheets"

        review = Review.objects.filter(
            reviewer=self.people["reviewer"], state="assigned", task__stage="approved"
        ).first()
        _text, hits = self.found("reviewer", review.task.title)
        assert hits[0] == (reverse("review", args=[review.pk]), review.task.title)

        place = PanelPlace.objects.filter(member=self.people["author"], state="open").first()
        if place is not None:
            _text, hits = self.found("author", place.task.title)
            assert reverse("screening-vote", args=[place.task_id]) in dict(hits)

    def test_a_senior_finds_spot_checks_and_checks_they_hold(self):
        senior = self.people["senior"]
        drawn = Task.objects.filter(stage="spot_check").first()
        assert self.found("senior", drawn.title)[1] == []
        take_spot_check(actor=senior, task=drawn)
        assert self.found("senior", drawn.title)[1][0] == (
            reverse("spot-check", args=[drawn.pk]),
            drawn.title,
        )

    def test_staff_find_every_kind(self):
        task = Task.objects.filter(stage="approved").first()
        response = Response.objects.filter(task=task).first()
        person = self.people["author"]
        candidate = Candidate.objects.first()
        wanted = [
            (task.key, "tasks", reverse("staff-task", args=[task.pk])),
            (str(task.pk), "tasks", reverse("staff-task", args=[task.pk])),
            (person.email, "people", reverse("staff-person", args=[person.pk])),
            (f"Expert {person.pk}", "people", reverse("staff-person", args=[person.pk])),
            (f"zz-planted PERSON{person.pk}", "people", reverse("staff-person", args=[person.pk])),
            (candidate.name, "candidates", reverse("staff-candidate", args=[candidate.pk])),
            (f"run {self.judge_run.pk}", "runs", reverse("staff-run", args=[self.judge_run.pk])),
            ("zero-shot zz-planted", "runs", reverse("staff-run", args=[self.judge_run.pk])),
            (response.key, "responses", reverse("staff-response", args=[response.pk])),
            ("prices", "pages", reverse("staff-prices")),
            ("Draw an alignment", "pages", reverse("alignment-set-new")),
        ]
        for typed, kind, url in wanted:
            text, hits = self.found("staff", typed)
            assert kind in KIND.findall(text), typed
            assert url in dict(hits), typed

    def test_a_release_is_found_by_its_number_and_its_hash(self):
        release = GoldRelease.objects.create(
            number=7, size=3, seed=1, strata="domain", allocation="equal", manifest={},
            sha256="ab12cd34" + "0" * 56,
        )  # fmt: skip
        for typed in ("7", "release 7", "#7", "ab12cd", "AB12CD34"):
            assert reverse("gold-release", args=[release.number]) in dict(
                self.found("staff", typed)[1]
            )
        for typed in ("release", "ab12", "8"):
            assert "releases" not in KIND.findall(self.found("staff", typed)[0])

    def test_pages_are_found_in_the_readers_language_and_in_english(self):
        User.objects.filter(pk=self.people["staff"].pk).update(language="zh-hans")
        with translation.override("zh-hans"):
            name = translation.gettext("Prices")
        assert name != "Prices"
        for typed in (name, "prices"):
            assert (reverse("staff-prices"), name) in self.found("staff", typed)[1]

    def test_pages_of_others_are_not_found(self):
        for role in BLIND:
            assert reverse("staff-prices") not in dict(self.found(role, "prices")[1])
        assert reverse("task-new") in dict(self.found("author", "new task")[1])
        assert reverse("task-new") not in dict(self.found("applicant", "new task")[1])
        assert self.found("applicant", "application")[1]
