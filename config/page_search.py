"""The search source for pages: a person's menu entries and the pages listed here, by name."""

from typing import Any

from django.utils.translation import get_language, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from config.navigation import menu_entries
from curation.base.access import permissions
from curation.base.web.optional_urls import url_or_empty
from curation.telling.search.search import Hit, SearchTerms, Source

# Route -> its name, for pages whose address has no parameter and that are not in the menu.
PAGES: dict[str, Any] = {
    "task-new": _("New task"),
    "notices": _("Notices"),
    "preferences": _("Preferences"),
    "sessions": _("Where you are signed in"),
    "account_email": _("E-mail address"),
    "account_change_password": _("Password"),
    "mfa_index": _("Second factor"),
    "referral": _("Invite a colleague"),
    "apply": _("Apply for a domain"),
    "terms": _("Terms"),
    "labels": _("Label tasks"),
    "staff-applications": _("Applications"),
    "staff-invitations": _("Invitations"),
    "staff-invite": _("Invite somebody"),
    "staff-invite-many": _("Invite many people"),
    "staff-invite-vendor": _("A vendor's link"),
    "staff-members": _("Staff"),
    "settings": _("Settings"),
    "settings-history": _("Changes of settings"),
    "staff-exams": _("Exams"),
    "staff-policies": _("Rules of the panels"),
    "staff-reviews": _("Reviews and spot checks"),
    "staff-review-policies": _("Rules of review"),
    "staff-rubric-rules": _("Rules of the rubrics"),
    "staff-marks": _("Marks of the linter"),
    "staff-drafts": _("What is left of the drafts"),
    "staff-jobs": _("Jobs"),
    "staff-run-new": _("Plan a run"),
    "staff-candidates": _("Candidates"),
    "staff-candidate-new": _("Add a candidate"),
    "staff-responses": _("Responses"),
    "staff-prices": _("Prices"),
    "staff-methods": _("Methods of judging"),
    "staff-models": _("Models"),
    "staff-models-programme": _("Models that the programme asks"),
    "alignment-sets": _("Alignment sets"),
    "alignment-set-new": _("Draw an alignment set"),
    "alignment-thresholds": _("Trust thresholds"),
    "staff-sheets": _("Sheets for alignment"),
    "staff-sheet-list": _("Sheets of experts"),
    "staff-graded-sheet-list": _("Sheets of experts with one grade"),
    "gold-draw": _("Draw for anchors"),
    "gold-anchors": _("Anchors"),
    "gold-release-new": _("New release"),
    "api-docs": "API",
}


def pages(user: Any, words: SearchTerms, most: int) -> list[Hit]:
    """Find pages that this person may open by their name in the active language or in English."""
    named = {entry.route: entry.label for entry in menu_entries(user)}
    found = []
    for route, label in (named | {r: name for r, name in PAGES.items() if r not in named}).items():
        permission, url = permissions.permission_of(route, "GET"), url_or_empty(route)
        if not url or permission is None or not permissions.allows(user, permission):
            continue
        if words.in_texts(str(label), _in_english(label)):
            found.append(Hit(str(label), url))
    return found[:most]


def _in_english(label: Any) -> str:
    if get_language() == "en":
        return str(label)
    with override("en"):
        return str(label)


SOURCES = (Source("pages", pgettext_lazy("of the product", "Pages"), 90, pages),)
