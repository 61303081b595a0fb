"""Addresses of qualification."""

from django.urls import URLPattern, path

from curation.views import applications, exams, people, trials

urlpatterns: list[URLPattern] = [
    path("apply/", applications.apply, name="apply"),
    path("applications/<int:pk>/", applications.application, name="application"),
    path("applications/<int:pk>/exam/", exams.exam_start, name="exam-start"),
    path("applications/<int:pk>/training/", applications.training, name="training"),
    path("exams/<int:pk>/", exams.exam, name="exam"),
    path("exams/<int:pk>/save/", exams.exam_save, name="exam-save"),
    path("exams/<int:pk>/hand-in/", exams.exam_hand_in, name="exam-hand-in"),
    path("trials/<int:pk>/", trials.trial, name="trial"),
    path("trials/<int:pk>/save/", trials.trial_save, name="trial-save"),
    path("trials/<int:pk>/hand-in/", trials.trial_hand_in, name="trial-hand-in"),
    path("seniors/trials/", trials.trials, name="trials"),
    path("seniors/trials/<int:pk>/", trials.trial_decide, name="trial-decide"),
    path("staff/applications/", applications.staff_applications, name="staff-applications"),
    path("staff/applications/<int:pk>/", applications.staff_application, name="staff-application"),
    path("staff/people/", people.staff_people, name="staff-people"),
    path("staff/people/invite/", people.staff_invite, name="staff-invite"),
    path("staff/people/<int:pk>/", people.staff_person, name="staff-person"),
    path("staff/people/<int:pk>/slot/", people.staff_grant_slot, name="staff-grant-slot"),
    path("staff/people/<int:pk>/senior/", people.staff_senior, name="staff-senior"),
]
