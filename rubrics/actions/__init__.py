"""What happens to a rubric: drafted, refined line by line, sent, imported, reopened."""

from rubrics.actions.adding import add_line, add_lines, copy_lines, set_passage
from rubrics.actions.lines import (
    confirm_line,
    edit_line,
    give_reason,
    line_problems,
    line_token,
)
from rubrics.actions.marks import ask_again, set_aside
from rubrics.actions.rearranging import (
    bring_back,
    merge_lines,
    move_line,
    remove_line,
    split_line,
    undo,
)
from rubrics.actions.reference import mark_reference
from rubrics.actions.rules import change_rules
from rubrics.actions.sending import Gap, gaps_before_sending, send_to_review
from rubrics.actions.several import change_lines, move_lines, remove_lines
from rubrics.actions.versions import (
    freeze,
    import_version,
    open_version,
    open_working_version,
    record_draft,
)
from rubrics.history import last_change, unread

__all__ = [
    "ask_again",
    "set_aside",
    "Gap",
    "add_line",
    "add_lines",
    "bring_back",
    "change_lines",
    "change_rules",
    "confirm_line",
    "copy_lines",
    "edit_line",
    "freeze",
    "gaps_before_sending",
    "give_reason",
    "import_version",
    "last_change",
    "line_problems",
    "line_token",
    "mark_reference",
    "merge_lines",
    "move_line",
    "move_lines",
    "open_version",
    "open_working_version",
    "record_draft",
    "remove_line",
    "remove_lines",
    "send_to_review",
    "set_passage",
    "split_line",
    "undo",
    "unread",
]
