"""Draw alignment sets: samples of candidates' responses that experts score."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.base.access.action import action
from curation.base.text.wording import clauses
from curation.base.web.refusals import BadInput, Conflict, Denied
from curation.joining.domains.models import Domain
from curation.joining.people import User
from curation.tasks.task.models import Task
from judge.asking.candidates.models import Response
from judge.base.gold_sets import task_sets
from judge.base.gold_sets.task_sets import EVERY_TASK, TaskSet
from judge.base.queue.locks import Lock, take_lock
from judge.results.alignment_sets.drawing import (
    EligibleResponse,
    Sample,
    SampleSpec,
    assign_scorers,
    draw,
)
from judge.results.alignment_sets.models import MOST_SCORERS, AlignmentItem, AlignmentSet
from judge.results.flags.flags import flagged_responses, flaggers, open_flags
from judge.scoring.assignments.actions import assign_alignment_sheet
from judge.scoring.assignments.queries import Found, Group, candidates_for_scoring, eligible_scorers
from judge.scoring.graded_sheets.actions import assign_graded_sheet

MOST_SHEETS = 2000  # of one set
NAMED = 4  # strata that a sentence names; the table and the data name all


@dataclass(frozen=True)
class Pool:
    """All responses for a draw, and who may score them.

    Responses with sheets are in it for a flagged verdict: others than their scorers are asked.
    """

    found: dict[str, Found]  # by the response's key
    who: dict[Group, frozenset[int]]  # group of responses -> people who may score them
    load: dict[int, int]  # person -> open sheets
    scorers: int
    marked: frozenset[int]  # those of `found` with a flagged verdict, by id
    asked: int = 0  # other flagged ones: experts are scoring them, or were asked for a flag

    @property
    def eligible(self) -> list[EligibleResponse]:
        """Responses to draw at random: none but a flag asked about them, enough people may score
        them."""
        return [row for row in self._scorable() if not self.found[row.key].asked_at_random]

    @property
    def flagged(self) -> list[EligibleResponse]:
        """Responses with a flagged verdict that enough people may score, or score again."""
        return [row for row in self._scorable() if self.found[row.key].pk in self.marked]

    @property
    def without_scorers(self) -> int:
        """The number of responses to draw at random that too few people may score."""
        waiting = [one for one in self.found.values() if not one.asked_at_random]
        return len(waiting) - len(self.eligible)

    def _scorable(self) -> list[EligibleResponse]:
        return [
            EligibleResponse(key, one.task_key, one.domain, one.candidate)
            for key, one in self.found.items()
            if len(self.who.get(one.group, ())) >= self.scorers
        ]


def pool_for(
    scorers: int, tasks: TaskSet = EVERY_TASK, form: str = AlignmentSet.Form.LINES
) -> Pool:
    """Return the responses that a set may hold: without an expert's sheet by the current rubric
    but for a flag, or with a flagged verdict.

    Nobody scores a response on which they flagged a verdict, as they know what the judge says.
    Twenty-four queries at most.

    Args:
        form: which sheets count: of lines, or graded ones.
        tasks: the set of tasks they answer, held-out ones included: experts score blind.
    """
    graded = form == AlignmentSet.Form.GRADE
    by, open_ones = flaggers(), flagged_responses(open_flags())
    every: Sequence[Found] = candidates_for_scoring(graded=graded)
    if tasks != EVERY_TASK:
        inside = set(tasks.within(Task.objects.order_by(), "pk").values_list("pk", flat=True))
        every = [one for one in every if one.task in inside]
    flagged = [one for one in every if one.pk in open_ones]
    marked = frozenset(one.pk for one in flagged if not one.sheets or one.can_be_asked_again)
    found = [one for one in every if not one.asked_at_random or one.pk in marked]
    who, load = eligible_scorers(found)
    for one in found:
        who[one.group] -= by.get(one.pk, set())
    return Pool(
        found={one.key: one for one in found},
        who=who,
        load=load,
        scorers=scorers,
        marked=marked,
        asked=len(flagged) - len(marked),
    )


def sample_for(pool: Pool, spec: SampleSpec) -> Sample:
    """Draw the sample with its shortfalls; nothing is written.

    Raises:
        BadInput: invalid settings, named in `fields`.
    """
    fields: dict[str, list[str]] = {}
    if spec.quota < (0 if spec.flagged else 1):
        fields["quota"] = [_("Draw at least 1 response of each candidate.")]
    if not 0 <= spec.seed < 2**63:
        fields["seed"] = [_("A seed is a whole number of at least 0.")]
    if not 1 <= spec.scorers <= MOST_SCORERS:
        fields["scorers"] = [_("Each response has one to five scorers.")]
    if spec.form not in AlignmentSet.Form.values:
        fields["form"] = [_("Choose how they score.")]
    if not spec.domains:
        fields["domains"] = [_("Choose at least one domain.")]
    if not spec.candidates:
        fields["candidates"] = [_("Choose at least one candidate.")]
    sheets = spec.quota * len(spec.domains) * len(spec.candidates) * spec.scorers
    if not fields and sheets > MOST_SHEETS:
        fields["quota"] = [
            _("That would be %(n)s sheets; a set has at most %(most)s. Draw fewer.")
            % {"n": sheets, "most": MOST_SHEETS}
        ]
    if fields:
        raise BadInput(fields=fields)
    sample = draw(pool.eligible, spec, pool.flagged if spec.flagged else ())
    sheets = len(sample.responses) * spec.scorers
    if sheets > MOST_SHEETS:
        raise BadInput(
            fields={
                "flagged": [
                    _(
                        "With the %(flagged)s flagged responses that would be %(n)s sheets; a set "
                        "has at most %(most)s. Draw fewer, or choose fewer domains or candidates."
                    )
                    % {"flagged": len(sample.flagged), "n": sheets, "most": MOST_SHEETS}
                ]
            }
        )
    if not spec.quota and not sample.flagged:
        raise BadInput(fields={"flagged": [_why_none_is_added(pool)]})
    return sample


def _why_none_is_added(pool: Pool) -> str:
    """Say why a draw of flagged responses alone holds none."""
    if pool.flagged:
        return _(
            "No chosen candidate has a response with a flagged verdict in these domains. "
            "Choose more."
        )
    if pool.marked:
        return _(
            "Too few people may score the responses with a flagged verdict. Ask for fewer scorers, "
            "or invite more experts of their domains."
        )
    return _("No response with a flagged verdict is waiting to be scored.")


def shortfall(sample: Sample) -> BadInput | None:
    """Return a refusal naming the strata that cannot fill their quota; None if all can."""
    if not sample.short:
        return None
    names = {domain.key: str(domain) for domain in Domain.objects.all()}
    shown = sample.short[:NAMED]
    parts = [
        _("%(candidate)s in %(domain)s: wanted %(wanted)s, available %(available)s")
        % {
            "candidate": share.candidate,
            "domain": names.get(share.domain, share.domain),
            "wanted": share.wanted,
            "available": share.available,
        }
        for share in shown
    ]
    more = len(sample.short) - len(shown)
    if more:
        parts.append(
            ngettext("%(n)s more, marked in the table", "%(n)s more, marked in the table", more)
            % {"n": more}
        )
    detail = ngettext(
        "%(n)s part of the sample cannot be filled. %(strata)s. Draw fewer responses, leave out "
        "that candidate or domain, or import more responses.",
        "%(n)s parts of the sample cannot be filled. %(strata)s. Draw fewer responses, leave "
        "out these candidates or domains, or import more responses.",
        len(sample.short),
    ) % {"n": len(sample.short), "strata": clauses(parts)}
    return BadInput(
        detail,
        code="shortfall",
        fields={"quota": [detail]},
        data={
            "strata": [
                {
                    "domain": share.domain,
                    "candidate": share.candidate,
                    "wanted": share.wanted,
                    "available": share.available,
                }
                for share in sample.short
            ]
        },
    )


@action("staff.scoring")
@transaction.atomic
def draw_alignment_set(*, actor: Any, spec: SampleSpec) -> AlignmentSet:
    """Draw and store a set and assign all of its sheets, or nothing.

    All responses to a task go to the same `spec.scorers` people, those with the least to do. A
    response that is scored again for a flag goes to others than its scorers.

    Raises:
        BadInput: invalid settings, or `shortfall` with the strata in `data`.
        Conflict: `changed_meanwhile`, somebody took a seat between the draw and the assignment.
    """
    take_lock(Lock.DRAW)  # else two draws may hold the same responses
    pool = pool_for(spec.scorers, task_sets.parse(spec.tasks), spec.form)
    sample = sample_for(pool, spec)
    refusal = shortfall(sample)
    if refusal is not None:
        raise refusal
    made = AlignmentSet.objects.create(
        seed=spec.seed,
        quota=spec.quota,
        scorers=spec.scorers,
        form=spec.form,
        flagged=spec.flagged,
        task_set=spec.tasks,
        domains=sorted(spec.domains),
        candidates=sorted(spec.candidates),
        created_by=actor,
    )
    drawn = [pool.found[key] for key in sample.responses]
    added = set(sample.flagged)
    items = AlignmentItem.objects.bulk_create(
        [
            AlignmentItem(
                set=made,
                response_id=one.pk,
                version_id=one.version,
                domain=one.domain,
                flagged=one.key in added,
            )
            for one in drawn
        ],
        batch_size=500,
    )
    _assign(actor, made, drawn, pool, {item.response_id: item for item in items if item.flagged})
    return made


def _assign(
    actor: Any,
    made: AlignmentSet,
    drawn: list[Found],
    pool: Pool,
    for_flags: Mapping[int, AlignmentItem],
) -> None:
    groups: dict[Group, list[Found]] = defaultdict(list)
    for one in drawn:
        groups[one.group].append(one)
    scorers_of = assign_scorers(
        [(group, len(rows), pool.who[group]) for group, rows in groups.items()],
        pool.load,
        made.scorers,
    )
    responses = Response.objects.select_related("task").in_bulk([one.pk for one in drawn])
    people = User.objects.in_bulk({pk for chosen in scorers_of.values() for pk in chosen})
    batches: dict[int, set[int]] = defaultdict(set)
    for one in drawn:
        for pk in scorers_of[one.group]:
            batches[pk].add(one.pk)
    for group, rows in groups.items():
        for one in rows:
            response = responses[one.pk]
            for pk in scorers_of[group]:
                try:
                    if made.form == AlignmentSet.Form.GRADE:
                        assign_graded_sheet(
                            response=response,
                            scorer=people[pk],
                            flagged_item=for_flags.get(one.pk),
                        )
                    else:
                        assign_alignment_sheet(
                            actor=actor,
                            response=response,
                            scorer=people[pk],
                            batch=batches[pk],
                            flagged_item=for_flags.get(one.pk),
                        )
                except (Denied, Conflict) as refused:
                    raise Conflict(
                        _(
                            "Somebody took a seat on “%(task)s” while the set was drawn, so "
                            "nothing was assigned. Draw again."
                        )
                        % {"task": response.task.title or response.task.key},
                        code="changed_meanwhile",
                    ) from refused
                response.task.note(
                    "sheet_assigned", actor=actor, response=response.key, scorer=pk, set=made.pk
                )
