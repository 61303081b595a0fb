"""The panel: the queue, joining, voting."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from curation import checks
from curation.access import access_task
from curation.actions import screening as actions
from curation.errors import BadInput, NotFound
from curation.forms.qualification import take_back
from curation.forms.tasks import VoteForm
from curation.lifecycle import Stage
from curation.models import Task
from curation.models.tasks import TEXT_PARTS
from curation.queries import screening as queries
from curation.queries.tasks import domain_name

ON_A_PAGE = 50
TESTS = ("difficult", "representative", "gradable")


def screening(request: HttpRequest) -> HttpResponse:
    """What this person may read for a panel: seats already taken first, then the queue."""
    page = Paginator(queries.rows(queries.queue_of(request.user)), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    page.object_list = [_row(row) for row in page.object_list]
    return render(
        request,
        "screening/queue.html",
        {
            "open": [_row(row) for row in queries.rows(queries.open_seats(request.user))],
            "voted": [_row(row) for row in queries.rows(queries.voted_seats(request.user))],
            "page": page,
            "quorum": queries.quorum(),
        },
    )


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "domain": domain_name(row),
        "words": queries.about_words(row["characters"], row["language"]),
    }


def screening_join(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a seat on the panel of a task that was submitted in one of one's domains."""
    task = (
        Task.objects.filter(
            pk=pk,
            domain_id__in=request.user.qualified_domain_ids(),  # type: ignore[union-attr]
            screening_round__gt=0,
        )
        .exclude(author_id=request.user.pk)
        .exclude(stage=Stage.DRAFT)
        .first()
    )
    if task is None:
        raise NotFound()
    actions.join_panel(actor=request.user, task=task)
    return redirect("screening-vote", task.pk)


def screening_vote(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a prompt and vote on it; afterwards, read what the others voted."""
    task = access_task(request.user, pk, "task.screen")
    form = VoteForm(request.POST or None)
    if request.method == "POST":
        form = VoteForm(request.POST)
        if form.is_valid():
            try:
                actions.vote(actor=request.user, task=task, **form.vote())
            except BadInput as refusal:
                take_back(form, refusal)
            else:
                task.refresh_from_db(fields=["stage"])
                messages.success(request, _after(task))
                return redirect("screening-vote", task.pk)
    mine, others = queries.votes_for(request.user, task)
    text = queries.blind(task)
    return render(
        request,
        "screening/vote.html",
        {
            "task": text,
            "parts": [(p, checks.part_label(p), getattr(text, p)) for p in TEXT_PARTS],
            "form": form,
            "tests": [_test(form, name) for name in TESTS],
            "findings": queries.findings(task),
            "mine": mine,
            "others": others,
            "votes": [*([mine] if mine else []), *others],
            "may_vote": mine is None and task.stage == Stage.SCREENING,
            "stage_label": task.get_stage_display(),
            "quorum": queries.quorum(),
        },
        status=400 if form.errors else 200,
    )


def _test(form: VoteForm, name: str) -> dict[str, Any]:
    questions = {
        "difficult": _("Would today's models fail at it, for reasons a colleague would name?"),
        "representative": _("Is it work that somebody in the profession is really paid for?"),
        "gradable": _("Could two colleagues mark the answer line by line and agree?"),
    }
    keys = {"difficult": ("1", "2"), "representative": ("3", "4"), "gradable": ("5", "6")}[name]
    options = [("yes", _("Yes"), keys[0], "check"), ("no", _("No"), keys[1], "cross")]
    return {
        "field": form[name],
        "name": name,
        "question": questions[name],
        "options": options,
        "value": form[name].value() or "",
    }


def _after(task: Task) -> str:
    if task.stage == Stage.SCREENING:
        return _("Your vote is in. The panel decides when all of its votes are cast.")
    return {
        Stage.DRAFTING: _("Your vote is in. The panel keeps the prompt; its rubric comes next."),
        Stage.REFINING: _("Your vote is in. The panel keeps the prompt; its rubric comes next."),
        Stage.DRAFT: _("Your vote is in. The prompt goes back to its author with the reasons."),
        Stage.REJECTED: _("Your vote is in. The prompt is not kept; its author reads why."),
    }.get(Stage(task.stage), _("Your vote is in."))
