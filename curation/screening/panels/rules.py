"""Staff's pages of the rules of panels."""

from django.utils.translation import gettext_lazy as _

from curation.joining.domains.rule_pages import DRAWN, PERCENT, RulePages
from curation.screening.panels.models import ScreeningPolicy
from curation.screening.panels.policy import BOOK

TIES = {
    ScreeningPolicy.Tie.RETURN: _("returns"),
    ScreeningPolicy.Tie.REJECT: _("rejects"),
    ScreeningPolicy.Tie.ONE_MORE: _("asks one more"),
}
RULES = RulePages(
    BOOK,
    title=_("Rules of the panels"),
    applies=_(
        "They apply to screenings that begin after a change; a panel that has begun keeps its own "
        "rules."
    ),
    done=_("These rules apply to screenings that open from now on."),
    labels={
        "quorum": _("Votes that decide"),
        "tie": _("When the votes are tied"),
        "days": _("Days for a vote or a check"),
        "draw": _("Members are drawn; otherwise they take places from the pool"),
        "samples": _("Answers requested from each probing model"),
        "solved_percent": _("Per cent of the weight an answer needs to pass"),
        "easy_percent": _("Too easy above this pass rate, in per cent"),
        "suspect_percent": _("Suspect below this pass rate, in per cent"),
    },
    helps={
        "quorum": _("1 to 15. An odd number leaves few ties."),
        "draw": _(
            "Drawn: the least busy first; equally busy ones in the order of the task's hash."
        ),
        "samples": _("1 to 20. More answers, a narrower interval, a higher bill."),
        "suspect_percent": _("A second expert checks the reference answer of a suspect task."),
    },
    list_route="staff-policies",
    rule_route="staff-policy",
    columns={
        "quorum": (_("Votes"), None),
        "tie": (_("A tie"), TIES),
        "draw": (_("Members"), DRAWN),
        "days": (_("Days"), None),
        "samples": (_("Answers per model"), None),
        "solved_percent": (_("Passes with"), PERCENT),
        "easy_percent": (_("Too easy above"), PERCENT),
        "suspect_percent": (_("Suspect under"), PERCENT),
    },
)
