"""Repeated runs: the majority of their verdicts, and how far they agree.

One configuration judges a response only once. A repeat is the same configuration under another
number, so that it asks again; how often it says the same is the judge's self-consistency.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from curation.base.text.wording import listed
from curation.base.web.refusals import BadInput
from curation.tasks.task.models import Task
from judge.asking.candidates.earlier_text import rests_on_earlier_text
from judge.base.gold_sets.task_sets import closed
from judge.base.stats.agreement import AgreementReport, Pattern, agreement_of
from judge.runs.engine.models import JudgeRun, RunItem, Verdict

_LABELS = {Verdict.Outcome.MET.value: True, Verdict.Outcome.UNMET.value: False}
# What makes two runs repeats of each other.
_SAME = (
    *("method", "provider", "model", "parameters", "calls_mode", "experts", "variant_id"),
    *("further_models", "search", "search_sha256"),
)

LineKey = tuple[str, str, str]  # keys of task, response and criterion
_Wording = tuple[str, str]  # key and text of a line, as versions may differ


@dataclass(frozen=True, slots=True)
class RunAgreement:
    """The agreement of several runs on the lines that at least one of them judged.

    Where runs judged a response by different versions of its rubric, the lines are those of the
    newest of these versions. A run that judged by an earlier one counts on the lines whose text is
    the same.

    Attributes:
        shared: lines that at least two runs decided.
        majority: what more than half of the deciding runs said of a line; None for a tie or if no
            run decided.
        divided: the lines on which two runs differ.
        version_of: response -> number of the rubric's version whose lines are counted.
        across_versions: the number of responses that runs judged by different versions.
        closed: keys of tasks whose verdicts are not shown, as they are held out.
    """

    runs: tuple[int, ...]
    agreement: AgreementReport
    unanimous: int
    tied: int
    undecided: int
    shared: int
    majority: dict[LineKey, bool | None]
    divided: frozenset[LineKey]
    version_of: Mapping[str, int]
    across_versions: int
    closed: frozenset[str] = frozenset()

    @property
    def lines(self) -> int:
        """The number of lines that at least one run was asked about."""
        return len(self.majority)

    @property
    def alpha(self) -> float | None:
        """Alpha as a float, None where it is not defined."""
        return None if self.agreement.alpha is None else float(self.agreement.alpha)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON."""
        return {
            "runs": list(self.runs),
            "lines": len(self.majority),
            "unanimous": self.unanimous,
            "tied": self.tied,
            "undecided": self.undecided,
            "across_versions": self.across_versions,
            "agreement": self.agreement.as_dict(),
        }

    def as_scores(self, rater: str) -> Iterator[dict[str, Any]]:
        """Yield the majority by response in the format of `import_scores`; a tie is null.

        Responses to tasks of a closed held-out half are left out.
        """
        sheets: dict[tuple[str, str], dict[str, int | None]] = {}
        for (task, response, line), met in self.majority.items():
            if task in self.closed:
                continue
            sheets.setdefault((task, response), {})[line] = None if met is None else int(met)
        for (task, response), scores in sheets.items():
            yield {
                "task": task,
                "response": response,
                "rater": rater,
                "kind": "judge",
                "scores": scores,
            }


