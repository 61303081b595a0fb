"""The changes of duties, for the audit."""

from curation.joining.people.models import DutyChange
from curation.telling.activity.audit import AuditSource
from curation.telling.activity.audit_sources import (
    COMMAND_LINE,
    ROLE,
    ROLE_LABEL,
    people_names,
    person_page,
)

SOURCE = AuditSource(
    ROLE,
    ROLE_LABEL,
    DutyChange.objects.all,
    "user",
    lambda kind: dict(DutyChange.Kind.choices).get(kind, kind),
    about="user",
    key="role-staff",
    of_tasks=False,
    names=people_names,
    url=person_page,
    always=True,
    nobody=COMMAND_LINE,
)
