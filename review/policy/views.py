"""Staff's pages of the rules of review."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.joining.domains.rule_pages import DRAWN, RulePages
from review.policy.actions import BOOK
from review.policy.models import Rules

COLLEAGUES = {
    Rules.Colleagues.OWN_ROUND: _("after their own round"),
    Rules.Colleagues.NEXT_VERSION: _("with the next version"),
}
NAMES = {True: pgettext_lazy("names", "hidden"), False: pgettext_lazy("names", "shown")}
RULES = RulePages(
    BOOK,
    title=_("Rules of review"),
    applies=_(
        "They apply to reviews that begin after a change; a task under review keeps the rules it "
        "began with."
    ),
    done=_("These rules apply to reviews that begin from now on."),
    labels={
        "reviewers": _("Reviewers at once"),
        "quorum": _("Approvals that settle a line"),
        "rounds": _("Rounds before a senior decides"),
        "days": _("Days for a round"),
        "draw": _("Reviewers are drawn; otherwise they take places from the pool"),
        "colleagues": _("Reviewers read each other"),
        "hide_names": _("Author and reviewers do not learn each other's names"),
    },
    helps={
        "reviewers": _("1 to 9. Each reads every line of the same version, in their own rounds."),
        "quorum": _(
            "At most as many as reviewers. An open request from anybody keeps the line open."
        ),
        "rounds": _("1 to 9. After the last one a senior without a seat settles what is open."),
        "days": _("1 to 60. A review whose round is not finished by then is free for a colleague."),
        "draw": _(
            "Drawn from experts in the domain who have no conflict of interest with the author, "
            "the least busy first."
        ),
        "hide_names": _("What was written while names were hidden stays without names."),
    },
    list_route="staff-review-policies",
    rule_route="staff-review-policy",
    columns={
        "reviewers": (_("Reviewers"), None),
        "quorum": (_("Approvals that settle a line"), None),
        "rounds": (_("Rounds before a senior"), None),
        "days": (_("Days"), None),
        "draw": (pgettext_lazy("panel", "Places"), DRAWN),
        "colleagues": (_("Reviewers read each other"), COLLEAGUES),
        "hide_names": (_("Names"), NAMES),
    },
)
