"""The pages and API of all nouns of judge."""

from importlib import import_module

TABLES = [
    import_module(f"judge.{name}")
    for name in (
        "suggesting.drafts.urls",
        "suggesting.skill_labels.urls",
        "scoring.pages.urls",
        "scoring.graded_sheets.urls",
        "scoring.agreement.meta_urls",
        "runs.pages.urls",
        "base.queue.urls",
        "gold.transfer.import_urls",
        "asking.calls.price_urls",
        "methods.base.urls",
        "results.method_comparison.urls",
        "methods.evidence.tiers.urls",
        "methods.profiles.urls",
        "asking.endpoints.urls",
        "runs.pages.spending_urls",
        "methods.query_checklists.urls",
        "results.registry.urls",
        "results.alignment.page_urls",
        "scoring.agreement.urls",
        "results.alignment_sets.urls",
        "scoring.assignments.urls",
        "scoring.practice.urls",
        "scoring.practice.drift_urls",
        "results.leaderboard.urls",
        "results.difficulty.urls",
        "results.product_index.urls",
        "results.product_index.collecting_urls",
        "results.market_fit.urls",
        "results.difficulty.analysis_urls",
        "base.gold_sets.retirement_urls",
        "methods.variants.urls",
        "results.workshop.urls",
        "results.verdicts.urls",
        "gold.draws.urls",
        "results.flags.error_code_urls",
        "gold.releases.erratum_urls",
        "gold.releases.edition_urls",
        "scoring.anchors.urls",
    )
]

urlpatterns = [row for table in TABLES for row in table.urlpatterns]
api_patterns = [row for table in TABLES for row in getattr(table, "api_patterns", [])]
