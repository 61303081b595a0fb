"""Home, which shows what each app knows about a person; the icon; the gallery."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.control_room import control_room
from config.navigation import counts_for
from curation.base.process.lifecycle import TASK
from curation.base.process.waiting import Waiting
from curation.base.text import wording
from curation.base.web.dates import day
from curation.qualifying.qualification import queries as qualification
from curation.qualifying.qualification.waiting import waiting as qualification_waiting
from curation.screening.panels.voting_waiting import first_task
from curation.screening.panels.voting_waiting import waiting as tasks_waiting
from curation.screening.solving.look_views import waiting as second_looks_waiting
from curation.staff.honoraria.entry_list import waiting as honoraria_waiting
from curation.tasks.amendments.waiting import waiting as amendments_waiting
from curation.tasks.authoring.queries import record_of
from curation.tasks.business.reverification_waiting import waiting as reverification_waiting
from curation.tasks.business.waiting import waiting as business_waiting
from curation.tasks.task import history
from curation.tasks.task import queries as tasks
from curation.telling.guidelines.announcements import unread_by as unread_announcements
from curation.telling.guidelines.queries import unread_by as unread_guidelines
from curation.telling.guidelines.waiting import changed as guidelines_changed
from curation.telling.guidelines.waiting import waiting as guidelines_waiting
from curation.telling.questions.waiting import waiting as questions_waiting
from judge.gold.releases.errata import waiting as errata_waiting
from judge.methods.query_checklists.waiting import waiting as checklists_waiting
from judge.results.product_index.collecting_waiting import waiting as collecting_waiting
from judge.scoring.graded_sheets.models import GradedSheet
from judge.scoring.pages.waiting import waiting as judge_waiting
from judge.scoring.practice.waiting import waiting as practice_waiting
from judge.scoring.sheets.models import Sheet
from review.rounds.assignment_models import Round
from review.staff.waiting import waiting as reviews_waiting
from rubrics.handover.waiting import waiting as handover_waiting
from rubrics.sending.waiting import waiting as rubrics_waiting

WAITING: tuple[Callable[[Any], list[Waiting]], ...] = (
    tasks_waiting,
    second_looks_waiting,
    amendments_waiting,
    business_waiting,
    reverification_waiting,
    qualification_waiting,
    rubrics_waiting,
    handover_waiting,
    reviews_waiting,
    judge_waiting,
    practice_waiting,
    collecting_waiting,
    errata_waiting,
    checklists_waiting,
    questions_waiting,
    guidelines_waiting,
    honoraria_waiting,
)
EVENTS_ON_HOME = 6
MANY_DOMAINS = 3  # above this only the number of domains is shown
_ANY = datetime(2000, 1, 1, tzinfo=UTC)  # stands for "no date"; sorted apart from real dates
SOON = timedelta(days=3)  # work due within it is marked


def home(request: HttpRequest) -> HttpResponse:
    """Show what waits for a person, and more by role.

    Experts see their slots, latest events and record; staff what waits on whom, runs, the pace
    and the pipeline; others their applications.
    """
    user = request.user
    first = first_task(user)
    # On the first days the guidelines are at hand beside the task; later they are work.
    asks = [guidelines_changed if first and ask is guidelines_waiting else ask for ask in WAITING]
    waits = in_order([*([first] if first else []), *(item for ask in asks for item in ask(user))])
    expert = bool(user.qualified_domain_ids())  # type: ignore[union-attr]
    context: dict[str, Any] = {
        "waits": waits,
        "announcements": unread_announcements(user),
        "headline": _new_expert(user) if first and waits[0] is first else headline(len(waits)),
        "at_hand": [one for one, _words in unread_guidelines(user) if not one.read]
        if first
        else [],
        "today": timezone.localdate(),
        "soon": timezone.now() + SOON,
        "expert": expert,
    }
    if expert:
        context |= _expert_context(request)
    if user.is_staff:
        context |= control_room(request)
    if not expert:
        context["applications"] = qualification.application_statuses(user)
    return render(request, "home.html", context)


def in_order(waits: list[Waiting]) -> list[Waiting]:
    """Sort work: what blocks a colleague first, then by due date, undated work last.

    Among undated work, what nobody waits for (`later`) comes last.
    """
    return sorted(waits, key=lambda w: (not w.blocks, w.due is None, w.due or _ANY, w.later))


def headline(n: int) -> str:
    """Return the first sentence of Home, with numbers up to nine in words."""
    words = {
        0: _("Nothing is waiting for you"),
        1: _("One thing is waiting for you"),
        2: _("Two things are waiting for you"),
        3: _("Three things are waiting for you"),
        4: _("Four things are waiting for you"),
        5: _("Five things are waiting for you"),
        6: _("Six things are waiting for you"),
        7: _("Seven things are waiting for you"),
        8: _("Eight things are waiting for you"),
        9: _("Nine things are waiting for you"),
    }
    return words.get(n) or _("%(n)s things are waiting for you") % {"n": n}


def _new_expert(user: Any) -> str:
    """Return the first sentence of Home for somebody who became an expert lately."""
    domains = [held.domain for held in user.active_qualifications()]
    return _("You are an expert in %(domains)s now") % {"domains": wording.listed(domains)}


def _expert_context(request: HttpRequest) -> dict[str, Any]:
    """Return an expert's slots, events and record; counts come with those of the top bar."""
    user: Any = request.user
    happenings = history.AuthorHistory(user)
    done = counts_for(
        user,
        events=happenings.rows,
        rounds=Round.objects.filter(review__reviewer=user, finished_at__gt=F("opened_at")),
        scored=Sheet.objects.filter(user=user, state=Sheet.State.SUBMITTED).exclude(
            kind=Sheet.Kind.PRACTICE
        ),
        graded=GradedSheet.objects.filter(user=user, state=GradedSheet.State.SUBMITTED),
        **record_of(user),
    )
    request.counts = done  # type: ignore[attr-defined]
    slots = tasks.slots_of(user, limit=settings.PROMPTS_PER_EXPERT + done["slots_granted"])
    taken = sum(slot.task is not None for slot in slots)
    machine_stages = TASK.machine_stages()
    return {
        "waits_for_machine": any(s.task and s.task["stage"] in machine_stages for s in slots),
        "slots": slots,
        "slots_title": _("Your three prompts")
        if len(slots) == 3
        else ngettext("Your %(n)s prompt", "Your %(n)s prompts", len(slots)) % {"n": len(slots)},
        "slots_taken": _("%(n)s of %(all)s slots taken") % {"n": taken, "all": len(slots)},
        "story": happenings[:EVENTS_ON_HOME],
        "story_count": done["events"],
        "record": [
            (
                _("Prompts approved"),
                _("%(n)s of %(all)s") % {"n": done["approved"], "all": done["submitted"]}
                if done["submitted"]
                else _("none submitted yet"),
            ),
            (_("Prompts screened"), str(done["screened"])),
            (_("Review rounds finished"), str(done["rounds"])),
            (_("Answers scored"), str(done["scored"] + done["graded"])),
        ],
        "record_note": wording.sentences(
            [
                qualified(user.active_qualifications()),
                _("Your name is not shown to authors whose work you review."),
            ]
        ),
    }


def qualified(held: Sequence[Any]) -> str:
    """Return one sentence on the domains a person is qualified in, and since when."""
    if len(held) > MANY_DOMAINS:
        return ngettext("Qualified in %(n)s domain.", "Qualified in %(n)s domains.", len(held)) % {
            "n": len(held)
        }
    days: dict[str, list[Any]] = {}
    for one in held:
        days.setdefault(day(one.since), []).append(one.domain)
    facts = [{"domains": wording.listed(these), "day": day} for day, these in days.items()]
    if len(facts) == 1:
        return _("Qualified in %(domains)s since %(day)s.") % facts[0]
    spans = [_("%(domains)s since %(day)s") % fact for fact in facts]
    return _("Qualified: %(spans)s.") % {"spans": wording.listed(spans)}


def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, for files and JSON, which cannot name one."""
    return redirect(static("img/assay.svg"))


def gallery(request: HttpRequest) -> HttpResponse:
    """Show every component of the design system, for contributors."""
    return render(request, "gallery.html")
