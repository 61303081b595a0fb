"""Steps on many applications."""

from curation.base.lists.bulk import register_steps
from curation.qualifying.qualification import bulk_steps

register_steps("applications", *bulk_steps.STEPS)
