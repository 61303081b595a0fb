"""What happens to a rubric: drafted, refined line by line, sent, imported, reopened."""

from rubrics.actions.lines import add_line, edit_line, give_reason, line_problems, line_token
from rubrics.actions.rearranging import (
    bring_back,
    merge_lines,
    move_line,
    remove_line,
    split_line,
    undo,
)
from rubrics.actions.sending import Gap, gaps_before_sending, send_to_review
from rubrics.actions.versions import (
    freeze,
    import_version,
    open_version,
    open_working_version,
    record_draft,
)
from rubrics.history import last_change

__all__ = [
    "Gap",
    "add_line",
    "bring_back",
    "edit_line",
    "freeze",
    "gaps_before_sending",
    "give_reason",
    "import_version",
    "last_change",
    "line_problems",
    "line_token",
    "merge_lines",
    "move_line",
    "open_version",
    "open_working_version",
    "record_draft",
    "remove_line",
    "send_to_review",
    "split_line",
    "undo",
]
