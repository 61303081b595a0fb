"""The pages and API of all nouns of judge."""

from judge.agreement import urls as agreement
from judge.alignment_pages import urls as alignment_pages
from judge.alignment_sets import urls as alignment_sets
from judge.anchors import urls as anchors
from judge.assignments import urls as assignments
from judge.collecting import urls as collecting
from judge.difficulty import urls as difficulty
from judge.drafts import urls as drafts
from judge.drift import urls as drift
from judge.editions import urls as editions
from judge.endpoints import urls as endpoints
from judge.errata import urls as errata
from judge.error_codes import urls as error_codes
from judge.evidence.tiers import urls as source_tiers
from judge.gold import urls as gold
from judge.graded_sheets import urls as graded_sheets
from judge.imports import urls as imports
from judge.leaderboard import urls as leaderboard
from judge.market_fit import urls as market_fit
from judge.meta_evaluation import urls as meta_evaluation
from judge.method_comparison import urls as method_comparison
from judge.methods import urls as methods
from judge.practice import urls as practice
from judge.prices import urls as prices
from judge.product_index import urls as product_index
from judge.profiles import urls as profiles
from judge.query_checklists import urls as query_checklists
from judge.queue import urls as queue
from judge.registry import urls as registry
from judge.retirements import urls as retirements
from judge.runs import urls as runs
from judge.scoring import urls as scoring
from judge.skill_labels import urls as skill_labels
from judge.spending import urls as spending
from judge.task_analysis import urls as task_analysis
from judge.variants import urls as variants
from judge.verdicts import urls as verdicts
from judge.workshop import urls as workshop

urlpatterns = [
    *drafts.urlpatterns,
    *skill_labels.urlpatterns,
    *scoring.urlpatterns,
    *graded_sheets.urlpatterns,
    *meta_evaluation.urlpatterns,
    *runs.urlpatterns,
    *queue.urlpatterns,
    *imports.urlpatterns,
    *prices.urlpatterns,
    *methods.urlpatterns,
    *method_comparison.urlpatterns,
    *source_tiers.urlpatterns,
    *profiles.urlpatterns,
    *endpoints.urlpatterns,
    *spending.urlpatterns,
    *query_checklists.urlpatterns,
    *registry.urlpatterns,
    *alignment_pages.urlpatterns,
    *agreement.urlpatterns,
    *alignment_sets.urlpatterns,
    *assignments.urlpatterns,
    *practice.urlpatterns,
    *drift.urlpatterns,
    *leaderboard.urlpatterns,
    *difficulty.urlpatterns,
    *product_index.urlpatterns,
    *collecting.urlpatterns,
    *market_fit.urlpatterns,
    *task_analysis.urlpatterns,
    *retirements.urlpatterns,
    *variants.urlpatterns,
    *workshop.urlpatterns,
    *verdicts.urlpatterns,
    *gold.urlpatterns,
    *error_codes.urlpatterns,
    *errata.urlpatterns,
    *editions.urlpatterns,
    *anchors.urlpatterns,
]

api_patterns = [
    *scoring.api_patterns,
    *graded_sheets.api_patterns,
    *registry.api_patterns,
]
