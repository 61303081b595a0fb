"""The coded errors that a release publishes beside the responses."""

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from curation.base.web.refusals import BadInput
from judge.gold.releases.manifest import KnownPeople, ReleaseCounts
from judge.results.flags.error_code_queries import exported_errors


def errors_to_publish(
    tasks: Collection[int], known: KnownPeople, facts: ReleaseCounts
) -> list[dict[str, Any]]:
    """Return the errors that count on responses to these tasks.

    Args:
        facts: takes the tasks where a reason has words like a member's name.

    Raises:
        BadInput: `address_found`, a reason holds a member's e-mail address.
    """
    rows = exported_errors(tasks)
    named = sorted({row["task"] for row in rows if known.has_address(row["reason"])})
    if named:
        raise BadInput(
            _(
                "The reason of an error code contains the e-mail address of somebody in the "
                "programme: %(tasks)s. Take the code back and give it again; nothing was written."
            )
            % {"tasks": ", ".join(named[:12])},
            code="address_found",
        )
    with_name = {row["task"] for row in rows if known.has_name(row["reason"])}
    facts.tasks_with_name += sorted(with_name.difference(facts.tasks_with_name))
    return rows
