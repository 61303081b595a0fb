"""A line of the working version with everything the author's page shows of it."""

from dataclasses import dataclass, field
from zlib import crc32

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rubrics.lines.actions import line_token
from rubrics.lines.reference_marks import Mark
from rubrics.lines.threads import Proposal, Request, Thread
from rubrics.linter import rules
from rubrics.marks.queries import ShownMark
from rubrics.versions import diff
from rubrics.versions.models import Criterion


@dataclass
class LineView:
    """A line of the working version with everything the page shows of it.

    Attributes:
        n: its number, from 1.
        marks, aside: the linter's open marks; those the author set aside.
        settled: the last round's request on it is answered or followed, or there is none.
        unread: drafted by a model and not confirmed by the author yet.
        todo: something must be done on it before the rubric is sent.
        reason: why the author left the draft here.
        n_draft: the number of the draft line it came from, from 1; None if it is the author's own.
        reference_mark: whether the reference answer meets it; None if its author has not said.
    """

    line: Criterion
    n: int
    marks: list[ShownMark]
    aside: list[ShownMark] = field(default_factory=list)
    request: Request | None = None
    thread: Thread | None = None
    settled: bool = True
    unread: bool = False
    todo: bool = False
    reason: str = ""
    n_draft: int | None = None
    reference_mark: Mark | None = None

    @property
    def token(self) -> str:
        return line_token(self.line)

    @property
    def content_digest(self) -> str:
        """A digest of what the page shows of the line except its number and its thread.

        The server compares it with the browser's to decide which lines a reply must contain.
        """
        draft = self.edited_draft
        return _digest(
            get_language(),
            self.token,
            self.line.provenance,
            self.line.copied_from_id,
            self.line.quote,
            self.marks_digest,
            self.request and (str(self.request.aspect), self.settled),
            (self.todo, self.unread, self.reference_mark, self.n_draft),
            draft and (draft.text, draft.weight),
        )

    @property
    def marks_digest(self) -> str:
        """What a browser sends of each line it shows when it asks for new marks: `id-marks`."""
        marks = [(m.token, m.state, m.reason, m.message, m.span) for m in self.marks + self.aside]
        return f"{self.line.pk}-{_digest(get_language(), marks)}"

    @property
    def thread_digest(self) -> str:
        """A digest of the request and the remarks on the line."""
        said = self.thread.remarks if self.thread else ()
        return _digest(
            [(remark.at, remark.who) for remark in said],
            self.request and self.settled,
            [(proposal.pk, taken) for proposal, taken in self.proposals],
        )

    @property
    def digest(self) -> str:
        """What a browser sends for each line it shows: `id:content:thread`."""
        return f"{self.line.pk}:{self.content_digest}:{self.thread_digest}"

    @property
    def remark(self) -> str:
        """The newest remark on a line without a request; empty if it is the author's own."""
        said = self.thread.remarks if self.thread and self.request is None else ()
        return said[-1].text if said and said[-1].who != _("You") else ""

    @property
    def offered(self) -> set[int]:
        """Ids of the suggestions shown with the request, which the thread does not repeat."""
        return {proposal.pk for proposal in self.request.proposals} if self.request else set()

    @property
    def proposals(self) -> list[tuple[Proposal, bool]]:
        """The reviewers' suggestions, each with whether the line has that content now."""
        found = self.request.proposals if self.request else ()
        return [(proposal, diff.same_content(proposal, self.line)) for proposal in found]

    @property
    def runs(self) -> list[tuple[str, str]]:
        """The text as (run, rule code), for underlining what is marked."""
        return rules.segments(self.line.text, [shown.mark for shown in self.marks])

    @property
    def edited_draft(self) -> Criterion | None:
        """The draft line it came from; None if the line is unchanged or not from a draft."""
        same = self.line.provenance != Criterion.Provenance.EDITED
        return None if same else self.line.source


def _digest(*facts: object) -> str:
    """Return a CRC-32 of the facts in hex, for change detection only."""
    return f"{crc32(repr(facts).encode()):08x}"
