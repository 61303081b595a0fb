"""Addresses of runs, alignment, leaderboard and gold."""

from django.urls import URLPattern, path

from judge.views import alignment, gold, leaderboard, runs

urlpatterns: list[URLPattern] = [
    path("staff/runs/", runs.staff_runs, name="staff-runs"),
    path("staff/runs/new/", runs.staff_run_new, name="staff-run-new"),
    path("staff/runs/<int:pk>/", runs.staff_run, name="staff-run"),
    path("staff/runs/<int:pk>/progress/", runs.staff_run_progress, name="staff-run-progress"),
    path("staff/runs/<int:pk>/pause/", runs.staff_run_pause, name="staff-run-pause"),
    path("staff/runs/<int:pk>/resume/", runs.staff_run_resume, name="staff-run-resume"),
    path("staff/runs/<int:pk>/cancel/", runs.staff_run_cancel, name="staff-run-cancel"),
    path("staff/runs/<int:pk>/twin/", runs.staff_run_twin, name="staff-run-twin"),
    path("staff/calls/<int:pk>/", runs.staff_call, name="staff-call"),
    path("staff/candidates/", runs.staff_candidates, name="staff-candidates"),
    path("staff/alignment/", alignment.alignment, name="alignment"),
    path("staff/alignment.csv", alignment.alignment_csv, name="alignment-csv"),
    path("staff/alignment.json", alignment.alignment_json, name="alignment-json"),
    path("staff/alignment/thresholds/", alignment.thresholds, name="alignment-thresholds"),
    path("leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path("leaderboard.csv", leaderboard.leaderboard_csv, name="leaderboard-csv"),
    path("leaderboard.json", leaderboard.leaderboard_json, name="leaderboard-json"),
    path("staff/gold/", gold.gold, name="gold"),
    path("staff/gold/draw/", gold.gold_draw, name="gold-draw"),
    path("staff/gold/releases/new/", gold.gold_release_new, name="gold-release-new"),
    path("staff/gold/releases/<int:number>/", gold.gold_release, name="gold-release"),
    path("staff/gold/releases/<int:number>/<slug:file>/", gold.gold_download, name="gold-download"),
]
