"""A profile checked by prepared questions: each line of the rubric is a question."""
