"""Tables of profiles to choose from, and which of them were really chosen."""
