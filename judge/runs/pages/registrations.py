"""What staff do with runs: steps on many rows, and what the sweep continues."""

from curation.base.lists.bulk import register_steps
from curation.base.process import periodic_jobs
from judge.base.queue import actions as queue
from judge.base.queue.send import RUN
from judge.runs.pages import bulk_steps
from judge.runs.pages.actions import start_again
from judge.runs.pages.lifecycle import continue_waited

register_steps("tasks", *bulk_steps.TASK_STEPS)
register_steps("candidates", *bulk_steps.CANDIDATE_STEPS)
periodic_jobs.register(continue_waited)
queue.register(RUN, start_again)
