"""Rows of tasks: route name -> verb -> permission."""

from curation.routes import SIGNED_POST, screening

ROUTES: dict[str, dict[str, str]] = {
    "tasks": {"GET": "signed_in"},
    "task-new": {"GET": "expert", "POST": "expert"},
    "task": {"GET": "signed_in"},
    "task-edit": SIGNED_POST,
    "task-save": {"POST": "signed_in"},
    "task-preview": {"POST": "signed_in"},
    "task-submit": {"POST": "signed_in"},
    "task-withdraw": SIGNED_POST,
    "task-versions": {"GET": "signed_in"},
    "task-story": {"GET": "signed_in"},
    "task-version": SIGNED_POST,
    **screening.ROUTES,
    "staff-pipeline": {"GET": "staff"},
    "staff-tasks": {"GET": "staff"},
    "staff-task": {"GET": "staff"},
    "staff-task-alike": {"GET": "staff"},
    "staff-audit": {"GET": "staff"},
    "preferences": SIGNED_POST,
    "api-tasks": {"GET": "signed_in", "POST": "expert"},
    "api-task-submit": {"POST": "signed_in"},
}
