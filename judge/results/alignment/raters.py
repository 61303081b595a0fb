"""Raters by name and runs by number: who can be measured, and against whom."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext as _

from curation.base.text import storable
from curation.base.web.refusals import BadInput
from judge.asking.providers import get
from judge.asking.providers.vendor import family_of
from judge.methods.base import registry
from judge.runs.engine.models import JudgeRun, RunItem
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.sheets.models import COUNTED, Sheet

LISTED = 12  # names shown in an error
RUNS_OFFERED = 60


@dataclass(frozen=True, slots=True)
class Rater:
    """A source of verdicts that can be compared: a run, or a rater's sheets."""

    name: str
    run: JudgeRun | None = None

    @property
    def family(self) -> str:
        """The family of the judge's model; "" if the name does not tell."""
        if self.run is None:
            return family_of(self.name, "")
        return get(self.run.provider).family(self.run.model)

    @property
    def label(self) -> str:
        return str(self.run) if self.run else self.name

    @property
    def file_name(self) -> str:
        """The name as a part of the name of a file."""
        if self.run:
            return f"run-{self.run.pk}"
        return "".join(c if c.isascii() and c.isalnum() else "-" for c in self.name)[:60]

    @property
    def method(self) -> str:
        return self.run.method if self.run else ""

    @property
    def gives_grades(self) -> bool:
        """Whether it grades whole answers from 1 to 5."""
        if self.run is None:
            return GradedSheet.objects.filter(rater=self.name).exists()
        return registry.get(self.run.method).gives_grades


def judges() -> list[tuple[str, str]]:
    """Return the runs and raters that can be measured as (value, label), the newest run first."""
    runs = JudgeRun.objects.exclude(state=JudgeRun.State.WAITING)[:RUNS_OFFERED]
    raters = rater_names(Q(kind=Sheet.Kind.JUDGE))
    return [(str(run.pk), str(run)) for run in runs] + [(name, name) for name in raters]


def default_judge() -> JudgeRun | None:
    """Return the newest finished run whose judge saw examples, else the newest finished run."""
    return _newest_finished(JudgeRun.objects.all(), methods=registry.with_example())


def _newest_finished(runs: "QuerySet[JudgeRun]", methods: Collection[str]) -> JudgeRun | None:
    """Return the newest finished one of some runs, those by these methods before others.

    A run of an experiment comes last: it judged what two variants are compared on, not the whole.
    """
    place = Case(When(method__in=methods, then=Value(0)), default=Value(1))
    finished = runs.filter(state=JudgeRun.State.FINISHED)
    return finished.order_by("for_experiment", place, "-pk").first()


def find_judge(name: str | None, *, field: str = "judge") -> Rater | None:
    """Return the judge of that name; without a name the default run, None if there is none.

    Raises BadInput like `find_rater`.
    """
    if name:
        return find_rater(name, field=field)
    run = default_judge()
    return Rater(str(run.pk), run) if run else None


def newest_judge(items: QuerySet[RunItem], *, methods: Collection[str] = ()) -> Rater | None:
    """Return the newest finished run that judged one of some items, else the default judge.

    Args:
        items: what the page is about.
        methods: those whose runs go before others.
    """
    judged = items.filter(run=OuterRef("pk"), state=RunItem.State.JUDGED)
    run = _newest_finished(JudgeRun.objects.filter(Exists(judged)), methods)
    return Rater(str(run.pk), run) if run else find_judge(None)


def find_run(name: str | int | None) -> JudgeRun | None:
    """Return a run by its number; without a number the default run, None if there is none.

    Raises BadInput for an unknown number, naming some runs.
    """
    if name in (None, ""):
        return default_judge()
    wanted = str(name).strip()
    number = storable.whole_number(wanted)
    run = None if number is None else JudgeRun.objects.filter(pk=number).first()
    if run is None:
        detail = _("There is no run “%(name)s”. %(known)s") % {
            "name": wanted,
            "known": _runs_there_are(),
        }
        raise BadInput(detail, code="unknown_run", fields={"run": [detail]})
    return run


def find_rater(name: str, *, field: str = "judge") -> Rater:
    """Find a run by its number, or a rater by name; "rater:7" is the rater named "7".

    Raises BadInput listing the runs and raters there are.
    """
    wanted = str(name).strip()
    number = storable.whole_number(wanted)
    run = None if number is None else JudgeRun.objects.filter(pk=number).first()
    if run is not None:
        return Rater(str(run.pk), run)
    if storable.problem_with(wanted):
        wanted = ""  # no stored name can equal it
    if wanted and _is_known(wanted):
        return Rater(wanted)
    name_only = wanted.removeprefix("rater:")
    if name_only != wanted and _is_known(name_only):
        return Rater(name_only)
    detail = _("There is no judge run and no rater “%(name)s”. %(known)s") % {
        "name": wanted,
        "known": " ".join([_runs_there_are(), _raters_there_are(Q())]),
    }
    raise BadInput(detail, code="unknown_rater", fields={field: [detail]})


def check_experts(name: str) -> str:
    """Return the name of an expert rater. Raises BadInput listing the expert raters there are."""
    wanted = "" if storable.problem_with(str(name)) else str(name).strip()
    expert = Q(kind=Sheet.Kind.EXPERT)
    if wanted and _is_known(wanted, expert):
        return wanted
    detail = _("There are no expert sheets of a rater “%(name)s”. %(known)s") % {
        "name": wanted,
        "known": _raters_there_are(expert),
    }
    raise BadInput(detail, code="unknown_rater", fields={"experts": [detail]})


def rater_names(condition: Q | None = None) -> list[str]:
    """Return the names of all raters with a submitted sheet, sorted."""
    return sorted(
        {
            name
            for rows in _submitted()
            for name in rows.filter(condition or Q())
            .order_by("rater")
            .values_list("rater", flat=True)
            .distinct()
        }
    )


def _submitted() -> "tuple[QuerySet[Any], ...]":
    """Return the submitted sheets of both kinds; both have `kind` and `rater`."""
    return (
        Sheet.objects.filter(state=Sheet.State.SUBMITTED, kind__in=COUNTED),
        GradedSheet.objects.filter(state=GradedSheet.State.SUBMITTED),
    )


def _is_known(name: str, condition: Q | None = None) -> bool:
    return any(rows.filter(condition or Q(), rater=name).exists() for rows in _submitted())


def _runs_there_are() -> str:
    runs = list(JudgeRun.objects.order_by("-pk").values_list("pk", flat=True)[: LISTED + 1])
    if not runs:
        return _("There is no judge run yet.")
    return _("Runs: %(names)s.") % {"names": _listed(str(run) for run in runs)}


def _raters_there_are(condition: Q) -> str:
    names = rater_names(condition)
    if not names:
        return _("There are no submitted sheets yet.")
    return _("Raters: %(names)s.") % {"names": _listed(names)}


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:LISTED]) + (", …" if len(every) > LISTED else "")
