"""A rubric that is being refined, its author's browser, and a model that misbehaves."""

from tests.judge_engine.conftest import stub
from tests.rubrics.conftest import browser, refining, refining_world, screener, task

__all__ = ["browser", "refining", "refining_world", "screener", "stub", "task"]
