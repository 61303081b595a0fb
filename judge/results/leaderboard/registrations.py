"""Steps on many candidates of the open board."""

from curation.base.lists.bulk import register_steps
from judge.results.leaderboard import open_board_bulk_steps

register_steps("candidates", *open_board_bulk_steps.STEPS)
