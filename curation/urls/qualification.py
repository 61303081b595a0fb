"""Addresses of qualification."""

from django.urls import URLPattern, path

from curation.views import people, training, trials

urlpatterns: list[URLPattern] = [
    path("training/", training.training, name="training"),
    path("training/changes/", training.training_changes, name="training-changes"),
    path("training/<slug:unit>/", training.training_unit, name="training-unit"),
    path(
        "applications/<int:pk>/training/",
        training.application_training,
        name="application-training",
    ),
    path("trials/<int:pk>/", trials.trial, name="trial"),
    path("trials/<int:pk>/save/", trials.trial_save, name="trial-save"),
    path("trials/<int:pk>/preview/", trials.trial_preview, name="trial-preview"),
    path("trials/<int:pk>/hand-in/", trials.trial_hand_in, name="trial-hand-in"),
    path("seniors/trials/", trials.trials, name="trials"),
    path("seniors/trials/<int:pk>/", trials.trial_decide, name="trial-decide"),
    path("staff/people/", people.staff_people, name="staff-people"),
    path("staff/people/<int:pk>/", people.staff_person, name="staff-person"),
    path("staff/people/<int:pk>/slot/", people.staff_grant_slot, name="staff-grant-slot"),
    path("staff/people/<int:pk>/senior/", people.staff_senior, name="staff-senior"),
    path("staff/people/<int:pk>/standing/", people.staff_standing, name="staff-standing"),
]
