"""Guidelines of domains and of the programme, in versions that people read."""
