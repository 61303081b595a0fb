"""A judge run between the database and the model boundary.

`plan` fixes what is judged and against what; `work` schedules it; `asking` talks to the model in
threads that never touch the database; `ledger` alone writes, in short transactions.
"""
