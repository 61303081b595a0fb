"""The stub of the engine's tests."""

from tests.runs.engine.conftest import judge, plan, stub  # noqa: F401
