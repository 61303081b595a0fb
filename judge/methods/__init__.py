"""Methods of judging: each in a package of its own, listed in `registry.py`.

A method says what it asks about a response, how a reply is read, and what score follows. The
engine, budgets, alignment, leaderboard and exports know a method only by this interface
(`method.py`), never by its name. docs/methods.md describes each; decisions/0024 says why.
"""