def agreement_of_runs(pks: Sequence[int]) -> RunAgreement:
    """Compare what several runs said about the same lines. One query a run, and four.

    Verdicts that rest on an earlier text of their task are left out.

    Raises BadInput for fewer than two runs, an unknown one, one that has judged nothing, or two
    that share judgments: the second reuses the first one's verdicts and cannot differ.
    """
    wanted = tuple(dict.fromkeys(pks))
    if len(wanted) < 2:
        raise BadInput(_("Name at least two runs."))
    missing = set(wanted) - set(JudgeRun.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    if missing:
        raise BadInput(_("There is no run %(run)s.") % {"run": min(missing)})
    same = _sharing_a_judgment(wanted)
    if same:
        raise BadInput(
            _(
                "Runs %(runs)s have the same configuration, which is asked only once, so they "
                "cannot differ. Plan a repeat instead; it asks again."
            )
            % {"runs": listed(same)},
            code="same_judgments",
        )
    judged = RunItem.objects.filter(run__in=wanted, state=RunItem.State.JUDGED)
    silent = set(wanted) - set(judged.values_list("run", flat=True))
    if silent:
        raise BadInput(
            _("Run %(run)s has judged nothing yet, so it cannot be counted.")
            % {"run": min(silent)},
            code="nothing_judged",
        )
    said, versions = _said_by(wanted)
    patterns: Counter[Pattern] = Counter(frozenset(given.items()) for given in said.values())
    majority: dict[LineKey, bool | None] = {}
    divided = set()
    unanimous = tied = undecided = shared = 0
    for name, given in said.items():
        met = sum(given.values())
        unmet = len(given) - met
        majority[name] = None if met == unmet else met > unmet
        undecided += not given
        shared += len(given) > 1
        tied += bool(given) and met == unmet
        if met and unmet:
            divided.add(name)
        unanimous += len(given) > 1 and not (met and unmet)
    return RunAgreement(
        wanted,
        agreement_of(patterns),
        unanimous,
        tied,
        undecided,
        shared,
        majority,
        frozenset(divided),
        {response: max(numbers) for response, numbers in versions.items()},
        sum(len(numbers) > 1 for numbers in versions.values()),
        frozenset(Task.objects.filter(pk__in=closed()).values_list("key", flat=True)),
    )


def _said_by(
    runs: Sequence[int],
) -> tuple[dict[LineKey, dict[int, bool]], dict[str, set[int]]]:
    """Return run -> verdict by line, and the versions by which each response was judged.

    One query a run.
    """
    found: dict[tuple[str, str], dict[_Wording, dict[int, bool]]] = {}
    lines: dict[str, dict[int, set[_Wording]]] = {}  # response -> version -> its lines
    for run in runs:
        rows = Verdict.objects.filter(
            ~rests_on_earlier_text("judgment__response__", "judgment__version__"),
            judgment__items__run=run,
        ).values_list(
            "judgment__response__task__key",
            "judgment__response__key",
            "judgment__version__number",
            "criterion__key",
            "criterion__text",
            "outcome",
        )
        for task, response, version, key, text, outcome in rows.order_by(
            "judgment", "criterion"
        ).iterator():
            lines.setdefault(response, {}).setdefault(version, set()).add((key, text))
            given = found.setdefault((task, response), {}).setdefault((key, text), {})
            if outcome in _LABELS:
                given[run] = _LABELS[outcome]
    newest = {response: versions[max(versions)] for response, versions in lines.items()}
    said = {
        (task, response, wording[0]): given
        for (task, response), by_wording in found.items()
        for wording, given in by_wording.items()
        if wording in newest[response]
    }
    return said, {response: set(versions) for response, versions in lines.items()}


def unfinished(runs: Sequence[int]) -> list[int]:
    """Return those of the runs that may still judge more, sorted."""
    going = (JudgeRun.State.WAITING, JudgeRun.State.RUNNING, JudgeRun.State.PAUSED)
    rows = JudgeRun.objects.filter(pk__in=runs, state__in=going)
    return sorted(rows.values_list("pk", flat=True))


def _sharing_a_judgment(runs: Sequence[int]) -> list[int]:
    """Return runs among these that share a judgment, sorted; [] if there are none."""
    items = RunItem.objects.filter(run__in=runs, judgment__isnull=False).order_by()
    shared = items.values("judgment").annotate(n=Count("run")).filter(n__gt=1).values("judgment")
    one = shared.order_by("judgment").first()
    if one is None:
        return []
    holders = RunItem.objects.filter(run__in=runs, judgment=one["judgment"])
    return sorted(holders.values_list("run_id", flat=True))


def repeats_of(run: JudgeRun) -> list[int]:
    """Return the run and its repeats, sorted; [] if the run itself has judged nothing.

    Runs with the same repeat number share their judgments: of these, take this run, else the one
    with the most judgments. Runs that judged nothing are left out.
    """
    same = {name: getattr(run, name) for name in _SAME}
    judged = Count("items", filter=Q(items__state=RunItem.State.JUDGED))
    rows = JudgeRun.objects.filter(**same).annotate(judged=judged).filter(judged__gt=0)
    best: dict[int, int] = {}
    for pk, number in rows.order_by("repeat", "-judged", "pk").values_list("pk", "repeat"):
        if pk == run.pk:
            best[number] = pk
        else:
            best.setdefault(number, pk)
    return sorted(best.values()) if run.pk in best.values() else []


def lock_repeats(run: JudgeRun) -> None:
    """Lock a run's configuration, so that repeats are planned one after the other."""
    same = {name: getattr(run, name) for name in _SAME}
    JudgeRun.objects.select_for_update().filter(**same).order_by("pk").first()


def next_repeat(run: JudgeRun) -> int:
    """Return the number of the next repeat of a run's configuration."""
    same = {name: getattr(run, name) for name in _SAME}
    return 1 + max(JudgeRun.objects.filter(**same).values_list("repeat", flat=True), default=0)
