"""How far a judge agrees with the experts: rows from the database, through `judge.stats`."""

from judge.alignment.report import Alignment, align, report

__all__ = ["Alignment", "align", "report"]
