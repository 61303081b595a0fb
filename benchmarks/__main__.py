"""`make bench`: times list, open, submit and export at 1,000 and 10,000 tasks, and idle memory.

Each size gets a database of its own under `var/bench/`, filled by `import_tasks`,
`import_responses` and the product's actions. The server is gunicorn with one process and eight
threads, as `make run` starts it. Prints a table and writes `var/bench/results-DATABASE.json`.

    python -m benchmarks [--sizes 1000,10000] [--database URL]
"""

import argparse
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.installation import Installation
from benchmarks.load import Client, latencies, many_clients

ROOT = Path(__file__).resolve().parent.parent
LIST, OPEN, SUBMIT = "list 100", "open one", "submit one"


def measure(size: int, database: str | None, port: int) -> dict[str, object]:
    """Fill an empty database with `size` tasks and measure everything."""
    installation = Installation(ROOT / "var" / "bench" / f"{size}", port=port, database=database)
    installation.prepare()
    imported = installation.fill(size)
    token, sheets, tasks, session = installation.benchmark_work()
    results: dict[str, object] = {"tasks": size, "import_seconds": imported}
    with installation.running():
        time.sleep(3)  # let start-up settle before memory is read
        results["idle_memory_mb"] = installation.memory_mb()
        client = Client(port, token)
        results[LIST] = latencies(
            60, lambda n: client.get(f"/api/v1/tasks/?limit=100&offset={n * 37 % (size - 100)}")
        )
        results[OPEN] = latencies(
            150, lambda n: client.get(f"/api/v1/tasks/{tasks[n * 31 % len(tasks)]}/")
        )
        cells = [(s, c) for s, keys in sheets for c in keys]
        results[SUBMIT] = latencies(
            200,
            lambda n: client.put(
                installation.cell(cells[n]), {"met": n % 2 == 0, "rationale": "x"}
            ),
        )
        results["submits per second, 8 clients"] = many_clients(
            8, port, token, [installation.cell(cell) for cell in cells[200:]]
        )
        results["work page (scoring sheet)"] = Client(port, token).weigh(
            f"/sheets/{sheets[0][0]}/", session
        )
    results["export_seconds"] = installation.export()
    return results


def table(rows: list[dict[str, object]]) -> str:
    """Return the results of all sizes side by side."""
    head = ["", *(f"{row['tasks']:,} tasks" for row in rows)]
    lines = [head]
    for name in (LIST, OPEN, SUBMIT):
        lines.append(
            [f"{name}, p50 / p95 ms", *(f"{r[name]['p50']} / {r[name]['p95']}" for r in rows)]
        )  # type: ignore[index]
    for name in (
        "submits per second, 8 clients", "export_seconds", "import_seconds", "idle_memory_mb",
        "work page (scoring sheet)",
    ):  # fmt: skip
        lines.append([name, *(str(r[name]) for r in rows)])
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--database", help="a PostgreSQL URL; without it SQLite")
    parser.add_argument("--port", type=int, default=8765)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    rows = [
        measure(int(size), arguments.database, arguments.port)
        for size in arguments.sizes.split(",")
    ]
    report = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "database": "postgresql" if arguments.database else "sqlite",
        "results": rows,
    }
    out = ROOT / "var" / "bench" / f"results-{report['database']}.json"
    out.write_text(json.dumps(report, indent=2) + "\n")
    print(f"\n{report['machine']}, {report['database']}\n")
    print(table(rows))
    print(f"\nWritten to {out.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
