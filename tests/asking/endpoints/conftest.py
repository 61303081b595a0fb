"""Three vendors at once: two that are compatible with OpenAI, one with Anthropic."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from judge.asking.endpoints.actions import add_endpoint, add_model
from judge.asking.endpoints.models import Endpoint
from tests.llm_stub import Stub

KEYS = {"north": "key-of-north-000000000001", "south": "key-of-south-000000000002",
        "west": "key-of-west-0000000000003"}  # fmt: skip


@dataclass
class Vendors:
    """The three servers by the name of their endpoint."""

    north: Stub
    south: Stub
    west: Stub

    def of(self, name: str) -> Stub:
        return getattr(self, name)


@pytest.fixture
def vendors(monkeypatch: pytest.MonkeyPatch, settings) -> Iterator[Vendors]:
    settings.PRIVATE_MODEL_NETWORKS = ["127.0.0.1/32"]
    for name, key in KEYS.items():
        monkeypatch.setenv(f"{name.upper()}_API_KEY", key)
    with (
        Stub(key=KEYS["north"], serves=("fir",)) as north,
        Stub(key=KEYS["south"], serves=("fir", "oak"), refuses=("seed",)) as south,
        Stub(key=KEYS["west"], serves=("elm",)) as west,
    ):
        yield Vendors(north, south, west)


@pytest.fixture
def endpoints(db, vendors: Vendors) -> dict[str, Endpoint]:
    """The endpoints as staff enter them, each with its models and a limit of its own."""
    made = {}
    for name, protocol, address, most in (
        ("north", "openai", vendors.north.openai_url, 2),
        ("south", "openai", vendors.south.openai_url, 3),
        ("west", "anthropic", vendors.west.url, None),
    ):
        made[name] = add_endpoint(
            actor=None,
            name=name,
            label=name.title(),
            protocol=protocol,
            address=address,
            key_variable=f"{name.upper()}_API_KEY",
            calls_at_once=most,
        )
    for name, model in (("north", "fir"), ("south", "oak"), ("west", "elm")):
        add_model(actor=None, provider=name, model=model, effort=True, search=True)
    return made
