"""How well models label: their proposals against labels that people gave without seeing them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from curation.joining.domains.models import Domain
from curation.tasks.skills.models import LabelOnTask, LabelProposal, ProposalRound


@dataclass(frozen=True)
class Counts:
    """How often a label was proposed and given, over tasks.

    Attributes:
        both: proposed, and given by a person.
        proposed: proposed alone.
        given: given by a person alone.
    """

    both: int = 0
    proposed: int = 0
    given: int = 0

    @property
    def precision(self) -> Fraction | None:
        """Of what was proposed, how much people gave too; None if nothing was proposed."""
        of = self.both + self.proposed
        return Fraction(self.both, of) if of else None

    @property
    def recall(self) -> Fraction | None:
        """Of what people gave, how much was proposed; None if people gave nothing."""
        of = self.both + self.given
        return Fraction(self.both, of) if of else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.both + other.both, self.proposed + other.proposed, self.given + other.given
        )


@dataclass(frozen=True)
class Validation:
    """Precision and recall of proposed labels.

    Attributes:
        tasks: how many tasks have both.
        by_rule: how many of them were read by the offline rules, not by a model.
        labels: label id -> its counts.
        overall: the sum over labels (micro average).
    """

    tasks: int
    by_rule: int
    labels: Mapping[int, Counts]
    overall: Counts


def compare(pairs: Iterable[tuple[set[int], set[int]]]) -> dict[int, Counts]:
    """Count, for each label, over pairs of (labels given, labels proposed) of a task."""
    found: dict[int, Counts] = defaultdict(Counts)
    for given, proposed in pairs:
        for label in given & proposed:
            found[label] += Counts(both=1)
        for label in proposed - given:
            found[label] += Counts(proposed=1)
        for label in given - proposed:
            found[label] += Counts(given=1)
    return dict(found)


def validation_of(domain: Domain) -> Validation:
    """Compare people and models on the tasks of a domain that have labels of both. Three queries.

    Of the people's labels only those count that stand and were given before the model's newest
    reading: a label that somebody confirmed, or gave after seeing proposals, is no independent
    judgement.
    """
    newest: dict[int, ProposalRound] = {
        found.task_id: found
        for found in ProposalRound.objects.filter(task__domain=domain).order_by("pk")
    }
    given: dict[int, set[int]] = defaultdict(set)
    rows = LabelOnTask.objects.filter(
        task__in=newest.keys(), how=LabelOnTask.How.ANNOTATED, removed_at__isnull=True
    )
    for task, label, at in rows.values_list("task", "label", "given_at"):
        if at <= newest[task].at:
            given[task].add(label)
    rounds = {newest[task].pk: task for task in given}
    proposed: dict[int, set[int]] = defaultdict(set)
    for reading, label in LabelProposal.objects.filter(round__in=rounds.keys()).values_list(
        "round", "label"
    ):
        proposed[rounds[reading]].add(label)
    labels = compare((given[task], proposed[task]) for task in given)
    return Validation(
        tasks=len(given),
        by_rule=sum(newest[task].by_rule for task in given),
        labels=labels,
        overall=sum(labels.values(), Counts()),
    )
