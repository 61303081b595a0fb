"""Rubrics' rows: who may do what."""

from curation.access import Permission, holds_seat, is_its_author, is_staff

PERMISSIONS: dict[str, Permission] = {
    "rubric.view": [
        [is_its_author],
        [is_staff],
        [holds_seat("screener")],
        [holds_seat("reviewer")],
        [holds_seat("decider")],
        [holds_seat("spot_checker")],
        [holds_seat("scorer")],
        [holds_seat("meta_evaluator")],
        [holds_seat("adjudicator")],
    ],
    "rubric.refine": [[is_its_author]],
}

ROUTES = {
    "api-task": {"GET": "signed_in", "PATCH": "signed_in"},
    "api-rubric": {"GET": "signed_in", "POST": "signed_in"},
    "rubric": {"GET": "signed_in"},
    "rubric-draft": {"GET": "signed_in", "POST": "signed_in"},
    "rubric-versions": {"GET": "signed_in"},
    "rubric-export": {"GET": "signed_in"},
    "rubric-import": {"GET": "signed_in", "POST": "signed_in"},
    "rubric-send": {"POST": "signed_in"},
    "rubric-line": {"POST": "signed_in"},
    "rubric-line-add": {"POST": "signed_in"},
    "staff-rubric-rules": {"GET": "staff"},
    "staff-rubric-rule": {"GET": "staff", "POST": "staff"},
    "rubric-line-reference": {"POST": "signed_in"},
    "rubric-copy": {"GET": "signed_in", "POST": "signed_in"},
    "rubric-line-passage": {"POST": "signed_in"},
    "rubric-lines-several": {"POST": "signed_in"},
    "rubric-line-move": {"POST": "signed_in"},
    "rubric-line-split": {"POST": "signed_in"},
    "rubric-line-merge": {"POST": "signed_in"},
    "rubric-line-remove": {"POST": "signed_in"},
    "rubric-line-mark": {"POST": "signed_in"},
    "rubric-mark": {"POST": "signed_in"},
    "rubric-opinion": {"GET": "signed_in", "POST": "signed_in"},
    "staff-marks": {"GET": "staff"},
    "rubric-line-restore": {"POST": "signed_in"},
}
