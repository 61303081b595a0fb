"""The pages of all nouns of curation."""

from curation.accounts import urls as accounts
from curation.activity import urls as activity
from curation.amendments import urls as amendments
from curation.announcements import urls as announcements
from curation.answer_forms import urls as answer_forms
from curation.api_tokens import urls as api_tokens
from curation.attachments import urls as attachments
from curation.authoring import urls as authoring
from curation.business import urls as business
from curation.closed_accounts import urls as closed_accounts
from curation.coverage import urls as coverage
from curation.data_copies import urls as data_copies
from curation.exact_answers import urls as exact_answers
from curation.exams import urls as exams
from curation.expert_profiles import urls as expert_profiles
from curation.experts import urls as experts
from curation.file_views import urls as file_views
from curation.guidelines import urls as guidelines
from curation.honoraria import urls as honoraria
from curation.invitations import urls as invitations
from curation.item_analysis import urls as item_analysis
from curation.lists import urls as lists
from curation.notices import urls as notices
from curation.pipeline import urls as pipeline
from curation.programme_settings import urls as programme_settings
from curation.qualification import urls as qualification
from curation.question_bank import urls as question_bank
from curation.questions import urls as questions
from curation.reference_checks import urls as reference_checks
from curation.reverification import urls as reverification
from curation.screening import urls as screening
from curation.search import urls as search
from curation.sign_up import urls as sign_up
from curation.similar import urls as similar
from curation.skills import urls as skills
from curation.solving import urls as solving
from curation.staff_duties import urls as staff_duties
from curation.training import urls as training
from curation.trials import urls as trials
from curation.work_map import urls as work_map

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
    *reference_checks.urlpatterns,
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
