"""Judge's facts about a person's work, for staff: checked anchors, agreement, sheets handed back.

Agreement is the plain share of lines that two experts scored alike, on the same response by the
same rubric. It is not corrected for chance, because it is read line by line.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.utils.translation import ngettext

from curation.base.web.optional_urls import url_or_empty
from curation.qualifying.experts.record import MOST_EVIDENCE, Evidence, Fact
from curation.tasks.task.models import TaskEvent
from judge.scoring.anchors.models import MetaEvaluation, MetaLine
from judge.scoring.sheets.models import Sheet, SheetLine
from judge.scoring.sheets.queries import submitted_sheets

OPEN_CHECK = ""  # the verdict of a check that is not finished


def facts(person: Any) -> Iterator[Fact]:
    """Yield anchors sent back, disputed lines, lines scored otherwise, and sheets handed back.

    Five queries.
    """
    yield from _checked(person)
    yield _disagreed_with_scorers(person)
    yield _handed_back(person)


def _checked(person: Any) -> Iterator[Fact]:
    checks = list(
        MetaEvaluation.objects.filter(Q(sheet__user=person) | Q(second__user=person))
        .exclude(verdict=OPEN_CHECK)
        .select_related("anchor__task")
        .order_by("-pk")
    )
    back = [check for check in checks if check.verdict == MetaEvaluation.Verdict.SENT_BACK]
    n, of = len(back), len(checks)
    sentence = ngettext(
        "%(n)s of %(of)s checks by a senior sent the anchor back.",
        "%(n)s of %(of)s checks by seniors sent the anchor back.",
        n,
    )
    yield Fact(sentence % {"n": n, "of": of}, n, of, _links(check.anchor.task for check in back))
    lines = list(
        MetaLine.objects.filter(evaluation__in=[check.pk for check in checks]).values_list(
            "agrees", flat=True
        )
    )
    n, of = lines.count(False), len(lines)
    sentence = ngettext(
        "%(n)s of %(of)s scored lines was disputed by a senior.",
        "%(n)s of %(of)s scored lines were disputed by a senior.",
        n,
    )
    yield Fact(sentence % {"n": n, "of": of}, n, of)


def _disagreed_with_scorers(person: Any) -> Fact:
    # Where a flag asked, lines were chosen for a disagreement.
    done = submitted_sheets().filter(flagged_item__isnull=True)
    mine = {
        (response, line): (met, task)
        for response, task, line, met in SheetLine.objects.filter(
            sheet__in=done.filter(user=person), met__isnull=False
        ).values_list("sheet__response", "sheet__response__task", "criterion", "met")
    }
    others = (
        SheetLine.objects.filter(
            sheet__in=done.exclude(user=person),
            sheet__response__in={response for response, _line in mine},
            met__isnull=False,
        )
        .select_related("sheet__response__task")
        .order_by("-pk")
    )
    n = of = 0
    tasks: dict[int, Any] = {}
    for line in others:
        held = mine.get((line.sheet.response_id, line.criterion_id))
        if held is None:
            continue
        of += 1
        if held[0] != line.met:
            n += 1
            tasks.setdefault(held[1], line.sheet.response.task)
    sentence = ngettext(
        "%(n)s of %(of)s lines also scored by another expert was decided differently.",
        "%(n)s of %(of)s lines also scored by another expert were decided differently.",
        n,
    )
    return Fact(sentence % {"n": n, "of": of}, n, of, _links(tasks.values()))


def _handed_back(person: Any) -> Fact:
    """Count the sheets a person handed back themselves, not those staff or a suspension took.

    Known sheets count neither as handed back nor as kept.
    """
    events = TaskEvent.objects.filter(actor=person, data__event="sheet_handed_back")
    back = events.exclude(data__has_key="known").count()
    kept = Sheet.objects.filter(
        user=person, purpose=Sheet.Purpose.ALIGNMENT, kind=Sheet.Kind.EXPERT
    ).count()
    sentence = ngettext(
        "%(n)s of %(of)s sheets for comparisons was handed back.",
        "%(n)s of %(of)s sheets for comparisons were handed back.",
        back,
    )
    of = back + kept
    return Fact(sentence % {"n": back, "of": of}, back, of)


def _links(tasks: Any) -> tuple[Evidence, ...]:
    seen = {task.pk: task for task in tasks}
    return tuple(
        Evidence(str(task), url_or_empty("staff-task", task.pk))
        for task in list(seen.values())[:MOST_EVIDENCE]
    )
