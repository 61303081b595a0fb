"""What a panel member is asked besides about a task with an exact answer."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class ExactTest:
    """One test of an exact answer, a column of a vote.

    Attributes:
        label, question: what the form asks.
        passed, failed: the answer in a word or two, on the page of the votes.
    """

    name: str
    label: Any
    question: Any
    passed: Any
    failed: Any


TESTS = (
    ExactTest(
        "unique_answer",
        _("Unique"),
        _("Is there one right answer only, whoever looks for it?"),
        _("unique"),
        _("not unique"),
    ),
    ExactTest(
        "stable_answer",
        _("Stable"),
        _("Will the answer be the same next year, and will its sources still be there?"),
        _("stable"),
        _("not stable"),
    ),
    ExactTest(
        "not_on_one_page",
        _("Not on one page"),
        _("Does it take several steps, because no single page states the answer as text?"),
        _("not on one page"),
        _("found on one page"),
    ),
    ExactTest(
        "good_sources",
        _("Authoritative sources"),
        _("Are the sources authorities, companies themselves, major media or reference works?"),
        _("authoritative sources"),
        _("weak sources"),
    ),
    ExactTest(
        "before_cutoff",
        _("Before the cut-off"),
        _("Were all pages that one needs published before the cut-off date?"),
        _("before the cut-off"),
        _("after the cut-off"),
    ),
)
