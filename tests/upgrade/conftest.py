"""What the parts of an older database are made with."""

from tests.gold.conftest import files, programme  # noqa: F401
from tests.judge_engine.conftest import judge, plan, stub  # noqa: F401
