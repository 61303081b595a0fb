"""How far a judge agrees with the experts: rows from the database, through `judge.base.stats`.

`judge.results.alignment.report` loads numpy, which costs 10 MB and a tenth of a second at start. So
modules that show a report import its types under TYPE_CHECKING, and the module where a report is
made.
"""
