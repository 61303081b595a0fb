"""The rule by which the stub server answers, whichever protocol a request came in."""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from tests.llm_methods import answer_of

_WANTED = re.compile(r"^Lines to judge: (\[.*\])\s*$", re.MULTILINE)
_CANDIDATE = re.compile(r"^<<<CANDIDATE (\w+)\n(.*)\n\1 CANDIDATE>>>$", re.MULTILINE | re.DOTALL)
_REFERENCE = re.compile(r"^<<<REFERENCE (\w+)\n(.*)\n\1 REFERENCE>>>$", re.MULTILINE | re.DOTALL)


def verdict_of(criterion_id: str, candidate_text: str) -> bool:
    """What the stub says about a line: one bit of a hash."""
    payload = f"{criterion_id}\n{candidate_text}".encode()
    return hashlib.sha256(payload).digest()[0] % 2 == 1


def digest_of(text: str) -> str:
    """A short name of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass
class Asked:
    """What a request wants, whichever protocol it came in."""

    openai: bool
    model: str
    prefix: str
    suffix: str
    schema: dict[str, Any] | None
    caches: bool
    hit: bool = False  # whether the prefix was held when the call arrived
    usage: list[int] | None = None  # tokens in, cached and out, if it was billed
    written: str | None = None  # the good reply's text, once it was made

    @classmethod
    def read(cls, path: str, body: dict[str, Any]) -> "Asked":
        if path.endswith("/chat/completions"):
            texts = [_text(message["content"]) for message in body["messages"]]
            schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
            return cls(True, body["model"], "\n".join(texts[:-1]), texts[-1], schema, True)
        system = body.get("system") or []
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
        caches = any("cache_control" in block for block in blocks)
        suffix = _text(body["messages"][-1]["content"])
        return cls(False, body["model"], _text(blocks), suffix, schema, caches)

    def candidate(self) -> str:
        """The text that is judged."""
        fences = _CANDIDATE.search(self.suffix)
        return fences.group(2) if fences else self.suffix

    def digest(self) -> str:
        """A short name of the text that is judged."""
        return digest_of(self.candidate())

    def wanted(self) -> list[str]:
        """Ids of the lines asked for; none where the prompt is not a judge's."""
        # The last such line is the prompt's own; a candidate may have written one before it.
        found = _WANTED.findall(self.suffix)
        return json.loads(found[-1]) if found else []

    def entries(self) -> list[dict[str, Any]]:
        """Verdicts on every line asked for, by the rule."""
        candidate = self.candidate()
        return [
            {"id": name, "why": f"By the rule for {name}.", "met": verdict_of(name, candidate)}
            for name in self.wanted()
        ]

    def reply(self, text: str, stop: str = "") -> dict[str, Any]:
        """The body of a reply in the protocol the request came in."""
        prefix_tokens = max(1, len(self.prefix) // 4)
        suffix_tokens = max(1, len(self.suffix) // 4)
        written = max(1, len(text) // 4)
        read = prefix_tokens if self.hit else 0
        self.usage = [prefix_tokens + suffix_tokens, read, written]
        if self.openai:
            message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
            if stop == "refusal":
                message.update(content=None, refusal=text)
            finish = {"filter": "content_filter", "": "stop", "refusal": "stop"}.get(stop, stop)
            return {
                "id": "chatcmpl-stub",
                "object": "chat.completion",
                "created": 0,
                "model": self.model,
                "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                "usage": {
                    "prompt_tokens": prefix_tokens + suffix_tokens,
                    "completion_tokens": written,
                    "total_tokens": prefix_tokens + suffix_tokens + written,
                    "prompt_tokens_details": {"cached_tokens": read},
                },
            }
        reasons = {"length": "max_tokens", "refusal": "refusal", "filter": "refusal"}
        return {
            "id": "msg_stub",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": reasons.get(stop, stop or "end_turn"),
            "stop_sequence": None,
            "usage": {
                "input_tokens": suffix_tokens if self.caches else prefix_tokens + suffix_tokens,
                "cache_read_input_tokens": read,
                "cache_creation_input_tokens": (
                    prefix_tokens if self.caches and not self.hit else 0
                ),
                "output_tokens": written,
            },
        }

    def answer(self) -> str:
        """The text of a good reply."""
        if self.written is None:
            self.written = self._answer()
        return self.written

    def _answer(self) -> str:
        said = answer_of(self, verdict_of)
        if said is not None:
            return said
        properties = (self.schema or {}).get("properties", {})
        if "verdicts" in properties or self.wanted():  # some are asked for JSON in words
            return json.dumps({"verdicts": self.entries()}, ensure_ascii=False)
        if "lines" in properties:
            fences = _REFERENCE.search(self.suffix)
            reference = fences.group(2) if fences else self.suffix
            sentences = re.findall(r"[^.!?。！？\n]{8,300}", reference)[:25]
            return json.dumps(
                {
                    "lines": [
                        {
                            "text": f"States that {sentence.strip()}.",
                            "importance": ("essential", "important", "optional")[n % 3],
                            "weight": 9 - n % 9,
                            "dimension": "accuracy",
                            "quote": sentence.strip(),
                        }
                        for n, sentence in enumerate(sentences)
                    ]
                },
                ensure_ascii=False,
            )
        return f"An answer by {self.model}.\n\n{self.suffix[:400]}"


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content)


def spoilt(name: str, asked: Asked) -> str:
    """A reply that arrives whole but says the wrong thing."""
    entries = asked.entries()
    if name == "malformed":
        return json.dumps({"verdicts": entries})[:-2] + ",,]"
    if name == "missing":
        return json.dumps({"verdicts": entries[: len(entries) // 2]})
    if name == "duplicate":
        return json.dumps({"verdicts": entries + entries[:1]})
    if name == "conflict":
        return json.dumps({"verdicts": [*entries, {**entries[0], "met": not entries[0]["met"]}]})
    if name == "unknown":
        return json.dumps({"verdicts": [*entries, {"id": "no-such-line", "why": "", "met": True}]})
    if name == "strings":
        return json.dumps({"verdicts": [{**e, "met": str(e["met"]).lower()} for e in entries]})
    if name == "fenced":
        return "```json\n" + json.dumps({"verdicts": entries}) + "\n```"
    if name == "separators":  # signs that end a line for some, but not for JSON
        quoted = [{**e, "why": "It quotes: a\u2028b\u2029c\x85d"} for e in entries]
        return json.dumps({"verdicts": quoted}, ensure_ascii=False)
    if name == "empty":
        return ""
    raise AssertionError(f"The stub knows no behaviour “{name}”.")
