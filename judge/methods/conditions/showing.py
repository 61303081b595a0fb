"""What the page of a response shows: each entry with its grades, and what became of the others."""

from collections.abc import Mapping
from typing import Any

from judge.methods.conditions.extraction import AMBIGUOUS, DUPLICATE, MATCHED, NOT_IN_TABLE
from judge.methods.conditions.facts import HIGHEST, NEEDED


def shown(findings: Mapping[str, Any], points: float | None) -> dict[str, Any] | None:
    """Return the table of conditions by profile; None where the list was not read.

    Args:
        findings: name -> data; None for a profile whose judgment failed.
        points: the score in points of 100; None without one.
    """
    listed = findings.get("list")
    if not listed:
        return None
    conditions = [{**row, "number": n} for n, row in enumerate(listed["conditions"], start=1)]
    rows = []
    for entry in listed["entries"]:
        found = findings.get(entry["part"])
        grades = found["grades"] if found else {}
        rows.append(
            {
                **entry,
                "place": entry["part"].split()[-1],
                "judged": found,
                "failed": entry["status"] == MATCHED and entry["part"] in findings and not found,
                "cells": [
                    (row, grades.get(row["id"]), (grades.get(row["id"]) or HIGHEST) < NEEDED)
                    for row in conditions
                ],
            }
        )
    of_status = {
        status: sum(row["status"] == status for row in rows)
        for status in (MATCHED, NOT_IN_TABLE, AMBIGUOUS, DUPLICATE)
    }
    return {
        "number": listed["number"],
        "beyond": listed["beyond"],
        "lacking": max(0, listed["number"] - len(rows)),
        "conditions": conditions,
        "rows": rows,
        "points": points,
        "selected": sum(bool(row["judged"] and row["judged"]["selected"]) for row in rows),
        "of_status": of_status,
        "needed": NEEDED,
    }
