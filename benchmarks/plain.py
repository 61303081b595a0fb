"""A plain loop of the SDK in a pool of threads, as a baseline for the judge.

    python -m benchmarks.plain REQUESTS.jsonl --concurrency 64

No database, no retries of our own, no parsing; replies are discarded. Prints one line of JSON.
"""

import argparse
import json
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor


def main() -> int:
    import openai

    parser = argparse.ArgumentParser(prog="python -m benchmarks.plain")
    parser.add_argument("requests")
    parser.add_argument("--concurrency", type=int, default=64)
    options = parser.parse_args()
    with open(options.requests) as file:
        requests = [json.loads(line) for line in file]
    client = openai.OpenAI(max_retries=5)

    def ask(arguments: dict[str, object]) -> tuple[int, int]:
        reply = client.chat.completions.create(**arguments)  # type: ignore[call-overload]
        details = reply.usage.prompt_tokens_details
        return reply.usage.prompt_tokens, (details.cached_tokens or 0) if details else 0

    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    with ThreadPoolExecutor(options.concurrency) as pool:
        found = list(pool.map(ask, requests))
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    total = sum(tokens for tokens, _cached in found)
    print(
        json.dumps(
            {
                "calls": len(found),
                "seconds": round(seconds, 3),
                "cpu_seconds": round(cpu, 3),
                "cached_share": round(sum(cached for _t, cached in found) / total, 4),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
