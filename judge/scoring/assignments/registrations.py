"""What the assigning of sheets gives to the nouns below."""

from curation.base.lists.bulk import register_steps
from curation.base.process import periodic_jobs
from curation.qualifying.experts import record
from curation.staff.pipeline import deadline_in_hand as in_hand
from curation.tasks.task import holding
from judge.scoring.assignments import bulk_steps
from judge.scoring.assignments.handover import hand_over_unqualified_holders
from judge.scoring.assignments.held import held, sheets
from judge.scoring.assignments.record import facts

holding.register(held)
in_hand.register(sheets)
record.register(facts)
register_steps("sheets", *bulk_steps.SHEET_STEPS)
register_steps("graded-sheets", *bulk_steps.GRADED_SHEET_STEPS)
periodic_jobs.register(hand_over_unqualified_holders)
