"""What an own task in a file needs beyond its form: its parts, and the lines of its rubric."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from curation.base.records.faults import Faults
from curation.base.records.json_lines import Record
from curation.tasks.task.fields import TEXT_PARTS, missing_parts
from curation.tasks.task.models import AnswerForm, Task
from judge.gold.transfer import exact_line, rubrics
from judge.gold.transfer.demand_line import form_of
from rubrics.policy.policy import RubricPolicy, for_form


def check_parts(record: Record, faults: Faults) -> None:
    """Add a fault for each part that a submission needs and the task does not have."""
    form = form_of(record)
    parts = {name: record.get(name, "") for name in TEXT_PARTS}
    refused = {f.field for f in faults.found if f.line == record.line}
    for name, sentences in missing_parts(Task(title="-", answer_form=form, **parts)).items():
        if name not in refused:
            faults.add(record.line, name, sentences[0])


def check_line_count(record: Record, faults: Faults, rules: Mapping[str, RubricPolicy]) -> None:
    """Add a fault if a valid rubric has too few or too many lines for its domain."""
    rubric = record.get("rubric")
    if not rubric:
        return
    form = form_of(record)
    if form == AnswerForm.EXACT:
        if not exact_line.is_made_from_the_answer(rubric):
            faults.add(
                record.line,
                "rubric",
                _("The rubric of an exact answer is one line made from it. Leave the rubric out."),
            )
        return
    policy = rules.get(record.get("domain", "")) or rules[""]
    problem = rubrics.line_count_problem(len(rubric), for_form(policy, form))
    if problem:
        faults.add(record.line, "rubric", problem)
