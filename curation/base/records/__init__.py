"""Tables that people send as files: CSV in the encodings of spreadsheets, and Excel."""
