"""What comparisons of variants give to the nouns below."""

from curation.leaving.data_copies import parts
from curation.leaving.data_copies.parts import Part
from judge.results.workshop.models import JudgeExperiment

parts.register(
    Part(
        "judge_experiments",
        JudgeExperiment,
        "by",
        ("pk", "first__name", "second__name", "measure", "question", "at"),
    ),
)
