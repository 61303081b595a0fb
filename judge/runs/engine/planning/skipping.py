"""Which responses a run skips, and why."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q
from django.db.models.functions import Left
from django.utils.translation import gettext_lazy as _

from curation.base.text import storable
from curation.tasks.task.models import Task
from judge.asking.candidates import earlier_text, families
from judge.asking.candidates.models import Candidate, Response
from judge.asking.endpoints import file_rules
from judge.methods.base import registry
from judge.methods.base.method import Method
from judge.methods.base.values import TaskFacts
from rubrics.versions.models import Criterion, RubricVersion

SKIPPED: dict[str, Any] = {
    "baseline": _("it is the baseline, which the judge sees as its example"),
    "no_rubric": _("the task has no rubric"),
    "no_exemplar": _("the task has no scored example"),
    "exemplar_outdated": _("the scored example belongs to an older rubric"),
    "same_family": _("the judge is from the candidate's own house"),
    "empty_response": _("the response is empty"),
    **file_rules.SKIPPED,
    earlier_text.CODE: _("the response answers an earlier text of the task"),
    earlier_text.RUBRIC_CODE: _("the rubric is being compared with an amended text"),
    **registry.skips(),
}

# Reasons for which a missing score is no gap of the judge. The others are gaps: experts could score
# an empty response, and a response to an earlier text is counted where scores are compared.
_GAPS = ("empty_response", earlier_text.CODE, earlier_text.RUBRIC_CODE)
NOT_ASKED = tuple(code for code in SKIPPED if code not in _GAPS)

_BEGINNING = 200  # characters; only a text whose beginning is blank is read as a whole


@dataclass(frozen=True)
class Skips:
    """What keeps responses out of a run, read once for all of them.

    Attributes:
        relatives: candidates of the house of a model that is asked.
        blank: responses that look empty to a reader, where the method cannot judge them.
        unreadable: tasks whose files a model cannot read, with the code of the reason.
        unfit: tasks that the method does not judge, with the code of the reason.
        prompt_since, rubric_since: amended tasks, with the version of their text from which on
            responses and rubrics are current.
    """

    relatives: frozenset[int]
    blank: frozenset[int]
    unreadable: Mapping[int, str]
    unfit: Mapping[int, str]
    prompt_since: Mapping[int, int]
    rubric_since: Mapping[int, int]

    @classmethod
    def of(
        cls,
        responses: Sequence[Response],
        *,
        readers: Collection[tuple[str, str]],
        houses: Collection[str],
        method: Method,
        versions: Mapping[int, RubricVersion],
    ) -> "Skips":
        """Read what keeps these responses from being judged by these models.

        Args:
            readers: (provider, model) of those that are shown the files of tasks.
            houses: of all models, in lower case; empty to judge candidates of any house.
            versions: the version of the rubric that counts, by task.
        """
        tasks = {response.task_id for response in responses}
        amended = [
            row
            for row in Task.objects.filter(
                Q(prompt_since__gt=0) | Q(rubric_since__gt=0)
            ).values_list("pk", "prompt_since", "rubric_since")
            if row[0] in tasks
        ]
        return cls(
            relatives=_of_houses(frozenset(houses) - {""}),
            blank=frozenset()
            if method.judges_empty
            else _blank([response.pk for response in responses]),
            unreadable={
                task: code
                for reader in sorted(readers)
                for task, code in file_rules.skipped_tasks(tasks, *reader).items()
            },
            unfit=_unfit(method, tasks, versions),
            prompt_since={task: prompt for task, prompt, _rubric in amended},
            rubric_since={task: rubric for task, _prompt, rubric in amended},
        )

    def reason(
        self, response: Response, version: RubricVersion | None, missing_example: str
    ) -> str:
        """Return why a response is skipped, a code of `SKIPPED`; "" if it is judged.

        Args:
            missing_example: the code of the reason why its task has no example; "" if it has one,
                or needs none.
        """
        task = response.task_id
        if response.baseline:
            return "baseline"
        if response.text_version < self.prompt_since.get(task, 0):
            return earlier_text.CODE
        if unfit := self.unfit.get(task, ""):
            return unfit
        if version is not None and version.text_version < self.rubric_since.get(task, 0):
            return earlier_text.RUBRIC_CODE
        if missing_example:
            return missing_example
        if response.candidate_id in self.relatives:
            return "same_family"
        if response.pk in self.blank:
            return "empty_response"  # never judged unmet on every line
        return self.unreadable.get(task, "")


def _unfit(
    method: Method, tasks: Collection[int], versions: Mapping[int, RubricVersion]
) -> dict[int, str]:
    """Return the tasks that a method does not judge, each with a code of `SKIPPED`."""
    found: dict[int, str] = {}
    keys = sorted(tasks)
    for start in range(0, len(keys), 500):
        part = {
            task: versions[task].pk if task in versions else None
            for task in keys[start : start + 500]
        }
        counts = Criterion.objects.filter(version__in=part.values()).order_by()
        lines = dict(counts.values_list("version__task").annotate(n=Count("id")))
        own = method.own_facts(part)
        for pk, form, reference in Task.objects.filter(pk__in=part).values_list(
            "pk", "answer_form", Left("reference_answer", _BEGINNING)
        ):
            if form not in method.forms:
                found[pk] = registry.WRONG_FORM
            elif method.needs_rubric and part[pk] is None:
                found[pk] = "no_rubric"
            else:
                number = lines.get(pk, 0) if part[pk] is not None else None
                facts = TaskFacts(pk, form, not storable.is_blank(reference), number)
                if code := method.why_not(facts, own.get(pk)):
                    found[pk] = code
    return found


def _of_houses(houses: frozenset[str]) -> frozenset[int]:
    if not houses:
        return frozenset()
    return frozenset(
        candidate.pk
        for candidate in Candidate.objects.all()
        if families.normalized_family(candidate) in houses
    )


def _blank(responses: Sequence[int]) -> frozenset[int]:
    found: set[int] = set()
    for start in range(0, len(responses), 500):
        rows = Response.objects.filter(pk__in=responses[start : start + 500]).order_by()
        beginnings = rows.annotate(beginning=Left("text", _BEGINNING))
        doubtful = [
            pk
            for pk, words in beginnings.values_list("pk", "beginning")
            if storable.is_blank(words)
        ]
        whole = Response.objects.filter(pk__in=doubtful).order_by().values_list("pk", "text")
        found.update(pk for pk, words in whole if storable.is_blank(words))
    return frozenset(found)
