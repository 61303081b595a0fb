"""Error codes in the sample programme: one in use, one on a response, with planted words."""

from typing import Any

from curation.joining.people import User
from judge.asking.candidates.models import Response
from judge.results.flags.error_code_actions import add_code, code_error

REASON = "planted reason of a coded error"
DEFINITION = "planted definition of a failure mode"


def error_code_things(people: dict[str, User], response: Response) -> dict[str, tuple[Any, ...]]:
    """Arguments of the addresses of error codes, by the name the matrix uses."""
    staff, domain = people["staff"], response.task.domain
    code = add_code(actor=staff, domain=domain, name="Planted mode", definition=DEFINITION)
    error = code_error(
        actor=staff, response=response, code=code, criterion=None, run=None, reason=REASON
    )
    return {
        "error_code": (code.pk,),
        "coded_error": (error.pk,),
        "coded_response": (response.pk,),
    }
