"""Pages that can be found by name: the places of a person's role, and those behind them."""

from typing import Any

from django.utils.translation import get_language, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from config.navigation import places_of
from curation.access import permissions as access
from curation.search.search import Hit, Source, Words
from curation.web.safe_redirects import place

# Route -> its name, for pages that need no number and have no place in the bar.
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
    "staff-applications": _("Applications"),
    "staff-invitations": _("Invitations"),
    "staff-invite": _("Invite somebody"),
    "staff-invite-vendor": _("A vendor's link"),
    "staff-exams": _("Exams"),
    "staff-policies": _("Rules of the panels"),
    "staff-reviews": _("Reviews and spot checks"),
    "staff-review-policies": _("Rules of review"),
    "staff-rubric-rules": _("Rules of the rubrics"),
    "staff-marks": _("Marks of the linter"),
    "staff-drafts": _("What is left of the drafts"),
    "staff-run-new": _("Plan a run"),
    "staff-candidates": _("Candidates"),
    "staff-candidate-new": _("Enter a candidate"),
    "staff-responses": _("Responses"),
    "staff-prices": _("Prices"),
    "alignment-sets": _("Alignment sets"),
    "alignment-set-new": _("Draw an alignment set"),
    "alignment-thresholds": _("Thresholds of trust"),
    "staff-sheets": _("Sheets for alignment"),
    "gold-draw": _("Draw for anchors"),
    "gold-anchors": _("Anchors"),
    "gold-release-new": _("New release"),
    "api-docs": "API",
}


def pages(user: Any, words: Words, most: int) -> list[Hit]:
    """Pages that this person may open, by their name in the reader's language or in English."""
    named = {where.route: where.label for where in places_of(user)}
    found = []
    for route, label in (named | {r: name for r, name in PAGES.items() if r not in named}).items():
        permission, url = access.permission_of(route, "GET"), place(route)
        if not url or permission is None or not access.allows(user, permission):
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
