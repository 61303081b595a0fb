"""The stub of the engine's tests."""

from tests.judge_engine.conftest import judge, plan, stub  # noqa: F401
