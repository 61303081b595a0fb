"""What the prompts about one task are made of, as plain facts, with the method that uses them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from judge.asking.prompts import PromptFile
from judge.asking.providers import inputs
from judge.asking.providers.base import Prompt
from judge.methods.evidence.search.interface import Search

if TYPE_CHECKING:
    from judge.methods.base.method import Method
    from judge.methods.base.values import Score


class Frame(Protocol):
    """The common part of all prompts about one task, built once for all candidates."""

    prefix: str

    def prompt_for(
        self, response_text: str, *, only_ids: Sequence[str] | None = None, nonce: str
    ) -> Prompt:
        """Return the prompt about one response.

        Args:
            only_ids: the parts to ask for; None for all.
            nonce: fences the response (see `judge.asking.prompts.builder.nonce_for`).
        """
        ...


@dataclass(frozen=True)
class Material:
    """The part of the prompt that is the same for all responses to one task.

    Attributes:
        line_pks: criterion key -> primary key.
        version: of the rubric; None for a task without one.
        exemplar_mark: the sheet's id and a hash of its content; "" without an example.
        template: another text of the method's prompt; None for the built-in one.
        answer_version: the version of the task's text whose reference answer the method reads;
            None for a method that does not.
        own: what the method loaded for the task (`Method.own_facts`), None if it needs nothing.
        search: where claims are looked up; None for a method without `needs_search`.
    """

    task: inputs.TaskText
    lines: tuple[inputs.Criterion, ...]
    line_pks: Mapping[str, int]
    version: int | None
    version_sha256: str
    exemplar: inputs.Exemplar | inputs.OtherExample | None
    exemplar_mark: str
    method: "Method"
    template: PromptFile | None = None
    own: Any = None
    answer_version: int | None = None
    search: Search | None = None

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The keys of all lines, in rubric order."""
        return tuple(line.id for line in self.lines)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """What a judgment is complete with: keys of lines, or names of the method's own."""
        return self.method.parts(self)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """What sets judgments apart beside the prompt; empty where the prompt says it all."""
        return self.method.marks(self)

    @cached_property
    def _frame(self) -> Frame:
        return self.method.frame(self)

    @property
    def prefix(self) -> str:
        """The beginning that the prompts about all candidates share."""
        return self._frame.prefix

    def prompt(
        self, response_text: str, *, only_ids: tuple[str, ...] | None = None, nonce: str
    ) -> Prompt:
        """Build the judge's prompt about one response."""
        return self._frame.prompt_for(response_text, only_ids=only_ids, nonce=nonce)

    def score(
        self, outcomes: Mapping[str, Any], findings: Mapping[str, Any] | None = None
    ) -> "Score":
        """Return the score of a response from the outcomes of its parts and the findings."""
        return self.method.score(self, outcomes, findings or {})
