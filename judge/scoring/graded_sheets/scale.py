"""Grades of whole answers as shares: the scale is that of the graded method of judging."""

from fractions import Fraction

from judge.methods.graded.scale import HIGHEST, LOWEST, STEPS

__all__ = ["HIGHEST", "LOWEST", "share"]


def share(grade: int) -> Fraction:
    """Return a grade as a share from 0 to 1: (x - 1) / 4."""
    return Fraction(grade - LOWEST, STEPS)
