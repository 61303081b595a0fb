"""A folder of documents as a store, which asks no network."""

import json
import socket

import pytest

from judge.methods.evidence.search.store import DocumentStore

BASE = "https://docs.example.org/"


class Folder:
    """A folder with a manifest, and a store over it."""

    def __init__(self, path):
        self.path, self.rows = path / "pages", []
        self.path.mkdir()
        self.store = DocumentStore(self.path, path / "index.sqlite3")

    def add(self, name, content, *, at="2026-01-17", address="", **more):
        data = content if isinstance(content, bytes) else content.encode()
        (self.path / name).write_bytes(data)
        return self.list(address or BASE + name, file=name, fetched=at, **more)

    def list(self, address, **row):
        self.rows.append({"address": address, "fetched": "2026-01-17", **row})
        lines = "\n".join(map(json.dumps, self.rows))
        (self.path / "manifest.jsonl").write_text(lines, encoding="utf-8")
        return address

    def page(self, address):
        return self.store.page(address)

    def found(self, query, limit=5):
        return [hit.address.removeprefix(BASE) for hit in self.store.find(query, limit)]


@pytest.fixture
def folder(tmp_path):
    made = Folder(tmp_path)
    made.add("rates.txt", "The rate of CAD to USD was 0.7195 on 17 January 2026, says the bank.")
    made.add("colour.md", "# Colour of the Year\n\nThe colour for 2026 is *Cloud Dancer*, a white.")
    made.add(
        "market.html", "<title>羊绒市场报告</title><p>2025年全球羊绒服装市场规模为35亿美元。</p>"
    )
    return made


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_args, **_more):
        raise AssertionError("the store asked a network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
