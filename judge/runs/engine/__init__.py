"""A judge run at work, between the database and the providers.

`plan` fixes what is judged and against what; `work` schedules it; `asking` talks to the model in
threads that never touch the database; `ledger` alone writes, in short transactions.
"""
