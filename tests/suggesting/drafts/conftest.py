"""A rubric that is being refined, its author's browser, and a model that misbehaves."""

from tests.rubrics.conftest import browser, refining, refining_world, screener, task
from tests.runs.engine.conftest import stub

__all__ = ["browser", "refining", "refining_world", "screener", "stub", "task"]
