"""The scale of grades: five steps, the same for experts and for the graded method of judging.

Grades are reported from 0 to 100 as (x − 1) · 25 (xbench, section 3.2, "Evaluation Process": the
five points are mapped linearly to 0–100). As an exact share a grade is (x − 1) / 4.
"""

from fractions import Fraction

from django.utils.translation import gettext_lazy as _

LOWEST, HIGHEST = 1, 5
SCALE = {
    5: _("Could be handed to the client as it is: right, complete, nothing made up."),
    4: _("Right in what matters; small gaps or slips that a colleague mends in minutes."),
    3: _("Partly right: useful as a start, but an important part is missing or wrong."),
    2: _("Mostly wrong or empty, but it claims little that is untrue, or admits what it lacks."),
    1: _("Wrong or invented in what matters; using it would do harm."),
}


def share(grade: int) -> Fraction:
    """Return a grade as a share from 0 to 1."""
    return Fraction(grade - LOWEST, HIGHEST - LOWEST)


def points(grade: int) -> int:
    """Return a grade from 0 to 100."""
    return int(100 * share(grade))
