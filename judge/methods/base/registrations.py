"""What the methods give to the nouns below."""

from judge.asking.prompts import task_text
from judge.methods.base import registry

task_text.register(registry.answer_notes)
