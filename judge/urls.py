"""The pages and API of all nouns of judge."""

from judge.asking.calls import price_urls as prices
from judge.asking.endpoints import urls as endpoints
from judge.base.gold_sets import retirement_urls as retirements
from judge.base.queue import urls as queue
from judge.gold.draws import urls as gold
from judge.gold.releases import edition_urls as editions
from judge.gold.releases import erratum_urls as errata
from judge.gold.transfer import import_urls as imports
from judge.methods.base import urls as methods
from judge.methods.evidence.tiers import urls as source_tiers
from judge.methods.profiles import urls as profiles
from judge.methods.query_checklists import urls as query_checklists
from judge.methods.variants import urls as variants
from judge.results.alignment import page_urls as alignment_pages
from judge.results.alignment_sets import urls as alignment_sets
from judge.results.difficulty import analysis_urls as task_analysis
from judge.results.difficulty import urls as difficulty
from judge.results.flags import error_code_urls as error_codes
from judge.results.leaderboard import urls as leaderboard
from judge.results.market_fit import urls as market_fit
from judge.results.method_comparison import urls as method_comparison
from judge.results.product_index import collecting_urls as collecting
from judge.results.product_index import urls as product_index
from judge.results.registry import urls as registry
from judge.results.verdicts import urls as verdicts
from judge.results.workshop import urls as workshop
from judge.runs.pages import spending_urls as spending
from judge.runs.pages import urls as runs
from judge.scoring.agreement import meta_urls as meta_evaluation
from judge.scoring.agreement import urls as agreement
from judge.scoring.anchors import urls as anchors
from judge.scoring.assignments import urls as assignments
from judge.scoring.graded_sheets import urls as graded_sheets
from judge.scoring.pages import urls as scoring
from judge.scoring.practice import drift_urls as drift
from judge.scoring.practice import urls as practice
from judge.suggesting.drafts import urls as drafts
from judge.suggesting.skill_labels import urls as skill_labels

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
