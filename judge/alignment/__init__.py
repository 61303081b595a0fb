"""How far a judge agrees with the experts: rows from the database, through `judge.stats`.

`judge.alignment.report` needs numpy: 10 MB, and a tenth of a second of a start. So whoever shows a
report names its types only, and imports it where one is made.
"""
