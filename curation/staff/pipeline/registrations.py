"""What dates of tasks give to the nouns below."""

from curation.base.lists.bulk import register_steps
from curation.joining.notices import notify
from curation.staff.pipeline import deadline_bulk_steps, deadlines
from curation.staff.pipeline import deadline_in_hand as in_hand
from curation.staff.pipeline.deadline_sources import places, returned, rubrics

in_hand.register(returned, rubrics, places)
notify.register(*deadlines.KINDS)
register_steps("tasks", *deadline_bulk_steps.STEPS)
