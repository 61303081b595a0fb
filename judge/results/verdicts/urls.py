"""Pages of verdicts, for staff alone: they name candidates whose responses others score blind."""

from django.utils.translation import gettext_lazy as _

from curation.base.access.page import Pages
from judge.results.verdicts import views

staff = Pages("staff/", menu="leaderboard", GET="staff", POST="staff.scoring")
runs = Pages("staff/verdicts/", menu="staff-runs", GET="staff")

urlpatterns = [
    staff("verdicts/", views.verdicts, "verdicts", "GET", label=_("Judge verdicts")),
    staff("verdicts.csv", views.verdicts_csv, "verdicts-csv", "GET"),
    staff("verdicts.jsonl", views.verdicts_jsonl, "verdicts-jsonl", "GET"),
    staff("verdicts/<int:pk>/", views.verdict, "verdict", "GET", label=_("Judge verdicts"),
          of="response"),
    staff("verdicts/<int:pk>/flag/", views.flag, "verdict-flag", "POST"),
    staff("verdicts/<int:pk>/overrule/", views.overrule, "verdict-overrule", "POST"),
    staff("overrules/<int:pk>/take-back/", views.take_back, "overrule-take-back", "POST"),
    runs("judges/", views.judge_comparison, "judge-comparison", "GET", label=_("Several judges"),
         up="staff-runs", tab="staff-runs"),
    runs("judges.jsonl", views.judge_comparison_jsonl, "judge-comparison-jsonl", "GET"),
    staff("flags/", views.flags, "verdict-flags", "GET", label=_("Flagged verdicts"),
          up="verdicts"),
    staff("flags/<int:pk>/withdraw/", views.withdraw, "verdict-flag-withdraw", "POST"),
]  # fmt: skip
