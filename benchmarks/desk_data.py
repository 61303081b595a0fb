"""Fills a database with a whole programme for `benchmarks.desk`."""

import random
from datetime import timedelta
from itertools import islice
from typing import Any

DOMAINS = ("finance", "law", "education", "engineering", "humanities", "healthcare")
APPROVED_OF_TEN = 8
BODY = 900  # characters of a text, on average
CHUNK = 2_000


class Filler:
    """Creates the rows with `bulk_create`, in chunks, so that memory stays bounded."""

    def __init__(self, tasks: int, people: int, candidates: int) -> None:
        from django.utils import timezone

        self.number, self.people_wanted, self.candidates_wanted = tasks, people, candidates
        self.rng = random.Random(11)
        words = ["".join(self.rng.choices("etaoinshrdlu", k=n % 9 + 2)) for n in range(2_000)]
        self.prose = " ".join(self.rng.choices(words, k=40_000))
        self.now = timezone.now()

    def fill(self) -> dict[str, Any]:
        """Fill the database; return the people who ask for pages and the run."""
        self._people()
        self._tasks()
        self._responses()
        self._run()
        self._sheets()
        self._releases()
        return {"staff": self.staff, "expert": self.experts[0], "run": self.run.pk}

    def text(self, length: int = BODY) -> str:
        begin = self.rng.randrange(len(self.prose) - length)
        return self.prose[begin : begin + length].strip()

    def days_ago(self, most: int = 200) -> Any:
        return self.now - timedelta(minutes=self.rng.randrange(most * 24 * 60))

    def _people(self) -> None:
        from curation.joining.accounts import terms
        from curation.joining.accounts.models import SignIn, TermsConsent
        from curation.joining.domains.models import Category, Domain
        from curation.joining.people import Qualification, SeniorityChange, User
        from curation.qualifying.applications.models import Application, ApplicationEvent

        self.domains = Domain.objects.bulk_create(
            Domain(key=key, name=key.title(), position=n) for n, key in enumerate(DOMAINS, 1)
        )
        self.categories = Category.objects.bulk_create(
            Category(domain=domain, key=f"c{n}", name=f"Category {n}")
            for domain in self.domains
            for n in range(5)
        )
        self.staff = User.objects.create_user("staff@bench.test", None, is_staff=True)
        people = User.objects.bulk_create(
            User(
                email=f"person{n}@bench.test", display_name=f"Person {n}",
                affiliation=f"Firm {n % 90}", password="!", date_joined=self.days_ago(),
            )
            for n in range(self.people_wanted)
        )  # fmt: skip
        self.experts = people[: max(12, len(people) * 3 // 10)]
        held = Qualification.objects.bulk_create(
            Qualification(user=person, domain=self.domains[n % 6], senior=n % 7 == 0)
            for n, person in enumerate(self.experts)
        )
        SeniorityChange.objects.bulk_create(
            SeniorityChange(qualification=one, senior=True, actor=self.staff, reason="Knows it.")
            for one in held
            if one.senior
        )
        TermsConsent.objects.bulk_create(
            TermsConsent(user=person, version=terms.current_version()) for person in people
        )
        stages = ("applied", "exam", "training", "trial", "rejected", "qualified")
        applications = Application.objects.bulk_create(
            Application(
                user=person, domain=self.domains[n % 6], affiliation=f"Firm {n % 90}",
                stage="qualified" if n < len(self.experts) else stages[n % 5],
                degree="MSc", years=3 + n % 30, credentials="Licensed.", languages=["en"],
                created_at=self.days_ago(), stage_since=self.days_ago(30),
            )
            for n, person in enumerate(people)
        )  # fmt: skip
        ApplicationEvent.objects.bulk_create(
            ApplicationEvent(
                application=one, actor=self.staff, to_stage=one.stage, at=self.days_ago()
            )
            for one in applications
            for _n in range(3)
        )
        SignIn.objects.bulk_create(
            SignIn(user=person, outcome="done", device="Firefox on Linux", at=self.days_ago(180))
            for person in people
            for _n in range(10)
        )

    def _tasks(self) -> None:
        from curation.tasks.task.models import Seat, Task, TaskEvent
        from review.rounds.assignment_models import Review, Round
        from rubrics.versions.models import Criterion, RubricVersion

        open_stages = ("draft", "submitted", "screening", "refining", "in_review", "rejected")
        self.tasks: list[Any] = []
        for n in range(self.number):
            author = self.experts[n % len(self.experts)]
            domain = self.domains[n % len(self.experts) % 6]
            approved = n % 10 < APPROVED_OF_TEN
            self.tasks.append(
                Task(
                    key=f"task-{n}", title=f"Case {n}: {self.text(40)}", author=author,
                    domain=domain, category=self.categories[n % len(self.experts) % 6 * 5 + n % 5],
                    scenario=self.text(), requirements=self.text(), reference_answer=self.text(),
                    minutes=120, stage="approved" if approved else open_stages[n % 6],
                    stage_since=self.days_ago(60), created_at=self.days_ago(), change="static",
                )
            )  # fmt: skip
        Task.objects.bulk_create(self.tasks, batch_size=CHUNK)
        steps = ("draft", "submitted", "screening", "refining", "in_review", "approved")
        TaskEvent.objects.bulk_create(
            (
                TaskEvent(
                    task=task, actor=task.author, from_stage=before, to_stage=after,
                    at=task.created_at + timedelta(days=n),
                )
                for task in self.tasks
                for n, (before, after) in enumerate(zip(("", *steps), steps, strict=False))
            ),
            batch_size=CHUNK,
        )  # fmt: skip
        Seat.objects.bulk_create(
            (Seat(task=task, user=task.author, role="author") for task in self.tasks),
            batch_size=CHUNK,
        )
        written = [t for t in self.tasks if t.stage in ("refining", "in_review", "approved")]
        self.versions = RubricVersion.objects.bulk_create(
            (
                RubricVersion(
                    task=task, number=1, origin="expert", text_version=1,
                    **({} if task.stage == "refining" else
                       {"frozen_at": task.stage_since, "sha256": "0" * 64}),
                )
                for task in written
            ),
            batch_size=CHUNK,
        )  # fmt: skip
        dimensions = ("accuracy", "reasoning", "completeness", "communication")
        from rubrics.policy.dimensions import Dimension

        known = [one for one in Dimension.values if one in dimensions] or list(Dimension.values)
        self.lines: dict[int, list[Any]] = {}
        for part in _chunks(self.versions, 200):
            made = Criterion.objects.bulk_create(
                Criterion(
                    version=version, key=f"l{n}", position=n, weight=1 + n % 10,
                    text=self.text(110), dimension=known[n % len(known)],
                    importance=("essential", "important", "optional")[n % 3],
                )
                for version in part
                for n in range(15 + version.pk % 5)
            )  # fmt: skip
            for line in made:
                self.lines.setdefault(line.version_id, []).append(line)
        reviews = Review.objects.bulk_create(
            (
                Review(
                    task=version.task, reviewer=self.experts[(n * 7 + 6) % len(self.experts)],
                    number=1,
                    due_at=self.now + timedelta(days=n % 9 - 3),
                )
                for n, version in enumerate(self.versions)
                if version.frozen_at
            ),
            batch_size=CHUNK,
        )  # fmt: skip
        by_task = {version.task_id: version for version in self.versions}
        Round.objects.bulk_create(
            (
                Round(
                    review=one, number=1, version=by_task[one.task_id], opened_at=self.days_ago(60),
                    finished_at=None if one.task.stage == "in_review" else self.now,
                )
                for one in reviews
            ),
            batch_size=CHUNK,
        )  # fmt: skip
        self.approved = [v for v in self.versions if v.task.stage == "approved"]

    def _responses(self) -> None:
        from judge.asking.candidates.models import Candidate, Response

        self.candidates = Candidate.objects.bulk_create(
            Candidate(
                name=f"system-{n}", family=f"House {n % 7}", released_on=self.now.date(),
                licence=("proprietary", "open_weights")[n % 2],
            )
            for n in range(self.candidates_wanted)
        )  # fmt: skip
        # All tasks are answered, as the benchmark counts them: 1,346 × 20.
        self.judged = self.versions
        self.responses: list[tuple[int, Any]] = []
        wanted = self.number * self.candidates_wanted
        sample = 0
        while len(self.responses) < wanted:
            sample += 1
            room = wanted - len(self.responses)
            pairs = ((v, c) for v in self.judged for c in self.candidates)
            for part in _chunks(islice(pairs, room), CHUNK):
                made = Response.objects.bulk_create(
                    Response(
                        key=f"{v.task.key}-{c.pk}-{sample}", task=v.task, candidate=c,
                        sample=sample, text=self.text(1_400), source="imported", text_version=1,
                        marks_version=1, latency_ms=900, cost_micro=4_000,
                    )
                    for v, c in part
                )  # fmt: skip
                self.responses += [(row.pk, v) for row, (v, _c) in zip(made, part, strict=True)]

    def _run(self) -> None:
        from judge.asking.calls.models import Call
        from judge.runs.engine.models import JudgeRun, Judgment, RunAct, RunItem, Verdict

        runs = JudgeRun.objects.bulk_create(
            JudgeRun(
                method="zero_shot", provider="openai", model=f"judge-{n % 5}", state="finished",
                created_by=self.staff, created_at=self.days_ago(), started_at=self.days_ago(),
                finished_at=self.now, budget_micro=90_000_000,
            )
            for n in range(60)
        )  # fmt: skip
        RunAct.objects.bulk_create(
            RunAct(run=run, kind=kind, actor=self.staff, at=self.days_ago())
            for run in runs
            for kind in ("planned", "started", "paused", "continued")
        )
        self.run = runs[-1]
        for part in _chunks(self.responses, CHUNK):
            judgments, verdicts = [], []
            for pk, version in part:
                lines = self.lines[version.pk]
                met = [self.rng.random() < 0.6 for _line in lines]
                top = sum(line.weight for line in lines)
                judgments.append(
                    Judgment(
                        key=f"{pk:064d}", run=self.run, response_id=pk, version=version,
                        method="zero_shot", provider="openai", model=self.run.model,
                        prompt_sha256="0" * 64, state="complete", lines_total=len(lines),
                        score_numerator=sum(
                            line.weight for line, yes in zip(lines, met, strict=True) if yes
                        ),
                        score_denominator=top, lines_decided=len(lines), finished_at=self.now,
                    )
                )  # fmt: skip
                verdicts.append(list(zip(lines, met, strict=True)))
            made = Judgment.objects.bulk_create(judgments)
            RunItem.objects.bulk_create(
                RunItem(
                    run=self.run, response_id=row.response_id, version_id=row.version_id,
                    judgment=row, state="judged", finished_at=self.now,
                )
                for row in made
            )  # fmt: skip
            Verdict.objects.bulk_create(
                (
                    Verdict(
                        judgment=row, criterion=line, outcome="met" if yes else "unmet", why="So."
                    )
                    for row, found in zip(made, verdicts, strict=True)
                    for line, yes in found
                ),
                batch_size=CHUNK,
            )
            Call.objects.bulk_create(
                Call(
                    purpose="judge", provider="openai", model=self.run.model, run=self.run,
                    judgment=row, task_id=version.task_id, prompt_sha256="0" * 64,
                    request={"messages": [{"role": "user", "content": self.text(1_500)}]},
                    reply=self.text(700), input_tokens=2_000, output_tokens=300, cost_micro=900,
                    error="timeout" if row.pk % 50 == 0 else "", seconds=2.5,
                    attempt=2 if row.pk % 40 == 0 else 1, at=self.days_ago(60),
                )
                for row, (_pk, version) in zip(made, part, strict=True)
            )  # fmt: skip

    def _sheets(self) -> None:
        from judge.scoring.graded_sheets.models import GradedSheet
        from judge.scoring.sheets.models import Sheet, SheetLine

        chosen = self.responses[:: max(1, len(self.responses) // max(60, self.number))]
        sheets = Sheet.objects.bulk_create(
            Sheet(
                response_id=pk, version=version, kind="expert", purpose="alignment",
                rater=f"expert-{who.pk}", user=who, opened_at=self.days_ago(60),
                due_at=self.now + timedelta(days=n % 20 - 10),
                state="open" if n % 3 == 0 else "submitted",
                submitted_at=None if n % 3 == 0 else self.now,
            )
            for n, (pk, version) in enumerate(chosen)
            for who in (self.experts[(n * 5 + 1) % len(self.experts)],)
        )  # fmt: skip
        SheetLine.objects.bulk_create(
            (
                SheetLine(sheet=sheet, criterion=line, met=line.pk % 3 > 0, rationale="Because.")
                for sheet in sheets
                for line in self.lines[sheet.version_id or 0]
            ),
            batch_size=CHUNK,
        )
        GradedSheet.objects.bulk_create(
            GradedSheet(
                response_id=pk, version=version, rater=f"expert-{who.pk}", user=who,
                due_at=self.now + timedelta(days=n % 20 - 10),
            )
            for n, (pk, version) in enumerate(chosen[:200])
            for who in (self.experts[(n * 11 + 2) % len(self.experts)],)
        )  # fmt: skip

    def _releases(self) -> None:
        from judge.asking.calls.price_models import PriceEvent
        from judge.base.gold_sets.models import GoldRelease

        GoldRelease.objects.bulk_create(
            GoldRelease(
                number=n, size=300, seed=n, strata="domain", allocation="proportional",
                manifest={"counts": {"tasks": 300, "lines": 5_100, "anchors": 0}},
                sha256=f"{n:064d}", created_by=self.staff, created_at=self.days_ago(),
            )
            for n in range(1, 13)
        )  # fmt: skip
        PriceEvent.objects.bulk_create(
            PriceEvent(
                provider="openai", model=f"judge-{n % 5}", input_micro=2_000_000, cached_micro=0,
                output_micro=8_000_000, actor=self.staff, at=self.days_ago(),
            )
            for n in range(30)
        )  # fmt: skip


def _chunks(rows: Any, size: int) -> Any:
    rows = iter(rows)
    while part := list(islice(rows, size)):
        yield part
