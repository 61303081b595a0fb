"""The family of a model (its maker), read from its name."""

import re

# The first match counts: where one maker hosts another's model, the maker of the weights decides.
_FAMILIES = (
    ("anthropic", r"claude"),
    ("openai", r"gpt|chatgpt|codex|davinci|(?<![a-z0-9])o[134](?![0-9a-z])"),
    ("google", r"gemini|gemma|palm"),
    ("deepseek", r"deepseek"),
    ("alibaba", r"qwen|qwq|tongyi"),
    ("meta", r"llama"),
    ("mistral", r"mistral|mixtral|magistral|codestral"),
    ("xai", r"grok"),
    ("moonshot", r"kimi|moonshot"),
    ("zhipu", r"glm"),
    ("bytedance", r"doubao|seed-?\d"),
    ("baidu", r"ernie"),
    ("tencent", r"hunyuan"),
    ("minimax", r"minimax|abab"),
    ("cohere", r"command-|cohere"),
    ("amazon", r"nova-|titan-"),
    ("microsoft", r"(?<![a-z])phi-?\d"),
)
_PATTERNS = tuple((family, re.compile(pattern)) for family, pattern in _FAMILIES)


def family_of(model: str, default: str) -> str:
    """Return the family of a model, or `default` if its name does not tell."""
    name = model.lower()
    for family, pattern in _PATTERNS:
        if pattern.search(name):
            return family
    return default
