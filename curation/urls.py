"""The pages of all nouns of curation."""

from importlib import import_module

TABLES = [
    import_module(f"curation.{name}")
    for name in (
        "joining.accounts.sign_up_urls",
        "joining.accounts.urls",
        "joining.accounts.api_token_urls",
        "joining.invitations.urls",
        "qualifying.qualification.urls",
        "qualifying.training.urls",
        "qualifying.trials.urls",
        "qualifying.experts.urls",
        "qualifying.applications.profile_urls",
        "leaving.closed_accounts.urls",
        "staff.programme_settings.duty_urls",
        "leaving.data_copies.urls",
        "qualifying.exams.urls",
        "qualifying.exams.item_urls",
        "qualifying.exams.bank_urls",
        "tasks.authoring.urls",
        "tasks.task.answer_form_urls",
        "tasks.task.exact_urls",
        "tasks.amendments.urls",
        "telling.activity.urls",
        "screening.panels.voting_urls",
        "screening.solving.urls",
        "staff.pipeline.urls",
        "tasks.authoring.similar_urls",
        "staff.programme_settings.urls",
        "base.lists.urls",
        "joining.notices.urls",
        "tasks.attachments.urls",
        "tasks.file_views.urls",
        "telling.search.urls",
        "tasks.work_map.urls",
        "tasks.coverage.urls",
        "tasks.skills.urls",
        "tasks.business.urls",
        "tasks.business.reverification_urls",
        "telling.questions.urls",
        "telling.guidelines.urls",
        "telling.guidelines.announcement_urls",
        "staff.honoraria.urls",
    )
]

urlpatterns = [row for table in TABLES for row in table.urlpatterns]
api_patterns = [row for table in TABLES for row in getattr(table, "api_patterns", [])]
