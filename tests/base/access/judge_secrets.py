"""Secrets of judging: who wrote a response, what scorers and judges say, what staff tune."""

from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Q
from django.utils import timezone

from curation.base.process.lifecycle import Stage
from curation.joining.people import User
from curation.staff.honoraria.actions import enter_by_hand
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Candidate, Response
from judge.asking.endpoints.models import Endpoint, ServedModel
from judge.base.gold_sets.retirements import Retirement
from judge.results.flags.flags import VerdictFlag
from judge.runs.engine.models import Verdict
from judge.scoring.anchors.models import MetaEvaluation
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import Sheet
from tests.base.access import error_code_things, import_things
from tests.base.access.secret import Secret


class JudgeSecrets:
    """Plants secrets in the things of judge; each method yields them with who may read them."""

    people: dict[str, User]
    names: dict[int, str]

    @classmethod
    def plant_candidates(cls) -> Iterator[Secret]:
        """Which system wrote a response is for staff alone, and so are its house and its marks."""
        for candidate in Candidate.objects.all():
            word = f"Plantedsystem{candidate.pk}x"
            facts = {"name": word, "family": f"{word}house", "version": f"{word}v2"}
            Candidate.objects.filter(pk=candidate.pk).update(**facts)
            yield Secret(word, {"staff"})
        for response in Response.objects.all()[:40]:
            word = f"planted-response-{response.pk}-key"
            Response.objects.filter(pk=response.pk).update(key=word)
            yield Secret(word, {"staff"})

    @classmethod
    def plant_endpoints(cls) -> Iterator[Secret]:
        """Which models the programme asks, and where, is for staff alone."""
        Endpoint.objects.update(label="Plantedendpoint", address="https://planted-host.test/v1")
        ServedModel.objects.update(label="Plantedmodel")
        for word in ("Plantedendpoint", "planted-host.test", "Plantedmodel", "ACME_API_KEY"):
            yield Secret(word, {"staff"})

    @classmethod
    def plant_sheets(cls) -> Iterator[Secret]:
        """What a scorer writes: their own, staff's, and the senior's who has the check of it."""
        for sheet in Sheet.objects.filter(user__isnull=False).select_related("response__task"):
            line = sheet.lines.first()
            if line is None:
                continue
            word = f"planted reason of sheet {sheet.pk} for its line"
            type(line).objects.filter(pk=line.pk).update(rationale=word)
            checks = MetaEvaluation.objects.filter(Q(sheet=sheet) | Q(second=sheet))
            readers = {cls.names[pk] for pk in checks.values_list("senior_id", flat=True)}
            # Who adjudicates a task has taken a seat that keeps them from judging it later.
            seats = sheet.response.task.seats.filter(role="adjudicator")
            readers |= {cls.names[pk] for pk in seats.values_list("user_id", flat=True)}
            yield Secret(word, readers | {cls.names[sheet.user_id], "staff"})

    @classmethod
    def plant_graded_sheets(cls) -> Iterator[Secret]:
        """What a scorer writes on a graded sheet: for themselves and staff."""
        for sheet in GradedSheet.objects.filter(user__isnull=False):
            word = f"planted analysis of graded sheet {sheet.pk}"
            GradedSheet.objects.filter(pk=sheet.pk).update(analysis=word)
            yield Secret(word, {cls.names[sheet.user_id], "staff"})

    @classmethod
    def plant_verdicts(cls) -> Iterator[Secret]:
        """What a judge said of a response, and the calls it was said in."""
        for verdict in Verdict.objects.order_by("pk")[:20]:
            word = f"planted verdict {verdict.pk} of the judge"
            Verdict.objects.filter(pk=verdict.pk).update(why=word)
            yield Secret(word, {"staff"})

    @classmethod
    def plant_flags(cls) -> Iterator[Secret]:
        """Why somebody holds a verdict to be wrong: a scorer would learn what it was."""
        for flag in VerdictFlag.objects.all():
            word = f"planted flag {flag.pk} on a verdict"
            VerdictFlag.objects.filter(pk=flag.pk).update(reason=word)
            yield Secret(word, {"staff"})

    @classmethod
    def plant_codes(cls) -> Iterator[Secret]:
        """What is wrong with a response: a scorer would learn it before scoring."""
        yield Secret(error_code_things.REASON, {"staff"})
        yield Secret(error_code_things.DEFINITION, {"staff"})

    @classmethod
    def plant_imports(cls) -> Iterator[Secret]:
        """What staff have uploaded: it may be a task, an answer or a score."""
        yield Secret(import_things.NAME, {"staff"})
        yield Secret(import_things.TEXT, {"staff"})

    @classmethod
    def plant_retirements(cls) -> Iterator[Secret]:
        """Why staff retired a task from draws: its author and reviewers are not told."""
        for task in Task.objects.filter(stage=Stage.APPROVED, origin="own"):
            word = f"planted reason to retire task {task.pk}"
            Retirement.objects.create(task=task, reason=word, by=cls.people["staff"])
            task.note("retired", actor=cls.people["staff"], reason=word)
            yield Secret(word, {"staff"})

    @classmethod
    def plant_workshop(cls) -> Iterator[Secret]:
        """How judges are tuned, and what was decided on lines that candidates always meet.

        `things` wrote them: they are never changed.
        """
        for word in (
            "Planted question of an experiment",
            "Planted prompt.",
            "Planted reason to keep a line",
        ):
            yield Secret(word, {"staff"})

    @classmethod
    def plant_collected(cls) -> Iterator[Secret]:
        """Which product an answer was collected from, how and by whom; `things` wrote them."""
        for word in (
            "Plantedproduct",
            "Plantedperiod",
            "Plantedmatrix",
            "Planted note to operators",
            "Planted remark of an operator",
            "Planted account of an operator",
        ):
            yield Secret(word, {"staff"})

    @classmethod
    def plant_market(cls) -> Iterator[Secret]:
        """What candidates cost, who was off the board, and a reader's report, for its reader too.

        `things` wrote them: they are never changed.
        """
        yield Secret("Planted source of a price.", {"staff"})
        yield Secret("Planted reason off the board.", {"staff"})
        yield Secret("planted-contact", {"staff"})
        yield Secret("Planted report of a reader.", {"staff", "applicant"})

    @classmethod
    def plant_overrules(cls) -> Iterator[Secret]:
        """Why staff overruled a judge. `things` wrote it: it is never changed."""
        yield Secret("planted reason of an overruled finding", {"staff"})

    @classmethod
    def plant_honoraria(cls) -> Iterator[Secret]:
        """What a person was paid for by hand is for them and for staff."""
        word = "planted talk of an author"
        enter_by_hand(
            actor=cls.people["staff"], person=cls.people["author"], kind="other",
            description=word, day=timezone.localdate(), amount=Decimal(10), currency="EUR",
        )  # fmt: skip
        yield Secret(word, {"author", "staff"})
