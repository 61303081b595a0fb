"""Pages of the open and private halves, and of a candidate's place on the open board."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from curation.base.web.forms import ReasonForm
from curation.base.web.refusals import NotFound
from curation.base.web.step import go, refused_at, status_of
from judge.asking.candidates.models import Candidate
from judge.results.alignment.raters import find_judge, judges
from judge.results.leaderboard import halves
from judge.results.leaderboard.halves import HalvesPage, halves_page
from judge.results.leaderboard.open_board_actions import put_back_on_board, take_off_board
from judge.results.leaderboard.open_board_queries import history_of


def board_halves(request: HttpRequest) -> HttpResponse:
    """Compare candidates on the open and the private half of a draw or release."""
    sets = halves.split_sets()
    found = _found(request, sets)
    return render(
        request,
        "results/leaderboard/halves.html",
        {"p": found, "sets": sets, "judges": judges()},
    )


def board_halves_json(request: HttpRequest) -> HttpResponse:
    """Return the comparison as JSON."""
    found = _found(request, halves.split_sets())
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
    judge = find_judge(run, field="run") if run else halves.judge_of(name)
    return halves_page(judge, name) if judge else None
