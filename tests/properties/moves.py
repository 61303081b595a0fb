"""All moves by name: importing their modules registers them."""

from tests.properties import review_moves, rubric_moves, senior_moves  # noqa: F401
from tests.properties.asking import MOVES, Ask, pick

__all__ = ["MOVES", "Ask", "pick"]
