"""What the audit lists of curation: tasks, applications, roles, accounts, sign-ins."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Case, CharField, Value, When
from django.urls import reverse
from django.utils.translation import gettext_lazy

from curation.base.process.lifecycle import APPLICATION, TASK
from curation.joining.accounts.models import AccountChange, DataCopy, NameRemoval, SignIn
from curation.joining.people import SeniorityChange, StandingChange, User
from curation.qualifying.applications.events import EVENTS as APPLICATION_EVENTS
from curation.qualifying.applications.models import Application, ApplicationEvent
from curation.tasks.task.events import EVENTS as TASK_EVENTS
from curation.tasks.task.models import TaskEvent
from curation.telling.activity.audit import AuditSource

COMMAND_LINE = gettext_lazy("the command line")
ROLE, ROLE_LABEL = "role", gettext_lazy("Roles")
_ROLES = {
    "senior": gettext_lazy("Became a senior"),
    "senior-ended": gettext_lazy("Is no longer a senior"),
    "suspended": gettext_lazy("Was suspended"),
    "reinstated": gettext_lazy("Works again"),
    "operator": gettext_lazy("Became an operator"),
    "operator-ended": gettext_lazy("Is no longer an operator"),
}
_ACCOUNTS = {
    "closed": gettext_lazy("Account closed"),
    "opened": gettext_lazy("Account opened again"),
    "name-removed": gettext_lazy("Name removed"),
    "copied": gettext_lazy("Data copied"),
}


def _application_names(keys: Collection[int]) -> Mapping[int, str]:
    rows = Application.objects.filter(pk__in=keys).select_related("user", "domain")
    return {row.pk: f"{row.user.display_name or row.user.email} · {row.domain}" for row in rows}


def people_names(keys: Collection[int]) -> Mapping[int, str]:
    """Return the names of people, as staff read them. One query."""
    rows = User.objects.filter(pk__in=keys).only("display_name", "email", "is_staff")
    return {row.pk: row.name_for_staff for row in rows}


def person_page(pk: int) -> str:
    """Return the address of staff's page of a person."""
    return reverse("staff-person", args=[pk])


def role_in_words(event: str) -> Any:
    """Return a change of a role in words."""
    return _ROLES.get(event, event)


def either(field: str, yes: str, no: str) -> Case:
    """Return an expression that names an event by a field that is true or false."""
    return Case(When(**{field: True}, then=Value(yes)), default=Value(no), output_field=CharField())


def _always(event: str) -> Value:
    return Value(event, output_field=CharField())


def role_source(key: str, rows: Any, person: str, event: Case, **more: Any) -> AuditSource:
    """Return a record of who got or lost a role; `person` is the path to whom it is about."""
    return AuditSource(
        ROLE, ROLE_LABEL, rows, person, role_in_words, about=person, event=event, key=key,
        of_tasks=False, names=people_names, url=person_page, always=True, nobody=COMMAND_LINE,
        place=2, **more,
    )  # fmt: skip


def _account_source(key: str, rows: Any, event: Any) -> AuditSource:
    return AuditSource(
        "account", gettext_lazy("Accounts"), rows, "user", _ACCOUNTS.__getitem__, about="user",
        event=event, key=key, of_tasks=False, names=people_names, url=person_page, always=True,
        place=3,
    )  # fmt: skip


def _sign_in_says(event: str) -> Any:
    return SignIn.Outcome(event).label


AUDIT_SOURCES = (
    AuditSource(
        "task", gettext_lazy("Tasks"), TaskEvent.objects.all, "task", TASK_EVENTS.label,
        process=TASK, always=True,
    ),
    AuditSource(
        "application", gettext_lazy("Applications"), ApplicationEvent.objects.all, "application",
        APPLICATION_EVENTS.label, about="application__user", process=APPLICATION, of_tasks=False,
        names=_application_names, always=True, place=1,
        url=lambda pk: reverse("staff-application", args=[pk]),
    ),
    role_source(
        "role-senior", SeniorityChange.objects.all, "qualification__user",
        either("senior", "senior", "senior-ended"),
    ),
    role_source(
        "role-standing", StandingChange.objects.all, "qualification__user",
        either("active", "reinstated", "suspended"),
    ),
    _account_source("account", AccountChange.objects.all, either("closed", "closed", "opened")),
    _account_source("account-name", NameRemoval.objects.all, _always("name-removed")),
    _account_source("account-copy", DataCopy.objects.all, _always("copied")),
    AuditSource(
        "sign-in", gettext_lazy("Sign-ins"), SignIn.objects.all, "user", _sign_in_says,
        person="user", reason="device", event="outcome", of_tasks=False, names=people_names,
        url=person_page, nobody=gettext_lazy("an address that nobody has"),
    ),
)  # fmt: skip
