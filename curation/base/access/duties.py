"""The duties of staff: what a member of staff may change. Every member reads all pages of staff.

A permission that a duty grants is named `staff.` and the duty, such as `staff.editing`.
"""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.base.text.wording import listed


class Duty(models.TextChoices):
    """What a member of staff may be charged with; none of them is read-only."""

    RECRUITING = "recruiting", gettext_lazy("Recruiting")
    EDITING = "editing", gettext_lazy("Editing")
    SCORING = "scoring", gettext_lazy("Scoring")
    GOLD = "gold", gettext_lazy("Gold")
    ADMINISTRATION = "administration", gettext_lazy("Administration")


# What each duty lets a person change, for the page of staff and its documentation.
COVERS = {
    Duty.RECRUITING: gettext_lazy(
        "invitations, applications, exams, experts and their standing, conflicts of interest"
    ),
    Duty.EDITING: gettext_lazy(
        "tasks and their imports, panels, rubrics and reviews with their rules, skills, "
        "work maps, corrections, questions, guidelines, announcements"
    ),
    Duty.SCORING: gettext_lazy(
        "alignment sets, sheets, practice and pauses of scorers, runs, methods, candidates, "
        "models, prices, products, imports of responses and scores"
    ),
    Duty.GOLD: gettext_lazy("draws, anchors, releases, retired tasks, errata, editions"),
    Duty.ADMINISTRATION: gettext_lazy(
        "staff and operators, accounts, endpoints and their keys, budgets, honoraria and payroll, "
        "domains, settings"
    ),
}


def column_of(duty: str) -> str:
    """Return the column of `User` that holds a duty."""
    return f"does_{duty}"


def columns_of(duties: Any) -> dict[str, bool]:
    """Return the column of every duty -> whether it is among these."""
    return {column_of(duty): duty in duties for duty in Duty}


def who_has(duty: str) -> list[Any]:
    """Return the open accounts of staff with a duty, by name. One query."""
    found = get_user_model()._default_manager.filter(
        is_staff=True, is_active=True, **{column_of(duty): True}
    )
    return list(found.order_by("display_name", "pk"))


def sentence_on_missing(duty: str) -> str:
    """Say to a member of staff which duty a step needs, and who has it. One or two queries."""
    name = Duty(duty).label
    if people := who_has(duty):
        return _("This needs the duty “%(duty)s”. Ask %(people)s, who can do it.") % {
            "duty": name,
            "people": _some_of(people),
        }
    return _("This needs the duty “%(duty)s”, which nobody has now. %(people)s can assign it.") % {
        "duty": name,
        "people": _some_of(who_has(Duty.ADMINISTRATION)),
    }


def _some_of(people: list[Any], most: int = 3) -> str:
    """Return the first names of a list, so that a sentence stays short."""
    return listed([person.name_for_staff for person in people[:most]])
