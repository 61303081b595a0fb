"""Where a verifier looks claims up: an interface, and a store of documents on this machine."""
