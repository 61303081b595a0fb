"""Rows of exams: route name -> verb -> permission."""

ROUTES: dict[str, dict[str, str]] = {
    "exam-start": {"GET": "signed_in", "POST": "signed_in"},
    "exam": {"GET": "signed_in"},
    "exam-save": {"POST": "signed_in"},
    "exam-hand-in": {"POST": "signed_in"},
    "answers": {"GET": "senior"},
    "answer-mark": {"GET": "senior", "POST": "senior"},
    "staff-exams": {"GET": "staff"},
    "staff-exam": {"GET": "staff", "POST": "staff"},
    "staff-questions": {"GET": "staff"},
    "staff-question-new": {"GET": "staff", "POST": "staff"},
    "staff-questions-import": {"GET": "staff", "POST": "staff"},
    "staff-items": {"GET": "staff"},
    "staff-items-csv": {"GET": "staff"},
    "staff-question": {"GET": "staff", "POST": "staff"},
    "staff-question-state": {"POST": "staff"},
}
