"""The rules behind the offline provider. They are described in docs/offline.md."""
