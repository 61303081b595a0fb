"""Pages of verdicts, for staff alone: they name candidates whose responses others score blind."""

from curation.base.access.page import page
from judge.results.verdicts import views

urlpatterns = [
    page("staff/verdicts/", views.verdicts, "verdicts", menu="leaderboard", GET="staff"),
    page("staff/verdicts.csv", views.verdicts_csv, "verdicts-csv", menu="leaderboard", GET="staff"),
    page(
        "staff/verdicts.jsonl",
        views.verdicts_jsonl,
        "verdicts-jsonl",
        menu="leaderboard",
        GET="staff",
    ),
    page("staff/verdicts/<int:pk>/", views.verdict, "verdict", menu="leaderboard", GET="staff"),
    page(
        "staff/verdicts/<int:pk>/flag/",
        views.flag,
        "verdict-flag",
        menu="leaderboard",
        POST="staff.scoring",
    ),
    page(
        "staff/verdicts/<int:pk>/overrule/",
        views.overrule,
        "verdict-overrule",
        menu="leaderboard",
        POST="staff.scoring",
    ),
    page(
        "staff/overrules/<int:pk>/take-back/",
        views.take_back,
        "overrule-take-back",
        menu="leaderboard",
        POST="staff.scoring",
    ),
    page(
        "staff/verdicts/judges/",
        views.judge_comparison,
        "judge-comparison",
        menu="staff-runs",
        GET="staff",
    ),
    page(
        "staff/verdicts/judges.jsonl",
        views.judge_comparison_jsonl,
        "judge-comparison-jsonl",
        menu="staff-runs",
        GET="staff",
    ),
    page("staff/flags/", views.flags, "verdict-flags", menu="leaderboard", GET="staff"),
    page(
        "staff/flags/<int:pk>/withdraw/",
        views.withdraw,
        "verdict-flag-withdraw",
        menu="leaderboard",
        POST="staff.scoring",
    ),
]
