"""Pages of the open and private halves, and of a candidate's place on the open board."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import BadInput, NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.asking.candidates.models import Candidate
from judge.base.figures.sentences import reason_text
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.models import GoldSplit, Half
from judge.base.gold_sets.task_sets import DRAW, RELEASE, TaskSet
from judge.base.stats.numbers import FEWEST_TASKS, Reason
from judge.methods.base import registry
from judge.results.alignment.raters import Rater, find_judge, judges, newest_judge
from judge.results.leaderboard.open_boards import (
    TakenOff,
    history_of,
    put_back_on_board,
    take_off_board,
    taken_off,
)
from judge.results.leaderboard.ranking import candidate_scores
from judge.runs.engine.held_out import Looks, looks_at
from judge.runs.engine.models import RunItem

if TYPE_CHECKING:
    from judge.base.stats.halves import Drift, HalvesReport


RESAMPLES = 10_000

WHY: Mapping[Reason, Any] = {
    Reason.NO_SCORES: gettext_lazy("no score in one of the halves"),
    Reason.FEW_TASKS: format_lazy(
        gettext_lazy("fewer than {n} tasks in one of the halves"), n=FEWEST_TASKS
    ),
    Reason.FEW_CANDIDATES: gettext_lazy("fewer than three candidates with scores in both halves"),
    Reason.CONSTANT: gettext_lazy("all candidates have the same score in one of the halves"),
    Reason.NO_RESAMPLES: gettext_lazy("no resamples were asked for"),
}


@dataclass(frozen=True, slots=True)
class HalfRow:
    """One candidate on both halves, in points of 100; `off` where it is off the open board."""

    pk: int
    found: "Drift"
    open: float | None
    private: float | None
    drift: float | None
    interval: str
    p: str
    why: str
    off: TakenOff | None

    @property
    def moved(self) -> str:
        """Its places: on the open half, then on the private one."""
        ranks = (self.found.open_rank, self.found.private_rank)
        return " → ".join("–" if rank is None else str(rank) for rank in ranks)


@dataclass(frozen=True, slots=True)
class HalvesPage:
    """Everything the page prints."""

    judge: Rater
    tasks: TaskSet
    report: "HalvesReport"
    rows: tuple[HalfRow, ...]
    looks: Looks
    sentence: str
    agreement: str

    def as_dict(self) -> dict[str, Any]:
        """Return what the JSON file holds."""
        return {
            "judge": self.judge.name,
            "tasks": str(self.tasks),
            "held_out": self.looks.as_dict(),
            **self.report.as_dict(),
            "taken_off": [row.off.as_dict() for row in self.rows if row.off],
        }


def split_sets() -> list[tuple[str, str]]:
    """Return the draws and releases that were split, the newest first, as (name, label)."""
    found = []
    for split in GoldSplit.objects.select_related("release").order_by("-pk"):
        tasks = (
            TaskSet(RELEASE, split.release.number)
            if split.release
            else TaskSet(DRAW, split.draw_id or 0)
        )
        found.append((str(tasks), tasks.label))
    return found


def judge_of(name: str) -> Rater | None:
    """Return the newest finished run over the private half of a set, else the default judge."""
    whole = task_sets.parse(name)
    private = TaskSet(whole.kind, whole.number, Half.HELD_OUT)
    rows = private.within(RunItem.objects.all(), "response__task")
    return newest_judge(rows, methods=registry.with_example())


def halves_page(
    judge: Rater, name: str, *, seed: int = 0, resamples: int = RESAMPLES
) -> HalvesPage:
    """Compare the candidates of a judge on the halves of a set.

    Args:
        name: of a draw or release that was split, such as `draw:3`.

    Raises:
        BadInput: the name names no such set.
    """
    # Imported here because it loads numpy, which takes 10 MB in every process.
    from judge.base.stats.halves import compare_halves

    whole = task_sets.parse(name)
    if not whole.fixed or whole.half or task_sets.split_of(whole) is None:
        detail = _("Name a draw or a release that was split into halves, such as draw:3.")
        raise BadInput(detail, code="not_split", fields={"tasks": [detail]})
    open_half, private = (
        candidate_scores(judge, TaskSet(whole.kind, whole.number, half))
        for half in (Half.DEVELOPMENT, Half.HELD_OUT)
    )
    report = compare_halves(open_half, private, seed=seed, resamples=resamples)
    keys = dict(
        Candidate.objects.filter(name__in=[c.candidate for c in report.candidates]).values_list(
            "name", "pk"
        )
    )
    off = {one.candidate: one for one in taken_off()}
    return HalvesPage(
        judge=judge,
        tasks=whole,
        report=report,
        rows=tuple(
            HalfRow(
                pk=keys[one.candidate],
                found=one,
                open=_points(one.open_mean),
                private=_points(one.private_mean),
                drift=_points(one.drift),
                p=_p_value(one.p_holm),
                interval=_interval(one.ci95),
                why=_why(one),
                off=off.get(one.candidate),
            )
            for one in report.candidates
        ),
        looks=looks_at(TaskSet(whole.kind, whole.number, Half.HELD_OUT).members()),
        sentence=_sentence(report),
        agreement=_agreement(report),
    )


def _signed(points: float) -> str:
    """Format points of 100 with their sign."""
    return f"{points:+.1f}".replace("-", "−")


def _points(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _p_value(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.01" if p < 0.01 else f"{p:.2f}"


def _interval(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return "–"
    return _("%(low)s to %(high)s") % {
        "low": _signed(100 * ends[0]),
        "high": _signed(100 * ends[1]),
    }


def _why(one: "Drift") -> str:
    """Say why a candidate has no drift, or none that can be tested; "" where it has."""
    reason = one.why.get("drift") or one.why.get("p_value") or one.why.get("difference")
    return str(WHY.get(reason, reason.value)) if reason else ""


def _sentence(report: "HalvesReport") -> str:
    tested = sum(one.p_holm is not None for one in report.candidates)
    if not tested:
        return _("No candidate has scores in both halves, so nobody can be compared.")
    drifting = len(report.drifting)
    if not drifting:
        return ngettext(
            "The %(n)s candidate tested does not do better on the open half than chance explains.",
            "None of the %(n)s candidates does better on the open half than chance explains.",
            tested,
        ) % {"n": f"{tested:,}"}
    return ngettext(
        "%(n)s of %(all)s candidates does better on the open half than chance explains.",
        "%(n)s of %(all)s candidates do better on the open half than chance explains.",
        drifting,
    ) % {"n": f"{drifting:,}", "all": f"{tested:,}"}


def _agreement(report: "HalvesReport") -> str:
    """Say how far the two rankings agree, or why nothing is said."""
    if report.kendall is None:
        reason = report.why["kendall"]
        return _("The agreement of the two rankings is not known: %(why)s.") % {
            "why": WHY.get(reason, reason.value)
        }
    words = {
        "tau": _number(report.kendall),
        "rho": _number(report.spearman or 0.0),
        "n": f"{report.compared:,}",
    }
    if report.ci95 is None:
        return _(
            "The rankings of %(n)s candidates agree with τ-b %(tau)s (no interval: %(why)s); "
            "Spearman's ρ is %(rho)s."
        ) % {**words, "why": reason_text(report.why.get("ci95"))}
    low, high = map(_number, report.ci95)
    return _(
        "The rankings of %(n)s candidates agree with τ-b %(tau)s (95 %% interval %(low)s to "
        "%(high)s); Spearman's ρ is %(rho)s."
    ) % {**words, "low": low, "high": high}


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def board_halves(request: HttpRequest) -> HttpResponse:
    """Compare candidates on the open and the private half of a draw or release."""
    sets = split_sets()
    found = _found(request, sets)
    return render(
        request,
        "results/leaderboard/halves.html",
        {"p": found, "sets": sets, "judges": judges()},
    )


def board_halves_json(request: HttpRequest) -> HttpResponse:
    """Return the comparison as JSON."""
    found = _found(request, split_sets())
    if found is None:
        raise NotFound(_("There is no split set or no finished run yet."))
    return JsonResponse(found.as_dict())


def board_candidate(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a candidate off the open board, or put it back; with the history."""
    candidate = get_object_or_404(Candidate, pk=pk)
    history = list(history_of(pk))
    off = bool(history) and history[0].put_back_at is None
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refused_at(form):
            reason = form.cleaned_data["reason"]
            if "put_back" in request.POST:
                put_back_on_board(actor=request.user, candidate=candidate, reason=reason)
                said = _("%(name)s is on the open board again.")
            else:
                take_off_board(actor=request.user, candidate=candidate, reason=reason)
                said = _("%(name)s is off the open board. The board prints the reason.")
            return go(request, said % {"name": candidate}, "board-candidate", pk)
    return render(
        request,
        "results/leaderboard/candidate.html",
        {"candidate": candidate, "history": history, "off": off, "form": form},
        status=status_of(form),
    )


def _found(request: HttpRequest, sets: list[tuple[str, str]]) -> HalvesPage | None:
    """Return the comparison asked for; None if nothing is split or no run has finished."""
    run = request.GET.get("run")
    name = request.GET.get("tasks") or (sets[0][0] if sets else "")
    if not name:
        return None
    judge = find_judge(run, field="run") if run else judge_of(name)
    return halves_page(judge, name) if judge else None
