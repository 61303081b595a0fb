"""The pages of all nouns of curation."""

from curation.base.lists import urls as lists
from curation.joining.accounts import api_token_urls as api_tokens
from curation.joining.accounts import sign_up_urls as sign_up
from curation.joining.accounts import urls as accounts
from curation.joining.invitations import urls as invitations
from curation.joining.notices import urls as notices
from curation.leaving.closed_accounts import urls as closed_accounts
from curation.leaving.data_copies import urls as data_copies
from curation.qualifying.applications import profile_urls as expert_profiles
from curation.qualifying.exams import bank_urls as question_bank
from curation.qualifying.exams import item_urls as item_analysis
from curation.qualifying.exams import urls as exams
from curation.qualifying.experts import urls as experts
from curation.qualifying.qualification import urls as qualification
from curation.qualifying.training import urls as training
from curation.qualifying.trials import urls as trials
from curation.screening.panels import voting_urls as screening
from curation.screening.solving import urls as solving
from curation.staff.honoraria import urls as honoraria
from curation.staff.pipeline import urls as pipeline
from curation.staff.programme_settings import duty_urls as staff_duties
from curation.staff.programme_settings import urls as programme_settings
from curation.tasks.amendments import urls as amendments
from curation.tasks.attachments import urls as attachments
from curation.tasks.authoring import similar_urls as similar
from curation.tasks.authoring import urls as authoring
from curation.tasks.business import reverification_urls as reverification
from curation.tasks.business import urls as business
from curation.tasks.coverage import urls as coverage
from curation.tasks.file_views import urls as file_views
from curation.tasks.skills import urls as skills
from curation.tasks.task import answer_form_urls as answer_forms
from curation.tasks.task import exact_urls as exact_answers
from curation.tasks.work_map import urls as work_map
from curation.telling.activity import urls as activity
from curation.telling.guidelines import announcement_urls as announcements
from curation.telling.guidelines import urls as guidelines
from curation.telling.questions import urls as questions
from curation.telling.search import urls as search

urlpatterns = [
    *sign_up.urlpatterns,
    *accounts.urlpatterns,
    *api_tokens.urlpatterns,
    *invitations.urlpatterns,
    *qualification.urlpatterns,
    *training.urlpatterns,
    *trials.urlpatterns,
    *experts.urlpatterns,
    *expert_profiles.urlpatterns,
    *closed_accounts.urlpatterns,
    *staff_duties.urlpatterns,
    *data_copies.urlpatterns,
    *exams.urlpatterns,
    *item_analysis.urlpatterns,
    *question_bank.urlpatterns,
    *authoring.urlpatterns,
    *answer_forms.urlpatterns,
    *exact_answers.urlpatterns,
    *amendments.urlpatterns,
    *activity.urlpatterns,
    *screening.urlpatterns,
    *solving.urlpatterns,
    *pipeline.urlpatterns,
    *similar.urlpatterns,
    *programme_settings.urlpatterns,
    *lists.urlpatterns,
    *notices.urlpatterns,
    *attachments.urlpatterns,
    *file_views.urlpatterns,
    *search.urlpatterns,
    *work_map.urlpatterns,
    *coverage.urlpatterns,
    *skills.urlpatterns,
    *business.urlpatterns,
    *reverification.urlpatterns,
    *questions.urlpatterns,
    *guidelines.urlpatterns,
    *announcements.urlpatterns,
    *honoraria.urlpatterns,
]

api_patterns = [
    *authoring.api_patterns,
]
