"""Steps on many candidates."""

from curation.base.lists.bulk import register_steps
from judge.results.registry import bulk_steps

register_steps("candidates", *bulk_steps.STEPS)
