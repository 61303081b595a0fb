"""Tiers, findings and advice in words."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from judge.methods.evidence.tiers.quality import Advice

TIER_NAMES: dict[int, Any] = {
    1: _("Official"),
    2: _("Research, data and news"),
    3: _("Professional and technical"),
    4: _("Unknown, or anybody's texts"),
}
TIER_HINTS: dict[int, Any] = {
    1: _("Governments, universities, international bodies, and the own sites of firms."),
    2: _("Journals, research firms, news of international standing."),
    3: _("Technical media, communities of developers, databases of an industry."),
    4: _(
        "What is in no list has this tier. Name here what lies in a better domain and is written "
        "by anybody, such as a site for blogs."
    ),
}
WHY: dict[str, Any] = {
    "not_listed": _("In no list"),
    "number": _("A number instead of a domain"),
    "one_label": _("No full domain"),
    "no_web_address": _("No web address"),
    "unreadable": _("Cannot be read for certain"),
}
ADVICE: dict[Advice, Any] = {
    Advice.OFFICIAL: _("No source is official: look for the government's or the firm's own page."),
    Advice.ORDER: _("The first sources count most: cite the best ones first."),
    Advice.WEAK: _("At least half of the sources are of tier 3 or 4: look for better ones."),
    Advice.FEW: _("There is one source only: support it by a second."),
}
