"""Exit statuses of the processes that do background work."""

FROZEN = 75  # `judge.base.queue.watchdog` ended it,
FROZEN_INTERPRETER = 1  # or `faulthandler` did for it, which knows no other status
BROKE = 70  # after an error of ours
