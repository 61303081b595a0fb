"""Who may do what at every address: written by hand, compared with what the product does.

Each row names the object of the sample programme the address is tried on, and for each verb the
people who get through. Everybody else must be refused, and every verb without a column must
answer 405. A new address without a row here fails the build.
"""

from tests.base.access.judge_rows import JUDGE_ROWS
from tests.base.access.people_rows import PEOPLE_ROWS
from tests.base.access.task_rows import TASK_ROWS

MATRIX = {**PEOPLE_ROWS, **TASK_ROWS, **JUDGE_ROWS}
assert len(MATRIX) == len(PEOPLE_ROWS) + len(TASK_ROWS) + len(JUDGE_ROWS), "an address stands twice"
