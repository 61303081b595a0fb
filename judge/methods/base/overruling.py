"""How people overrule what a method found: the part of `Method` that says which findings and how.

A method whose score follows from its findings alone can let people overrule some of them: the
score is computed again from the findings with what they say laid over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from judge.methods.base.values import Score


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says of a finding.

    Attributes:
        answer: one of the finding's `answers`.
        confidence: in percent; None where the finding has none.
        cited_page: what the page it cites says; of a person one of the finding's `cited_pages`, ""
            to leave that as the judge said.
    """

    answer: str
    confidence: int | None = None
    cited_page: str = ""


@dataclass(frozen=True, slots=True)
class Overrulable:
    """A finding that people can overrule.

    Attributes:
        answers: answer -> words.
        said: what the judge said; None where it said nothing.
        why: the judge's reason, "" without one.
        takes_confidence: whether an answer has a confidence.
        cited_pages: what can be said of the page it cites -> words; empty where it cites none.
    """

    answers: Mapping[str, Any]
    said: Said | None
    why: str = ""
    takes_confidence: bool = False
    cited_pages: Mapping[str, Any] = field(default_factory=dict)


class Overruling:
    """Which findings people can overrule; by default none.

    Attributes:
        can_be_overruled: whether people can overrule any.
    """

    can_be_overruled: ClassVar[bool] = False

    def overrulable(self, findings: Mapping[str, Any]) -> Mapping[str, Overrulable]:
        """Return name -> what can be overruled, in the order of a page.

        Args:
            findings: name -> data; None for a finding that failed.
        """
        return {}

    def overruled(self, findings: Mapping[str, Any], said: Mapping[str, Said]) -> Mapping[str, Any]:
        """Return the findings with what people say laid over them.

        Args:
            said: name -> what counts instead; names that cannot be overruled are ignored.
        """
        raise NotImplementedError

    def score_of(self, findings: Mapping[str, Any]) -> "Score":
        """Return the score that follows from findings alone."""
        raise NotImplementedError
