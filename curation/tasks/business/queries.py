"""What staff read of collected tasks before they enter screening."""

import re
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from curation.base.access.permissions import is_staff
from curation.base.process.lifecycle import Stage
from curation.base.text import storable
from curation.base.text.personal_data import people_named, personal_data
from curation.base.web.refusals import NotFound
from curation.tasks.business.actions import holds_now
from curation.tasks.business.models import Deidentification
from curation.tasks.task.fields import PARTS, label_of
from curation.tasks.task.models import Origin, Task


def did_not_do_it(user: Any, check: Any) -> bool:
    """Return whether somebody else went through the text first."""
    return user.pk != check.done_by_id


def access_collected(user: Any, pk: int) -> Task:
    """Return a collected task with its record, for staff.

    Raises:
        NotFound: no such task, or the person is not staff.
    """
    rows = Task.objects.select_related("domain", "category", "work_type", "collection")
    task = rows.filter(pk=pk, collection__isnull=False).first()
    if task is None or not is_staff(user, task):
        raise NotFound()
    return task


def access_check(user: Any, pk: int) -> Deidentification:
    """Return a check of de-identification, for staff.

    Raises:
        NotFound: no such check, or the person is not staff.
    """
    check = Deidentification.objects.select_related("task__domain", "done_by").filter(pk=pk).first()
    if check is None or not is_staff(user, check):
        raise NotFound()
    return check


AT_MOST = 60  # candidates of a kind, on the page
State = Deidentification.State
_LINK = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]“”\"']{3,300}")
# Two to four words that begin with capitals, in a row: a person, a firm, a product, a place.
_CAPITALS = re.compile(
    r"(?<![\w.])[A-ZÀ-ÖØ-Þ][\w&'’-]{1,30}(?: (?:[A-ZÀ-ÖØ-Þ][\w&'’-]{1,30}|of|de|van|von|&)){1,3}"
)
_FIRM = re.compile(
    r"[\w&'’.-]{2,40} (?:Inc|Ltd|LLC|GmbH|AG|S\.A|SE|PLC|plc|Corp|Group|Bank)\b\.?"
    r"|[\u4e00-\u9fff]{2,20}(?:公司|集团|银行)"
)
_AMOUNT = re.compile(
    r"(?:[$€£¥]|USD|EUR|GBP|CNY|RMB) ?\d[\d.,]*(?: ?(?:million|billion|bn|m|k)\b)?"
    r"|(?<!\d)\d[\d.,]{0,30}+ ?(?:USD|EUR|GBP|CNY|RMB|dollars|euros|million|billion|万元?|亿元?|元)"
    r"|(?<![\w.,])\d{1,3}(?:[.,'’\u00a0 ]\d{3})+(?![\w])"  # 88,000: nobody says of what
)


@dataclass(frozen=True)
class Candidates:
    """What rules found in one text that may tell whose case it was; certainly not everything."""

    label: str
    found: tuple[str, ...]
    more: int


def candidates(task: Any) -> list[Candidates]:
    """Return what may identify somebody, by kind, over all texts of a task.

    The rules find forms (addresses, numbers, links, words in capitals), not meaning: a name
    without a capital, a nickname or a description is not found.
    """
    body = "\n".join(getattr(task, name) for name in (*PARTS, "sources"))
    links = list(dict.fromkeys(_LINK.findall(body)))
    kinds = (
        (_("Names"), [*people_named(body), *_matches(_CAPITALS, body)]),
        (_("Companies"), _matches(_FIRM, body)),
        (_("E-mails, telephone and account numbers"), personal_data(body)),
        (_("Links"), links),
        (_("Amounts"), _matches(_AMOUNT, body)),
    )
    rows = [(label, list(dict.fromkeys(found))) for label, found in kinds]
    return [
        Candidates(label, tuple(found[:AT_MOST]), max(0, len(found) - AT_MOST))
        for label, found in rows
    ]


def _matches(pattern: re.Pattern[str], body: str) -> list[str]:
    return [" ".join(found.group().split()) for found in pattern.finditer(body)]


def texts(task: Any) -> list[tuple[str, str]]:
    """Return (label, text) of every part of a task that is not empty."""
    return [
        (label_of(name), getattr(task, name))
        for name in (*PARTS, "sources")
        if not storable.is_blank(getattr(task, name))
    ]


@dataclass(frozen=True)
class CheckState:
    """Where the de-identification of a collected draft stands.

    Attributes:
        latest: the latest check; None before the first one.
        confirmed: whether two people have gone through the present text and files.
        waits: whether one person has, and a second one is needed.
    """

    latest: Deidentification | None
    confirmed: bool
    waits: bool
    history: tuple[Deidentification, ...]

    @property
    def sentence(self) -> str:
        """What is to be done next, for staff."""
        if self.confirmed:
            return _("Two people have gone through the text. It can be submitted for screening.")
        if self.waits:
            return _("One person has gone through the text. A second person confirms it.")
        if self.latest is not None and self.latest.state == State.SENT_BACK:
            return _("A second person sent it back. Change the text, then go through it again.")
        if self.latest is not None:
            return _("The text or its files changed. Go through it again.")
        return _("Nobody has gone through the text yet.")


def check_state(task: Task) -> CheckState:
    """Return where the de-identification of a task stands. Two or three queries."""
    rows = tuple(task.deidentifications.select_related("done_by", "second"))
    latest = rows[0] if rows else None
    present = holds_now(latest, task)
    return CheckState(
        latest=latest,
        confirmed=present and latest is not None and latest.state == State.CONFIRMED,
        waits=present and latest is not None and latest.state == State.WAITING,
        history=rows,
    )


def collected_rows() -> Any:
    """Select the collected tasks as the list shows them, newest first."""
    latest = Deidentification.objects.filter(task=OuterRef("pk")).order_by("-pk")
    return (
        Task.objects.filter(origin=Origin.COLLECTED)
        .annotate(check_state=Subquery(latest.values("state")[:1]))
        .select_related("domain", "collection", "rubric_author")
        .order_by("-pk")
    )


def to_confirm(user: Any) -> Any:
    """Select the checks that wait for a second person other than the user."""
    rows = Deidentification.objects.filter(state=State.WAITING, task__stage=Stage.DRAFT)
    return rows.exclude(done_by=user)
