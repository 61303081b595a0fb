"""The error taxonomy of the sample programme in use: codes, coded errors, a model's proposals."""

from typing import Any

from config.sample import read_file
from curation.joining.domains.models import Domain
from judge.asking.candidates.models import Response
from judge.results.flags.error_code_actions import (
    add_code,
    ask_for_codes,
    code_error,
    decide_proposal,
    set_in_use,
)
from judge.results.flags.error_code_models import CodedError, ErrorCode
from judge.results.flags.error_code_proposals import read_for_codes
from judge.runs.engine.models import JudgeRun
from rubrics.versions.models import Criterion
from rubrics.versions.queries import version_ids_that_count

RETIRED = {
    "name": "Other error",
    "definition": "An error that no other code of this domain describes.",
    "name_zh": "其他错误",
    "definition_zh": "本领域其他代码都不适用的错误。",
}
WHY_RETIRED = "It said nothing about a candidate. What had no code of its own got one."
# Responses that the offline rules read, and what staff say of their first proposal there:
# nothing where they confirm it. The other proposals wait.
READ = {
    ("finance-equity-bridge", "Fir 1"): "",
    (
        "healthcare-ketoacidosis-not-clearing",
        "Ginkgo 2",
    ): "No marker is followed here: the order itself is wrong, and has its code.",
}


def load_error_codes(staff: Any) -> None:
    """Enter taxonomies and code errors. Needs the sheets and runs of `results`."""
    said = read_file("results/error_codes.json")
    codes: dict[tuple[str, str], ErrorCode] = {}
    for key, rows in said["codes"].items():
        domain = Domain.objects.get(key=key)
        for row in rows:
            codes[key, row["name"]] = add_code(actor=staff, domain=domain, **row)
    retired = add_code(actor=staff, domain=Domain.objects.get(key="finance"), **RETIRED)
    set_in_use(actor=staff, code=retired, in_use=False, reason=WHY_RETIRED)
    _code(staff, said["errors"], codes, None)
    _code(staff, said["disagreements"], codes, JudgeRun.objects.filter(method="one_shot").first())
    for (task, candidate), why in READ.items():
        _have_read(staff, _response(task, candidate), why)


def _code(
    staff: Any,
    rows: list[dict[str, str]],
    codes: dict[tuple[str, str], ErrorCode],
    run: JudgeRun | None,
) -> None:
    responses = {(row["task"], row["candidate"]) for row in rows}
    found = {names: _response(*names) for names in responses}
    lines: dict[int, list[Criterion]] = {}
    for response in found.values():
        version = version_ids_that_count([response.task_id])[response.task_id]
        if response.task_id not in lines:
            criteria = Criterion.objects.filter(version=version).select_related("version")
            lines[response.task_id] = list(criteria.order_by("position", "id"))
    for row in rows:
        response = found[row["task"], row["candidate"]]
        code_error(
            actor=staff,
            response=response,
            code=codes[response.task.domain.key, row["code"]],
            criterion=lines[response.task_id][int(row["line"].removeprefix("c")) - 1],
            run=run,
            reason=row["reason"],
        )


def _response(task: str, candidate: str) -> Response:
    rows = Response.objects.select_related("task__domain")
    return rows.get(task__key=task, candidate__name=candidate)


def _have_read(staff: Any, response: Response, why_not: str) -> None:
    """Have the offline rules propose codes; decide on the first one."""
    read_for_codes(ask_for_codes(actor=staff, response=response))
    proposed = CodedError.objects.filter(response=response, state=CodedError.State.PROPOSED)
    decide_proposal(actor=staff, error=proposed.earliest("pk"), confirm=not why_not, reason=why_not)
